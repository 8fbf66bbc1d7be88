"""How far the scan of flavors came for each waiting workload, from one cycle to the next.

A scan that stopped at a flavor without a result, or whose workload was skipped for another, continues after that
flavor as long as it is fresh: it is from the cycle before, or no quota was released since. Releases that keep less
forget it once its workload is skipped, and once quota is released.
Example: the scan stopped at on-demand in cycle 7 and the workload was skipped. In cycle 8 it goes on with spot; if it
is tried again in cycle 20 and quota was given back in between, it begins with on-demand.
Source: ``lastAssignmentOutdated`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go,
FlavorFungibilityPreserveScanProgress; "flavors" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/cycle/test_play.py``.
"""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Tried
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.model.workload import Pending


class Scans:
    """The scans of one play. ``going_on``: the next cycle scans other flavors for some workload, if nothing changes.

    That is so where a scan has to continue, and after one that continued: the next starts with the first flavor again.
    ``repeats``: some scan went round and round while nothing changed. Kueue does so at its own pace, so which flavor is
    next once something changes is left to chance. ``keeps``: see ``KueueRelease.keeps_scan``.
    """

    def __init__(self, *, keeps: bool) -> None:
        self._keeps = keeps
        self.going_on = False
        self.repeats = False
        self._came_to: dict[ObjectKey, tuple[int, Tried]] = {}
        self._seen: dict[ObjectKey, list[Tried]] = {}
        self._resumed: dict[ObjectKey, list[Tried]] = {}
        self._given_back = 0

    @property
    def under_way(self) -> bool:
        """Whether a scan is to continue, for some workload."""
        return bool(self._came_to)

    def tried_before(self, workload: Pending, cycle: int) -> Tried:
        """The flavors that count as tried when ``cycle`` considers the workload."""
        recorded, came_to = self._came_to.pop(workload.key, (0, NOTHING_TRIED))
        fresh = (self._keeps and cycle - recorded <= 1) or recorded >= self._given_back + (not self._keeps)
        if came_to is NOTHING_TRIED or not fresh:
            return NOTHING_TRIED
        self._note(self._resumed, workload.key, came_to)
        return came_to

    def _note(self, seen: dict[ObjectKey, list[Tried]], key: ObjectKey, tried: Tried) -> None:
        """Another cycle is due, unless the scan was at this place before and nothing has changed since."""
        before = seen.setdefault(key, [])
        if tried in before:
            self.repeats = True
        else:
            before.append(tried)
            self.going_on = True

    def skip(self, nomination: Nomination, cycle: int) -> None:
        """Notes how far the scan of a workload came that was skipped for another, where that is kept."""
        if self._keeps:
            self.go_on(nomination, cycle)

    def go_on(self, nomination: Nomination, cycle: int) -> bool:
        """Whether the scan of a workload that was skipped or got nothing continues in the next cycle: then it stays.

        Kueue can repeat a scan for ever, and its queue waits behind it; here no cycle is run for a scan that comes to
        the same place again while nothing has changed.
        """
        if not nomination.stopped_early:
            return False
        self._came_to[nomination.workload.key] = cycle, nomination.tried
        self._note(self._seen, nomination.workload.key, nomination.tried)
        return True

    def note_change(self, cycle: int, *, given_back: bool) -> None:
        """Records that a workload was admitted or evicted; ``given_back``: evicted."""
        self._seen.clear()
        self._resumed.clear()
        if given_back:
            # An admission alone does not end a scan: it frees nothing.
            self._given_back = cycle
