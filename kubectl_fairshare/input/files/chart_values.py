"""Which values a chart reads: the first names of the paths below ``.Values`` in its templates.

A file of values that a change touches is of a chart only if the chart can read what changed. Source: helm.sh, the
reference of templates, and Go's ``text/template``.
Tested in ``tests/unit/input/files/test_chart_values.py``.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_ACTION: Final = re.compile(rb"\{\{-?\s*(.*?)\s*-?\}\}", re.DOTALL)
_COMMENT: Final = re.compile(rb"\{\{-?\s*/\*.*?\*/\s*-?\}\}", re.DOTALL)
_TEXT: Final = re.compile(rb'"(?:\\.|[^"\\])*"|`[^`]*`')
_READ: Final = re.compile(rb"\.Values\.([A-Za-z_]\w*)(?![\w\x80-\xff])")
"""A name of ASCII letters, whole: Go allows any letter, and a name that is cut is another value."""
_CALLED: Final = re.compile(rb'\b(?:include|template)\s+(?:"[^"]*"|`[^`]*`)\s+[.$](?![\w.])')
"""A template that gets all that there is: what it reads of it is in its own text."""
_WHOLE: Final = re.compile(rb"\$(?![\w.])")
_DOT: Final = re.compile(rb"(?<![\w.$)\]\"`'])\.(?![\w.])")
_FIRST: Final = re.compile(rb"^(\w+)\b")
_OPENING: Final = (b"if", b"with", b"range", b"define", b"block")
_MOVING: Final = (b"with", b"range")
GIVEN_TO_ALL: Final = frozenset({"global", "tags"})
"""The values that Helm itself reads, or hands on."""


def keys_read(templates: Iterable[bytes]) -> frozenset[str] | None:
    """The first names of the values that templates read; None if they may read any."""
    found = set(GIVEN_TO_ALL)
    for template in templates:
        inside: list[bytes] = []
        for action in _actions(template):
            if _reads_any(action, inside):
                return None
            found |= {name.decode() for name in _READ.findall(action)}
            _enter(action, inside)
    return frozenset(found)


def _actions(template: bytes) -> Iterator[bytes]:
    return iter(_ACTION.findall(_COMMENT.sub(b"", template)))


def _reads_any(action: bytes, inside: list[bytes]) -> bool:
    """Whether an action may read any value: all of them at once, or by ``tpl`` what a text names."""
    plain = _TEXT.sub(b'""', _CALLED.sub(b"", action))
    if any(b"Values" in text for text in _TEXT.findall(action)):
        return True
    if len(re.findall(rb"Values", plain)) != len(_READ.findall(plain)):
        return True
    cut = any(quote in plain.replace(b'""', b"") for quote in (b'"', b"`"))  # by braces that are in a text
    if cut or re.search(rb"\btpl\b", plain) or _WHOLE.search(plain):
        return True
    own = inside[len(inside) - 1 - inside[::-1].index(b"define") :] if b"define" in inside else inside
    return not any(each in _MOVING for each in own) and _DOT.search(plain) is not None


def _enter(action: bytes, inside: list[bytes]) -> None:
    """Goes into a block, or out of it; after ``else`` the dot of ``with`` and ``range`` is the one before."""
    first = _FIRST.match(action)
    word = first[1] if first else b""
    if word in _OPENING:
        inside.append(b"define" if word == b"block" else word)
    elif word == b"else" and inside:
        inside[-1] = b"with" if re.match(rb"else\s+with\b", action) else b"if"
    elif word == b"end" and inside:
        inside.pop()
