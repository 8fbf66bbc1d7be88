"""The answer to ``why`` for workloads that were named, printed: the same first and last lines for all schedulers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.answers.ages import AsOf, age, lasting
from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.details import Document, Places, WhyDetail
from kubectl_fairshare.answers.forecast import Forecast, WaitingForecast
from kubectl_fairshare.answers.plan_blocks import hold_blocks, remedy_text
from kubectl_fairshare.answers.standing import HeldAmount, Verdict, WhyAnswer
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.report.brief import brief_limits, brief_remedies, brief_text
from kubectl_fairshare.report.markdown import Table, code, md_table, md_text, prose
from kubectl_fairshare.report.need_parts import need_blocks
from kubectl_fairshare.report.next_steps import HERE, GivenOptions, next_commands
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.printable import Block
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.heading import gap_lines
from kubectl_fairshare.report.text.paragraph import command_lines, paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.verdicts import VERDICT_TONES, VERDICT_WORDS

if TYPE_CHECKING:
    from kubectl_fairshare.report.documents.workload_record import WorkloadRecord
    from kubectl_fairshare.report.forecast.document import StartPart

_UNKNOWN = 5
_HELD: Table = ("held by", "queue", "holds", "borrows", "age")


class WhyReport(Value, frozen=True):
    """The answer to ``why`` for workloads that were named.

    ``as_of`` is the moment that ages count to. ``takers`` says, for the title of an answer, which queues hold what it
    lacks, and whose that is. ``forecast`` has the starts of those that wait, if it was asked for.
    """

    answers: tuple[WhyAnswer[WhyDetail], ...]
    origin: GivenOptions = HERE
    as_of: AsOf = AsOf()
    takers: Mapping[str, str] = field(default_factory=dict)
    forecast: Forecast | None = None

    @property
    def exit_code(self) -> int:
        """5 if one has no exact answer, otherwise 0."""
        return _UNKNOWN if any(answer.verdict is Verdict.UNKNOWN for answer in self.answers) else 0

    def screen(self, view: View) -> str:
        """A screen for each, with a blank line between them."""
        view = replace(view, now=self.as_of.moment)
        return "\n".join(self._screen(answer, view) for answer in self.answers)

    def _screen(self, answer: WhyAnswer[WhyDetail], view: View) -> str:
        taken = self.takers.get(answer.title, "")
        return why_screen(answer, view, self.origin, taken, self.as_of.clause, self._start(answer))

    def _start(self, answer: WhyAnswer[WhyDetail]) -> str:
        """When a workload starts, in a line; empty for what does not wait, and where it was not asked for."""
        from kubectl_fairshare.report.forecast.words import start_line

        found = self._started(answer)
        return "" if found is None or self.forecast is None else start_line(found, self.forecast)

    def _started(self, answer: WhyAnswer[WhyDetail]) -> WaitingForecast | None:
        meant = {answer.key, answer.job}
        waiting = () if self.forecast is None else self.forecast.waiting
        return next((each for each in waiting if meant.intersection(each.keys)), None)

    def brief(self, view: View) -> str:
        """The verdict, what binds, the best remedy and the next command, in at most eight lines for each."""
        view = replace(view, now=self.as_of.moment)
        return "\n".join(_brief(answer, view, self.origin) for answer in self.answers)

    def markdown(self, view: View) -> str:
        """The answers for a ticket or a pull request."""
        view = replace(view, now=self.as_of.moment)
        takers = self.takers
        return "\n".join(
            _markdown(each, view, self.origin, (takers.get(each.title, ""), self._start(each))) for each in self.answers
        )

    def document(self, places: Places) -> Document:
        """The one answer, or a list of them."""
        from kubectl_fairshare.report.documents import parts

        items = [{**_document(answer, places, self.origin), **self._start_document(answer)} for answer in self.answers]
        return items[0] if len(items) == 1 else {"apiVersion": parts.API_VERSION, "kind": "WhyList", "items": items}

    def _start_document(self, answer: WhyAnswer[WhyDetail]) -> Document:
        from kubectl_fairshare.report.forecast.document import start_part

        if self.forecast is None:
            return {}
        found = self._started(answer)
        return {"forecast": None if found is None else start_part(found, self.forecast)}

    def names(self) -> Iterable[str]:
        """The workloads, as kubectl names objects; jobs without one by their own names."""
        return (object_name(key) for key in answer_keys(self.answers))

    def csv(self) -> str:
        """A line for each workload: its verdict and reason."""
        return verdict_rows(self.answers, self.as_of)

    def records(self) -> Iterator[Document]:
        """A small document for each workload: its verdict and reason."""
        return verdict_records(self.answers, self.as_of)


def why_screen(
    answer: WhyAnswer[WhyDetail],
    view: View,
    origin: GivenOptions = HERE,
    taken: str = "",
    ages: str = "",
    start: str = "",
) -> str:
    """The screen of one workload: the verdict is its first line and its last.

    ``taken`` says which queues hold what it lacks, ``ages`` from when ages count, ``start`` when it starts; each may be
    empty.
    """
    first, *groups = (lines_of(group, view) for group in answer.detail.groups(view.now))
    started = answer.verdict in (Verdict.RUNNING, Verdict.FINISHED)
    ends: list[Block] = [
        [] if started else lines_of(need_blocks(answer.parts), view),
        lines_of(hold_blocks(answer.holds), view),
        _next_lines(answer, view, origin),
        _ask_lines(answer, view),
        [*gap_lines(answer.fidelity, view), *_said(ages, view, "", "dim"), *_closing(answer, view)],
    ]
    said = [line for text in (taken, start) for line in _said(text, view, "  ")]
    return blocks_text([[*_first_lines(answer, view), *said, *first], *groups, *ends])


def _said(text: str, view: View, indent: str, tone: Tone = "") -> list[str]:
    return paragraph(text, view, indent, indent, tone) if text else []


def first_line(answer: WhyAnswer[WhyDetail], now: int | None = None, *, brief: bool = False) -> str:
    """The verdict and its reason in one sentence: what is short, by how much, which workload holds it, how long.

    A ``brief`` one says once of which resource the amounts are, if it is about one.
    """
    text = f"{answer.title} · {VERDICT_WORDS[answer.verdict]}: {answer.because}"
    if answer.verdict is not Verdict.NOT_NOW or not answer.held:
        return text
    first, *others = answer.held
    since = f" {lasting(first.since, now)}" if first.since else ""
    said = brief and [each.resource for each in answer.needs] == [first.amount.resource] and _is_named(first, text)
    holds = f"{first.name} holds {first.amount.text if said else _held(first)}{since}"
    if not others:
        return f"{text}; {holds}"
    more = "1 other holds" if len(others) == 1 else f"{len(others)} others hold"
    return f"{text}; {holds}, {more} some, too"


def _is_named(of: HeldAmount, text: str) -> bool:
    """Whether a text has an amount of the resource that is held."""
    return f" {of.amount.resource} " in text.replace(";", " ;")


def _held(of: HeldAmount) -> str:
    return f"{of.amount.text} {of.amount.resource}"


def _first_lines(answer: WhyAnswer[WhyDetail], view: View) -> list[str]:
    return [
        view.paint(VERDICT_TONES[answer.verdict], line)
        for line in folded(first_line(answer, view.now), view.width, "  ")
    ]


def _closing(answer: WhyAnswer[WhyDetail], view: View) -> list[str]:
    word, tone = VERDICT_WORDS[answer.verdict], VERDICT_TONES[answer.verdict]
    return closing_lines(word, tone, answer.fidelity, answer.context, view, "exit 5" if word == "unknown" else "")


def _document(answer: WhyAnswer[WhyDetail], places: Places, origin: GivenOptions) -> Document:
    from kubectl_fairshare.report.documents.structs import shared_part, written

    shared = {"scheduler": answer.scheduler, "next": list(next_commands(answer, origin))}
    return {**written(answer.detail.document(), places), **shared, **shared_part(answer, places)}


def _next_lines(answer: WhyAnswer[WhyDetail], view: View, origin: GivenOptions) -> list[str]:
    if answer.verdict is Verdict.FINISHED:
        return []
    commands = next_commands(answer, origin)
    return ["  next", *(line for command in commands for line in command_lines(command, view, "    ", "dim"))]


def whom_to_ask(answer: WhyAnswer[WhyDetail]) -> Iterator[str]:
    """Who can help: the owner of the first holder, and an admin for a limit of the queues; otherwise its own owner."""
    if answer.verdict is Verdict.NOT_NOW and answer.held:
        first = answer.held[0]
        yield f"the owner of {first.name} in namespace {first.key.namespace}: when does it end?"
    limit = next((remedy for remedy in answer.remedies if remedy.maker is Maker.ADMIN), None)
    if limit is not None:
        yield f"an admin of the queues: {limit.change}?"
    elif answer.verdict is Verdict.NEVER or (answer.verdict is Verdict.NOT_NOW and not answer.held):
        yield from _own_choices(answer)


def _own_choices(answer: WhyAnswer[WhyDetail]) -> Iterator[str]:
    """What the owner of the workload can do where no other person can: the first tried change, or to ask for less."""
    own = next((remedy for remedy in answer.remedies if remedy.maker is Maker.OWNER), None)
    beyond = next((limit for limit in answer.binding if limit.ever), None)
    if own is not None:
        yield f"the owner of {answer.title}: {own.change}?"
    elif beyond is not None:
        needs = f"{beyond.needed.text} {beyond.needed.resource}"
        yield f"the owner of {answer.title}: are {needs} needed? It could ever reach {beyond.reachable.text}"


def _ask_lines(answer: WhyAnswer[WhyDetail], view: View) -> list[str]:
    asked = [line for text in whom_to_ask(answer) for line in paragraph(text, view, "    ", "      ")]
    return ["  ask", *asked] if asked else []


def _brief(answer: WhyAnswer[WhyDetail], view: View, origin: GivenOptions) -> str:
    said = [first_line(answer, view.now, brief=True), *brief_limits(answer.binding, view)]
    said += brief_remedies(answer.remedies)
    commands = [*next_commands(answer, origin)]
    return brief_text(said, VERDICT_TONES[answer.verdict], commands, _closing(answer, view), view)


def _markdown(answer: WhyAnswer[WhyDetail], view: View, origin: GivenOptions, said: Iterable[str]) -> str:
    word = VERDICT_WORDS[answer.verdict]
    lines = [f"**{prose(first_line(answer, view.now))}**", ""]
    lines += [line for text in said if text for line in (prose(text), "")]
    if answer.held and answer.verdict is Verdict.NOT_NOW:
        lines += [*md_table(_HELD, [_held_row(of, view.now) for of in answer.held]), ""]
    for limit in answer.binding:
        where = view.cite(limit.place)
        lines.append(f"- binds: {prose(limit.clause)}" + (f" ({code(where)})" if where else ""))
    for remedy in answer.remedies:
        lines.append(f"- would help: {prose(remedy_text(remedy))}")
    lines += [f"- ask {prose(text)}" for text in whom_to_ask(answer)]
    lines += [f"- next: {code(command)}" for command in next_commands(answer, origin)]
    return md_text([*lines, "", f"⇒ {word} · {prose(exactness(answer.fidelity, answer.context))}"])


def _held_row(of: HeldAmount, now: int | None) -> tuple[str, ...]:
    return of.name, of.queue, _held(of), "yes" if of.borrows else "", age(of.since, now)


def answer_keys(answers: Iterable[WhyAnswer[WhyDetail]]) -> Iterable[ObjectKey]:
    """The workloads, each once; a job where there is no workload."""
    return dict.fromkeys(key for answer in answers if (key := answer.key or answer.job) is not None)


_ROW: Final = ("namespace", "name", "queue", "verdict", "reason", "because", "since", "ageSeconds", "priority")


_STARTS: Final = ("start", "startP10", "startP90")


def verdict_records(
    answers: Iterable[WhyAnswer[WhyDetail]], as_of: AsOf, starts: Mapping[str, "StartPart | None"] | None = None
) -> Iterator["WorkloadRecord"]:
    """A small document for each workload; ``starts`` are forecasts by titles, if they were asked for."""
    from kubectl_fairshare.report.documents.workload_record import workload_record

    for answer in answers:
        record = workload_record(answer, as_of.moment)
        if starts is not None:
            record["forecast"] = starts.get(answer.title)
        yield record


def verdict_rows(
    answers: Iterable[WhyAnswer[WhyDetail]], as_of: AsOf, starts: Mapping[str, "StartPart | None"] | None = None
) -> str:
    """A line of CSV for each workload: its verdict and reason, and when it starts, if that was asked for."""
    from kubectl_fairshare.report.csv_text import csv_text

    records = verdict_records(answers, as_of, starts)
    if starts is None:
        return csv_text(_ROW, ([record[name] for name in _ROW] for record in records))
    rows = ([*(record[name] for name in _ROW), *_start_cells(record["forecast"])] for record in records)
    return csv_text((*_ROW, *_STARTS), rows)


def _start_cells(start: "StartPart | None") -> tuple[str | None, ...]:
    """A moment and its interval; empty where there is none, the verdict where it has no time."""
    if start is None:
        return "", "", ""
    interval = start["starts"]
    return interval["p50"] or start["verdict"], interval["p10"], interval["p90"]
