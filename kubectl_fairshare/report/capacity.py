"""The answer to ``capacity``, printed: a matrix of queues, a document, and comma-separated values.

Tested in ``tests/unit/policy/test_capacity.py``.
"""

from collections.abc import Iterable
from typing import Final, Literal, TypedDict

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.capacity import CapacityAnswer, CapacityRow, Promise, Room
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import FigurePart, HeldPart
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.listing import long_table
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row
from kubectl_fairshare.report.text.view import View

_COLUMNS: Final = (
    Column("QUEUE", right=False),
    Column("RESOURCE", right=False),
    Column("NOW"),
    Column("PREEMPTING"),
    Column("EVER"),
    Column("COPIES NOW"),
)
_TITLES: Final = (
    *("queue", "flavor", "resource", "now", "preempting", "ever", "copies", "victims"),
    *("bindsNow", "bindsPreempting", "bindsEver"),
)


class RoomPart(TypedDict):
    """The largest workload: null if nothing bounds it. One unit more does not get in, because of what ``binds``."""

    size: FigurePart | None
    binds: str
    victims: list[str]


class CapacityRowPart(TypedDict):
    """One queue's room for one resource in one flavor."""

    queue: str
    flavor: str
    resource: str
    now: RoomPart
    preempting: RoomPart
    ever: RoomPart
    copies: int


class PromisePart(TypedDict):
    """All quotas of a resource together, and what nodes have; null without Nodes."""

    resource: str
    quotas: FigurePart
    nodes: FigurePart | None


class CapacityDocument(TypedDict):
    """The answer to ``capacity``."""

    apiVersion: parts.ApiVersion
    kind: Literal["Capacity"]
    scheduler: str
    version: str
    unit: list[HeldPart]
    queues: list[CapacityRowPart]
    promises: list[PromisePart]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class CapacityReport:
    """The answer to ``capacity`` in every form in which it is printed."""

    answer: CapacityAnswer

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The matrix, then all quotas together."""
        answer = self.answer
        unit = ", ".join(f"{each.text} {each.resource}" for each in answer.unit)
        title = f"the largest workload, in units of {unit}: one unit more does not get in"
        rows = [Row(_cells(row), below=_because(row)) for row in answer.rows]
        promises = [line for each in answer.promises for line in paragraph(_promise(each), view)]
        notes = [line for note in answer.notes for line in paragraph(f"note: {note}", view, tone="dim")]
        return blocks_text([paragraph(title, view, "", "  "), long_table(_COLUMNS, rows, view), promises, notes])

    def document(self, places: Places) -> Document:  # noqa: ARG002 -- it cites no place
        """The answer as a document."""
        return capacity_document(self.answer)

    def names(self) -> Iterable[str]:
        """The queues in which something gets in now."""
        return dict.fromkeys(row.queue for row in self.answer.rows if row.now.size is None or row.now.size.value)

    def csv(self) -> str:
        """A line for each queue, flavor and resource; an empty size is not bounded."""
        return csv_text(_TITLES, map(_record, self.answer.rows))


def _cells(row: CapacityRow) -> tuple[str, ...]:
    resource = f"{row.resource} in {row.pool}" if row.pool else row.resource
    sizes = (_size(room) for room in (row.now, row.preempting, row.ever))
    return row.queue, resource, *sizes, str(row.copies)


def _because(row: CapacityRow) -> str:
    """Whose work is preempted for the largest, and what binds now."""
    victims = f"preempts work of {', '.join(row.preempting.victims)}" if row.preempting.victims else ""
    return "; ".join(filter(None, (victims, f"binds now: {row.now.binds}" if row.now.binds else "")))


def _size(of: Room) -> str:
    return "unbounded" if of.size is None else of.size.text


def _promise(of: Promise) -> str:
    if of.nodes is None:
        return f"all quotas together: {of.quotas.text} {of.resource}; no Nodes in the input (see `--nodes`)"
    more = of.quotas.value - of.nodes.value
    end = "more than the nodes have" if more > 0 else "what the nodes have" if more == 0 else "less than the nodes have"
    return f"all quotas together: {of.quotas.text} {of.resource}, nodes: {of.nodes.text}; {end}"


def _record(row: CapacityRow) -> tuple[str, ...]:
    sizes = tuple("" if room.size is None else room.size.text for room in (row.now, row.preempting, row.ever))
    binds = (row.now.binds, row.preempting.binds, row.ever.binds)
    return (row.queue, row.pool, row.resource, *sizes, str(row.copies), " ".join(row.preempting.victims), *binds)


def _figure(of: Amount | None) -> FigurePart | None:
    return None if of is None else {"quantity": of.text, "value": of.value}


def _room(of: Room) -> RoomPart:
    return {"size": _figure(of.size), "binds": of.binds, "victims": list(of.victims)}


def capacity_document(answer: CapacityAnswer) -> CapacityDocument:
    """The whole answer."""
    unit: list[HeldPart] = [
        {"resource": each.resource, "flavor": each.pool, "amount": {"quantity": each.text, "value": each.value}}
        for each in answer.unit
    ]
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Capacity",
        "scheduler": answer.scheduler,
        "version": answer.version,
        "unit": unit,
        "queues": [
            {
                "queue": row.queue,
                "flavor": row.pool,
                "resource": row.resource,
                "now": _room(row.now),
                "preempting": _room(row.preempting),
                "ever": _room(row.ever),
                "copies": row.copies,
            }
            for row in answer.rows
        ],
        "promises": [
            {
                "resource": each.resource,
                "quotas": {"quantity": each.quotas.text, "value": each.quotas.value},
                "nodes": _figure(each.nodes),
            }
            for each in answer.promises
        ],
        "notes": list(answer.notes),
    }
