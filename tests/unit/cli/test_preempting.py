"""One for which others were preempted is the next to be looked at."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.cli.why_state import condition, queue, surroundings, workload

TOLD = "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor any, 1 more needed"
PREEMPTS = condition("QuotaReserved", "False", "Pending", f"{TOLD}. Pending the preemption of 1 workload(s)")
WAITS = condition("QuotaReserved", "False", "Pending", TOLD)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def asked(command: str, preemptor: Any, strategy: str) -> Any:
    high = workload("high", 1, WAITS, spec={"priority": 9})
    objects = [*surroundings(), *queue("q", queueingStrategy=strategy), preemptor, high]
    Path("state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return json.loads(shown(f"kubectl-fairshare {command} -f state.json -o json").stdout)


@pytest.mark.parametrize(
    ("told", "strategy", "head"),
    [(PREEMPTS, "BestEffortFIFO", "low"), (PREEMPTS, "StrictFIFO", "high"), (WAITS, "BestEffortFIFO", "high")],
)
def test_the_head_is_the_one_for_which_others_were_preempted(told: Any, strategy: str, head: str) -> None:
    (entry,) = asked("cycle", workload("low", 1, told), strategy)["entries"]
    assert entry["workload"]["name"] == head


def test_it_is_told_why_it_stands_before_others() -> None:
    standing = asked("why workload/high -n team", workload("low", 1, PREEMPTS), "BestEffortFIFO")["standing"]
    assert [(w["name"], w["because"]) for w in standing["ahead"]] == [("low", "preempted others")]
