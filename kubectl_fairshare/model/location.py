"""Places: objects by name, fields by path, and lines once they are printed."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.model.json import FieldPath, field_text
from kubectl_fairshare.model.values import Value


class Location(Value, frozen=True, order=True):
    """A place in a text: ``source`` as the user named it, ``line`` and ``column`` from 1.

    An object of a cluster has no text: ``source`` is its name, and line and column are 0. In a long text of one line
    ``field`` is the object and its field, which people read instead of the line.
    """

    source: str
    line: int
    column: int
    field: str = ""

    def __str__(self) -> str:
        if self.field:
            return f"{self.source} {self.field}"
        return f"{self.source}:{self.line}:{self.column}" if self.line else self.source


class ObjectKey(NamedTuple):
    """The identity of an object, independent of its version.

    ``group`` is empty for the core group, ``namespace`` for cluster-scoped kinds.
    """

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        path = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {path}"


def key_texts(keys: Iterable[ObjectKey]) -> list[str]:
    """The text of each key: an answer may rest on ten thousand, and a call for each would take three times as long."""
    return [f"{kind} {space}/{name}" if space else f"{kind} {name}" for _, kind, space, name in keys]


class Place(NamedTuple):
    """A symbolic place: a field of an object, in the fields of the stored version.

    If a field holds a text that is itself YAML, the path may continue inside it.
    """

    object: ObjectKey
    path: FieldPath = ()

    def __str__(self) -> str:
        return f"{self.object} {field_text(self.path)}" if self.path else str(self.object)


Moves: TypeAlias = Mapping[FieldPath, FieldPath]
"""Where fields of an object are written in the object that it is made of; the empty path is for all others."""


def moved(place: Place, moves: Moves) -> Place:
    """The place where a field is written; ``place`` itself without moves."""
    for depth in range(len(place.path), 0, -1):
        if (start := moves.get(place.path[:depth])) is not None:
            return Place(place.object, (*start, *place.path[depth:]))
    return Place(place.object, moves[()]) if () in moves else place


class Origin(NamedTuple):
    """The origin of an object: the ``document``-th of a source (from 0), at ``path`` inside it.

    ``path`` is empty for a document of its own and ``("items", 3)`` inside a List.
    """

    source: str
    document: int
    path: FieldPath = ()

    def item(self, number: int) -> "Origin":
        """The origin of an item of the List that is here."""
        return Origin(self.source, self.document, (*self.path, "items", number))
