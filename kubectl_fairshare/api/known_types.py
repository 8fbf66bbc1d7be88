"""What is known of a kind as a type: an object of a large list that decodes by it has no unknown part.

Only for speed: ``unknown`` finds the same without it, and looks itself at each object that does not decode. A hundred
thousand Workloads that hold nothing new are read in C so, in a fifth of the time.
Tested in ``tests/property/exact/test_known_types.py``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from kubectl_fairshare.api.structures.structure import Array, Map, Shape, String, Struct
from kubectl_fairshare.model.packed import Packed

_MANY: Final = 256
"""Objects of a kind after which its type is made: that takes as long as some hundred are looked at."""
Fields: TypeAlias = Callable[[Struct, str], tuple[Shape, tuple[str, ...]] | None]
"""The shape of a field that is looked into, with the choices that Kubernetes has for it; None for others."""
Member: TypeAlias = Shape | tuple[Struct, tuple[str, ...]] | None
"""A member of an object: its shape, a structure of which only some fields are looked into, or None for any value."""
NamesHold: TypeAlias = Callable[[dict[str, Any]], bool]
"""Whether all labels, or annotations, are known."""


class _RecursiveError(Exception):
    """A structure that has itself as a part has no type here."""


class _Marks:
    """Labels or annotations."""


class KnownTypes:
    """The types of the kinds of which there are many; ``metadata`` names the structures with labels and annotations."""

    def __init__(self, fields: Fields, names_hold: NamesHold, metadata: tuple[str, ...]) -> None:
        self._fields = fields
        self._names_hold = names_hold
        self._metadata = metadata
        self._seen: dict[tuple[str, str], int] = {}
        self._decoders: dict[tuple[str, str], Callable[[Any], Any] | None] = {}
        self._of_structs: dict[int, tuple[Struct, Any]] = {}

    def fits(self, packed: Packed, members: Callable[[], Mapping[str, Member] | None]) -> bool:
        """Whether an object has no unknown part, for certain; ``members`` are those of its kind, None if not known."""
        kind = packed.of.api_version, packed.of.kind
        seen = self._seen[kind] = self._seen.get(kind, 0) + 1
        if seen < _MANY:
            return False
        if kind not in self._decoders:
            self._decoders[kind] = self._decoder(members())
        decode = self._decoders[kind]
        if decode is None:
            return False
        from msgspec import DecodeError

        try:
            decode(packed.text)
        except DecodeError:
            return False
        return True

    def _decoder(self, members: Mapping[str, Member] | None) -> Callable[[Any], Any] | None:
        if members is None:
            return None
        from msgspec.json import Decoder

        try:
            made = self._made({name: self._of_member(member) for name, member in members.items()})
        except _RecursiveError:
            return None
        return Decoder(made, dec_hook=self._hook).decode

    def _of_member(self, member: Member) -> Any:
        if member is None or not isinstance(member, tuple):
            return None if member is None else self._type(member, ())
        struct, names = member
        read = {name: struct.fields[name].shape for name in names}
        return self._made({name: self._type(shape, ()) for name, shape in read.items()}, closed=False)

    def _hook(self, _: type, value: Any) -> _Marks:
        if value.__class__ is dict and not self._names_hold(value):
            raise ValueError("unknown")
        return _Marks()

    def _made(self, types: Mapping[str, Any], *, closed: bool = True) -> Any:
        """A type with some fields, of which null and those without a type may be anything."""
        from msgspec import Raw, defstruct

        names = {f"f{number}": each for number, each in enumerate(types)}
        fields = [(own, Raw if types[each] is None else types[each] | None, None) for own, each in names.items()]
        return defstruct("Known", fields, rename=names, forbid_unknown_fields=closed, gc=False)

    def _type(self, shape: Shape, choices: tuple[str, ...]) -> Any:
        """The type of values of a shape; None where no value has an unknown part."""
        if isinstance(shape, Struct):
            return self._of_metadata() if shape.name in self._metadata else self._of_struct(shape)
        if isinstance(shape, Array | Map):
            inner = self._type(shape.items if isinstance(shape, Array) else shape.values, ())
            if inner is None:
                return None
            return (
                list.__class_getitem__(inner | None)
                if isinstance(shape, Array)
                else dict.__class_getitem__((str, inner | None))
            )
        allowed = (shape.choices if isinstance(shape, String) else ()) or choices
        return Literal[allowed] if allowed else None

    def _of_struct(self, struct: Struct) -> Any:
        if id(struct) not in self._of_structs:
            self._of_structs[id(struct)] = struct, _RecursiveError  # kept, so that no other one has its number
            found = {name: self._fields(struct, name) for name in struct.fields}
            types = {name: None if each is None else self._type(*each) for name, each in found.items()}
            self._of_structs[id(struct)] = struct, self._made(types)
        made = self._of_structs[id(struct)][1]
        if made is _RecursiveError:
            raise _RecursiveError
        return made

    def _of_metadata(self) -> Any:
        return self._made({"labels": _Marks, "annotations": _Marks}, closed=False)
