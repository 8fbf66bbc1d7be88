"""What a unit is: the files that are applied together, and what a kustomization changes in their objects.

Tested in ``tests/unit/input/units/test_building.py``.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from kubectl_fairshare.input.text.texts import Text
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.values import ComparedInPart, Value, field

LEFT: Final = "folder"
"""The kind of a unit of files that nothing names."""
STATE: Final = "file next to folders"
"""The kind of a unit of files that were named next to folders: a dump, a snapshot."""


class Patch(ComparedInPart, Value, frozen=True):
    """A change of objects. ``content`` is a partial object to merge, or a list of JSON Patch operations.

    ``target`` selects objects by ``group``, ``version``, ``kind``, ``namespace`` and ``name``, each a regular
    expression; an empty one leaves the choice to the kind and name of ``content``. ``origin`` and ``text`` are where it
    is written. ``within`` are the files whose objects it may change, by path; empty: those of all the unit.
    """

    UNCOMPARED = ("origin", "text")
    content: Json
    target: Mapping[str, str] = field(default_factory=dict)
    origin: Origin | None = None
    text: Text | None = None
    within: frozenset[str] = frozenset()


def digest_of(parts: Iterable[bytes]) -> bytes:
    """What two sets of contents have in common exactly if they are the same, in whatever order."""
    return sha256(b"".join(sorted(sha256(part).digest() for part in set(parts)))).digest()


class RefusedUnit(Value, frozen=True):
    """A unit that is not built: why, and a digest of all that is there of it, by which two versions are compared."""

    problems: tuple[Problem, ...]
    digest: bytes = b""


class RepositoryUnit(Value, frozen=True):
    """The files that are applied together.

    ``name`` is their folder, or the file that differs from others there; ``kind`` is how the unit was found.
    ``sources`` are the names of their texts. ``patches`` apply in order, ``namespace`` is that of all their objects, if
    not empty; ``inner`` are those of the objects in some files, by path. ``generated``: other programs add objects,
    which are not read. ``alternative``: other files of its folder give an object differently.
    ``left_over``: these are all files next to units that something names. ``apart``: nothing in the input applies it.
    """

    name: str
    kind: str
    sources: tuple[str, ...]
    patches: tuple[Patch, ...] = ()
    namespace: str = ""
    inner: Mapping[str, str] = field(default_factory=dict)
    generated: bool = False
    alternative: bool = False
    left_over: bool = False
    apart: bool = False

    def namespace_of(self, path: str) -> str:
        """The namespace that the kustomizations set for the objects of a file; empty if none does."""
        return self.namespace or self.inner.get(path, "")
