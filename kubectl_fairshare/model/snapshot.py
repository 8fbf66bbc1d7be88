"""The state of a cluster that answers are about: frozen, sorted, every object with its origin.

Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Mapping
from typing import TypeVar

from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field, replace

Part = TypeVar("Part")


class Snapshot(Value, frozen=True, weakref=True):
    """Everything that an answer may rest on.

    ``manifests`` holds every object of the input, by key. ``namespaces`` maps name to labels. ``skipped`` counts the
    objects of unknown kinds, by ``apiVersion kind``. ``parts`` holds each scheduler's own view of the manifests, by
    type. ``complete``: the input has every object of the cluster. ``absent`` has objects that certainly do not
    exist. ``presumed`` are objects that others name and that the input lacks; answers assume that they exist.
    """

    manifests: Mapping[ObjectKey, Manifest] = field(default_factory=dict)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    parts: Mapping[type, object] = field(default_factory=dict)
    complete: bool = True
    absent: Absence = Absence()
    presumed: frozenset[ObjectKey] = frozenset()

    def excludes(self, key: ObjectKey) -> bool:
        """Whether an object that was not read exists nowhere."""
        return self.complete or key in self.absent

    def infers_absence(self, key: ObjectKey) -> bool:
        """Whether an object is taken as absent only because a dump lists its kind: the dump may be filtered."""
        return not self.complete and key not in self.absent.deleted and key in self.absent

    def part(self, kind: type[Part]) -> Part:
        """One scheduler's part; an empty one where the input holds nothing of it."""
        found = self.parts.get(kind)
        return found if isinstance(found, kind) else kind()

    def has_part(self, name: str) -> bool:
        """Whether the input holds something of a scheduler whose part has a type of that name."""
        return any(kind.__name__ == name for kind in self.parts)

    def with_part(self, part: object) -> "Snapshot":
        """The snapshot with another part of the same type."""
        return replace(self, parts={**self.parts, type(part): part})
