"""What a defaulting webhook changes when it writes an object back from its Go type.

Such a webhook answers with a patch from the object that it received to the one that Go wrote, without the removals
that only stem from decoding. So values take Go's spelling and missing zero values appear, while empty fields stay.
Source: controller-runtime, defaulting webhooks.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from kubectl_fairshare.api.golang import DecodingError, decoder_of, zero_of, zeros_written
from kubectl_fairshare.api.structures.structure import Array, Map, Shape, String, Struct
from kubectl_fairshare.model.json import Json

Rewriter: TypeAlias = Callable[[Json], Json]


def rewrite(struct: Struct, data: dict[str, Json]) -> None:
    """Puts ``data`` into Go's spelling, in place. Raises ``DecodingError``; ``data`` is then only partly changed."""
    _struct_rewriter(struct)(data)


@cache
def _struct_rewriter(struct: Struct) -> Rewriter:
    rewriters = {name: _rewriter(field.shape) for name, field in struct.fields.items()}
    texts = frozenset(name for name, field in struct.fields.items() if isinstance(field.shape, String))
    zeros = zeros_written(struct)

    def rewriter(value: Json) -> Json:
        if value.__class__ is not dict:
            raise DecodingError("expected an object")
        for key, each in value.items():
            if key in texts and each.__class__ is str:
                continue
            if key in rewriters and each is not None:
                try:
                    value[key] = rewriters[key](each)
                except DecodingError as error:
                    raise error.under(key) from None
        for name, make in zeros:
            if name not in value:
                value[name] = make()
        return value

    return rewriter


def _rewriter(shape: Shape) -> Rewriter:
    if isinstance(shape, Struct):
        return _struct_rewriter(shape)
    if isinstance(shape, Array):
        return _list_rewriter(_rewriter(shape.items), zero_of(shape.items))
    if isinstance(shape, Map):
        return _table_rewriter(_rewriter(shape.values))
    return decoder_of(shape)


def _list_rewriter(item: Rewriter, zero: Callable[[], Json]) -> Rewriter:
    def rewriter(value: Json) -> Json:
        if value.__class__ is not list:
            raise DecodingError("expected a list")
        for index, each in enumerate(value):
            try:
                value[index] = zero() if each is None else item(each)
            except DecodingError as error:
                raise error.under(index) from None
        return value

    return rewriter


def _table_rewriter(item: Rewriter) -> Rewriter:
    def rewriter(value: Json) -> Json:
        if value.__class__ is not dict:
            raise DecodingError("expected an object")
        for key, each in value.items():
            try:
                value[key] = item(each)
            except DecodingError as error:
                raise error.under(key) from None
        return value

    return rewriter
