"""Whether a value that claims to be stored can be: every known field has a form that the API server keeps.

Names, bounds and rules are not checked: older releases stored what newer ones reject.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, TypeAlias

from kubectl_fairshare.api.structures.structure import (
    Array,
    Boolean,
    Duration,
    Integer,
    IntOrString,
    Map,
    Number,
    Quantity,
    Shape,
    String,
    Struct,
    Time,
)
from kubectl_fairshare.model.json import Json

_Fitting: TypeAlias = Callable[[Json], bool]

_CLASSES: Final[dict[type, tuple[type, ...]]] = {
    String: (str,),
    Time: (str,),
    Duration: (str,),
    Quantity: (str, int),
    IntOrString: (str, int),
    Integer: (int,),
    Number: (int, float),
    Boolean: (bool,),
}


def fits(shape: Shape, value: Json) -> bool:
    """Whether ``value``, with all that is in it, has the shape; null counts as an absent field."""
    return _fitting(shape)(value)


@cache
def _fitting(shape: Shape) -> _Fitting:
    if isinstance(shape, Struct):
        return _struct(shape)
    if isinstance(shape, Array):
        return _listing(shape)
    if isinstance(shape, Map):
        return _table(shape)
    classes = _CLASSES[type(shape)]
    return lambda value: value.__class__ in classes


def _struct(struct: Struct) -> _Fitting:
    fields = {name: _fitting(field.shape) for name, field in struct.fields.items()}
    needed = frozenset(struct.required)

    def fitting(value: Json) -> bool:
        if value.__class__ is not dict or not needed <= value.keys():
            return False
        for key, each in value.items():
            if each is None:
                if key in needed:
                    return False
            elif key in fields and not fields[key](each):
                return False
        return True

    return fitting


def _listing(shape: Array) -> _Fitting:
    item = _fitting(shape.items)
    return lambda value: value.__class__ is list and all(map(item, value))


def _table(shape: Map) -> _Fitting:
    item = _fitting(shape.values)
    return lambda value: value.__class__ is dict and all(map(item, value.values()))
