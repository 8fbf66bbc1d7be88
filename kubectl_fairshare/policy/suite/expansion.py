"""From the tests of a file to its cases: once for each queue, once for each row of a table, with variables put in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import Json, JsonObject, listed
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value

_VARIABLE: Final = re.compile(r"\$\{([^}]*)\}")
_TRUE: Final = frozenset({"y", "yes", "on"})
_FALSE: Final = frozenset({"n", "no", "off"})


class Case(Value, frozen=True):
    """One case of a test. ``number`` is the test's place in the file, ``data`` the test with all variables put in."""

    name: str
    number: int
    data: JsonObject
    at: Location


def cases(number: int, test: JsonObject, names: Mapping[str, Sequence[str]], at: Location) -> Iterator[Case]:
    """The cases of one test; ``names`` are the queues and flavors that ``for-each`` can go through, by kind.

    Raises ``UsageError`` for an unknown kind or variable.
    """
    for variables in _rows(test, names, at):
        given = {key: value for key, value in test.items() if key not in ("for-each", "cases")}
        data = _filled(given, variables, at)
        title = str(data["name"])
        if title == test["name"] and variables:
            title += f" ({', '.join(f'{key} {value}' for key, value in variables.items())})"
        yield Case(title, number, data, at)


def _rows(test: JsonObject, names: Mapping[str, Sequence[str]], at: Location) -> Iterator[dict[str, Json]]:
    kind = test.get("for-each")
    if kind is None:
        each: list[dict[str, Json]] = [{}]
    else:
        known = {name.lower(): found for name, found in names.items()}
        if kind.lower() not in known:
            remedy = did_you_mean(likely(kind, list(names), 1)) or f"there are {quoted(names)}"
            raise UsageError(Problem(f"`for-each` knows no `{kind}` here", at, remedy))
        variable = "flavor" if kind.lower() == "flavor" else "queue"
        each = [{variable: name} for name in known[kind.lower()]]
    for row in each:
        for case in listed(test, "cases") or [{}]:
            yield {**row, **case}


def _filled(value: Json, variables: Mapping[str, Json], at: Location) -> Json:
    """The value with variables put in; a text that is one variable alone becomes its value, whatever its type."""
    if isinstance(value, dict):
        return {_text(key, variables, at): _filled(each, variables, at) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, variables, at) for each in value]
    if not isinstance(value, str):
        return value
    whole = _VARIABLE.fullmatch(value)
    return _of(whole[1], variables, at) if whole else _text(value, variables, at)


def _text(value: str, variables: Mapping[str, Json], at: Location) -> str:
    return _VARIABLE.sub(lambda match: str(_of(match[1], variables, at)), value)


def _read_as(name: str, variables: Mapping[str, Json]) -> str:
    """What YAML made of the key that names a variable, if it is one of its words for true and false."""
    value = "true" if name.lower() in _TRUE else "false" if name.lower() in _FALSE else ""
    return f"YAML reads the key `{name}` as `{value}`: write it in quotes" if value in variables else ""


def _of(name: str, variables: Mapping[str, Json], at: Location) -> Json:
    if name not in variables:
        known = f"this test has {quoted(variables)}" if variables else "`for-each` and `cases` make variables"
        remedy = _read_as(name, variables) or did_you_mean(likely(name, list(variables), 1)) or known
        raise UsageError(Problem(f"there is no variable `{name}`", at, remedy))
    return variables[name]
