"""Topics that ``help`` explains: terms, laws and rules, read from the pages that are installed.

Tested in ``tests/unit/cli/commands/test_topics.py``.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.values import Value

_LAW: Final = re.compile(r"^### (\S+)\n+(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
_ROW: Final = re.compile(r"^\| \*\*(.+?)\*\* \| (.+) \|$", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_SIGNS: Final = re.compile(r"[^a-z0-9]")


class Topic(Value, frozen=True):
    """A term or a law: its name, and paragraphs without markup."""

    name: str
    paragraphs: tuple[str, ...]


def topics(vocabulary: str, laws: str) -> Mapping[str, Topic]:
    """Every topic of the two pages, by its normal form; a law also without its scheduler's name in front."""
    found: dict[str, Topic] = {}
    for topic in (*_laws(laws), *_terms(vocabulary)):
        found[normal(topic.name)] = topic
        found.setdefault(normal(topic.name.partition("-")[2]) or normal(topic.name), topic)
    return found


def normal(text: str) -> str:
    """A name without signs and case: ``S2-a`` is ``s2a``."""
    return _SIGNS.sub("", text.lower())


def _laws(page: str) -> Iterator[Topic]:
    for name, body in _LAW.findall(page):
        yield Topic(name, tuple(_plain(part) for part in body.strip().split("\n\n")))


def _terms(page: str) -> Iterator[Topic]:
    """The rows of the first table: a term, its meaning, and the words of each scheduler, whose names are the titles."""
    titles = _cells(next((line for line in page.splitlines() if line.startswith("| term |")), ""))
    for name, rest in _ROW.findall(page):
        meaning, *words = _cells(f"| {rest} |")
        others = [f"{title}: {word}" for title, word in zip(titles[2:], words, strict=False) if word not in ("", "–")]
        yield Topic(name, (_plain(meaning), *map(_plain, others)))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def _plain(text: str) -> str:
    return " ".join(_LINK.sub(r"\1", text).split())
