"""A plan without a moment: whether each moment gives the same.

A gate takes pods that are being deleted out of all sums once their time is over. Where the input knows no moment, each
of those times may be over, the earlier ones first.
Tested in ``tests/unit/schedulers/koordinator/test_house.py``.
"""

from collections.abc import Callable
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.gaps import NO_MOMENT
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods

_MOST: Final = 16
"""The most moments that are tried."""


def at_every_moment(state: State, found: Plan, decide: Callable[[State], Plan]) -> Plan:
    """The plan as each moment gives it where only the moment is open and all agree, else with the outcome of each."""
    if {gap.feature for gap in found.fidelity.gaps if gap.touches} != {NO_MOMENT}:
        return found
    ends = sorted({pod.gone_at for pod in state.source.pods if pod.terminating and pod.gone_at is not None})
    if len(ends) > _MOST:
        return found
    moments = [ends[0] - 1, *(end + 1 for end in ends)] if ends else [0]
    plans = [decide(_at(state, moment)) for moment in moments]
    if len({_effects(each) for each in plans}) == 1:  # the figures next to the answer may still be others
        gaps = tuple(replace(gap, touches=False) if gap.feature == NO_MOMENT else gap for gap in found.fidelity.gaps)
        return replace(plans[0], fidelity=replace(plans[0].fidelity, gaps=gaps))
    return replace(found, moments=tuple(each.outcome for each in plans))


def _at(state: State, moment: int) -> State:
    """The state at a moment."""
    source = replace(state.source, moment=moment)
    return with_pods(replace(state, source=source), source.pods)


def _effects(of: Plan) -> tuple[Outcome, tuple[str, ...], frozenset[ObjectKey]]:
    """The outcome, the nodes that the pod may get, and the pods that leave."""
    chosen = of.attempt.chosen
    victims = frozenset[ObjectKey]() if chosen is None else frozenset(fate.pod.key for fate in chosen.victims)
    return of.outcome, tuple(of.attempt.feasible), victims
