"""Documents in the form of the version before: what that said twice is computed from the newer document.

A house has the table of its own kinds in `documents/older.py`. Tested in ``tests/unit/report/documents/test_older.py``.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kubectl_fairshare.model.values import Value, field

Made = Callable[[Mapping[str, Any], Mapping[str, Any]], Any]
"""What makes a field of the object that would have it, and of the whole document."""


class OlderField(Value, frozen=True, eq=False):
    """A field that only the older version has, or that it has in another form; ``before`` is the one that it precedes.

    Without that, it is in the place of the field of its name, and at the end if there is none.
    """

    name: str
    made: Made
    before: str = ""


class OlderForm(Value, frozen=True, eq=False):
    """How an object was: other fields than now, those that it did not have, and the forms of objects within it.

    A field with a form may also hold a list of such objects, or null.
    """

    fields: tuple[OlderField, ...] = ()
    dropped: frozenset[str] = frozenset()
    within: Mapping[str, "OlderForm"] = field(default_factory=dict)


def older(of: Mapping[str, Any], form: OlderForm, document: Mapping[str, Any]) -> dict[str, Any]:
    """An object of a document in its older form, with its fields in the order that they had."""
    return dict(_fields(of, form, document))


def _fields(of: Mapping[str, Any], form: OlderForm, document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    changed = {each.name: each for each in form.fields}
    for name, value in of.items():
        yield from ((each.name, each.made(of, document)) for each in form.fields if each.before == name)
        if name in form.dropped:
            continue
        if name in changed and not changed[name].before:
            yield name, changed[name].made(of, document)
        else:
            yield name, _within(value, form.within[name], document) if name in form.within else value
    yield from (
        (each.name, each.made(of, document))
        for each in form.fields
        if not each.before and (each.name not in of or each.name in form.dropped)
    )


def _within(value: Any, form: OlderForm, document: Mapping[str, Any]) -> Any:
    if isinstance(value, list | tuple):
        return [older(each, form, document) for each in value]
    return None if value is None else older(value, form, document)
