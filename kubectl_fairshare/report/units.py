"""One question to several units of a repository: their answers in every form in which one is printed.

Tested in ``tests/strangers/test_all_units.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypedDict

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.printable import Lined, Portable, Printable
from kubectl_fairshare.report.text.view import View

_UNIT: Final = "unit"
"""The column of CSV that names the unit."""


class UnitAnswerPart(TypedDict):
    """The answer for some units, which agree; ``answer`` is the document that the command has for one unit."""

    units: list[str]
    exitCode: int
    answer: dict[str, Any]


class UnitListDocument(TypedDict):
    """The answer for each unit of a repository.

    ``unread`` says why some could not be read, ``unanswered`` why the scheduler of some has no answer.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["UnitList"]
    exitCode: int
    unread: list[str]
    unanswered: list[str]
    items: list[UnitAnswerPart]


class UnitAnswer(Value, frozen=True):
    """The answer for some units, which agree; ``title`` is the line above it, ``exit_code`` that of this answer."""

    units: tuple[str, ...]
    title: str
    answer: Printable
    places: Places
    exit_code: int


class UnitAnswers(Value, frozen=True):
    """The answers for all units of a repository, and what is said of those without one."""

    parts: tuple[UnitAnswer, ...]
    exit_code: int
    unread: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()

    def screen(self, view: View) -> str:
        """The answers as text for people, a title above each."""
        screens = (
            f"{each.title}\n{each.answer.screen(replace(view, places={**view.places, **each.places}))}"
            for each in self.parts
        )
        return "\n".join(screens)

    def markdown(self, view: View) -> str:
        """The answers for a ticket or a pull request, a heading above each."""
        from kubectl_fairshare.report.markdown import prose

        return "\n".join(
            f"### {prose(each.title)}\n\n{each.answer.markdown(replace(view, places=each.places))}"
            for each in self.parts
            if isinstance(each.answer, Portable)
        )

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- each answer has its own
        """A list of the documents."""
        found: UnitListDocument = {
            "apiVersion": parts.API_VERSION,
            "kind": "UnitList",
            "exitCode": self.exit_code,
            "unread": list(self.unread),
            "unanswered": list(self.unanswered),
            "items": [
                {
                    "units": list(each.units),
                    "exitCode": each.exit_code,
                    "answer": dict(each.answer.document(each.places)),
                }
                for each in self.parts
            ],
        }
        return found

    def names(self) -> Iterable[str]:
        """What the answers name, each once."""
        return dict.fromkeys(name for each in self.parts for name in each.answer.names())

    def records(self) -> Iterator[Document]:
        """The records of each answer, with the names of its units."""
        for each in self.parts:
            if isinstance(each.answer, Lined):
                yield from ({**record, "units": list(each.units)} for record in each.answer.records())

    def csv(self) -> str:
        """The rows of each answer, once for each unit; answers of several schedulers have the columns of all."""
        import csv

        from kubectl_fairshare.report.csv_text import csv_text

        tables = [(each.units, [*csv.reader(each.answer.csv().splitlines(keepends=True))]) for each in self.parts]
        titles = [*dict.fromkeys(title for _, rows in tables for title in rows[0])]
        rows = (
            (unit, *_under(titles, own, row)) for units, (own, *others) in tables for unit in units for row in others
        )
        return csv_text((_UNIT, *titles), rows)


def _under(titles: Sequence[str], own: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    """The cells of a row under the titles of all tables."""
    cells = dict(zip(own, row, strict=True))
    return (cells.get(title, "") for title in titles)
