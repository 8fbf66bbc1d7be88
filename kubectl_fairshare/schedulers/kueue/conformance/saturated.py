"""Replays recorded plays: cycles with their evictions, until no workload is admitted or evicted any more."""

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of

MOST_CYCLES = 100_000


def replay(case: JsonObject) -> JsonObject:
    """What each ClusterQueue holds in the end, in the form of the case's ``expected``.

    Before each cycle every workload is eligible again. Raises ``FairshareError`` if the play does not end.
    """
    state = state_of(case_snapshot(case))
    play = Play(state, waiting(state), nanoseconds(case["now"]), lambda _: None)
    while play.cycle():
        play.wake_all()
        if play.cycles > MOST_CYCLES:
            raise FairshareError(Problem(f"not stable after {MOST_CYCLES} cycles", case["name"]))
    return {"usage": {name: _held(play.state, queue) for name, queue in state.forest.queue_ids.items()}}


def _held(state: State, queue: int) -> int:
    total = 0
    for amount in state.ledger.usages(queue).values():
        total = add(total, amount)
    return total
