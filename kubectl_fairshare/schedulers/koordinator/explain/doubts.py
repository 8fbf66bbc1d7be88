"""What a cycle after others rests on: chance, features that are not modelled, and the nodes that earlier pods got.

Tested in ``tests/unit/schedulers/koordinator/test_review.py``.
"""

from collections.abc import Collection, Iterator

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.trying import is_in_vain
from kubectl_fairshare.schedulers.koordinator.gaps import EQUAL_VICTIMS, IN_VAIN, plan_gaps
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_kinds
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.cycle import is_placed
from kubectl_fairshare.schedulers.kubescheduler.moving import rests_on_nodes
from kubectl_fairshare.schedulers.pod_replay import NODE_SCORES


def doubts_of(state: State, attempt: PodAttempt, scattered: Collection[str]) -> Iterator[Gap]:
    """What the end of a cycle and its victims rest on; ``scattered`` are pods that may be on other nodes."""
    placed = is_placed(state.nodes, attempt)
    found = plan_gaps(state, attempt, admitted=placed, settled=False).gaps
    yield from (replace(gap, places=()) for gap in found if gap.touches)
    ways = possible_kinds(state, attempt)
    if len({victims for _, victims in ways.results}) > 1 or not ways.complete:
        yield from EQUAL_VICTIMS
    elif len(ways.results) > 1 or rests_on_nodes(state, attempt, scattered):
        yield NODE_SCORES
    if is_in_vain(state, attempt):
        yield from IN_VAIN
