"""Which objects certainly do not exist, although the input may lack others that do."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value

_KINDS_OF_A_DUMP: Final = 3
"""A List of fewer kinds may be the answer to a request for a few objects by name."""

Listed = tuple[str, str, str]
"""API group, kind and namespace."""


class Absence(Value, frozen=True):
    """The objects that do not exist: those ``deleted``, and every object of a ``listed`` kind that was not read."""

    deleted: frozenset[ObjectKey] = frozenset()
    listed: frozenset[Listed] = frozenset()

    def __contains__(self, key: ObjectKey) -> bool:
        """Whether an object, which was not read, certainly does not exist."""
        return key in self.deleted or (key.group, key.kind, key.namespace) in self.listed


def listed_kinds(manifests: Iterable[Manifest]) -> frozenset[Listed]:
    """The kinds, by namespace, that a dump of a cluster lists: a List of stored objects of several kinds.

    ``manifests`` are sorted by key.
    """
    dumps: defaultdict[tuple[str, int], set[Listed]] = defaultdict(set)
    for kind, alike in groupby(manifests, key=lambda manifest: manifest.key[:3]):
        first = next(alike)
        if first.origin.path and first.stored:
            dumps[first.origin.source, first.origin.document].add(kind)
    whole = (kinds for kinds in dumps.values() if len({kind[:2] for kind in kinds}) >= _KINDS_OF_A_DUMP)
    return frozenset().union(*whole)
