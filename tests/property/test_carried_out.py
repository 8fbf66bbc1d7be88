"""What a plan says comes true in a cycle in which the workload is all that waits."""

from typing import Any

from hypothesis import given

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_only_pending
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.laws import Grade
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from tests.property.effort import examples
from tests.property.generate import cases, configured

Manifest = dict[str, Any]


def carried_out(entries: tuple[ProcessedHead, ...]) -> Outcome | None:
    """What the cycle did with its only head: None when it neither let it in nor evicted anybody for it."""
    for entry in entries:
        if entry.status is HeadStatus.ASSUMED:
            return Outcome.ADMITTED
        if entry.preempts:
            return Outcome.PREEMPTS
    return None


def is_miscounted(plan: Plan) -> bool:
    """Whether Kueue nominates what its own cycle may then refuse.

    Two slips of its own: targets are sought without the ``pods`` that are added for the count, and under
    PreemptionOverBorrowing a flavor that borrows for one resource counts as fitting where another is short.
    """
    assignment = plan.nomination.assignment
    if assignment is None:
        return False
    grades = [grade for p in assignment.pod_sets for _, grade in p.flavors.values()]
    short = plan.outcome is Outcome.ADMITTED and any(grade is not Grade.FIT for grade in grades)
    return short or (plan.outcome is Outcome.PREEMPTS and assignment.usage != assignment.usage_without_pods)


@examples(80)
@given(cases())
def test_a_plan_comes_true_where_nobody_else_waits(case: Manifest) -> None:
    for snapshot in map(case_snapshot, configured(case)):
        engine = KueueEngine()
        for workload in snapshot.part(KueueState).pending:
            plan = engine.plan(snapshot, workload)
            entries = engine.cycle(with_only_pending(snapshot, [workload.key])).round.entries
            gets_in = plan.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS) and not plan.earlier  # else a cycle later
            if not is_miscounted(plan):
                assert carried_out(entries) == (plan.outcome if gets_in else None)
                assert not gets_in or entries[0].targets == plan.targets
