"""Workflow commands of GitHub Actions, and texts in which a runner finds none: names in a log of a stranger's change.

A line that begins with ``::name::``, after blanks, is a command; so is ``##[name]`` anywhere in a line. Only
``-o github`` prints commands of ours. Source: actions/runner, ``ActionCommand.cs``.
Tested in ``tests/unit/report/test_every_sink.py``.
"""

import re
from collections.abc import Mapping
from typing import Final

_IN_DATA: Final = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTIES: Final = str.maketrans({**_IN_DATA, ":": "%3A", ",": "%2C"})
_DATA: Final = str.maketrans(_IN_DATA)
_OLD: Final = "##["
_AT_START: Final = re.compile(r"^(\s*):(?=:)", re.MULTILINE)


def workflow_command(name: str, properties: Mapping[str, object], text: str) -> str:
    """A command that annotates a file; escaped, so that no text ends it or begins another."""
    written = ",".join(f"{key}={str(value).translate(_IN_PROPERTIES)}" for key, value in properties.items())
    return f"::{name} {written}::{text.translate(_DATA)}"


def without_commands(text: str) -> str:
    """A text for people, with a blank inside of what would begin a command."""
    if _OLD in text:
        text = text.replace(_OLD, "# #[")
    return _AT_START.sub(r"\1: ", text) if "::" in text else text


def json_without_commands(data: bytes) -> bytes:
    """The same JSON, or YAML with strings as in JSON: their text cannot begin a line."""
    return data.replace(b"##[", rb"##\u005b") if b"#" in data else data


def markup_without_commands(text: str) -> str:
    """The same HTML or XML."""
    if _OLD in text:
        text = text.replace(_OLD, "##&#91;")
    return _AT_START.sub(r"\1&#58;", text) if "::" in text else text


def xml_text(text: str) -> str:
    """A text as XML, which cannot represent most control characters, even escaped."""
    import html

    shown = "".join(c if c == "\n" or c.isprintable() else "\ufffd" for c in text)
    return markup_without_commands(html.escape(shown))
