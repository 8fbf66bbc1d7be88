"""Which workloads give way: the search that the configuration asks for."""

from kubectl_fairshare.schedulers.kueue.preemption.classical import classical_targets
from kubectl_fairshare.schedulers.kueue.preemption.departures import Departures
from kubectl_fairshare.schedulers.kueue.preemption.fair import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.targets import Preemptor, SearchResult
from kubectl_fairshare.schedulers.kueue.tree.state import State


def find_targets(state: State, asker: Preemptor, departures: Departures) -> SearchResult:
    """The targets for an asker, empty when preemption cannot make it fit."""
    find = fair_targets if state.fair else classical_targets
    return find(state, asker, departures)
