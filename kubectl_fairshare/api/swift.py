"""The fast path for valid objects: reading, defaults, schema and rules in one pass.

It leaves anything unusual (an unknown field, a null, a fraction, a broken rule) to the stages, which know the reason.
It is compiled once per structure. Both paths agree on every object that the fast one accepts.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final, TypeAlias

from kubectl_fairshare.api.golang import zeros_written
from kubectl_fairshare.api.moments import go_time, is_date_time
from kubectl_fairshare.api.structures.object_meta import META_FIELDS, is_kind
from kubectl_fairshare.api.structures.structure import (
    STRING,
    UNSET,
    Array,
    Boolean,
    CelRule,
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
    matches_pattern,
)
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.numbers import LARGEST, LEAST
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError, parse

# Returns the value as the API keeps it, or raises UnusualError.
Taker: TypeAlias = Callable[[Json], Json]

_NO_BOUND: Final = 1 << 62


class UnusualError(Exception):
    """Raised for a value that the fast path does not handle."""


def quick_form(struct: Struct, data: JsonObject, spelt: bool) -> dict[str, Json] | None:
    """The object as read and found valid, without metadata; None if the fast path does not handle it.

    ``spelt`` puts values into Go's spelling, as a defaulting webhook does when it writes the object back.
    """
    try:
        return dict(_struct_taker(struct, spelt)({key: each for key, each in data.items() if key not in META_FIELDS}))
    except UnusualError:
        return None


@cache
def _struct_taker(struct: Struct, spelt: bool) -> Taker:
    apart = META_FIELDS if is_kind(struct) else ()
    fields = {name: field for name, field in struct.fields.items() if name not in apart}
    takers = _Takers(fields, spelt)
    plain = frozenset(name for name, field in fields.items() if field.shape is STRING)
    defaults = [(name, _default(field, spelt)) for name, field in fields.items() if field.default is not UNSET]
    needed = frozenset(struct.required) | _zeros(struct, apart if spelt else None)
    rules = _standing_rules(struct.rules)

    def taker(value: Json) -> Json:
        if value.__class__ is not dict:
            raise UnusualError
        out = {}
        for key, each in value.items():
            if each.__class__ is str and key in plain:
                out[key] = each
            else:
                out[key] = takers[key](each)
        for name, make in defaults:
            if name not in out:
                out[name] = make()
        if not needed <= out.keys():
            raise UnusualError
        return _apply_rules(out, rules) if rules else out

    return taker


class _Takers(dict[str, Taker]):
    """The takers of a structure's fields, each made when an object has the field: a pod has few of hundreds."""

    def __init__(self, fields: Mapping[str, StructField], spelt: bool) -> None:
        super().__init__()
        self._fields = fields
        self._spelt = spelt

    def __missing__(self, name: str) -> Taker:
        if name not in self._fields:
            raise UnusualError
        taker = self[name] = _taker(self._fields[name].shape, self._spelt)
        return taker


def _zeros(struct: Struct, apart: tuple[str, ...] | None) -> frozenset[str]:
    """The fields that Go would add: an object without them is left to the stages. A status is dropped anyway."""
    if apart is None:
        return frozenset()
    dropped = (*apart, "status") if apart else ()
    return frozenset(name for name, _ in zeros_written(struct) if name not in dropped)


def _default(field: StructField, spelt: bool) -> Callable[[], Json]:
    taker, default = _taker(field.shape, spelt), field.default
    if isinstance(default, dict):
        return lambda: taker(default)
    made = taker(default)
    return lambda: made


def _standing_rules(rules: tuple[CelRule, ...]) -> tuple[CelRule, ...]:
    return tuple(rule for rule in rules if not rule.transition)


def _apply_rules(value: Json, rules: tuple[CelRule, ...]) -> Json:
    for rule in rules:
        if not rule.verdict(value, None):
            raise UnusualError
    return value


def _taker(shape: Shape, spelt: bool) -> Taker:
    if isinstance(shape, Struct):
        return _struct_taker(shape, spelt)
    bare = _bare(shape, spelt)
    rules = _standing_rules(shape.rules)
    return (lambda value: _apply_rules(bare(value), rules)) if rules else bare


def _bare(shape: Shape, spelt: bool) -> Taker:
    if isinstance(shape, String):
        return _text_taker(shape)
    if isinstance(shape, Integer):
        return _whole_taker(shape)
    if isinstance(shape, Array):
        return _list_taker(shape, spelt)
    if isinstance(shape, Map):
        return _table_taker(shape, spelt)
    if isinstance(shape, Quantity):
        return _spelt_quantity if spelt else _quantity
    if isinstance(shape, Time):
        return _spelt_time if spelt else _time
    if isinstance(shape, Number):
        return _number_taker(shape)
    takers: dict[type, Taker] = {Boolean: _truth, IntOrString: _port, Duration: _duration}
    return takers[type(shape)]


def _text_taker(shape: String) -> Taker:
    matcher, least, most = shape.matcher, shape.least or 0, _NO_BOUND if shape.most is None else shape.most
    choices = frozenset(shape.choices)

    def chosen(value: Json) -> Json:
        if value.__class__ is str and value in choices:
            return value
        raise UnusualError

    def matching(value: Json) -> Json:
        if value.__class__ is str and least <= len(value) <= most and (matcher is None or matcher.fullmatch(value)):
            return value
        raise UnusualError

    return chosen if choices else matching


def _whole_taker(shape: Integer) -> Taker:
    most = (1 << (shape.bits - 1)) - 1
    least = -most - 1 if shape.least is None else shape.least

    def taker(value: Json) -> Json:
        if value.__class__ is int and least <= value <= most:
            return value
        raise UnusualError

    return taker


def _number_taker(shape: Number) -> Taker:
    above, most = shape.above, shape.most

    def taker(value: Json) -> Json:
        whole = value.__class__ is int and LEAST <= value <= LARGEST
        # A whole float would be written like an integer.
        if not whole and (value.__class__ is not float or value.is_integer()):
            raise UnusualError
        if (above is not None and value <= above) or (most is not None and value > most):
            raise UnusualError
        return value

    return taker


def _list_taker(shape: Array, spelt: bool) -> Taker:
    item, least = _taker(shape.items, spelt), shape.least or 0
    most = _NO_BOUND if shape.most is None else shape.most
    distinct = _distinct(shape)

    def taker(value: Json) -> Json:
        if value.__class__ is not list or not least <= len(value) <= most:
            raise UnusualError
        out = [item(each) for each in value]
        if len(out) > 1 and not distinct(out):
            raise UnusualError
        return out

    return once_for_equal(taker) if isinstance(shape.items, Struct) else taker


def _distinct(shape: Array) -> Callable[[list[Json]], bool]:
    if shape.unique:
        return lambda items: len(set(items)) == len(items)
    if len(shape.keys) == 1:
        key = shape.keys[0]
        return lambda items: len({each.get(key) for each in items}) == len(items)
    if shape.keys:
        keys = shape.keys
        return lambda items: len({tuple(each.get(key) for key in keys) for each in items}) == len(items)
    return lambda _items: True


def _table_taker(shape: Map, spelt: bool) -> Taker:
    each_taker, most = _taker(shape.values, spelt), _NO_BOUND if shape.most is None else shape.most

    def taker(value: Json) -> Json:
        if value.__class__ is not dict or len(value) > most:
            raise UnusualError
        return {key: each_taker(each) for key, each in value.items()}

    return taker


@lru_cache(maxsize=65536)
def _spelling(text: str) -> str | None:
    try:
        return parse(text).text if matches_pattern(text) else None
    except QuantitySyntaxError:
        return None


def _spelt_quantity(value: Json) -> Json:
    if value.__class__ is int and LEAST <= value <= LARGEST:
        return parse(value).text
    spelling = _spelling(value) if value.__class__ is str else None
    if spelling is None:
        raise UnusualError
    return spelling


def _quantity(value: Json) -> Json:
    _spelt_quantity(value)
    return value


def _spelt_time(value: Json) -> Json:
    if value.__class__ is not str or not is_date_time(value):
        raise UnusualError
    try:
        spelling = go_time(value)
    except ValueError:
        raise UnusualError from None
    if spelling is None:
        raise UnusualError
    return spelling


def _time(value: Json) -> Json:
    _spelt_time(value)
    return value


def _truth(value: Json) -> Json:
    if value.__class__ is bool:
        return value
    raise UnusualError


def _duration(value: Json) -> Json:
    if value.__class__ is str:
        return value
    raise UnusualError


def _port(value: Json) -> Json:
    if value.__class__ is str or (value.__class__ is int and -(1 << 31) <= value < 1 << 31):
        return value
    raise UnusualError
