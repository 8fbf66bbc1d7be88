"""Objects as the schedulers' Go code sees them: decoded into its types, and encoded again.

``decode`` gives the Go view: zero values of fields without a pointer are absent, quantities and times are in Go's
spelling. ``encode`` writes that view as Go's JSON encoder does. Both are compiled once for each structure.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from kubectl_fairshare.api import durations
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
    StructField,
    Time,
)
from kubectl_fairshare.model import quantity_text
from kubectl_fairshare.model.json import FieldPath, Json

Decoder: TypeAlias = Callable[[Json], Json]
Encoder: TypeAlias = Callable[[Json], Json]


class DecodingError(ValueError):
    """Raised for a value that does not fit its Go type; ``path`` leads to it."""

    def __init__(self, gist: str, path: FieldPath = ()) -> None:
        super().__init__(gist)
        self.gist = gist
        self.path = path

    def under(self, part: str | int) -> "DecodingError":
        """The same error, with the path seen from one level up."""
        return DecodingError(self.gist, (part, *self.path))


def decode(struct: Struct, data: Json) -> dict[str, Json]:
    """The Go view of an object. Raises ``DecodingError``."""
    view = _struct_decoder(struct)(data)
    return view if isinstance(view, dict) else {}


def encode(struct: Struct, view: Json) -> dict[str, Json]:
    """The Go view as JSON, without names that the structure does not have."""
    written = _struct_encoder(struct)(view)
    return written if isinstance(written, dict) else {}


@cache
def _struct_decoder(struct: Struct) -> Decoder:
    fields, decoders = struct.fields, _FieldDecoders(struct)
    droppable = frozenset(name for name, field in struct.fields.items() if _zero_dropped(field))

    def decoder(value: Json) -> Json:
        if value.__class__ is not dict:
            if value is None:
                return {}
            raise DecodingError("expected an object")
        view = {}
        for key, each in value.items():
            if key not in fields or each is None:
                continue
            try:
                decoded = decoders[key](each)
            except DecodingError as error:
                raise error.under(key) from None
            if decoded is not None and (decoded or key not in droppable):
                view[key] = decoded
        return view

    return decoder


class _FieldDecoders(dict[str, Decoder]):
    """The decoders of a structure's fields, each made when an object has the field: a pod has few of hundreds."""

    def __init__(self, struct: Struct) -> None:
        super().__init__()
        self._struct = struct

    def __missing__(self, name: str) -> Decoder:
        decoder = self[name] = decoder_of(self._struct.fields[name].shape)
        return decoder


def _zero_dropped(field: StructField) -> bool:
    return not field.pointer and isinstance(field.shape, String | Integer | Boolean | Number)


def decoder_of(shape: Shape) -> Decoder:
    """The function that decodes a value of this shape; it raises ``DecodingError``."""
    if isinstance(shape, Struct):
        return _struct_decoder(shape)
    if isinstance(shape, Array):
        return _list_decoder(decoder_of(shape.items), _zero(shape.items))
    if isinstance(shape, Map):
        return _table_decoder(decoder_of(shape.values), _zero(shape.values))
    if isinstance(shape, Integer):
        return _whole_decoder(shape.bits)
    return _SCALARS[type(shape)]


def _list_decoder(item: Decoder, zero: Json) -> Decoder:
    def decoder(value: Json) -> Json:
        if value.__class__ is not list:
            raise DecodingError("expected a list")
        view = []
        for index, each in enumerate(value):
            try:
                decoded = zero if each is None else item(each)
            except DecodingError as error:
                raise error.under(index) from None
            view.append(dict(decoded) if each is None and isinstance(zero, dict) else decoded)
        return view

    return decoder


def _table_decoder(item: Decoder, zero: Json) -> Decoder:
    def decoder(value: Json) -> Json:
        if value.__class__ is not dict:
            raise DecodingError("expected an object")
        view = {}
        for key, each in value.items():
            try:
                view[key] = zero if each is None else item(each)
            except DecodingError as error:
                raise error.under(key) from None
        return view

    return decoder


def _text(value: Json) -> Json:
    if value.__class__ is str:
        return value
    raise DecodingError("expected a string")


def _truth(value: Json) -> Json:
    if value.__class__ is bool:
        return value
    raise DecodingError("expected a boolean")


def _number(value: Json) -> Json:
    if value.__class__ is int or value.__class__ is float:
        return value
    raise DecodingError("expected a number")


def _whole_decoder(bits: int) -> Decoder:
    most = (1 << (bits - 1)) - 1

    def decoder(value: Json) -> Json:
        # A whole float is written without a point on its way to the webhook, up to 10²¹.
        if value.__class__ is float and value.is_integer():
            value = int(value)
        if value.__class__ is not int:
            raise DecodingError("expected an integer")
        if not -most - 1 <= value <= most:
            raise DecodingError(f"does not fit into {bits} bits")
        return value

    return decoder


def _quantity(value: Json) -> Json:
    try:
        return quantity_text.parse(value).text
    except quantity_text.QuantitySyntaxError as error:
        raise DecodingError(str(error)) from None


def _port(value: Json) -> Json:
    return value if value.__class__ is str else _whole_decoder(32)(value)


def _time(value: Json) -> Json:
    if value.__class__ is not str:
        raise DecodingError("expected a time")
    from kubectl_fairshare.api.moments import go_time

    try:
        return go_time(value)
    except ValueError as error:
        raise DecodingError(str(error)) from None


def _duration(value: Json) -> Json:
    if value.__class__ is not str:
        raise DecodingError("expected a span of time")
    try:
        durations.nanoseconds(value)
    except ValueError as error:
        raise DecodingError(str(error)) from None
    return value


_SCALARS: dict[type, Decoder] = {
    String: _text,
    Boolean: _truth,
    Number: _number,
    Quantity: _quantity,
    IntOrString: _port,
    Time: _time,
    Duration: _duration,
}


@cache
def _struct_encoder(struct: Struct) -> Encoder:
    encoders = {name: _encoder(field.shape) for name, field in struct.fields.items()}
    omitted = frozenset(name for name, field in struct.fields.items() if _empty_omitted(field))
    zeroless = frozenset(name for name, field in struct.fields.items() if field.zeroless and not field.pointer)
    kept = zeros_written(struct)

    def encoder(view: Json) -> Json:
        out = {}
        for key, each in view.items():
            if key not in encoders or (not each and key in omitted) or (key in zeroless and _is_zero(each)):
                continue
            encode_one = encoders[key]
            out[key] = each if encode_one is None else encode_one(each)
        for key, make in kept:
            if key not in out:
                out[key] = make()
        return out

    return encoder


def zeros_written(struct: Struct) -> list[tuple[str, Callable[[], Json]]]:
    """The fields that Go writes even with their zero value, each with the function that makes it."""
    return [(name, _zero_maker(field)) for name, field in struct.fields.items() if _zero_written(field)]


def zero_of(shape: Shape) -> Callable[[], Json]:
    """The function that makes the zero value of a shape, as Go writes it."""
    if isinstance(shape, Struct):
        return lambda: encode(shape, {})
    zero = _zero(shape)
    return lambda: zero


def _encoder(shape: Shape) -> Encoder | None:
    if isinstance(shape, Struct):
        return _struct_encoder(shape)
    if isinstance(shape, Array):
        item = _encoder(shape.items)
        return (lambda view: [item(each) for each in view]) if item is not None else None
    return None


def _empty_omitted(field: StructField) -> bool:
    return not field.pointer and not field.kept and isinstance(field.shape, Array | Map)


def _zero_written(field: StructField) -> bool:
    if field.kept:
        return True
    return isinstance(field.shape, Struct | Quantity) and not field.pointer and not field.zeroless


def _zero_maker(field: StructField) -> Callable[[], Json]:
    return (lambda: None) if field.pointer else zero_of(field.shape)


def _zero(shape: Shape) -> Json:
    if isinstance(shape, Struct):
        return {}
    zeros: dict[type, Json] = {
        String: "",
        Duration: "0s",
        Integer: 0,
        Number: 0,
        Boolean: False,
        Quantity: "0",
        IntOrString: 0,
    }
    return zeros.get(type(shape))


def _is_zero(view: Json) -> bool:
    if isinstance(view, dict):
        return all(_is_zero(each) for each in view.values())
    return view is None


def equal(shape: Shape, new: Json, old: Json) -> bool:
    """Whether two Go views are semantically equal: quantities by value, an empty list or map like an absent one."""
    if isinstance(shape, Struct):
        return _equal_structs(shape, new or {}, old or {})
    if isinstance(shape, Array):
        new, old = new or [], old or []
        return len(new) == len(old) and all(equal(shape.items, a, b) for a, b in zip(new, old, strict=True))
    if isinstance(shape, Map):
        new, old = new or {}, old or {}
        return new.keys() == old.keys() and all(equal(shape.values, each, old[key]) for key, each in new.items())
    if isinstance(shape, Quantity) and new is not None and old is not None:
        return quantity_text.parse(new).nano == quantity_text.parse(old).nano
    return bool(new == old)


def _equal_structs(struct: Struct, new: Json, old: Json) -> bool:
    for key in new.keys() | old.keys():
        field = struct.fields.get(key)
        if field is None or (field.pointer and (key in new) != (key in old)):
            return False
        if not equal(field.shape, new.get(key), old.get(key)):
            return False
    return True
