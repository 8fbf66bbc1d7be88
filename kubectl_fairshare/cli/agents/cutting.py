"""A document that is too large for an agent, cut: parts that few need first, then the largest lists.

Tested in ``tests/unit/cli/agents/test_cutting.py``.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

_FULL_ONLY: Final = frozenset(
    {
        *("proof", "evidence", "restsOn", "trials", "simulations", "comparison"),
        *("spared", "notAsked", "route", "cohorts", "path"),
        *("nodes", "localQueues", "namespaces", "titles", "balances", "moments", "requestParts", "neverExercised"),
        *("apiVersion", "fidelity"),  # said by the result itself
    }
)
"""The fields of documents that a brief answer lacks: how an answer was found, and the same in another form."""
_NESTED: Final = ("proof", "fidelity", "attempts")
_SHOWN: Final = 20


def brief(document: dict[str, Any], most: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fields that say what the answer is, without empty ones, in ``most`` bytes of JSON; and what was left out."""
    parts = [
        name
        for name, value in document.items()
        if name in _FULL_ONLY and isinstance(value, list | dict) and value and name != "fidelity"
    ]
    left = [{"at": f"/{name}", "shown": 0, "of": len(document[name])} for name in parts]
    kept: dict[str, Any] = _nonempty({name: value for name, value in document.items() if name not in _FULL_ONLY})
    return kept, [*left, *shorten(kept, most)][:_SHOWN]


def shorten(document: Any, most: int) -> list[dict[str, Any]]:
    """Shortens the largest lists of a document in place until its JSON fits; returns which, at most 20."""
    lengths: dict[str, tuple[int, list[Any]]] = {}
    for _ in range(200):
        excess = size(document) - most
        if excess <= 0:
            break
        largest = max(_lists(document, ""), key=lambda each: each[0], default=None)
        if largest is None:
            break
        room, at, values = largest
        lengths.setdefault(at, (len(values), values))
        keep = len(values) * max(room - excess, 0) // room
        del values[max(1, min(keep, len(values) - 1)) :]
    omitted = [{"at": at, "shown": len(values), "of": count} for at, (count, values) in lengths.items()]
    return omitted[:_SHOWN]


def size(value: Any) -> int:
    """The bytes of a value as JSON."""
    return len(json.dumps(value, ensure_ascii=False).encode())


def _nonempty(value: Any) -> Any:
    """A value without the fields that say nothing."""
    if isinstance(value, list):
        return [_nonempty(each) for each in value]
    if isinstance(value, dict):
        filled = ((name, _nonempty(each)) for name, each in value.items() if name not in _NESTED)
        return {name: each for name, each in filled if each is not None and each not in ("", [], {})}
    return value


def _lists(value: Any, at: str) -> Iterator[tuple[int, str, list[Any]]]:
    """Every list of several values, with its size and place; what is in a list that can be cut is not looked at."""
    if isinstance(value, list):
        if len(value) > 1:
            yield size(value), at, value
        else:
            for each in value:
                yield from _lists(each, f"{at}/0")
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _lists(each, f"{at}/{name}")
