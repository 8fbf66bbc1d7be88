"""What is wrong with a YAML text, in words for the user and placed.

Tested in ``tests/unit/input/text/test_json_text.py``.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from kubectl_fairshare.input.text.lines import Lines
from kubectl_fairshare.input.text.yaml_events import RefusedError
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import Location

if TYPE_CHECKING:
    from kubectl_fairshare.input.text.yaml_places import Twice

MOST_TWICE: Final = 20
"""The most duplicate keys that are reported for one text."""
_REMEDIES: Final = (
    ("mapping values are not allowed", "quote a value that contains `: `, or fix the indentation"),
    ("could not find expected ':'", "a key is followed by `: `; text over several lines needs quotes or `|`"),
    ("did not find expected key", "fix the indentation: the keys of one mapping start in one column"),
    ("did not find expected '-' indicator", "fix the indentation: the items of one list start in one column"),
    ("did not find expected ','", "close the open `[` or `{`, or put a comma between items"),
    ("cannot start any token", "quote a value that starts with a sign such as `@`, `%` or a backquote"),
    ("unexpected end of stream", "close the open quote"),
    ("document start", "start each document after the first with a line `---`"),
    ("escape", "write a backslash in double quotes as `\\\\`, or use single quotes"),
)

_REMEDY: Final = "check the quotes, brackets and indentation here and in the line before"


_ACTION: Final = b"{{"
_TEMPLATE: Final = re.compile(rb"^(?:[^\"'#\n]*?[:\[{,-][ \t]++|[ \t]*+)(\{\{)[-/ .$\w]", re.MULTILINE)
_RENDERED: Final = "render it first: `helm template CHART | kubectl fairshare lint -`"


class NotYamlError(FairshareError):
    """Raised for a text whose syntax is not YAML's."""


class TemplateError(NotYamlError):
    """Raised for a text that only becomes YAML when a template engine has filled it in."""


class TwiceError(FairshareError):
    """Raised for a text in which a mapping has a key twice; ``documents`` and ``starts`` are as kubectl reads them."""

    documents: list[Json]
    starts: list[int]


@contextmanager
def explained(source: str, text: bytes) -> Iterator[None]:
    """Turns YAML errors that are raised inside into a ``FairshareError`` with a place."""
    from yaml.error import MarkedYAMLError
    from yaml.reader import ReaderError

    try:
        yield
    except RefusedError as error:
        _refuse_template(source, text)
        raise FairshareError(Problem(error.message, _location(source, text, error.position), error.remedy)) from None
    except MarkedYAMLError as error:
        _refuse_template(source, text)
        raise NotYamlError(_syntax(source, text, error)) from None
    except ReaderError as error:
        raise NotYamlError(_control_character(source, text, error.position)) from None


def _refuse_template(source: str, text: bytes) -> None:
    """Raises ``TemplateError`` for a text with Go's template actions outside of quotes."""
    action = _TEMPLATE.search(text) if _ACTION in text else None
    if action is not None:
        raise _template(source, text, action.start(1))


def refuse_actions(source: str, text: bytes) -> None:
    """Raises ``TemplateError`` for the text of a template that has actions, even in quotes."""
    if (start := text.find(_ACTION)) >= 0:
        raise _template(source, text, start)


def _template(source: str, text: bytes, start: int) -> TemplateError:
    before = text[:start].decode(errors="replace")
    place = Location(source, *Lines(before).place(len(before)))
    return TemplateError(Problem("this is a template, not YAML", place, _RENDERED))


def duplicate_keys(source: str, text: str, twice: "Iterable[Twice]") -> list[Problem]:
    """A problem for each key given twice, placed at the second, with the first related."""
    lines = Lines(text)
    found = []
    for name, first, second in sorted(twice, key=lambda t: t.second)[:MOST_TWICE]:
        earlier = Location(source, *lines.place(first))
        remedy = "keep one of the two: kubectl would silently drop the first"
        place = Location(source, *lines.place(second))
        found.append(Problem(f"key `{name}` occurs twice", place, remedy, (("first here", earlier),)))
    return found


def _control_character(source: str, text: bytes, offset: int) -> Problem:
    """The problem with a character that YAML does not allow; ``offset`` in bytes."""
    before = text[:offset].decode("utf-8", "replace")
    character = text[offset : offset + 4].decode("utf-8", "replace")[:1]
    place = Location(source, *Lines(before).place(len(before)))
    if character == "\0":
        remedy = "not text, or UTF-16 without a byte order mark: save it as UTF-8"
        return Problem("unexpected NUL character", place, remedy)
    remedy = "remove it, or write it as an escape in double quotes"
    return Problem(f"character not allowed in YAML: U+{ord(character or '?'):04X}", place, remedy)


def _location(source: str, text: bytes, position: int) -> Location:
    return Location(source, *Lines(text.decode()).place(position))


def _syntax(source: str, text: bytes, error: Any) -> Problem:
    mark = error.problem_mark or error.context_mark
    position = mark.index if mark else 0
    place = _location(source, text, position)
    if text.decode()[position : position + 1] == "\t":
        return Problem("tab in the indentation", place, "indent with spaces: YAML does not allow tabs there")
    related: tuple[tuple[str, Location], ...] = ()
    if error.context and error.context_mark and error.context_mark.index != position:
        related = ((error.context, _location(source, text, error.context_mark.index)),)
    remedy = next((help for sign, help in _REMEDIES if sign in error.problem), _REMEDY)
    return Problem(f"not valid YAML: {error.problem}", place, remedy, related)
