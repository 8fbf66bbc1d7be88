"""Topics that ``help`` explains: terms, laws and rules, read from the pages that are installed.

Tested in ``tests/unit/cli/commands/test_topics.py``.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.shipped import pages

_LAW: Final = re.compile(r"^### (\S+)\n+(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
_ROW: Final = re.compile(r"^\| \*\*(?P<name>.+?)\*\*(?:, (?P<others>[^|]+))? \| (?P<cells>.+) \|$", re.MULTILINE)
_CALLED: Final = re.compile(r"^(\| term \| (?!meaning).+ \|)\n((?:\|.*\n)*)", re.MULTILINE)
_TARGET: Final = re.compile(r"\]\(([^)]*)\)")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_SIGNS: Final = re.compile(r"[^a-z0-9]")


class Topic(Value, frozen=True):
    """A term or a law: its name, paragraphs without markup, and other names of the same."""

    name: str
    paragraphs: tuple[str, ...]
    others: tuple[str, ...] = ()


def topics(vocabulary: str, laws: str) -> Mapping[str, Topic]:
    """Every topic of the two pages, by its normal form; a law also without its scheduler's name in front."""
    terms, known_laws = list(_terms(vocabulary)), list(_laws(laws))
    found = {normal(topic.name): topic for topic in (*terms, *known_laws)}
    others = [(other, topic) for topic in terms for other in topic.others]
    short = [(topic.name.partition("-")[2] or topic.name, topic) for topic in known_laws]
    for other, topic in (*others, *short):
        found.setdefault(normal(other), topic)
    return found


def shipped_topics() -> Mapping[str, Topic]:
    """Those of the pages of the installation. Raises ``FairshareError`` when it has none."""
    folder = pages()
    return topics((folder / "vocabulary.md").read_text("utf-8"), (folder / "laws.md").read_text("utf-8"))


def normal(text: str) -> str:
    """A name without signs and case: ``S2-a`` is ``s2a``."""
    return _SIGNS.sub("", text.lower())


def _laws(page: str) -> Iterator[Topic]:
    for name, body in _LAW.findall(page):
        yield Topic(name, tuple(_plain(part) for part in body.strip().split("\n\n")))


def _terms(page: str) -> Iterator[Topic]:
    """The rows of the first table: a term with its other names, meaning, example, and the page that says more."""
    called = _called(page)
    for row in _ROW.finditer(page):
        meaning, example, more = _cells(f"| {row['cells']} |")
        words = called.get(row["name"], ())
        page_of = _TARGET.search(more)
        link = (f"more: docs/{page_of[1]}",) if page_of is not None else ()
        others = tuple(each.strip() for each in (row["others"] or "").split(",") if each.strip())
        yield Topic(row["name"], (_plain(meaning), f"example: {_plain(example)}", *words, *link), others)


def _called(page: str) -> Mapping[str, tuple[str, ...]]:
    """What each scheduler calls a term, by the term; the titles of the columns are the schedulers' names."""
    table = _CALLED.search(page)
    if table is None:
        return {}
    _, *titles = _cells(table[1])
    rows = (_cells(line) for line in table[2].splitlines() if not line.startswith("| -"))
    return {
        row[0]: tuple(f"{title}: {_plain(word)}" for title, word in zip(titles, row[1:], strict=False) if word != "–")
        for row in rows
    }


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def _plain(text: str) -> str:
    return " ".join(_LINK.sub(r"\1", text).split())
