"""Nodes of the cluster, to compare with quotas."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kubectl_fairshare.model.json import Json, mapping, rows
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity import QuantityError, nano
from kubectl_fairshare.model.selectors import Taint


class NodeCapacity(NamedTuple):
    """A Node. ``allocatable`` is in 10⁻⁹ by resource; malformed amounts are left out."""

    key: ObjectKey
    labels: Mapping[str, str]
    allocatable: Mapping[str, int]
    taints: tuple[Taint, ...]


class Machines:
    """All Nodes of the input, searchable by label; false if there are none."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self.all = tuple(map(_machine, manifests))
        self.resources = frozenset(resource for machine in self.all for resource in machine.allocatable)
        self._with: dict[tuple[str, str], list[NodeCapacity]] = {}
        for machine in self.all:
            for label in machine.labels.items():
                self._with.setdefault(label, []).append(machine)

    def __bool__(self) -> bool:
        return bool(self.all)

    def eligible(self, labels: Mapping[str, str]) -> tuple[NodeCapacity, ...]:
        """The Nodes with all of ``labels``, by name."""
        if not labels:
            return self.all
        rarest = min((self._with.get(label, []) for label in labels.items()), key=len)
        return tuple(m for m in rarest if all(m.labels.get(key) == value for key, value in labels.items()))


def _machine(manifest: Manifest) -> NodeCapacity:
    data = manifest.data
    labels = mapping(data, "metadata", "labels")
    status = mapping(data, "status")
    return NodeCapacity(
        manifest.key,
        {key: value for key, value in labels.items() if isinstance(value, str)},
        dict(_amounts(mapping(status.get("allocatable") or status.get("capacity")))),
        tuple(_taints(rows(data, "spec", "taints"))),
    )


def _amounts(resources: Mapping[str, Json]) -> Iterator[tuple[str, int]]:
    for resource, value in resources.items():
        try:
            yield resource, nano(value)
        except QuantityError:  # a hand-written Node: what it states is not an amount
            continue


def _taints(taints: Iterable[Mapping[str, Json]]) -> Iterator[Taint]:
    for taint in taints:
        key, value, effect = taint.get("key"), taint.get("value") or "", taint.get("effect")
        if isinstance(key, str) and isinstance(value, str) and isinstance(effect, str):
            yield Taint(key, value, effect)
