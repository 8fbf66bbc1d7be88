"""Documents in texts: configurations in ConfigMaps, JSON in annotations. They are redacted as objects are.

Tested in ``tests/unit/input/snapshot/test_kept.py``.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import orjson

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json


class Embedded(list[Json]):
    """The documents in one text; ``text`` is that text while they are as they were."""

    def __init__(self, documents: Iterable[Json], text: str = "") -> None:
        super().__init__(documents)
        self.text = text

    def each(self, change: Callable[[Json], Json]) -> "Embedded":
        """The same with a change of each document."""
        changed = [change(item) for item in self]
        return Embedded(changed, self.text if changed == self else "")


_OF_CHARTS: Final = ("values", "controllerManagerConfigYaml")
"""Fields with the values of a chart in a text, and a value with a configuration in it; elsewhere they hold no text."""


class Broken(str):
    """A text that should hold documents and is not YAML: an answer may be refused for it."""

    __slots__ = ()


def opened(value: Json, field: str = "") -> Json:
    """The value with ``Embedded`` in place of each text that holds documents."""
    if isinstance(value, Embedded):
        return value
    if isinstance(value, list):
        return [opened(item) for item in value]
    if field in _OF_CHARTS and isinstance(value, str):
        found = _documents(value)
        return found.each(opened) if isinstance(found, Embedded) else found
    if not isinstance(value, dict):
        return value
    if field == "annotations":
        return {name: _json_in(held) for name, held in value.items()}
    inner = {name: opened(held, name) for name, held in value.items()}
    if value.get("kind") == "ConfigMap" and isinstance(value.get("data"), dict):
        inner["data"] = {name: _documents(text) for name, text in value["data"].items()}
    return inner


def closed(value: Json, said: Callable[[str], str]) -> Json:
    """The value with a text again in place of the documents in it: the same one where they are as they were.

    Of a broken text stays what is ``said`` of it: any of its words may be the value of an environment.
    """
    if isinstance(value, Embedded):
        return value.text or joined_text(closed(each, said) for each in value)
    if isinstance(value, Broken):
        return said(value)
    if isinstance(value, dict):
        return {name: closed(held, said) for name, held in value.items()}
    return [closed(item, said) for item in value] if isinstance(value, list) else value


def joined_text(documents: Iterable[Json]) -> str:
    """One text with all documents."""
    return "\n---\n".join(orjson.dumps(each).decode() for each in documents)


def texts_in(value: Json, holder: str = "", field: str = "") -> Iterator[tuple[str, str, str]]:
    """Every text, after the name of its field and the name of the field around that one; no broken one."""
    if isinstance(value, str):
        if not isinstance(value, Broken):
            yield holder, field, value
    elif isinstance(value, dict):
        for name, held in value.items():
            yield from texts_in(held, field, name)
    elif isinstance(value, list):
        apart = isinstance(value, Embedded)
        for item in value:
            yield from texts_in(item) if apart else texts_in(item, holder, field)


def keys_in(value: Json, field: str = "") -> Iterator[tuple[str, str]]:
    """Every name of a field, after the name of the field around it."""
    if isinstance(value, dict):
        for name, held in value.items():
            yield field, name
            yield from keys_in(held, name)
    elif isinstance(value, list):
        for item in value:
            yield from keys_in(item)


def _json_in(text: Json) -> Json:
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return Embedded([orjson.loads(text)], text)
    except orjson.JSONDecodeError:
        return text


def _documents(text: Json) -> Json:
    from kubectl_fairshare.input.text.decoding import decode

    if not isinstance(text, str):
        return text
    try:
        return Embedded(decode("", text.encode())[1], text)
    except FairshareError:
        return Broken(text)
