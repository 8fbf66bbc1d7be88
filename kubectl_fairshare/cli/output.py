"""Answers onto standard output."""

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TextIO

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Sheet, Streams, colours
from kubectl_fairshare.report.text.view import View

_PIECE: Final = 1 << 16
_NARROW: Final = r"[^\x00-\x7e]"
_OBEYED: Final = (
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What JSON may hold as it is and a terminal obeys or hides: controls of eight bits, what turns the direction of
writing, and what has no width."""


def view_of(streams: Streams, screen: ScreenOptions, places: Places) -> View:
    """The view for these streams."""
    return View(streams.width, colours(streams.stdout, screen.color), screen.output == "wide", places)


def write_screen(text: str, streams: Streams, screen: ScreenOptions, view: View, brief: str = "") -> None:
    """A screen. On a terminal that is too low for it, a line above the last verdict says what is above the screen.

    ``brief`` is the answer in short, empty if the command has no ``--brief``.
    """
    hint = _hint(text, streams, screen, view, brief)
    if not hint:
        streams.stdout.write(text)
        return
    from kubectl_fairshare.report.text.height import without_verdict

    above = without_verdict(text)
    streams.stdout.write(f"{above}{hint}{text[len(above) :]}")


def write_hint(text: str, streams: Streams, screen: ScreenOptions, view: View) -> None:
    """The line that says how much of a text is above the screen; nothing if all of it is on the screen."""
    streams.stdout.write(_hint(text, streams, screen, view, ""))


def _hint(text: str, streams: Streams, screen: ScreenOptions, view: View, brief: str) -> str:
    height = streams.height
    if height is None or screen.quiet or screen.interval is not None:
        return ""
    from kubectl_fairshare.report.text.height import hidden_lines

    return "".join(f"{line}\n" for line in hidden_lines(text, brief, height, view))


def write_document(streams: Streams, screen: ScreenOptions, document: Mapping[str, Any] | Sequence[Any]) -> None:
    """A document as JSON or YAML; with ``--watch``, JSON documents take one line each."""
    several = screen.interval is not None
    if screen.output == "yaml":
        from kubectl_fairshare.report.yaml_text import yaml_text

        streams.stdout.write(("---\n" if several else "") + yaml_text(document))
        return
    from kubectl_fairshare.report.runner_commands import json_without_commands

    data = _json(document, indented=not several)
    del document  # several times as large as its text
    out = json_without_commands(data)
    if streams.prints_signs:
        _pour(out, streams.stdout)
    else:
        streams.stdout.write(re.sub(_NARROW, _escape, out.decode()))
    streams.stdout.write("\n")


def _json(document: Mapping[str, Any] | Sequence[Any], *, indented: bool) -> bytes:
    """A document as JSON in UTF-8.

    orjson needs 2 MB less than msgspec, which alone writes integers past 64 bits.
    """
    import orjson

    try:
        return orjson.dumps(document, option=orjson.OPT_INDENT_2 if indented else 0)
    except orjson.JSONEncodeError:
        from msgspec import json

        data = json.encode(document)
        return json.format(data, indent=2) if indented else data


def _escape(character: re.Match[str]) -> str:
    """A character as JSON writes it in ASCII: one or two escapes of four digits."""
    units = character[0].encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def _pour(data: bytes, out: TextIO) -> None:
    """Writes UTF-8 in pieces: one character beyond Latin-1 would make a single text twice as large as its bytes."""
    pieces = (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
    texts = codecs.iterdecode(pieces, "utf-8")
    shown = (text if _is_plain(text) else re.sub(_OBEYED, _escape, text) for text in texts)
    if isinstance(out, Sheet):
        out.write_later(shown)
    else:
        out.writelines(shown)


def _is_plain(text: str) -> bool:
    return text.isascii() and "\x7f" not in text
