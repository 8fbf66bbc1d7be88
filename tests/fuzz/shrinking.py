"""Makes a failing call smaller: fewer documents, fewer fields, until no part can go."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import yaml

from tests.fuzz.calls import Call

_MOST_TRIES: Final = 400


def smaller(call: Call, still_fails: Callable[[Call], bool]) -> Call:
    """The smallest call found that still fails."""
    tries = _MOST_TRIES
    for name in sorted(call.files):
        documents = _documents(call.files[name])
        if documents is None:
            continue
        candidate = _with(call, name, documents)
        if not still_fails(candidate):
            continue
        call, again = candidate, True
        while again and tries > 0:
            again = False
            for fewer in _fewer(documents):
                tries -= 1
                if tries < 0:
                    break
                candidate = _with(call, name, fewer)
                if still_fails(candidate):
                    call, documents, again = candidate, fewer, True
                    break
    return call


def _documents(text: str) -> Any:
    try:
        found = list(yaml.load_all(text, yaml.CSafeLoader))
        json.dumps(found)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return None
    if len(found) == 1 and isinstance(found[0], dict) and found[0].get("kind") == "List":
        items = found[0].get("items")
        return items if isinstance(items, list) else None
    return found


def _with(call: Call, name: str, documents: Any) -> Call:
    text = "".join(f"---\n{json.dumps(each)}\n" for each in documents)
    return replace(call, files={**call.files, name: text}, packed=[])


def _fewer(value: Any) -> Iterator[Any]:
    """The value without one of its parts, the outermost first."""
    if isinstance(value, list):
        if len(value) > 3:
            yield value[: len(value) // 2]
            yield value[len(value) // 2 :]
        for number in range(len(value)):
            yield value[:number] + value[number + 1 :]
        for number, held in enumerate(value):
            for fewer in _fewer(held):
                yield [*value[:number], fewer, *value[number + 1 :]]
    elif isinstance(value, dict):
        for name in value:
            yield {key: held for key, held in value.items() if key != name}
        for name, held in value.items():
            for fewer in _fewer(held):
                yield {**value, name: fewer}
