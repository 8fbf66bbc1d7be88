"""Which workloads are preempted: the search that the configuration asks for."""

from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.preemption.classical import classical_targets
from kubectl_fairshare.schedulers.kueue.preemption.fair import fair_targets
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult
from kubectl_fairshare.schedulers.kueue.tree.state import State


def find_targets(state: State, preemptor: Preemptor, replay: Replay) -> SearchResult:
    """The targets for a preemptor; none when preemption cannot make it fit. ``replay`` as for its other searches."""
    return fair_targets(state, preemptor, replay) if state.fair else classical_targets(state, preemptor)
