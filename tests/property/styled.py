"""Manifests in every style that YAML has: quotes, brackets, blocks, comments, anchors, line ends, indentation."""

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

KEYS = ["cpu", "name", "spec", "quota", "on", "1", "a b", "x: y", "limits"]
SCALARS = st.one_of(
    st.sampled_from(["a100", "10Gi", "0.5", "on", "", "null", "it's", 'say "hi"', "x: y", "# no", "é→", "12", "a\\b"]),
    st.sampled_from([0, 1, -3, 2.5, True, False, None]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=14,
)
DOCUMENTS = st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=4)


@dataclass
class Style:
    """Draws how each thing is written; ``comments`` numbers those made so far."""

    draw: Any
    comments: int = 0

    def one_in(self, number: int) -> bool:
        return bool(self.draw(st.integers(1, number)) == 1)

    def comment(self, lead: str = "  ") -> str:
        self.comments += 1
        return f"{lead}# comment {self.comments}, 'quoted'"


def text_of(document: dict[str, Any], draw: Any) -> str:
    """The document in a style that is drawn, its lines ended by one line feed each."""
    style = Style(draw)
    lines = [style.comment("")] if style.one_in(3) else []
    lines += ["---"] if style.one_in(3) else []
    lines += block(document, style)
    lines += [style.comment("")] if style.one_in(3) else []
    return "\n".join(lines) + "\n"


def block(value: Any, style: Style) -> list[str]:
    """A value in lines, the first of which may follow a dash."""
    if isinstance(value, dict) and value and not style.one_in(6):
        return _mapping(value, style)
    if isinstance(value, list) and value and not style.one_in(6):
        return [line for item in value for line in _item(item, style)]
    return [flow(value, style) + tail(style)]


def _mapping(value: dict[str, Any], style: Style) -> list[str]:
    lines: list[str] = []
    for number, (name, held) in enumerate(value.items()):
        if number and style.one_in(5):
            lines.append(style.comment("" if style.one_in(2) else " "))
        if number and style.one_in(8):
            lines.append("")
        lines += _entry(scalar(name, style), held, style)
    return lines


def _entry(name: str, held: Any, style: Style) -> list[str]:
    if isinstance(held, str) and held and "\n" not in held and style.one_in(6):
        return [f"{name}: |-{tail(style)}", f"  {held}"] if not held.startswith(" ") else [f"{name}: {quoted(held)}"]
    inner = block(held, style)
    if not isinstance(held, dict | list) or not held or _is_flow(inner, held):
        return [f"{name}: {inner[0]}", *inner[1:]]
    indent = "" if isinstance(held, list) and style.one_in(2) else " " * style.draw(st.sampled_from([1, 2, 4]))
    above = [indent + style.comment("")] if style.one_in(6) else []
    return [f"{name}:{tail(style)}", *above, *(indent + line if line else "" for line in inner)]


def _is_flow(lines: list[str], held: Any) -> bool:
    return len(lines) == 1 and lines[0][:1] == ("{" if isinstance(held, dict) else "[")


def _item(item: Any, style: Style) -> list[str]:
    first, *rest = block(item, style)
    above = [style.comment("")] if style.one_in(6) else []
    return [*above, f"- {first}", *(f"  {line}" if line else "" for line in rest)]


def tail(style: Style) -> str:
    """Perhaps a comment at the end of a line."""
    return style.comment() if style.one_in(4) else ""


def flow(value: Any, style: Style) -> str:
    """A value in brackets, or a scalar."""
    blank = " " if style.one_in(3) else ""
    if isinstance(value, dict):
        entries = ", ".join(f"{scalar(name, style)}: {flow(held, style)}" for name, held in value.items())
        return "{" + blank + entries + blank + "}"
    if isinstance(value, list):
        comma = "," if value and style.one_in(5) else ""
        return "[" + blank + ", ".join(flow(item, style) for item in value) + comma + blank + "]"
    return scalar(value, style)


def scalar(value: Any, style: Style) -> str:
    """A scalar, quoted one way or the other, or plain where that is sure to be read as meant."""
    if not isinstance(value, str):
        return json.dumps(value)
    if value in ("a100", "10Gi", "cpu", "name", "spec", "quota", "limits", "é→") and not style.one_in(3):
        return value
    return "'" + value.replace("'", "''") + "'" if style.one_in(2) else quoted(value)


def quoted(value: str) -> str:
    """The text in double quotes."""
    return json.dumps(value, ensure_ascii=False)
