"""What the structures say of a place: its shape, and the fields that may stand there."""

from kubectl_fairshare.api.structures.structure import Listing, Shape, Struct, Table
from kubectl_fairshare.model.json import FieldPath


def shape_at(struct: Struct, path: FieldPath) -> Shape | None:
    """The shape of what stands at ``path``; None where the structure knows of nothing."""
    shape: Shape | None = struct
    for part in path:
        if isinstance(shape, Struct) and part in shape.fields:
            shape = shape.fields[str(part)].shape
        elif isinstance(shape, Listing) and isinstance(part, int):
            shape = shape.items
        elif isinstance(shape, Table) and isinstance(part, str):
            shape = shape.values
        else:
            return None
    return shape


def fields_at(struct: Struct, path: FieldPath) -> tuple[str, ...]:
    """The names of the fields that the object at ``path`` may have; none where it is no object of known fields."""
    shape = shape_at(struct, path)
    return tuple(shape.fields) if isinstance(shape, Struct) else ()
