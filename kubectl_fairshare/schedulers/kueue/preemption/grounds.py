"""The nodes in a search for targets: who leaves gives its places back, and the preemptor's pods need one each time.

Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.topology.occupancy import GIVES_BACK, TAKES, Occupancy
from kubectl_fairshare.schedulers.kueue.topology.workloads import PlacesPods, Requests


class SearchGrounds:
    """What is left of the nodes as targets leave and are put back."""

    def __init__(self, placing: PlacesPods, asked: Requests, occupancy: Occupancy) -> None:
        self._placing = placing
        self._asked = asked
        self._occupancy = occupancy

    def leave(self, holder: Holder) -> None:
        """Takes the workload's pods off the nodes of its own flavors."""
        self._occupancy = self._occupancy.changed(holder.placements, GIVES_BACK)

    def come_back(self, holder: Holder) -> None:
        """Puts them where they were."""
        self._occupancy = self._occupancy.changed(holder.placements, TAKES)

    def hold(self) -> bool:
        """Whether all pod sets have a place."""
        return self._placing.places(self._asked, self._occupancy).complete
