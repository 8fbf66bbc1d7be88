"""How much of a cluster an input holds: what kept the rest from being read, and what that leaves unknown.

Tested in ``tests/unit/cli/test_cluster.py``.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.values import Value, field, replace

SNAPSHOT: Final = b'{"apiVersion":"fairshare.dev/v1alpha1","kind":"SnapshotList"'
"""How the text of a snapshot begins."""


class Unread(NamedTuple):
    """A kind that could not be read, but for one ``namespace`` where that is not empty."""

    kind: str
    namespace: str = ""


class Extent(Value, frozen=True):
    """What is missing in input from a cluster; ``notes`` are printed with every answer.

    ``kubernetes`` is the server's release; ``releases`` those of schedulers, by name: empty where not known.
    """

    unread: tuple[Unread, ...] = ()
    notes: tuple[Problem, ...] = ()
    kubernetes: str = ""
    releases: Mapping[str, str] = field(default_factory=dict)

    def without(self, kind: str) -> "Extent":
        """The same, as if all of a kind were known."""
        unread = tuple(each for each in self.unread if each.kind != kind)
        return replace(self, unread=unread, notes=tuple(note for note in self.notes if note.place != kind))
