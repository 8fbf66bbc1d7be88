"""What Kueue's manager writes into its log about its scheduling cycles: whom it took, in which order, and why."""

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.live.stage.server import Object

LOOKS: Final = 5
"""How much the manager has to tell, so that its log holds what is read here."""
_SECONDS: Final = 60.0
_ALL: Final = -1


@dataclass(frozen=True)
class Evaluated:
    """What one cycle made of one head, in Kueue's words. ``flavors`` is of each pod set's resources.

    ``goes_on`` tells that Kueue keeps in mind how far its search for flavors came, to go on there next time.
    """

    queue: str
    status: str
    message: str
    flavors: dict[tuple[str, str], str]
    borrowing: int
    targets: tuple[str, ...]
    goes_on: bool = field(default=False, compare=False)


@dataclass
class Cycle:
    """One scheduling cycle: ``order`` are the workloads in the order in which they were taken."""

    number: int
    order: list[str] = field(default_factory=list)
    evaluated: dict[str, Evaluated] = field(default_factory=dict)
    complete: bool = False


class SchedulingLog:
    """The log of a running manager, read on and on."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._rest = b""
        self._lines = 0
        self._cycles: dict[int, Cycle] = {}
        self._queued: Counter[str] = Counter()
        self._deleted: dict[str, int] = {}
        self._moved: dict[str, int] = {}
        self._preempted: dict[str, Evaluated] = {}
        self.last = 0

    def close(self) -> None:
        self._file.close()

    def _read(self) -> None:
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        for line in lines:
            self._lines += 1
            if line.startswith(b"{"):
                self._take(json.loads(line))

    def _take(self, entry: Object) -> None:
        words, name = entry.get("msg", ""), (entry.get("workload") or {"name": ""})
        name = name["name"] if isinstance(name, dict) else name
        if words == "Workload delete event":
            self._deleted[name] = self._lines
        elif words == "Attempting to move workloads":
            self._moved[entry["rootCohort"]] = self._lines
        elif words.startswith("Added/updated workload in queues"):
            self._queued[name] += 1
        elif entry.get("logger") == "scheduler" and "schedulingCycle" in entry:
            self._take_cycle(entry, words, name)

    def _take_cycle(self, entry: Object, words: str, name: str) -> None:
        cycle = self._cycles.setdefault(entry["schedulingCycle"], Cycle(entry["schedulingCycle"]))
        if words == "Scheduling cycle starts":
            self.last = cycle.number
        elif words == "Attempting to schedule workload":
            cycle.order.append(name)
        elif words == "Workload evaluated for admission":
            found = cycle.evaluated[name] = _evaluated(entry)
            if "Pending the preemption of" in found.message:
                self._preempted.setdefault(name, found)
        elif words == "Scheduling cycle complete":
            cycle.complete = True

    def current(self) -> int:
        """The number of the cycle that began last."""
        self._read()
        return self.last

    def cycle(self, number: int) -> Cycle:
        """That cycle, once it is over."""
        deadline = time.monotonic() + _SECONDS
        while number not in self._cycles or not self._cycles[number].complete:
            assert time.monotonic() < deadline, f"cycle {number} is not over in {_SECONDS} s"
            time.sleep(0.01)
            self._read()
        return self._cycles[number]

    def looks(self, workload: str) -> int:
        """In how many cycles the workload was looked at."""
        self._read()
        return sum(workload in cycle.evaluated for cycle in self._cycles.values())

    def messages(self, workload: str) -> frozenset[str]:
        """All that cycles said of the workload."""
        self._read()
        cycles = (cycle.evaluated[workload] for cycle in self._cycles.values() if workload in cycle.evaluated)
        return frozenset(each.message for each in cycles)

    def first_preemption(self, workload: str) -> Evaluated | None:
        """What Kueue decided when it preempted somebody for the workload for the first time."""
        self._read()
        return self._preempted.get(workload)

    def goes_on(self, workload: str, number: int) -> bool:
        """Whether that cycle found Kueue in the middle of its search for flavors for the workload."""
        cycles = (self._cycles[n] for n in range(number - 1, 0, -1) if n in self._cycles)
        return next((c.evaluated[workload].goes_on for c in cycles if workload in c.evaluated), False)

    def went_on(self, workload: str) -> bool:
        """Whether the last cycle that looked at the workload went on in a search that an earlier one had begun."""
        self._read()
        looked = [number for number, cycle in self._cycles.items() if workload in cycle.evaluated]
        return bool(looked) and self.goes_on(workload, max(looked))

    def is_queued(self, workload: str) -> bool:
        """Whether the workload has come into its queue."""
        self._read()
        return self._queued[workload] > 0

    def is_retried(self, root: str, gone: set[str]) -> bool:
        """Whether all that wait in the tree of ``root`` are to be looked at again after the ``gone`` were deleted."""
        self._read()
        if not gone <= self._deleted.keys():
            return False
        return max((self._deleted[name] for name in gone), default=0) <= self._moved.get(root, 0)


def _evaluated(entry: Object) -> Evaluated:
    assignment = entry["nominatedAssignment"]
    return Evaluated(
        entry["clusterQueue"]["name"],
        entry["status"],
        entry["reason"],
        {
            (pod_set["Name"], resource): flavor["Name"]
            for pod_set in assignment["PodSets"] or ()
            for resource, flavor in (pod_set["Flavors"] or {}).items()
        },
        assignment["Borrowing"],
        tuple(target["name"] for target in entry["preempted"] or ()),
        any(
            index != _ALL
            for came_to in assignment["LastState"]["LastTriedFlavorIdx"] or ()
            for index in came_to.values()
        ),
    )
