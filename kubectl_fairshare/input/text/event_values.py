"""The events of a YAML text as values, with the names and fields of PyYAML's: decision 0002 has what they save.

Tested in ``tests/unit/input/text/test_event_values.py``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final

from yaml import _yaml

from kubectl_fairshare.model.values import Value

_ALONE: Final = RLock()
"""Held by the thread that reads events. It may read one text while it reads another."""


class DocumentStartEvent(Value, gc=False, eq=False):
    """Where a document begins."""

    start_mark: Any
    end_mark: Any
    explicit: Any
    version: Any
    tags: Any


class DocumentEndEvent(Value, gc=False, eq=False):
    """Where a document ends."""

    start_mark: Any
    end_mark: Any
    explicit: Any


class ScalarEvent(Value, gc=False, eq=False):
    """A scalar; ``implicit``: whether a tag follows from its text, if that is plain, and if it is quoted."""

    anchor: str | None
    tag: str | None
    implicit: tuple[bool, bool]
    value: str
    start_mark: Any
    end_mark: Any
    style: str | None


class AliasEvent(Value, gc=False, eq=False):
    """An alias."""

    anchor: str
    start_mark: Any
    end_mark: Any


class _CollectionStart(Value, gc=False, eq=False):
    anchor: str | None
    tag: str | None
    implicit: bool
    start_mark: Any
    end_mark: Any
    flow_style: bool | None


class _CollectionEnd(Value, gc=False, eq=False):
    start_mark: Any
    end_mark: Any


class SequenceStartEvent(_CollectionStart):
    """Where a list begins."""


class SequenceEndEvent(_CollectionEnd):
    """Where a list ends."""


class MappingStartEvent(_CollectionStart):
    """Where a mapping begins."""


class MappingEndEvent(_CollectionEnd):
    """Where a mapping ends."""


_OURS: Final = {
    each.__name__: each
    for each in (
        *(DocumentStartEvent, DocumentEndEvent, ScalarEvent, AliasEvent),
        *(SequenceStartEvent, SequenceEndEvent, MappingStartEvent, MappingEndEvent),
    )
}


def _is_made_alike(name: str, ours: type[Value]) -> bool:
    code = getattr(_yaml, name).__init__.__code__
    return bool(code.co_varnames[1 : code.co_argcount] == ours.__struct_fields__)


ALIKE: Final = all(_is_made_alike(*each) for each in _OURS.items())
"""Whether this PyYAML makes events of these fields in this order; if it does not, its own classes stay."""


@contextmanager
def parser(text: bytes | str) -> Iterator[Any]:
    """PyYAML's parser, which makes these events inside: it looks up a class by name, in its own module, for each.

    PyYAML's own classes are back afterwards, for programs that use it too; other threads that read events here wait.
    ``yaml.load`` makes no events, in no thread.
    """
    names, ours = vars(_yaml), _OURS if ALIKE else {}
    with _ALONE:
        theirs = {name: names[name] for name in ours}
        names.update(ours)
        try:
            yield _yaml.CParser(text)
        finally:
            names.update(theirs)
