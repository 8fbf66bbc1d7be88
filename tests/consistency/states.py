"""The states of each house, drawn from a seed: the same seed draws the same states."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.consistency import kueue_states, pod_states
from tests.consistency.recorded import FOLDER, recorded
from tests.consistency.variations import varied

Manifest = dict[str, Any]
HOUSES: Final = ("kueue", "kai", "elasticquota", "koordinator")
_AT_ONCE: Final = 25
_RECORDED: Final = 2
_OF_PODS: Final[dict[str, Callable[[Random], list[Manifest]]]] = {
    "kai": pod_states.kai_state,
    "elasticquota": pod_states.elasticquota_state,
    "koordinator": pod_states.koordinator_state,
}


class State(NamedTuple):
    """One state, its house and its name, by which it is drawn again."""

    house: str
    name: str
    objects: list[Manifest]

    def having(self, objects: list[Manifest]) -> "State":
        """The state with other objects."""
        return self._replace(objects=objects)

    @property
    def running(self) -> list[Manifest]:
        """The objects that are running work: Workloads that hold quota, pods on nodes with their PodGroups."""
        placed = [each for each in self.objects if each["kind"] == "Pod" and "nodeName" in each["spec"]]
        groups = {each["metadata"].get("annotations", {}).get("pod-group-name") for each in placed}
        return [
            each
            for each in self.objects
            if (each["kind"] == "Workload" and "admission" in each.get("status", {}))
            or each in placed
            or (each["kind"] == "PodGroup" and each["metadata"]["name"] in groups)
        ]

    def without_work(self, ended: set[str]) -> "State":
        """The state without the running work of these names."""
        gone = [each for each in self.running if work_of(each) in ended]
        return self.having([each for each in self.objects if each not in gone])


def work_of(manifest: Manifest) -> str:
    """The name of the work that an object belongs to."""
    metadata = manifest["metadata"]
    name = metadata.get("annotations", {}).get("pod-group-name", metadata["name"])
    return f"{metadata.get('namespace', '')}/{name}"


def is_grouped(state: State, manifests: list[Manifest], listed: Manifest) -> bool:
    """Whether the work has its PodGroup, without which KAI has no job to list, or the list is exact without it."""
    grouped = state.house != "kai" or any(each["kind"] == "PodGroup" for each in manifests)
    return grouped or bool(listed["fidelity"]["exact"])


def is_ours(state: State, manifests: list[Manifest]) -> bool:
    """Whether the house answers for the work: not ended, and for none of other schedulers."""
    first = manifests[0]
    if state.house == "kueue" or first["kind"] == "Workload":
        ended = any(each["type"] == "Finished" for each in first.get("status", {}).get("conditions", ()))
        return first["kind"] == "Workload" and not ended
    scheduler = {"kai": "kai-scheduler", "elasticquota": "capacityscheduler", "koordinator": "koord-scheduler"}
    return any(
        each["kind"] == "Pod"
        and each["spec"].get("schedulerName") == scheduler[state.house]
        and each.get("status", {}).get("phase", "Pending") == "Pending"
        for each in manifests
    )


def states(house: str, seed: int | str, count: int, folder: Path = FOLDER) -> Iterator[State]:
    """``count`` states of a house: drawn as they are, drawn and varied, recorded and varied, in turn."""
    for number, state in enumerate(drawn(house, seed, count)):
        dice = Random(f"{house}/{seed}/{number}/varied")
        objects = recorded(house, dice, folder) if number % 3 == _RECORDED else state.objects
        yield state.having(varied(house, objects, dice) if number % 3 else objects)


def drawn(house: str, seed: int | str, count: int) -> Iterator[State]:
    """``count`` states of a house as they are drawn, with nothing odd."""
    for number, objects in enumerate(_drawn(house, seed, count)):
        yield State(house, f"{seed}/{number}", objects)


def _drawn(house: str, seed: int | str, count: int) -> Iterator[list[Manifest]]:
    if house in _OF_PODS:
        for number in range(count):
            yield _OF_PODS[house](Random(f"{house}/{seed}/{number}"))
        return
    for first in range(0, count, _AT_ONCE):
        start = Random(f"{seed}/{first}").getrandbits(60)
        yield from kueue_states.states(start, min(_AT_ONCE, count - first))
