"""Running, pending and waiting are the same numbers in every answer about one state: for all states of ``testdata``."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import sampled
from tests.screens import ROOT, Screen

FOLDERS = sorted(path.name for path in (ROOT / "testdata").iterdir() if path.name not in {"conformance", "rules"})
"""All that are not recordings, or examples of single rules."""
TOTALS = re.compile(r"([\d,]+) running, ([\d,]+) pending")
Run = Callable[[str], Screen]


def states() -> Iterator[str]:
    """Every folder of manifests that is one state, and every file that is one alone."""
    for name in FOLDERS:
        top = ROOT / "testdata" / name
        for path in sorted(top.rglob("*")) if top.is_dir() else ():
            folder = path.is_dir() and any(each.suffix == ".yaml" for each in path.iterdir())
            if folder or path.name.endswith((".json.gz", ".yaml")):
                yield str(path.relative_to(ROOT))


def document(run: Run, command: str) -> Any:
    """What a command prints as JSON; None where it has no answer."""
    text = run(f"kubectl-fairshare {command}").stdout
    return json.loads(text) if text.startswith("{") else None


def totals(text: str) -> tuple[int, int] | None:
    found = TOTALS.search(" ".join(text.split()))
    return None if found is None else (int(found[1].replace(",", "")), int(found[2].replace(",", "")))


def of_queues(shares: Any) -> tuple[int, int]:
    """The sums over the roots."""
    roots = [queue for queue in shares["queues"] if not queue["parent"]]
    return sum(queue["running"] for queue in roots), sum(queue["pending"] for queue in roots)


def breaches(run: Run, state: str) -> Iterator[str]:
    """What contradicts another answer about the state."""
    shares = document(run, f"shares -q -f {state} -o json")
    waiting = document(run, f"why -q -f {state} -o json")
    if shares is None or waiting is None or not shares.get("queues"):  # several clusters: each has its own counts
        return
    screens = {name: run(f"kubectl-fairshare {name} -q -f {state}").stdout for name in ("shares", "why")}
    page = run(f"kubectl-fairshare report -q --no-lint -f {state}").stdout
    if not page:  # it is refused
        return
    known = (waiting["running"], waiting["pending"])
    for name, found in [*((name, totals(text)) for name, text in screens.items()), ("report", totals(page))]:
        if found != known:
            yield f"{state}: {name} has {found}, why -o json {known}"
    inside = of_queues(shares)
    if any(part > whole for part, whole in zip(inside, known, strict=True)):
        yield f"{state}: the queues have {inside}, all together {known}"
    if "running" in shares and (shares["running"], shares["pending"]) != known:
        yield f"{state}: shares -o json has {shares['running']}, {shares['pending']}, why -o json {known}"
    listed = sum(len(group["workloads"]) for group in waiting["groups"])
    rows = len(run(f"kubectl-fairshare why -q -f {state} -o jsonl").stdout.splitlines())
    drawn = re.search(r">Waiting: ([\d,]+) workload", page)
    if not drawn or {listed, rows, int(drawn[1].replace(",", ""))} != {listed}:
        yield f"{state}: why lists {listed}, jsonl {rows}, the page {drawn and drawn[1]}"
    cycle = document(run, f"cycle -q -f {state} -o json")
    if cycle is not None and "leftOut" in cycle:
        pending = sum(each["workloads"] for each in cycle["waiting"]) + len(cycle["leftOut"])
        if pending != known[1]:
            yield f"{state}: cycle has {pending} pending, why {known[1]}"


SAMPLE = ("testdata/why/fair.json.gz", "testdata/demo/org", "testdata/demo/kai", "testdata/elasticquota/waiting.yaml")


@pytest.mark.parametrize("state", sampled([*SAMPLE, "testdata/demo/koordinator", "testdata/kai/why"], 6))
def test_every_answer_counts_alike(state: str, run: Run) -> None:
    assert list(breaches(run, state)) == []


@pytest.mark.slow
def test_every_answer_about_every_state_of_testdata_counts_the_same(run: Run) -> None:
    known = list(states())
    assert len(known) > 50
    assert [breach for state in known for breach in breaches(run, state)] == []


def test_the_states_are_there() -> None:
    assert {*SAMPLE} <= {*states()}
    assert all(Path(ROOT, each).exists() for each in states())
