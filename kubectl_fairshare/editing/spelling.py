"""Values as text: as plain as YAML allows, and as JSON inside brackets."""

import re
from typing import Final

from kubectl_fairshare.input.text.yaml_scalars import ScalarError, plain
from kubectl_fairshare.model.json import Json

_PLAIN: Final = re.compile(r"[A-Za-z0-9_/][A-Za-z0-9_/.+-]*")
"""Texts that no YAML reader takes for a mark; whether one takes them for another value is tested."""
_NUMBER_LIKE: Final = re.compile(r"[-+.]?[0-9][0-9_.,:eExXoObB+-]*|[-+]?[0-9.]+[eE][0-9]+|0[xob].*")
"""Texts that some YAML reader takes for a number or a date."""


def scalar(value: Json, *, quote: str = "", json: bool = False) -> str:
    """A scalar on one line; ``quote`` is the quotation mark of its neighbour or predecessor, if any."""
    if not isinstance(value, str) or json:
        return _json(value)
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if quote != '"' and _reads_as_itself(value):
        return value
    return _json(value)


def flow(value: Json, *, json: bool = False) -> str:
    """A value on one line, lists and mappings in brackets."""
    if isinstance(value, dict):
        entries = (f"{scalar(name, json=json)}: {flow(held, json=json)}" for name, held in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, json=json) for item in value) + "]"
    return scalar(value, json=json)


def entry_lines(name: str, value: Json) -> list[str]:
    """An entry of a mapping in block style, from column 0."""
    if _is_block(value):
        return [f"{scalar(name)}:", *(f"  {line}" for line in block_lines(value))]
    return [f"{scalar(name)}: {flow(value)}"]


def block_lines(value: Json) -> list[str]:
    """A value in block style, from column 0; an empty one or a scalar takes one line."""
    if not _is_block(value):
        return [flow(value)]
    if isinstance(value, dict):
        return [line for name, held in value.items() for line in entry_lines(name, held)]
    return [line for item in value for line in _item_lines(item)]


def _item_lines(item: Json) -> list[str]:
    first, *rest = block_lines(item)
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _is_block(value: Json) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _reads_as_itself(text: str) -> bool:
    if _PLAIN.fullmatch(text) is None or _NUMBER_LIKE.fullmatch(text) is not None:
        return False
    try:
        return bool(plain(text) == text)
    except ScalarError:
        return False


def _json(value: Json) -> str:
    import json

    return json.dumps(value, ensure_ascii=not (isinstance(value, str) and value.isprintable()))
