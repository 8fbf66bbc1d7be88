"""The shape and the fields that a structure has at a path."""

from kubectl_fairshare.api.structures.structure import Array, Map, Shape, Struct
from kubectl_fairshare.model.json import FieldPath


def shape_at(shape: Shape | None, path: FieldPath) -> Shape | None:
    """The shape of the value at ``path``; None if the structure has no such place."""
    for part in path:
        shape = below(shape, part)
    return shape


def below(shape: Shape | None, part: str | int) -> Shape | None:
    """The shape of one field or item; None if there is no such part."""
    if isinstance(shape, Struct) and part in shape.fields:
        return shape.fields[str(part)].shape
    if isinstance(shape, Array) and isinstance(part, int):
        return shape.items
    if isinstance(shape, Map) and isinstance(part, str):
        return shape.values
    return None


def fields_at(struct: Struct, path: FieldPath) -> tuple[str, ...]:
    """The names of the fields that the object at ``path`` may have; none if its fields are not known."""
    shape = shape_at(struct, path)
    return tuple(shape.fields) if isinstance(shape, Struct) else ()
