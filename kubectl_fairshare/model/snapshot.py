"""The state of a cluster that questions are asked about: frozen, sorted, every object with its origin."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TypeVar

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import dataclass

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that an answer may rest on.

    ``manifests`` holds every object that was read, by key. ``namespaces`` maps name to labels. ``skipped`` counts the
    objects of kinds that are not read, by ``apiVersion kind``. ``parts`` holds what each scheduler made of the
    manifests, by its type. ``complete``: nothing lies outside of the input; ``deleted`` are objects that are
    surely gone. ``presumed`` are objects that others name, that are not in the input, and that are taken as existing.
    """

    manifests: Mapping[ObjectKey, Manifest] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[type, object] = field(default_factory=dict)
    complete: bool = True
    deleted: frozenset[ObjectKey] = frozenset()
    presumed: frozenset[ObjectKey] = frozenset()

    def excludes(self, key: ObjectKey) -> bool:
        """Whether an object that was not read exists nowhere."""
        return self.complete or key in self.deleted

    def part(self, kind: type[Part]) -> Part:
        """One scheduler's part; an empty one where the input holds nothing of it."""
        found = self.parts.get(kind)
        return found if isinstance(found, kind) else kind()

    def with_part(self, part: object) -> "Snapshot":
        """The snapshot with another part of the same type."""
        return replace(self, parts={**self.parts, type(part): part})
