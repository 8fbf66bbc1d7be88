"""How far the scan of flavors came for each waiting workload, from one cycle to the next.

A scan that stopped at a flavor without a result, or whose workload was skipped for another, continues after that
flavor as long as it is fresh: it is from the cycle before, or no quota was released since.
Source: Kueue v0.19, FlavorFungibilityPreserveScanProgress; "flavors" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/test_play.py``.
"""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Tried
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.model.workload import Pending


class Scans:
    """The scans of one play. ``going_on``: in this cycle some workload waits for its scan to continue."""

    def __init__(self) -> None:
        self.going_on = False
        self._came_to: dict[ObjectKey, tuple[int, Tried]] = {}
        self._seen: dict[ObjectKey, list[Tried]] = {}
        self._given_back = 0

    def tried_before(self, workload: Pending, cycle: int) -> Tried:
        """The flavors that count as tried when ``cycle`` considers the workload."""
        recorded, came_to = self._came_to.pop(workload.key, (0, NOTHING_TRIED))
        return came_to if cycle - recorded <= 1 or recorded >= self._given_back else NOTHING_TRIED

    def keep(self, nomination: Nomination, cycle: int) -> None:
        """Records how far a workload's scan came."""
        self._came_to[nomination.workload.key] = cycle, nomination.tried

    def go_on(self, nomination: Nomination, cycle: int) -> bool:
        """Whether the scan of a workload that got nothing continues in the next cycle.

        Kueue can repeat a scan for ever with several pod sets; here a scan ends if it comes to the same place again
        and nothing has changed.
        """
        seen = self._seen.setdefault(nomination.workload.key, [])
        if not nomination.goes_on or nomination.tried in seen:
            return False
        seen.append(nomination.tried)
        self.keep(nomination, cycle)
        self.going_on = True
        return True

    def note_change(self, cycle: int, *, given_back: bool) -> None:
        """Records that a workload was admitted or evicted; ``given_back``: evicted."""
        self._seen.clear()
        if given_back:
            self._given_back = cycle
