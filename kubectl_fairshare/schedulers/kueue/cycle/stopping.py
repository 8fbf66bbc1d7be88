"""The head of which Kueue's manager dies: nothing is scheduled before it is gone.

All heads are nominated before one of them gets anything, so a crash in the nomination of one stops all; after each
restart the same head is there again.
Example: a ClusterQueue without a cohort, its head preempts by priority, and its candidates are not enough. Up to
v0.17.8 Kueue then looks for the root of a cohort that is not there, and the manager dies.
Source: ``TargetClusterQueueOrdering.Iter`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.17.8/pkg/scheduler/preemption/fairsharing/ordering.go.
Tested in ``tests/unit/schedulers/kueue/preemption/test_crash.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate, nominate_again
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_nominations
from kubectl_fairshare.schedulers.kueue.cycle.queues import heads
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_NEVER = "Never"


def stopping_head(state: State) -> Nomination | None:
    """The nomination of the head of which the manager dies in the next cycle; None if it lives. Looked for once."""
    return _stopping(state)[0] if may_stop(state) else None


def uncertain_head(state: State) -> Pending | None:
    """A head of which the manager may die, where it does not die for certain: the order of a Go map decides."""
    return _stopping(state)[1] if may_stop(state) else None


def may_stop(state: State) -> bool:
    """Whether there is a queue of which a head can end the manager."""
    if not (state.configuration.release.crashes_without_cohort and state.fair):
        return False
    return any(is_deadly(state, name) for name in state.forest.queue_ids)


def is_deadly(state: State, name: str) -> bool:
    """Whether the manager dies of a head of the ClusterQueue if its candidates do not suffice."""
    node = state.forest.nodes[state.forest.queue_ids[name]]
    return node.parent is None and node.queue.preemption.within_cluster_queue != _NEVER


def stopped(state: State, workload: Pending) -> Nomination | None:
    """The workload as refused since nothing is scheduled; None where the manager lives."""
    head = stopping_head(state)
    if head is None:
        return None
    name = state.cluster_queue_of(workload)
    return Nomination(workload, name, state.forest.queue_ids.get(name), refused=head.refused)


def _stopping(state: State) -> tuple[Nomination | None, Pending | None]:
    parts = state.snapshot, state.forest, state.ledger, state.holders
    return state.once.of(parts, lambda: _found_stopping(state))


def _found_stopping(state: State) -> tuple[Nomination | None, Pending | None]:
    uncertain = None
    for each in _nominations(state):
        ways = possible_nominations(state, each.workload) if each.workload.is_drawn else Possible((each,))
        crashes = [way.crashes for way in ways.results]
        if all(crashes) and ways.complete:
            return each, None
        if any(crashes) or not ways.complete or (each.assignment is not None and each.assignment.may_crash):
            uncertain = uncertain or each.workload
    return None, uncertain


def _nominations(state: State) -> Iterator[Nomination]:
    """Those of the heads, and of workloads that ask for a place again, of queues that may end the manager."""
    queues = {name for name in state.forest.queue_ids if is_deadly(state, name)}
    yield from (nominate_again(state, each) for each in state.kueue.second_pass if each.holder.cluster_queue in queues)
    yield from (nominate(state, head) for name, head in heads(state).items() if name in queues)
