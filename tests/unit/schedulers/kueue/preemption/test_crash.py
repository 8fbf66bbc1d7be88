"""The crash of releases up to v0.17.8: fair sharing, a ClusterQueue without a cohort, candidates that do not suffice.

Recorded from v0.17.8's own code, which ends in a nil pointer dereference in ``TargetClusterQueueOrdering.Iter``.
"""

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import FAIR, cohort, holder, pending, queue, state


def known(release: str, parent: str | None = None, policy: str = "LowerPriority", strategies: object = FAIR) -> State:
    return state(
        *([] if parent is None else [cohort(parent)]),
        queue("a", parent, 4, preemption=Preemption(policy)),
        queue("b", None, 4),
        holder("high", "a", 3, priority=9),
        holder("low", "a", 1, priority=0),
        pending("w", "a", 2, priority=5),
        pending("other", "b", 1),
        strategies=FAIR if strategies is FAIR else None,
        release=release,
    )


def test_the_manager_dies_of_a_queue_without_a_cohort_and_schedules_nothing() -> None:
    dying = known("0.17")
    head = next(w for w in dying.kueue.pending if w.key.name == "w")
    assert nominate(dying, head).crashes
    run = run_cycle(dying)
    assert {entry.status for entry in run.entries} == {HeadStatus.INADMISSIBLE}
    laws = {entry.nomination.refused.law for entry in run.entries if entry.nomination.refused is not None}
    assert laws == {Law.SCHEDULER_CRASH}
    assert len(run.entries) == 2


@pytest.mark.parametrize(
    "alive",
    [
        known("0.18"),
        known("0.17", parent="co"),
        known("0.17", policy="Never"),
        known("0.17", strategies=None),
    ],
    ids=["a later release", "a cohort", "no preemption", "classical preemption"],
)
def test_it_lives_where_one_of_the_conditions_is_missing(alive: State) -> None:
    assert not any(entry.nomination.crashes for entry in run_cycle(alive).entries)


def test_targets_that_suffice_do_not_crash_it() -> None:
    fitting = state(
        queue("a", None, 4, preemption=Preemption("LowerPriority")),
        holder("low", "a", 4, priority=0),
        pending("w", "a", 2, priority=5),
        strategies=FAIR,
        release="0.17",
    )
    found = nominate(fitting, fitting.kueue.pending[0])
    assert [target.holder.key.name for target in found.leaving] == ["low"]
