"""Dumps of a living Kueue: ``why`` gives every job the verdict that is known, and cites what binds."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.sampling import sampled
from tests.screens import ROOT, Screen

HERE = ROOT / "testdata" / "why"
TRUTH: dict[str, list[dict[str, Any]]] = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))
ROWS = [pytest.param(name, row, id=f"{name} {row['name']}") for name, rows in TRUTH.items() for row in rows]


_ASKED: dict[str, Screen] = {}
"""The screen of each command that was run."""


def why(dump: str, row: dict[str, Any], run: Callable[[str], Screen]) -> Screen:
    """Why a job is where it is, asked once."""
    command = f"kubectl-fairshare why job/{row['name']} -n {row['namespace']} -f testdata/why/{dump} -o json"
    if command not in _ASKED:
        _ASKED[command] = run(command)
    return _ASKED[command]


@pytest.mark.parametrize(("dump", "row"), sampled(ROWS, 4))
def test_the_verdict_is_the_known_one(dump: str, row: dict[str, Any], run: Callable[[str], Screen]) -> None:
    found = why(dump, row, run)
    assert found.code == 0, str(found)
    document = json.loads(found.stdout)
    assert document["verdict"] == row["verdict"]
    assert row.get("where", "") in json.dumps(document["evidence"])
    assert row.get("resource", "") in {*(b["resource"] for b in document["bindings"]), "", *_uncovered(document)}
    assert _jobs(document["heldBy"]) >= _names(row, "holder")
    assert _jobs(document["leaving"]) >= _names(row, "victim")
    assert _names(row, "ahead") <= ({_last(document["head"]["job"])} if document["head"] else set())
    preemptor = document["eviction"]["preemptor"] if document["eviction"] else None
    assert _names(row, "preemptor") <= ({_last(preemptor["job"])} if preemptor else set())


@pytest.mark.parametrize("dump", sorted(TRUTH))
def test_what_the_cluster_recorded_is_what_is_computed(dump: str, run: Callable[[str], Screen]) -> None:
    found = run(f"kubectl-fairshare why -A -f testdata/why/{dump} -o json")
    listed = [w["job"] for group in json.loads(found.stdout)["groups"] for w in group["workloads"]]
    waiting = [r for r in TRUTH[dump] if r["verdict"] not in ("Running", "Finished", "Unmanaged")]
    assert {_last(job) for job in listed} == {r["name"] for r in waiting}
    agreements = {}
    for row in waiting:
        compared = json.loads(why(dump, row, run).stdout)["comparison"]
        if compared is not None:
            agreements[row["name"]] = compared["agreement"]
    assert {"RecordIsOlder", "Differs"} & set(agreements.values()) == set()
    assert list(agreements.values()).count("Same") > len(agreements) - 4


def _uncovered(document: Any) -> list[str]:
    return [step["operands"]["resource"] for step in document["proof"]["steps"] if "resource" in step["operands"]]


def _names(row: dict[str, Any], field: str) -> set[str]:
    return {row[field]} if field in row else set()


def _jobs(listed: Any) -> set[str]:
    return {_last(entry["workload"]["job"]) for entry in listed}


def _last(job: str) -> str:
    return job.rpartition("/")[2]
