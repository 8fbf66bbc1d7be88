"""The why screen: the verdict with its one reason, the holders of what the job needs, and what would help."""

from collections.abc import Sequence

from kubectl_fairshare.answers.ages import age, when
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.jobs.events import Condition, Note
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.plan_screen import binding_lines, remedy_lines, spared_blocks, victim_lines
from kubectl_fairshare.report.printable import Block
from kubectl_fairshare.report.text.listing import long_list, long_table, rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import Column, Row, wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.decision import failing_step
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.why.standing import HoldingJob, Why
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of, binding_limits, plan_answer
from kubectl_fairshare.schedulers.kai.words.screens.plan import job_lines
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_lines
from kubectl_fairshare.trace import Fact, fact_text

_HELD = (
    Column("HELD BY", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PRIORITY", rank=2),
    Column("HOLDS"),
    Column("OVER QUOTA", right=False, kept=False),
    Column("AGE", rank=3),
)


def why_blocks(why: Why, view: View) -> list[Block]:
    """The blocks below the verdict."""
    return [
        [*_route_lines(why, view), *_job_lines(why, view)],
        _fact_lines(why, view),
        *_plan_blocks(why, view),
        _held_lines(why, view),
        _taker_lines(why, view),
        _safe_lines(why, view),
        _turn_lines(why, view),
        _remedy_lines(why, view),
        _record_lines(why, view),
        usage_lines(why.state.past, view),
    ]


def _route_lines(why: Why, view: View) -> list[str]:
    """The way from the object to its queue, then the queue's ancestors."""
    stations = [f"{why.subject.kind} {why.subject.name}"]
    if why.group is None:
        stations.append("no PodGroup in the input")
    elif why.group != why.subject:
        stations.append(f"PodGroup {why.group.name}")
    queues = [standing.queue.name for standing in why.chain] or ([why.queue] if why.queue else [])
    stations += [f"Queue {name}" for name in queues]
    return wrapped_items("  ", stations, view.width, " → ")


def _job_lines(why: Why, view: View) -> list[str]:
    return [] if why.plan is None else job_lines(why.plan, view)


def _fact_lines(why: Why, view: View) -> list[str]:
    """The fields behind a verdict that has no plan, or of which the plan names no limit."""
    facts = why.facts[-1:]
    if why.plan is not None:
        step = None if any(binding_limits(why.plan)) else failing_step(why.plan)
        facts = () if step is None else tuple(fact for fact in step.rests_on if isinstance(fact, Fact))
    if why.verdict is Verdict.RUNNING:
        return []
    return [line for fact in facts for line in cited(fact_text(fact), view.cite(fact.place), view)]


def _plan_blocks(why: Why, view: View) -> list[Block]:
    """What binds, the victims, and the candidates that stay."""
    if why.plan is None or why.verdict is Verdict.RUNNING:
        return []
    answer = plan_answer(why.plan, why.state)
    return [binding_lines(answer.binding, view), victim_lines(answer, view), *spared_blocks(answer, view)]


def _held_lines(why: Why, view: View) -> list[str]:
    """The holders of what is short."""
    rows = [Row(_cells(each, view)) for each in why.holding]
    return long_table(_HELD, rows, view) if rows else []


def _cells(of: HoldingJob, view: View) -> tuple[str, ...]:
    job = of.job
    amount = f"{amount_of(of.r, of.amount).text} {RESOURCES[of.r]}"
    since = age(job.group.last_start, view.now)
    return _called(job.group.key), job.queue, str(job.priority), amount, "yes" if of.borrows else "", since


def _called(key: ObjectKey) -> str:
    return f"{key.namespace}/{key.name}"


def _taker_lines(why: Why, view: View) -> list[str]:
    """The queues that could preempt a running job, and how far its queue is then below its own quota."""
    if why.verdict is not Verdict.RUNNING or why.job is None or not why.job.active:
        return []
    if not why.job.preemptible:
        return paragraph("it is not preemptible, so no job can preempt it", view)
    if not why.takers:
        return paragraph("no queue could preempt it now", view)
    lines = ["  could preempt it"]
    for each in shown_items(why.takers, view):
        lines += paragraph(f"a job of {each.queue}: {each.rule}", view, "     ", "       ")
    lines += rest(why.takers, view)
    if why.left_below:
        below = ", ".join(f"{amount_of(r, less).text} {RESOURCES[r]}" for r, less in why.left_below)
        lines += paragraph(f"without it {why.queue} is {below} below its own quota", view, "    ", "    ")
    return lines


def _safe_lines(why: Why, view: View) -> list[str]:
    """The jobs that a minimum runtime protects, until when; and the end of the job's own preemptionDelay."""
    lines = []
    if why.until is not None and not why.safe:
        lines += paragraph(f"its preemptionDelay ends {when(why.until, view.now)}", view)
    for each in shown_items(why.safe, view):
        source = f"queue {each.source}" if each.source else "the shard"
        name = _called(each.job.group.key)
        lines += paragraph(f"minimum runtime of {name}, set by {source}, ends {when(each.until, view.now)}", view)
    return [*lines, *rest(why.safe, view)]


def _turn_lines(why: Why, view: View) -> list[str]:
    turn = why.turn
    if turn is None:
        return []
    chance = "" if turn.defined else "; the order varies between runs of KAI itself"
    place = f"position {turn.position} of {turn.of} in {why.queue}"
    text = f"{place}, {turn.taken_up} of {turn.waiting} in the shard{chance}"
    return [*paragraph(text, view), *long_list("    ahead: ", [_called(key) for key in turn.ahead], view)]


def _remedy_lines(why: Why, view: View) -> list[str]:
    return [] if why.plan is None else remedy_lines(plan_answer(why.plan, why.state).remedies, view)


def _record_lines(why: Why, view: View) -> list[str]:
    """What the cluster recorded: conditions with KAI's reasons, pods, starts, evictions, Events."""
    if why.group is None:
        return []
    record, now = why.record, view.now
    lines = []
    for condition in record.conditions:
        lines += _condition_lines(condition, why, view)
    for each in record.explanations:
        lines += paragraph(f"{each.reason}: {each.message}", view, "      ", "      ")
    for condition, pods in record.unscheduled:
        state = f"{condition.type}={condition.status} {condition.reason}"
        text = f"{count(pods, 'pod')}: {state}, {when(condition.moment, now)}"
        lines += [*paragraph(text, view, "    ", "      "), *_message_lines(condition.message, view)]
    if record.last_start is not None:
        lines += paragraph(f"last started {when(record.last_start, now)}", view, "    ", "      ")
    if record.last_eviction is not None:
        lines += paragraph(f"last evicted {when(record.last_eviction, now)}", view, "    ", "      ")
    lines += _note_lines(record.notes, view)
    return ["  the cluster recorded", *lines] if lines else ["  the cluster recorded nothing"]


def _condition_lines(of: Condition, why: Why, view: View) -> list[str]:
    status = f"={of.status}" if of.status else ""
    reason = f" {of.reason}" if of.reason else ""
    text = f"{of.type}{status}{reason}, {when(of.moment, view.now)}"
    lines = cited(text, view.cite(of.place), view, "    ", "      ")
    said = any(each.message and each.message in of.message for each in why.record.explanations)
    return lines if said else [*lines, *_message_lines(of.message, view)]


def _message_lines(message: str, view: View) -> list[str]:
    return paragraph(message, view, "      ", "      ") if message else []


def _note_lines(notes: Sequence[Note], view: View) -> list[str]:
    """The Events, the latest first; a narrow screen prints their number only."""
    latest = notes[::-1]
    if not latest or not view.wide:
        return [view.paint("dim", f"    {count(len(notes), 'event')} (-o wide shows them)")] if latest else []
    lines = ["    events"]
    for note in shown_items(latest, view):
        times = f" ×{note.count}" if note.count > 1 else ""
        text = f"{when(note.moment, view.now)} {note.reason}{times}: {note.message}"
        lines += paragraph(text, view, "     ", "       ")
    return [*lines, *rest(latest, view)]
