"""Which workloads give way: the search that the configuration asks for."""

from kubectl_fairshare.engines.kueue.classical import classical_targets
from kubectl_fairshare.engines.kueue.departures import Departures
from kubectl_fairshare.engines.kueue.fair import fair_targets
from kubectl_fairshare.engines.kueue.state import State
from kubectl_fairshare.engines.kueue.targets import Asker, Search


def find_targets(state: State, asker: Asker, departures: Departures) -> Search:
    """The targets for an asker, empty when preemption cannot make it fit."""
    find = fair_targets if state.fair else classical_targets
    return find(state, asker, departures)
