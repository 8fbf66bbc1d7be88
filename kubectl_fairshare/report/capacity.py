"""The answer to ``capacity``, printed: a matrix of queues, a document, and comma-separated values.

Tested in ``tests/unit/policy/test_capacity.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.capacity import BacklogRow, CapacityAnswer, CapacityRow, Promise, Room
from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import doubt_lines, verdict_lines
from kubectl_fairshare.report.text.listing import long_table, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View

_COLUMNS: Final = (
    Column("QUEUE", right=False),
    Column("RESOURCE", right=False),
    Column("NOW"),
    Column("PREEMPTING"),
    Column("EVER"),
    Column("COPIES NOW"),
)
_FEW: Final = 3
"""Units that a sentence has room for."""
_LEFT_OUT: Final = "not asked: what gets in after preemption (see `--queue`, `--preempting`)"
_TITLES: Final = (
    *("queue", "flavor", "resource", "now", "preempting", "ever", "copies", "victims"),
    *("bindsNow", "bindsPreempting", "bindsEver"),
)


class CapacityReport(Value, frozen=True):
    """The answer to ``capacity`` in every form in which it is printed."""

    answer: CapacityAnswer

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The matrix, then all quotas together."""
        answer = self.answer
        queues = tuple(dict.fromkeys(row.queue for row in answer.rows))
        who = queues[0] if len(queues) == 1 else "each queue"
        unit = _units(answer.unit)
        title = f"largest workload that fits in {who}, in units of {unit}"
        left_out = {title for title, there in _optional(answer).items() if not there}
        columns = [each for each in _COLUMNS if each.title not in left_out]
        rows = [Row(_cells(row, alone=len(queues) == 1), below=_because(row)) for row in answer.rows]
        promises = [line for each in _promises(answer.promises, view) for line in paragraph(each, view)]
        notes = [line for note in answer.notes for line in paragraph(f"note: {note}", view, tone="dim")]
        backlog = [line for each in answer.backlog for line in paragraph(_backlog(each), view)]
        if not _has_preempting(answer):
            notes += paragraph(_LEFT_OUT, view, tone="dim")
        first = verdict_lines(self._verdict(), "strong", answer.fidelity, view)
        blocks = [
            [*first, *(paragraph(title, view, "", "  ", "dim") if rows else ())],
            long_table(columns, rows, view) if rows else [],
            backlog,
            promises,
            notes,
            doubt_lines(answer.fidelity, view),
        ]
        return blocks_text([*blocks, closing_lines(self._verdict(), "strong", answer.fidelity, (), view, "")])

    def _verdict(self) -> str:
        """How many queues have room now."""
        queues = dict.fromkeys(row.queue for row in self.answer.rows)
        if not queues:
            return "no queue"
        return f"room now in {len(list(self.names()))} of {count(len(queues), 'queue')}"

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.documents.structs import ANSWERS

        return ANSWERS.document("Capacity", self.answer, places)

    def names(self) -> Iterable[str]:
        """The queues in which something gets in now."""
        return dict.fromkeys(row.queue for row in self.answer.rows if row.now.size is None or row.now.size.value)

    def csv(self) -> str:
        """A line for each queue, flavor and resource; an empty size was not asked for."""
        return csv_text(_TITLES, map(_record, self.answer.rows))


def _optional(answer: CapacityAnswer) -> dict[str, bool]:
    """The columns that may be left out: what was not asked, and the name of the only queue."""
    return {
        "QUEUE": len({row.queue for row in answer.rows}) > 1,
        "PREEMPTING": _has_preempting(answer),
        "COPIES NOW": any(row.copies is not None for row in answer.rows),
    }


def _units(of: Sequence[Amount]) -> str:
    """The unit of each resource; of many resources that of most, and the others."""
    if len(of) <= _FEW:
        return ", ".join(f"{each.text} {each.resource}" for each in of)
    usual = Counter(each.text for each in of).most_common(1)[0][0]
    others = [f"{each.text} {each.resource}" for each in of if each.text != usual]
    return ", ".join([f"{usual} of each resource", *others])


def _cells(row: CapacityRow, *, alone: bool) -> tuple[str, ...]:
    resource = f"{row.resource} in {row.pool}" if row.pool else row.resource
    sizes = (_size(room) for room in (row.now, row.preempting, row.ever) if room is not None)
    copies = () if row.copies is None else (_copies(row),)
    return *(() if alone else (row.queue,)), resource, *sizes, *copies


def _copies(row: CapacityRow) -> str:
    return "" if row.copies is None else f"{row.copies}+" if row.more_copies else str(row.copies)


def _because(row: CapacityRow) -> str:
    """Whose work is preempted for the largest, and what binds now."""
    names = () if row.preempting is None else row.preempting.victims
    victims = f"preempts work of {', '.join(names)}" if names else ""
    binds = f"binds now: {row.now.binds}" if row.now.binds else ""
    return "; ".join(filter(None, (victims, binds, *_smaller(row))))


def _smaller(row: CapacityRow) -> Iterator[str]:
    """The smaller shapes that get in, by when; those of one moment that are those of the one before are left out."""
    known: tuple[Amount, ...] = ()
    for when, room in (("now", row.now), ("after preemption", row.preempting), ("with nothing else there", row.ever)):
        if room is not None and room.smaller not in ((), known):
            known = room.smaller
            yield f"gets in {when} with {' or '.join(f'{each.text} {each.resource}' for each in known)}"


def _size(of: Room) -> str:
    return "unbounded" if of.size is None else of.size.text


def _has_preempting(answer: CapacityAnswer) -> bool:
    return all(row.preempting is not None for row in answer.rows)


def _backlog(of: BacklogRow) -> str:
    """What raise of quota is enough for the backlog."""
    where = f"{of.queue} in {of.pool}" if of.pool else of.queue
    how = "after preemption" if of.preempting else "without preemption"
    if of.raises is None:
        return f"backlog of {where}, {how}: no raise of its own quota is enough: {of.binds}"
    if not of.raises:
        return f"backlog of {where}, {how}: it runs, no quota has to change"
    changes = ", ".join(f"{r.now.resource} {r.now.text} → {r.then.text} (+{r.more.text})" for r in of.raises)
    return f"backlog of {where}, {how}: it runs with {changes}; one unit less is not enough"


def _promises(promises: Sequence[Promise], view: View) -> Iterator[str]:
    """A sentence for each resource that nodes have, and one for all others."""
    unknown: dict[str, list[str]] = {}
    for each in promises:
        if each.nodes is None:
            unknown.setdefault(each.of, []).append(f"{each.quotas.text} {each.resource}")
        else:
            yield _promise(each, each.nodes)
    for of, amounts in unknown.items():
        shown = shown_items(amounts, view)
        more = f" and {len(amounts) - len(shown)} more" if len(shown) < len(amounts) else ""
        yield f"{of} together: {', '.join(shown)}{more}; no Nodes in the input (see `--nodes`)"


def _promise(of: Promise, nodes: Amount) -> str:
    more = of.quotas.value - nodes.value
    if not more:
        return f"{of.of} together: {of.quotas.text} {of.resource}, as much as the nodes have"
    end = "more" if more > 0 else "less"
    return f"{of.of} together: {of.quotas.text} {of.resource}, {end} than the nodes have ({nodes.text})"


def _record(row: CapacityRow) -> tuple[str, ...]:
    rooms = (row.now, row.preempting, row.ever)
    sizes = ("" if room is None else _size(room) for room in rooms)
    binds = ("" if room is None else room.binds for room in rooms)
    victims = () if row.preempting is None else row.preempting.victims
    return (row.queue, row.pool, row.resource, *sizes, _copies(row), " ".join(victims), *binds)
