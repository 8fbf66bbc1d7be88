"""Replays recorded plays: cycles with their evictions, until no workload is admitted or evicted any more."""

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.cycle.saturation import saturate
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.recording import POSSIBLE

MOST_CYCLES = 100_000
MOST_WAYS = 8_000
RESOURCE = "nvidia.com/gpu"


def replay(case: JsonObject) -> JsonObject:
    """What each ClusterQueue holds in the end, in the form of the case's ``expected``.

    Before each cycle every workload is eligible again. With ``possible`` for what ties allow, unless a backlog ends.
    Raises ``FairshareError`` if the play does not end.
    """
    state = state_of(case_snapshot(case))
    usage = _played(state, case)
    shape = {RESOURCE: 1}
    found = saturate(state, shape, most_ways=MOST_WAYS)
    if found.usage != usage or len(found.possible.results) < 2:  # a backlog that ends
        return {"usage": usage}
    return {"usage": usage, POSSIBLE: [{"usage": dict(each)} for each in found.possible.results]}


def _played(state: State, case: JsonObject) -> dict[str, int]:
    play = Play(state, waiting(state), nanoseconds(case["now"]), lambda _: None)
    while play.cycle():
        play.wake_all()
        if play.cycles > MOST_CYCLES:
            raise FairshareError(Problem(f"not stable after {MOST_CYCLES} cycles", case["name"]))
    return {name: _held(play.state, queue) for name, queue in state.forest.queue_ids.items()}


def _held(state: State, queue: int) -> int:
    total = 0
    for amount in state.ledger.usages(queue).values():
        total = add(total, amount)
    return total
