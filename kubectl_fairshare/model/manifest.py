"""A Kubernetes object as written, and its origin.

Tested in ``tests/unit/model/test_absence.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias, TypeVar

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.packed import Packed, read_as
from kubectl_fairshare.model.values import ComparedInPart, Value

T = TypeVar("T")


class Manifest(ComparedInPart, Value, gc=False):
    """One object of the input.

    ``held_data`` is the object, packed in a large list until it is used; ``key`` names it without its version. Neither
    ever changes; the class is not frozen because ``data`` keeps what it decodes. ``held_origin`` is its origin, or that
    of the List whose item it is, with its ``number`` there: a hundred thousand items have one. ``patched``: a
    kustomization changes what the text says. ``patches`` are those of its patches whose origin is known, with their
    content.
    """

    UNCOMPARED = ("held_origin", "number")
    COMPARED_TOO = ("origin",)
    key: ObjectKey
    version: str
    held_data: dict[str, Json] | Packed
    held_origin: Origin
    patched: bool = False
    patches: tuple[tuple[Origin, Json], ...] = ()
    number: int | None = None

    @property
    def origin(self) -> Origin:
        """Where the object is."""
        return self.held_origin if self.number is None else self.held_origin.item(self.number)

    @property
    def source(self) -> str:
        """The text that has the object."""
        return self.held_origin.source

    @property
    def data(self) -> dict[str, Json]:
        """The decoded object, kept from then on."""
        content = self.held_data
        if content.__class__ is Packed:
            content = self.held_data = content.data()
        return content  # type: ignore[return-value]

    @property
    def passing_data(self) -> dict[str, Json]:
        """The decoded object for one reader who keeps parts of it at most: a packed one stays packed."""
        return self.held_data.data() if isinstance(self.held_data, Packed) else self.held_data

    def passing_fields(self, shape: type) -> dict[str, Json]:
        """As ``passing_data``, with at least the fields that a ``TypedDict`` names, at each level."""
        return self.held_data.fields(shape) if isinstance(self.held_data, Packed) else self.held_data

    def read_as(self, shape: type[T]) -> T:
        """The fields that a struct names, at each level. Raises ``ValueError`` for one missing or of another type."""
        held = self.held_data
        if isinstance(held, Packed):
            return read_as(held.text, shape)
        from msgspec.json import encode

        return read_as(encode(held), shape)

    def may_mention(self, field: str) -> bool:
        """Whether a field of this name may be in the object; one that is packed is not decoded to see that."""
        return not isinstance(self.held_data, Packed) or self.held_data.mentions(field.encode())

    @property
    def api_version(self) -> str:
        """``apiVersion`` as written: ``v1`` or ``group/version``."""
        return f"{self.key.group}/{self.version}" if self.key.group else self.version

    @property
    def stored(self) -> bool:
        """Whether an API server has accepted this object already: it then has a resourceVersion."""
        if isinstance(self.held_data, Packed):
            return self.held_data.of.stored
        metadata = self.held_data.get("metadata")
        return isinstance(metadata, dict) and bool(metadata.get("resourceVersion"))


ByKind: TypeAlias = Mapping[tuple[str, str], Sequence[Manifest]]
"""Manifests by API group and kind."""


def by_kind(manifests: Iterable[Manifest]) -> ByKind:
    """Manifests by their kinds, each kind in the order given: fast where those of one kind follow each other."""
    found: dict[tuple[str, str], list[Manifest]] = {}
    for kind, alike in groupby(manifests, key=lambda manifest: manifest.key[:2]):
        found.setdefault(kind, []).extend(alike)
    return found
