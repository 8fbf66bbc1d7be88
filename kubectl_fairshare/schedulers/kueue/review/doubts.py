"""What the cycles of a sandbox rest on: ties, and features that are not modelled.

Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_rounds
from kubectl_fairshare.schedulers.kueue.explain.cycle import run_doubts
from kubectl_fairshare.schedulers.kueue.gaps import EQUAL_CHOICES, cycle_gaps, drawn_gaps, first_kept_gaps
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step


class CycleWatch:
    """Cycles, one after another: ``gaps`` are what they rest on, ``crash`` is of what Kueue's manager dies.

    ``unplaced`` are gaps of work without a place on nodes, ``known`` those of the input, without places and with them:
    found once for all sandboxes of one input.
    """

    def __init__(self, unplaced: Iterable[Gap], known: dict[bool, tuple[Gap, ...]]) -> None:
        self.gaps: dict[Gap, None] = {}
        self.crash: Step | None = None
        self._unplaced = tuple(unplaced)
        self._known = known

    def __call__(self, _: Play, state: State, run: CycleRun) -> None:
        """Takes up a cycle and the state before it."""
        self.crash = self.crash or next((e.nomination.refused for e in run.entries if e.nomination.crashes), None)
        placed = any(entry.nomination.placed for entry in run.entries)
        if placed not in self._known:
            found = (*cycle_gaps(state, placed=placed), *drawn_gaps(state.kueue.pending))
            self._known[placed] = tuple(gap for gap in found if gap.touches)
        self._note((*self._known[placed], *(self._unplaced if placed else ())))
        self._note(run_doubts(state, run))
        if any(entry.preempts for entry in run.entries):
            self._note(first_kept_gaps(state.configuration))
        if self._is_tied(state, run):
            self._note(EQUAL_CHOICES)

    def _note(self, gaps: Iterable[Gap]) -> None:
        self.gaps |= dict.fromkeys(replace(gap, places=()) for gap in gaps if gap.touches)

    @staticmethod
    def _is_tied(state: State, run: CycleRun) -> bool:
        """Whether ties decide what the cycle does."""
        nominations = [entry.nomination for entry in run.entries]
        if not run.ties and not any(nomination.tied for nomination in nominations):
            return False
        ways = possible_rounds(state, [nomination.workload for nomination in nominations])
        return len(ways.results) > 1 or not ways.complete
