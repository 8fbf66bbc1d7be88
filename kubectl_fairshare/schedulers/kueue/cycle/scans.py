"""How far the flavors of waiting workloads were looked at, from one cycle to the next.

A scan that stopped at a flavor in vain, or whose workload was skipped for the sake of another, goes on after that
flavor, as long as it is fresh: recorded in the cycle before, or with no quota given back since.
Source: Kueue v0.19, FlavorFungibilityPreserveScanProgress; "flavors" in ``docs/laws.md``.
"""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Tried
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.model.workload import Pending


class Scans:
    """The scans of one play. ``going_on``: in this cycle some workload was left waiting for its scan to go on."""

    def __init__(self) -> None:
        self.going_on = False
        self._came_to: dict[ObjectKey, tuple[int, Tried]] = {}
        self._seen: dict[ObjectKey, list[Tried]] = {}
        self._given_back = 0

    def tried_before(self, workload: Pending, cycle: int) -> Tried:
        """What counts as tried already when the workload is considered in ``cycle``."""
        recorded, came_to = self._came_to.pop(workload.key, (0, NOTHING_TRIED))
        return came_to if cycle - recorded <= 1 or recorded >= self._given_back else NOTHING_TRIED

    def keep(self, nomination: Nomination, cycle: int) -> None:
        """Notes how far a workload's scan came."""
        self._came_to[nomination.workload.key] = cycle, nomination.tried

    def go_on(self, nomination: Nomination, cycle: int) -> bool:
        """Whether the scan of a workload that got nothing goes on in the next cycle.

        Kueue can go round for ever with several pod sets; here a scan ends where it was before with nothing changed.
        """
        seen = self._seen.setdefault(nomination.workload.key, [])
        if not nomination.goes_on or nomination.tried in seen:
            return False
        seen.append(nomination.tried)
        self.keep(nomination, cycle)
        self.going_on = True
        return True

    def note_change(self, cycle: int, *, given_back: bool) -> None:
        """Notes that a workload was admitted or evicted; ``given_back``: evicted."""
        self._seen.clear()
        if given_back:
            self._given_back = cycle
