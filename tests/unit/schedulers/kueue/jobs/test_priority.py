"""The value of a WorkloadPriorityClass is the priority of its Workloads, also where they do not say so yet."""

from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from tests.unit.cli.why_state import kueue, queue, running, surroundings, workload

ENGINE = KueueEngine()
PREEMPTION: dict[str, Any] = {"preemption": {"withinClusterQueue": "LowerPriority"}}


def reference(kind: str = "WorkloadPriorityClass", group: str = "kueue.x-k8s.io", name: str = "high") -> Any:
    return {"priorityClassRef": {"group": group, "kind": kind, "name": name}}


def snapshot(waiting: Any, holding: Any) -> Any:
    """A queue full of a workload of priority 10, another one that waits, and the class ``high``."""
    made = kueue("WorkloadPriorityClass", "high", {})
    made["value"] = 100
    jobs = [running("r", 4, spec={"priority": 10, **holding}), workload("w", 4, spec={"priority": 50, **waiting})]
    objects = [*surroundings(), *queue("q", **PREEMPTION), made, *jobs]
    return case_snapshot({"name": "x", "config": {}, "objects": objects})


@pytest.mark.parametrize(
    ("waiting", "holding", "priorities", "outcome"),
    [
        ({}, {}, (10, 50), Outcome.PREEMPTS),
        ({}, reference(), (100, 50), Outcome.WAITS),
        (reference(), reference(), (100, 100), Outcome.WAITS),
        ({"priority": 1, **reference()}, {}, (10, 100), Outcome.PREEMPTS),
        ({}, reference(name="other"), (10, 50), Outcome.PREEMPTS),
        ({}, reference("PriorityClass", "scheduling.k8s.io"), (10, 50), Outcome.PREEMPTS),
    ],
)
def test_a_class_governs_workloads_that_wait_or_run(
    waiting: Any, holding: Any, priorities: tuple[int, int], outcome: Outcome
) -> None:
    found = snapshot(waiting, holding)
    state = found.part(KueueState)
    (holder,), (pending,) = state.holders, state.pending
    assert (holder.priority, pending.priority) == priorities
    assert ENGINE.plan(found, pending).outcome is outcome


def test_a_plan_cites_the_class_that_governs() -> None:
    found = snapshot({}, reference())
    plan = ENGINE.plan(found, found.part(KueueState).pending[0])
    assert "WorkloadPriorityClass" in {key.kind for key in ENGINE.cited_objects(found, plan)}
    same = snapshot({}, {"priority": 100, **reference()})
    plan = ENGINE.plan(same, same.part(KueueState).pending[0])
    assert "WorkloadPriorityClass" not in {key.kind for key in ENGINE.cited_objects(same, plan)}
