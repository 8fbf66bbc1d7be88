"""Violations of any schema: type, value, length, a missing field, a repeated entry."""

from collections.abc import Collection, Iterator

from kubectl_fairshare.api.causes import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    NOT_FOUND,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    UNSUPPORTED,
    WRONG_TYPE,
    Cause,
)
from kubectl_fairshare.api.structures.structure import String
from kubectl_fairshare.finding import Edit, Finding, Remedy, Remove, Replace
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import (
    MISSING,
    field_named,
    gist,
    is_fraction,
    quote,
    schema_causes,
    shape_of,
    value_at,
)
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.lint.words.spelling import nearest, same_letters
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Place


@error_rule("M003")
def wrong_type(given: Given) -> Iterator[Finding]:
    """One finding for each field."""
    for each, cause, value in _causes_of(given, (WRONG_TYPE,)):
        if is_fraction(each, cause) or value is MISSING or value is None:
            continue
        kind = _kind(value)
        message = f"{field_named(cause.path)} is {kind}: {cause.message}"
        yield Finding(each.at(*cause.path), message, _type_remedy(each.at(*cause.path), cause, value))


@error_rule("M004")
def missing_field(given: Given) -> Iterator[Finding]:
    """One finding for each field, except those that are there under a wrong name."""
    for each, cause, value in _causes_of(given, (REQUIRED, WRONG_TYPE)):
        lacking = cause.type == REQUIRED or value is MISSING or value is None
        if lacking and not meant_elsewhere(each, cause.path):
            state = "is missing" if value is MISSING else f"is {quote(value)}, but must have a value"
            yield Finding(
                each.at(*cause.path), f"{field_named(cause.path)} {state}", Remedy(f"write `{cause.path[-1]}`")
            )


@error_rule("M005")
def value_not_allowed(given: Given) -> Iterator[Finding]:
    """One finding for each field."""
    for each, cause, value in _causes_of(given, (UNSUPPORTED, INVALID, FORBIDDEN, NOT_FOUND)):
        if cause.type == INVALID and _is_measured(value):
            continue
        place = each.at(*cause.path)
        choices = _choices(each, cause)
        word, sure = _intended_value(each, cause, value, choices)
        edits: tuple[Edit, ...] = (Replace(place, word),) if word is not None else ()
        help = f"write `{word}`" if word is not None else _advice(choices)
        message = f"{field_named(cause.path)} cannot be {quote(value)}: {gist(each, cause)}"
        yield Finding(place, message, Remedy(help, edits, safe=sure))


@error_rule("M006")
def out_of_bounds(given: Given) -> Iterator[Finding]:
    """One finding for each field."""
    for each, cause, value in _causes_of(given, (TOO_LONG, TOO_MANY, INVALID)):
        if cause.type != INVALID or _is_measured(value):
            yield Finding(
                each.at(*cause.path), f"{field_named(cause.path)}: {cause.message}", Remedy("stay within the bound")
            )


@error_rule("M007")
def duplicate_entry(given: Given) -> Iterator[Finding]:
    """One finding for each entry that was there before."""
    for each, cause, value in _causes_of(given, (DUPLICATE,)):
        place = each.at(*cause.path)
        name = value.get("name") if isinstance(value, dict) else value
        whole = value_at(each, cause.path[:-1])
        equal = [number for number, entry in enumerate(whole) if entry == value] if isinstance(whole, list) else []
        edits: tuple[Edit, ...] = tuple(Remove(each.at(*cause.path[:-1], number)) for number in equal[1:])
        message = f"{quote(name)} is in {field_named(cause.path[:-1])} twice"
        yield Finding(place, message, Remedy("remove one of the two", edits, safe=bool(edits)))


def _causes_of(given: Given, types: Collection[str]) -> Iterator[tuple[Examined, Cause, Json]]:
    for each, cause in schema_causes(given):
        if cause.type in types:
            yield each, cause, value_at(each, cause.path)


def _is_measured(value: Json) -> bool:
    """Whether a value is rejected for its size: a number, or a list with its length."""
    return isinstance(value, int | float | list)


def _type_remedy(place: Place, cause: Cause, value: Json) -> Remedy:
    """How to write a value of another type; the original spelling of a boolean is unknown."""
    if cause.message != "expected a string" or value.__class__ not in (bool, int):
        return Remedy("write a value of that type")
    if value.__class__ is bool:
        return Remedy("put it in quotes: YAML reads a bare `yes`, `no`, `on`, `off`, `true` or `false` as a boolean")
    return Remedy(f'quote it: `"{value}"`', (Replace(place, str(value)),))


def _kind(value: Json) -> str:
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    names = {bool: "the boolean", int: "the number", float: "the number", str: "the text"}
    return f"{names.get(type(value), 'the value')} {quote(value)}"


def _choices(each: Examined, cause: Cause) -> tuple[str, ...]:
    shape = shape_of(each, cause.path)
    return shape.choices if isinstance(shape, String) else ()


def _intended_value(each: Examined, cause: Cause, value: Json, choices: tuple[str, ...]) -> tuple[str | None, bool]:
    """The value that was intended, and whether that is certain; None if unknown."""
    if not isinstance(value, str):
        return None, False
    renamed = each.house.renamed_value(str(cause.path[-1]), value)
    if renamed in choices:
        return renamed, True
    word = nearest(value, choices)
    return word, word is not None and same_letters(value, word)


def _advice(choices: tuple[str, ...]) -> str:
    if not choices:
        return "write a value in the form that the field requires"
    return "write one of " + ", ".join(f"`{each}`" if each else "the empty text" for each in choices)
