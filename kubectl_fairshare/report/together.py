"""The answer to ``plan --together`` in every form in which it is printed: one table, with sums.

Tested in ``tests/unit/policy/test_together_command.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.documents import DocumentPart
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome, exit_code
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.answers.together import JointEnd, JointEviction, Together
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.markdown import md_table, md_text, prose
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.heading import gap_lines, verdict_lines
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View

_EACH: Final = (
    Column("OUTCOME", right=False),
    Column("JOB", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("NEEDS", right=False, rank=2),
    Column("VICTIMS", right=False, note=True),
)
_GROUPED: Final = (
    Column("JOBS"),
    Column("OUTCOME", right=False),
    Column("QUEUE", right=False),
    Column("NEED", right=False, rank=2),
    Column("VICTIMS", kept=False),
    Column("WHICH", right=False, note=True),
)
_TITLES: Final = ("Outcome", "Job", "Queue", "Needs", "Victims", "Because")
_CSV: Final = ("namespace", "name", "queue", "outcome", "computed", "cycle", "victims", "evicted", "because")
_LIST: Final = 20
"""A list of at most so many jobs has a line for each."""
_NAMED: Final = 2
_STARTS: Final = {**EXIT_CODES, Outcome.UNMANAGED: EXIT_CODES[Outcome.ADMITTED]}
"""A workload that is outside of quota starts."""
_WORDS: Final = {
    Outcome.ADMITTED: "admitted",
    Outcome.PREEMPTS: "admitted after preemption",
    Outcome.WAITS: "waits",
    Outcome.NEVER: "never",
    Outcome.UNMANAGED: "outside of quota",
    Outcome.UNKNOWN: "unknown",
}
_SUMS: Final = {**_WORDS, Outcome.WAITS: "wait"}
_TONES: Final[dict[Outcome, Tone]] = {
    Outcome.WAITS: "wait",
    Outcome.NEVER: "never",
    Outcome.UNKNOWN: "wait",
    Outcome.ADMITTED: "good",
    Outcome.PREEMPTS: "good",
}


class JointObjectPart(DocumentPart, frozen=True):
    """An object by which people name a job."""

    kind: str
    namespace: str
    name: str


class JointEvictionPart(DocumentPart, frozen=True):
    """A job that had to stop in a cycle, the job for which, and the scheduler's rule."""

    cycle: int
    job: str
    title: str
    by: str
    by_title: str
    rule: str


class JointNeedPart(DocumentPart, frozen=True):
    """What a job requests in all."""

    resource: str
    quantity: str
    value: int


class JointEndPart(DocumentPart, frozen=True):
    """One job once nothing changes any more. ``cycle`` is the one in which it started last; null if it waits.

    ``computed`` is the outcome apart from features that are not modelled, and from chance. ``victims`` had to stop
    for it; ``evicted`` lists the times at which it had to stop itself.
    """

    namespace: str
    name: str
    title: str
    objects: tuple[JointObjectPart, ...]
    queue: str
    priority: int
    needs: tuple[JointNeedPart, ...]
    outcome: Outcome
    computed: Outcome
    cycle: int | None
    start: int | None
    because: str
    victims: tuple[JointEvictionPart, ...]
    evicted: tuple[JointEvictionPart, ...]


class TogetherDocument(DocumentPart, frozen=True):
    """The answer to `plan --together`: the jobs in question by their starts, then those that wait.

    ``displaced`` are running jobs of the input that had to stop. ``rests`` is false if jobs evict each other without
    end. ``counts`` are the jobs in question by outcome.
    """

    scheduler: str
    exit_code: int
    cycles: int
    rests: bool
    counts: dict[str, int]
    jobs: tuple[JointEndPart, ...]
    displaced: tuple[JointEndPart, ...]
    fidelity: Fidelity
    assumptions: tuple[str, ...]


class TogetherReport(Value, frozen=True):
    """One answer, printed."""

    found: Together

    @property
    def exit_code(self) -> int:
        """0 if all start; otherwise 4 if one surely does not, otherwise 5."""
        return exit_code(_STARTS[each.outcome] for each in self.found.jobs)

    def screen(self, view: View) -> str:
        """The sums, the table, and what had to stop."""
        found = self.found
        blocks = [
            verdict_lines(self._verdict, self._tone, found.fidelity, view),
            gap_lines(found.fidelity, view),
            self._table(view),
            self._reasons(view),
            self._stopped(view),
            [line for note in found.assumed for line in paragraph(f"assumed: {note}", view, tone="dim")],
            self._closing(view),
        ]
        return blocks_text(blocks)

    def brief(self, view: View) -> str:
        """The sums, in one line."""
        return "".join(f"{line}\n" for line in self._closing(view))

    def document(self, places: Places) -> Document:
        """The whole answer."""
        return together_document(self.found, self.exit_code, places)

    def names(self) -> Iterable[str]:
        """The victims, as kubectl names objects."""
        return [object_name(each.keys[0]) for each in (*self.found.displaced, *self.found.jobs) if each.evicted]

    def csv(self) -> str:
        """A line for each job: those in question, then those that had to stop."""
        return csv_text(_CSV, (self._record(each) for each in (*self.found.jobs, *self.found.displaced)))

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """The sums and a line for each job."""
        rows = [(*self._cells(each), each.reason) for each in self.found.jobs]
        table = md_table(_TITLES, rows) if rows else []
        gaps = [f"- not exact: {prose(doubt)}" for doubt in self.found.fidelity.doubts]
        assumed = [f"- assumed: {prose(note)}" for note in self.found.assumed]
        return md_text([f"**{prose(self._verdict)}**", "", *table, "", *gaps, *assumed])

    # --- sentences

    @property
    def _tone(self) -> Tone:
        return "good" if self.exit_code == 0 else "wait"

    @property
    def _verdict(self) -> str:
        """How many jobs have each outcome, after how many cycles."""
        found = self.found
        if not found.jobs:
            return "nothing waits"
        counts = Counter(each.outcome for each in found.jobs)
        listed = ", ".join(f"{counts[outcome]} {word}" for outcome, word in _SUMS.items() if counts[outcome])
        stopped = len(found.displaced)
        more = f", {count(stopped, 'running job')} evicted" if stopped else ""
        end = "" if found.rests else ", without an end"
        return f"{count(len(found.jobs), 'job')}: {listed} · {count(found.cycles, 'cycle')}{more}{end}"

    def _closing(self, view: View) -> list[str]:
        return closing_lines(self._verdict, self._tone, self.found.fidelity, (), view, f"exit {self.exit_code}")

    def _table(self, view: View) -> list[str]:
        jobs = self.found.jobs
        if view.wide or len(jobs) <= _LIST:
            return table(_EACH, [Row(self._cells(each), _TONES.get(each.outcome, "")) for each in jobs], view, "  ")
        return table(_GROUPED, [self._group(each) for each in _groups(jobs)], view, "  ")

    def _cells(self, each: JointEnd) -> tuple[str, ...]:
        return _outcome_text([each]), each.title, each.queue, _needs_text([each]), self._victims(each)

    def _group(self, jobs: Sequence[JointEnd]) -> Row:
        """Jobs of one queue with one outcome, for the same reason."""
        first = jobs[0]
        victims = sum(len(each.victims) for each in jobs)
        names = some_of([each.title for each in jobs], _NAMED)
        cells = (str(len(jobs)), _outcome_text(jobs), first.queue, _needs_text(jobs), str(victims or ""), names)
        return Row(cells, _TONES.get(first.outcome, ""))

    def _victims(self, each: JointEnd) -> str:
        return some_of([self.found.title(victim.job) for victim in each.victims], _NAMED)

    def _reasons(self, view: View) -> list[str]:
        """What the jobs of a queue that do not start wait for, in full: each reason once."""
        groups = [jobs for jobs in _groups(self.found.jobs) if jobs[0].reason]
        lines: list[str] = []
        for jobs in shown_items(groups, view):
            names = some_of([each.title for each in jobs], _NAMED)
            text = f"{_WORDS[jobs[0].outcome]}: {names}: {jobs[0].reason}"
            lines += paragraph(text, view, "  ", "    ")
        return [*lines, *rest(groups, view)]

    def _stopped(self, view: View) -> list[str]:
        """Who had to stop, for whom, and what became of it."""
        ends = [each for each in (*self.found.displaced, *self.found.jobs) if each.evicted]
        lines = ["had to stop:"] if ends else []
        for each in shown_items(ends, view):
            first = each.evicted[0]
            times = f" ({len(each.evicted)} times)" if len(each.evicted) > 1 else ""
            then = f"starts again in cycle {each.cycle}" if each.cycle is not None else "waits"
            text = f"{each.title} in cycle {first.cycle}{times}, for {self.found.title(first.by)}: {first.rule}; {then}"
            lines += paragraph(text, view, "  ", "    ")
        return [*lines, *rest(ends, view)]

    def _record(self, each: JointEnd) -> tuple[str, ...]:
        return (
            each.job.namespace,
            each.keys[0].name,
            each.queue,
            each.outcome.value,
            each.computed.value,
            "" if each.cycle is None else str(each.cycle),
            " ".join(self.found.title(victim.job) for victim in each.victims),
            str(len(each.evicted)),
            each.reason,
        )


def _groups(jobs: Sequence[JointEnd]) -> Iterator[list[JointEnd]]:
    """Jobs of one queue with one outcome for the same reason, in the order of the first of each."""
    found: dict[tuple[str, str, str], list[JointEnd]] = {}
    for each in jobs:
        found.setdefault((each.queue, each.outcome.value, each.reason), []).append(each)
    yield from found.values()


def _outcome_text(jobs: Sequence[JointEnd]) -> str:
    """The outcome in a few words, with the cycles in which they start."""
    cycles = [each.cycle for each in jobs if each.cycle is not None]
    if not cycles:
        return _WORDS[jobs[0].outcome]
    first, last = min(cycles), max(cycles)
    when = f"cycle {first}" if first == last else f"cycles {first}–{last}"
    return f"unknown, computed: {when}" if jobs[0].outcome is Outcome.UNKNOWN else f"admitted in {when}"


def _needs_text(jobs: Sequence[JointEnd]) -> str:
    sums: dict[str, int] = {}
    for each in jobs:
        for resource, value in each.job.total.items():
            sums[resource] = sums.get(resource, 0) + value
    return ", ".join(f"{amount(resource, value)} {resource}" for resource, value in sorted(sums.items()))


def together_document(found: Together, code: int, places: Places) -> dict[str, Any]:
    """The whole answer."""
    from kubectl_fairshare.report.documents.structs import ANSWERS

    counts = Counter(each.outcome for each in found.jobs)
    document = TogetherDocument(
        found.scheduler,
        code,
        found.cycles,
        found.rests,
        {outcome.value: counts[outcome] for outcome in Outcome if counts[outcome]},
        tuple(_end(each, found) for each in found.jobs),
        tuple(_end(each, found) for each in found.displaced),
        found.fidelity,
        tuple(found.assumed),
    )
    return ANSWERS.document("Together", document, places)


def _end(each: JointEnd, found: Together) -> JointEndPart:
    total = sorted(each.job.total.items())
    return JointEndPart(
        each.job.namespace,
        each.job.name,
        each.title,
        tuple(JointObjectPart(key.kind, key.namespace, key.name) for key in each.keys),
        each.queue,
        each.job.priority,
        tuple(JointNeedPart(resource, amount(resource, value), value) for resource, value in total),
        each.outcome,
        each.computed,
        each.cycle,
        each.start,
        each.reason,
        tuple(_eviction(victim, found) for victim in each.victims),
        tuple(_eviction(one, found) for one in each.evicted),
    )


def _eviction(one: JointEviction, found: Together) -> JointEvictionPart:
    return JointEvictionPart(one.cycle, one.job, found.title(one.job), one.by, found.title(one.by), one.rule)
