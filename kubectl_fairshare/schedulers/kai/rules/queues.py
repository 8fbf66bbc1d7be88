"""KAI's queues as a forest, and their workloads: the shared input of several rules."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from kubectl_fairshare.model.json import JsonObject, inside, mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.kinds import POD_GROUP, QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import QUEUE_LABEL, UNLIMITED, KaiState, Queue

LABEL: Final = QUEUE_LABEL
_TEMPLATES: Final = (("spec", "template"), ("spec", "jobTemplate", "spec", "template"))
_DEEPEST: Final = 200

INSTALLED: Final = ("default-parent-queue", "default-queue")
"""The queues that KAI's chart creates. Source: KAI v0.17, ``deployments/kai-scheduler``."""


class Member(NamedTuple):
    """A workload, and the place where it names its queue."""

    queue: str
    place: Place


class Queues(Value, frozen=True, eq=False, dict=True):
    """The queues that the API server accepts; ``refused`` are KAI's objects that it rejects."""

    queues: Mapping[str, Queue]
    refused: frozenset[ObjectKey]
    state: KaiState
    manifests: Mapping[ObjectKey, Manifest]

    def __iter__(self) -> Iterator[Queue]:
        return iter(self.queues.values())

    def is_written(self, name: str) -> bool:
        """Whether a queue is in the input, even a rejected one, or made by KAI's installation."""
        return name in INSTALLED or name in self.queues or ObjectKey(QUEUE_GROUP, "Queue", "", name) in self.refused

    @cached_property
    def children(self) -> Mapping[str, tuple[Queue, ...]]:
        """The children of each queue, by name; the root queues are under the empty name."""
        found: dict[str, list[Queue]] = {}
        for queue in self:
            found.setdefault(queue.parent, []).append(queue)
        return {name: tuple(queues) for name, queues in found.items()}

    @cached_property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Every cycle once, along the parents, starting at its first name."""
        done: set[str] = set()
        found = []
        for name in self.queues:
            way: dict[str, None] = {}
            at = name
            while at in self.queues and at not in done:
                done.add(at)
                way[at] = None
                at = self.queues[at].parent
            if at in way:
                members = list(way)
                cycle = members[members.index(at) :]
                start = cycle.index(min(cycle))
                found.append((*cycle[start:], *cycle[:start]))
        return tuple(found)

    def parent(self, queue: Queue) -> Queue | None:
        """The parent; None for a root queue, and for a parent that is missing."""
        return self.queues.get(queue.parent)

    def above(self, queue: Queue) -> Iterator[Queue]:
        """The ancestors from the parent up, each once."""
        seen = {queue.name}
        at = self.parent(queue)
        while at is not None and at.name not in seen and len(seen) < _DEEPEST:
            seen.add(at.name)
            yield at
            at = self.parent(at)

    def below(self, name: str) -> int:
        """The number of descendants."""
        seen: set[str] = set()
        level = [name]
        while level:
            level = [q.name for at in level for q in self.children.get(at, ()) if q.name not in seen]
            seen.update(level)
        return len(seen)

    def resources(self, queue: Queue, resource: str) -> JsonObject:
        """One resource of the object, as written."""
        return mapping(self.manifests[key_of(queue)].data, "spec", "resources", resource)

    @cached_property
    def members(self) -> Mapping[str, Sequence[Member]]:
        """The workloads by their queue: PodGroups, and labelled objects whose PodGroup is not in the input."""
        found: dict[str, list[Member]] = {}
        for group in self.state.pod_groups:
            if group.queue and group.key not in self.refused:
                place = Place(group.key, ("spec", "queue"))
                found.setdefault(group.queue, []).append(Member(group.queue, place))
        grouped = {(group.key.namespace, group.name) for group in self.state.pod_groups}
        for manifest in self.manifests.values():
            for member in _labelled(manifest, grouped):
                found.setdefault(member.queue, []).append(member)
        return {name: sorted(found[name], key=lambda m: m.place.object) for name in sorted(found)}


def queues_of(state: KaiState, manifests: Mapping[ObjectKey, Manifest], refused: frozenset[ObjectKey]) -> Queues:
    """The queues of a snapshot, without rejected ones."""
    taken = {name: queue for name, queue in state.queues.items() if key_of(queue) not in refused}
    return Queues(taken, refused, state, manifests)


def key_of(queue: Queue) -> ObjectKey:
    """The identity of a queue's object."""
    return queue.key or ObjectKey(QUEUE_GROUP, "Queue", "", queue.name)


def at(queue: Queue, *path: str) -> Place:
    """A field of a queue's object."""
    return Place(key_of(queue), path)


def amount_at(queue: Queue, resource: str, field: str = "") -> Place:
    """A resource in a queue's object, or one of its fields."""
    return at(queue, "spec", "resources", resource, *((field,) if field else ()))


def is_finite(value: float) -> bool:
    """Whether an amount is a bound: not unlimited, and not negative for another reason."""
    return value >= 0


def is_unlimited(value: float) -> bool:
    """Whether an amount means no bound."""
    return value == UNLIMITED


def _labelled(manifest: Manifest, grouped: set[tuple[str, str]]) -> Iterator[Member]:
    """The places where an object names a queue in the label: on itself, otherwise on the pods of its template."""
    if manifest.key.group == QUEUE_GROUP:
        return
    group = inside(manifest.data, "metadata", "annotations", POD_GROUP)
    if isinstance(group, str) and (manifest.key.namespace, group) in grouped:
        return
    for path in ((), *_TEMPLATES):
        name = inside(manifest.data, *path, "metadata", "labels", LABEL)
        if isinstance(name, str) and name:
            yield Member(name, Place(manifest.key, (*path, "metadata", "labels", LABEL)))
            return
