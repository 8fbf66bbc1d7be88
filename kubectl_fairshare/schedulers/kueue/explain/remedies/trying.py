"""What a change comes to: the decision after it, and whether the workload fits at once.

The search for what fits now works without preemption, because then fitting is monotone in the size of the request.
"""

from typing import NamedTuple

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps
from kubectl_fairshare.schedulers.kueue.explain.past_usage import victim_doubts
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode, Tried
from kubectl_fairshare.schedulers.kueue.flavors.placing import topology_placing
from kubectl_fairshare.schedulers.kueue.flavors.requests import current_counts
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED, History, assign
from kubectl_fairshare.schedulers.kueue.flavors.slices import old_slice
from kubectl_fairshare.schedulers.kueue.gaps import drawn_gaps
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.tree.state import State


class Decided(NamedTuple):
    """The outcome after a change, with the workloads that are preempted then, in order.

    ``doubted``: something that is not modelled, or not in the input, can change it.
    """

    outcome: Outcome
    leaving: tuple[ObjectKey, ...]
    doubted: bool


def decision(state: State, workload: Pending) -> Decided | None:
    """The outcome, None if the workload would not be admitted."""
    nomination = _nomination(state, workload)
    if not nomination.admits:
        return None
    leaving = () if nomination.search is None else tuple(t.holder.key for t in nomination.search.targets)
    outcome = Outcome.PREEMPTS if leaving else Outcome.ADMITTED
    gaps = (
        *plan_gaps(state, nomination, after_pods(state, outcome)),
        *victim_doubts(state, nomination),
        *drawn_gaps((workload,)),
    )
    return Decided(outcome, leaving, any(gap.touches for gap in gaps))


def after_pods(state: State, outcome: Outcome) -> Outcome:
    """The outcome next to pods of others that must be ready first: what would be admitted at once waits for them.

    Less is in doubt then: a node or a topology that is not known can keep it out, but not let it in.
    """
    return Outcome.WAITS if outcome is Outcome.ADMITTED and state.unready else outcome


def gets_in(state: State, workload: Pending) -> bool:
    """Whether the workload would be admitted, at once or after its victims have left."""
    return _nomination(state, workload).admits


def _nomination(state: State, workload: Pending) -> Nomination:
    return scan(state, workload, Replay(only_targets=True))[-1]


def fits_now(state: State, queue: int, workload: Pending) -> bool:
    """Whether the workload fits without preemption, now or in a later cycle after further flavors (see ``scan``)."""
    counts = current_counts(workload.pod_sets)
    old = old_slice(state, queue, workload)
    placing = topology_placing(state, queue, workload.pod_sets)
    tried, seen = NOTHING_TRIED, list[Tried]()
    while tried not in seen:
        seen.append(tried)
        assignment = assign(state, queue, workload.pod_sets, counts, _no_targets, History(tried, old))
        assignment = assignment if placing is None else placing.applied(assignment)
        if assignment.mode is Mode.FIT:
            return not any(p.topology is not None and not p.topology.domains for p in assignment.pod_sets)
        tried = assignment.tried if assignment.stopped_early else NOTHING_TRIED
    return False


def _no_targets(pair: FlavorResource, amount: int) -> None:
    """A simulation of preemption that never finds targets."""
    del pair, amount
