"""Where things stand: objects by name, fields by path, and lines once somebody prints them."""

from typing import NamedTuple

from kubectl_fairshare.model.json import FieldPath, field_text
from kubectl_fairshare.model.values import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a text: ``source`` as the user named it, ``line`` and ``column`` from 1.

    What stands in no text, an object of a cluster, has ``source`` for a name, and line and column 0.
    """

    source: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}" if self.line else self.source


class ObjectKey(NamedTuple):
    """The identity of an object, whatever the version it is written in.

    ``group`` is empty for the core group, ``namespace`` for cluster-scoped kinds.
    """

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        path = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {path}"


class Place(NamedTuple):
    """A symbolic place: a field of an object, in the fields of the version that is stored.

    Where a field holds a text that is itself YAML, the path may go on inside it.
    """

    object: ObjectKey
    path: FieldPath = ()

    def __str__(self) -> str:
        return f"{self.object} {field_text(self.path)}" if self.path else str(self.object)


class Origin(NamedTuple):
    """Where an object was read: the ``document``-th of a source (from 0), at ``path`` inside it.

    ``path`` is empty for a document of its own and ``("items", 3)`` inside a List.
    """

    source: str
    document: int
    path: FieldPath = ()
