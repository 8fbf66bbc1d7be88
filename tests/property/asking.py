"""The engine's answers about a drawn case."""

from collections.abc import Iterator
from typing import Any

from kubectl_fairshare.model.values import fields
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of

Manifest = dict[str, Any]


def state_of_case(case: Manifest) -> State:
    """The case as the engine sees it."""
    return state_of(case_snapshot(case))


def plans(case: Manifest) -> Iterator[Plan]:
    """What becomes of each pending workload, each considered alone."""
    engine, snapshot = KueueEngine(), case_snapshot(case)
    for workload in snapshot.part(KueueState).pending:
        yield engine.plan(snapshot, workload)


def plan_of(case: Manifest, workload: Pending) -> Plan:
    """What becomes of the workload of this key, read anew from the case."""
    engine, snapshot = KueueEngine(), case_snapshot(case)
    (found,) = [w for w in snapshot.part(KueueState).pending if w.key == workload.key]
    return engine.plan(snapshot, found)


def told(plan: Plan) -> dict[str, object]:
    """All that a plan says; of the nomination what of it is an answer, not what was kept on the way to it."""
    said = {field.name: getattr(plan, field.name) for field in fields(plan) if field.name != "nomination"}
    nomination = plan.nomination
    return said | {"assignment": nomination.assignment, "mode": nomination.mode, "queue": nomination.cluster_queue}
