"""What keeps a workload out for which Kueue finds quota or victims, and which it then never takes.

Tested in ``tests/unit/schedulers/kueue/explain/test_dead_ends.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit, Plan
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

SKIPPED: Final = (TopologyLaw.NO_REQUEST, Law.SKIPPED_ALONE)
"""The laws of ``skipped_steps``; the first keeps it out of an empty cluster, too."""


def no_domain_step(nomination: Nomination, index: int) -> Step:
    """The step that says of a pod set that its place has no domain: it has fewer pods than one slice."""
    pod_set = nomination.workload.pod_sets[index]
    count = 0 if nomination.assignment is None else nomination.assignment.pod_sets[index].count
    layers = () if pod_set.topology is None else pod_set.topology.layers
    operands = (("pod set", pod_set.name), ("pods", count), ("size", layers[0].size if layers else 1))
    return Step(TopologyLaw.NO_DOMAIN, operands, holds=False)


def failing_steps(plan: Plan) -> Iterator[Step]:
    """The steps that do not hold, those of the proof first.

    Of a scan of flavors that lets the workload in once others have ended: those of all its cycles, without limits
    that no end of work moves, as it gets in another way.
    """
    yield from (step for step in plan.proof if not step.holds and not (plan.once_alone and _lasts(step)))
    cycles = (*plan.earlier, plan.nomination) if plan.once_alone else (plan.deciding,)
    for assignment in (each.assignment for each in cycles if each.assignment is not None):
        for pod_set in assignment.pod_sets:
            steps = pod_set.reasons if pod_set.error is None else (pod_set.error,)
            yield from (step for step in steps if not (plan.once_alone and _lasts(step)))
    if not plan.proof:  # a list has none; what a release did not measure is in its limits alone
        yield from (_beyond(each) for each in plan.bindings if each.ever and each.kind is not Limit.DOMAIN)


def _beyond(limit: Binding) -> Step:
    names = (("flavor", limit.pair.flavor), ("resource", limit.pair.resource))
    return Step(Law.EXCEEDS_POTENTIAL, (*names, ("needed", limit.needed), ("potential", limit.reachable)), holds=False)


def _lasts(step: Step) -> bool:
    return step.law is Law.EXCEEDS_POTENTIAL


def skipped_steps(state: State, nomination: Nomination) -> Iterator[Step]:
    """What the last test of a head lacks though nothing was taken before it; nothing if the head passes that test."""
    queue, assignment = nomination.queue, nomination.assignment
    if nomination.fits or queue is None or assignment is None:
        return
    ledger = state.ledger
    for target in nomination.leaving:
        ledger = ledger.minus(target.queue, target.holder.usage)
    for pair, amount in sorted({} if nomination.second is not None else assignment.usage.items()):
        free = ledger.free(queue, pair)
        if amount > free:
            operands = (("flavor", pair.flavor), ("resource", pair.resource), ("needed", amount), ("free", free))
            victims = ("victims", len(nomination.leaving))
            yield Step(Law.SKIPPED_ALONE, (*operands, victims), holds=False)
    for pod_set, served in zip(nomination.workload.pod_sets, assignment.pod_sets, strict=True):
        if served.topology is not None and served.topology.domains and not pod_set.occupies:
            yield Step(TopologyLaw.NO_REQUEST, (("pod set", pod_set.name),), holds=False)
