"""A workload for which Kueue finds flavors in which it does not fit, and which is skipped for that."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from tests.unit.schedulers.kueue.build import CPU, GPU, cohort, holder, pending, queue, state

WITHIN = Preemption(within_cluster_queue="LowerPriority")
BOTH = {"when_can_borrow": "TryNextFlavor", "when_can_preempt": "TryNextFlavor"}


def short_of_cpu(preference: str) -> State:
    """The queue may preempt for cpu, of which it borrows nothing, and borrows the gpu that is free."""
    fungibility = Fungibility(preference=preference, **BOTH)
    quotas = {CPU: Quota(2, borrowing_limit=0), GPU: Quota(0)}
    return state(
        cohort("org"),
        queue("mine", "org", quotas, preemption=WITHIN, fungibility=fungibility),
        queue("lender", "org", {CPU: Quota(0), GPU: Quota(4)}),
        holder("low", "mine", {CPU: 2}, priority=-1),
        pending("asker", "mine", {CPU.resource: 2, GPU.resource: 1}),
    )


def test_preemption_is_preferred_to_borrowing_and_nobody_is_preempted() -> None:
    given = short_of_cpu("PreemptionOverBorrowing")
    found = plan(given, given.kueue.pending[0])
    assert found.outcome is Outcome.WAITS
    assert found.targets == ()
    assert condition(found).message == "Workload no longer fits after processing another workload"
    assert not [r for r in found.remedies if r.kind == "priority"]


def test_borrowing_is_preferred_to_preemption_and_the_low_one_is_preempted() -> None:
    given = short_of_cpu("BorrowingOverPreemption")
    found = plan(given, given.kueue.pending[0])
    assert found.outcome is Outcome.PREEMPTS
    assert [t.holder.key.name for t in found.targets] == ["low"]
