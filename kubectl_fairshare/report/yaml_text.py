"""Documents as YAML that every reader takes the same way: keys bare where they are plain words, strings as in JSON.

Strings hold no command for a runner of CI (``report.runner_commands``).
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.model.json import Json

_PLAIN_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-./][A-Za-z0-9]+)*")
_NOT_WORDS: Final = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def yaml_text(document: Json) -> str:
    """``document``, which is made of what JSON knows, as a YAML text with a final newline."""
    return "".join(yaml_lines(document))


def yaml_lines(document: Json) -> Iterator[str]:
    """The lines of that text, each with its end: a long one is several times as large in memory as a whole."""
    return (f"{line}\n" for line in _lines(document, ""))


def _lines(value: Json, indent: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from _entry(f"{indent}{_key(name)}:", member, indent)
    elif isinstance(value, list | tuple) and value:
        for item in value:
            yield from _item(item, indent)
    else:
        yield f"{indent}{_scalar(value)}"


def _entry(opening: str, member: Json, indent: str) -> Iterator[str]:
    """A key with its value: on one line if it fits; lists start under their key, mappings are indented."""
    if isinstance(member, dict) and member:
        yield opening
        yield from _lines(member, indent + "  ")
    elif isinstance(member, list | tuple) and member:
        yield opening
        yield from _lines(member, indent)
    else:
        yield f"{opening} {_scalar(member)}"


def _item(item: Json, indent: str) -> Iterator[str]:
    """An item of a list: the first line after the dash, the others two blanks deeper."""
    lines = _lines(item, indent + "  ")
    yield f"{indent}- {next(lines)[len(indent) + 2 :]}"
    yield from lines


def _key(name: str) -> str:
    plain = _PLAIN_KEY.fullmatch(name) is not None and name.lower() not in _NOT_WORDS
    return name if plain else _scalar(name)


def _scalar(value: Json) -> str:
    """Anything without members, as JSON writes it; YAML would end a line at some characters, so those are escaped."""
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        shown = "".join(c if c.isprintable() else _escaped(c) for c in text)
        return shown.replace("##[", "##\\u005b")
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, float) and not math.isfinite(value):
        return "null"  # as in JSON
    if isinstance(value, float):
        mantissa, exponent, rest = json.dumps(value, allow_nan=False).partition("e")
        return f"{mantissa}{'' if '.' in mantissa else '.0'}{exponent}{rest}"  # YAML 1.1 wants the point
    return "[]" if isinstance(value, list | tuple) else json.dumps(value)


def _escaped(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
