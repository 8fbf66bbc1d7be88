"""Answers onto standard output."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Sheet, Streams, colours
from kubectl_fairshare.report.text.view import View

_ENTRIES: Final = 64
"""Entries of a list that become text together: the text of all would be there next to the document."""
_PLAIN: Final = bytes(range(0x7F))
_DELETE: Final = b"\x7f"
_NARROW: Final = r"[^\x00-\x7e]"
_OBEYED: Final = (
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What JSON may hold as it is and a terminal obeys or hides: controls of eight bits, what turns the direction of
writing, and what has no width."""


def view_of(streams: Streams, screen: ScreenOptions, places: Places) -> View:
    """The view for these streams."""
    colour, on_terminal = colours(streams.stdout, screen.color), streams.stdout.isatty()
    wide, explained = screen.output == "wide", screen.explained
    return View(streams.width, colour, wide, places, on_terminal=on_terminal, explained=explained)


def write_screen(text: str, streams: Streams, screen: ScreenOptions, view: View, brief: str = "") -> None:
    """A screen. One that is higher than the terminal is for the pager; without it, a line says what is out of sight.

    ``brief`` is the answer in short, empty if the command has no ``--brief``.
    """
    hint = _hint(text, streams, screen, view, brief)
    if hint and isinstance(streams.stdout, Sheet):
        streams.stdout.long = text
    elif hint and in_pager(text, streams, screen):
        return
    if not hint or screen.quiet:
        streams.stdout.write(text)
        return
    from kubectl_fairshare.report.text.height import without_verdict

    above = without_verdict(text)
    streams.stdout.write(f"{above}{hint}{text[len(above) :]}")


def in_pager(text: str, streams: Streams, screen: ScreenOptions) -> bool:
    """Whether the pager has shown a text; it is still to be written otherwise."""
    from kubectl_fairshare.cli.pager import paged

    return paged(text, streams, screen)


def write_parts(text: str, streams: Streams, screen: ScreenOptions, view: View, *, written: bool) -> None:
    """Several answers in one text, for the pager if they are not ``written`` yet and are higher than the screen.

    Without a pager, the last line says how much of them is above the screen.
    """
    hint = _hint(text, streams, screen, view, "")
    if not written and hint and in_pager(text, streams, screen):
        return
    streams.stdout.write(f"{'' if written else text}{'' if screen.quiet else hint}")


def _hint(text: str, streams: Streams, screen: ScreenOptions, view: View, brief: str) -> str:
    height = streams.height
    if height is None or screen.interval is not None:
        return ""
    from kubectl_fairshare.report.text.height import hidden_lines

    return "".join(f"{line}\n" for line in hidden_lines(text, brief, height, view))


def write_document(streams: Streams, screen: ScreenOptions, document: Mapping[str, Any] | Sequence[Any]) -> None:
    """A document as JSON or YAML; with ``--watch``, JSON documents take one line each."""
    document = _in_version(document, screen)
    several = screen.interval is not None
    if screen.output == "yaml":
        from kubectl_fairshare.report.yaml_text import yaml_lines

        streams.stdout.write("---\n" if several else "")
        streams.stdout.writelines(yaml_lines(document))
        return
    pieces = _entire(document) if several else _indented(document)
    del document  # several times as large as its text
    _pour(pieces, streams)


def write_records(streams: Streams, screen: ScreenOptions, records: Iterable[Mapping[str, Any]]) -> None:
    """Documents as JSON, one on each line."""
    _pour((piece for record in records for piece in _entire(_in_version(record, screen))), streams)


def _in_version(document: Any, screen: ScreenOptions) -> Any:
    """A document in the version that was asked for."""
    if not screen.api:
        return document
    from kubectl_fairshare.cli.older_documents import in_older_version

    return in_older_version(document)


def _entire(document: Mapping[str, Any] | Sequence[Any]) -> Iterator[bytes]:
    """A document on one line."""
    yield _json(document, indented=False)
    yield b"\n"


def _indented(document: Mapping[str, Any] | Sequence[Any]) -> Iterator[bytes]:
    """A document over many lines, in pieces: a list of the outermost mapping, a few entries at a time."""
    if not isinstance(document, Mapping) or not document:
        yield _json(document)
    else:
        begin = b"{\n  "
        for name, value in document.items():
            yield begin + _json(name) + b": "
            yield from _member(value)
            begin = b",\n  "
        yield b"\n}"
    yield b"\n"


def _member(value: Any) -> Iterator[bytes]:
    """A value one level further in: it is written in a list, of which the brackets and their lines are cut off."""
    if not isinstance(value, list | tuple) or not value:
        yield _json([value])[4:-2]
        return
    begin = b"["
    for start in range(0, len(value), _ENTRIES):
        yield begin + _json([value[start : start + _ENTRIES]])[5:-6]  # without its own brackets, too
        begin = b","
    yield b"\n  ]"


def _json(value: Any, *, indented: bool = True) -> bytes:
    """A value as JSON in UTF-8.

    orjson needs 2 MB less than msgspec, which alone writes integers past 64 bits, and only plain ones.
    """
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 if indented else 0)
    except orjson.JSONEncodeError:
        from msgspec import json

        data = json.encode(value, enc_hook=int)
        return json.format(data, indent=2) if indented else data


def _escape(character: re.Match[str]) -> str:
    """A character as JSON writes it in ASCII: one or two escapes of four digits."""
    units = character[0].encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def _pour(pieces: Iterable[bytes], streams: Streams) -> None:
    """Writes JSON in UTF-8 in pieces, as far as a terminal and a runner of CI may have it."""
    from kubectl_fairshare.report.runner_commands import json_without_commands

    escaped = _OBEYED if streams.prints_signs else _NARROW
    shown = (_shown(json_without_commands(piece), escaped) for piece in pieces)
    out = streams.stdout
    if isinstance(out, Sheet):
        out.write_later(shown)
    else:
        out.writelines(shown)


def _shown(data: bytes, escaped: str) -> str:
    """JSON as text. Where it has other characters than plain ones, these alone say whether some are escaped."""
    text = data.decode()
    if text.isascii() and _DELETE not in data:
        return text
    return re.sub(escaped, _escape, text) if re.search(escaped, data.translate(None, _PLAIN).decode()) else text
