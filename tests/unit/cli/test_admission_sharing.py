"""Admission fair sharing on the command line: heads, victims, and what the manager alone remembers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
FILE = ROOT / "testdata" / "kueue" / "past-usage.yaml"


def document(run: Run, command: str) -> Any:
    return json.loads(run(f"kubectl-fairshare {command} -o json").stdout)


def test_the_victim_is_of_the_local_queue_that_used_more(run: Run) -> None:
    found = document(run, f"cycle -f {FILE}")
    assert [v["workload"]["name"] for v in found["entries"][0]["victims"]] == ["run-heavy"]
    assert found["fidelity"]["exact"] is True


def test_shares_tell_what_was_used_and_who_is_next(run: Run) -> None:
    found = document(run, f"shares -f {FILE} --by localqueue")["admissionFairSharing"]
    assert (found["halfLifeSeconds"], found["samplingSeconds"]) == (604800.0, 300.0)
    assert [(each["localQueue"], round(each["usage"])) for each in found["localQueues"]] == [
        ("team/light", 0),
        ("team/heavy", 100),
    ]
    assert [each["workload"]["name"] for each in found["next"]] == ["new"]
    screen = run(f"kubectl-fairshare shares -f {FILE} --by localqueue").stdout
    assert "half-life 168h" in screen
    assert "PAST USAGE" in screen


def test_an_order_that_the_managers_memory_could_turn_round_is_not_exact(run: Run, tmp_path: Path) -> None:
    close = tmp_path / "close.yaml"
    close.write_text(FILE.read_text(encoding="utf-8").replace('cpu: "100"', 'cpu: "0.0001"'), encoding="utf-8")
    found = document(run, f"cycle -f {close}")
    assert found["fidelity"]["exact"] is False
    assert [gap["feature"] for gap in found["fidelity"]["notModelled"]] == ["AdmissionFairSharing"]
    screen = run(f"kubectl-fairshare cycle -f {close}").stdout
    assert "which workload of cq leaves first" in " ".join(screen.split())


def test_without_the_managers_part_the_scope_orders_nothing(run: Run, tmp_path: Path) -> None:
    off = tmp_path / "off.yaml"
    off.write_text(FILE.read_text(encoding="utf-8").replace('"admissionFairSharing"', '"x"', 1), encoding="utf-8")
    text = off.read_text(encoding="utf-8")
    start = text.index(', "x":')
    off.write_text(text[:start] + text[text.index("}}'") + 1 :], encoding="utf-8")
    found = document(run, f"cycle -f {off}")
    assert [v["workload"]["name"] for v in found["entries"][0]["victims"]] == ["run-light"]
    assert document(run, f"shares -f {off}")["admissionFairSharing"] is None


def test_a_local_queue_that_was_never_sampled_may_have_used_anything(run: Run, tmp_path: Path) -> None:
    """Its workloads were admitted, so the manager charged them; no status says how much."""
    reserved = 'lastTransitionTime: "2026-08-01T11:00:00Z"}'
    admitted = (
        "- {type: Admitted, status: 'True', reason: Admitted, message: '', lastTransitionTime: '2026-08-01T11:00:01Z'}"
    )
    unseen = tmp_path / "unseen.yaml"
    text = FILE.read_text(encoding="utf-8")
    unseen.write_text(text.replace(reserved, f"{reserved}\n    {admitted}", 1), encoding="utf-8")
    found = document(run, f"cycle -f {unseen}")
    assert [gap["feature"] for gap in found["fidelity"]["notModelled"]] == ["AdmissionFairSharing"]
