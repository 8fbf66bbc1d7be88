"""The why screen: the verdict with its one reason, the holders of what the job needs, and what would help."""

from collections.abc import Iterator

from kubectl_fairshare.answers.ages import age, when
from kubectl_fairshare.answers.blocks import Block, Entries, Group, Items, Remark, Table, unfolded
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.plan_blocks import binding_blocks, remedy_blocks, spared_groups, victim_blocks
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.explain.decision import failing_step
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES
from kubectl_fairshare.schedulers.kai.why.standing import HoldingJob, JobRecord, SafeUntil, Why
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of, binding_limits, plan_answer
from kubectl_fairshare.schedulers.kai.words.screens.plan import job_blocks
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_remarks
from kubectl_fairshare.schedulers.shared_words import event_blocks
from kubectl_fairshare.trace import Fact, fact_text

_HELD = (
    Column("HELD BY", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PRIORITY", rank=2),
    Column("HOLDS"),
    Column("OVER QUOTA", right=False, kept=False),
    Column("AGE", rank=3),
)


def why_groups(why: Why, now: int | None) -> list[Group]:
    """The blocks below the verdict."""
    return [
        [*_route_blocks(why), *_job_blocks(why)],
        _fact_blocks(why),
        *_plan_groups(why),
        _held_blocks(why, now),
        [*_taker_blocks(why)],
        [*_safe_blocks(why, now)],
        _turn_blocks(why),
        _remedy_blocks(why),
        _record_blocks(why, now),
        [*usage_remarks(why.state.past)],
    ]


def _route_blocks(why: Why) -> Group:
    """The way from the object to its queue, then the queue's ancestors."""
    stations = [f"{why.subject.kind} {why.subject.name}"]
    if why.group is None:
        stations.append("no PodGroup in the input")
    elif why.group != why.subject:
        stations.append(f"PodGroup {why.group.name}")
    queues = [standing.queue.name for standing in why.chain] or ([why.queue] if why.queue else [])
    stations += [f"Queue {name}" for name in queues]
    return [Items("  ", stations, " → ")]


def _job_blocks(why: Why) -> Group:
    return [] if why.plan is None else job_blocks(why.plan)


def _fact_blocks(why: Why) -> Group:
    """The fields behind a verdict that has no plan, or of which the plan names no limit."""
    facts = why.facts[-1:]
    if why.plan is not None:
        step = None if any(binding_limits(why.plan)) else failing_step(why.plan)
        facts = () if step is None else tuple(fact for fact in step.rests_on if isinstance(fact, Fact))
    if why.verdict is Verdict.RUNNING:
        return []
    return [Remark(fact_text(fact), place=fact.place) for fact in facts]


def _plan_groups(why: Why) -> list[Group]:
    """What binds, the victims, and the candidates that stay."""
    if why.plan is None or why.verdict is Verdict.RUNNING:
        return []
    answer = plan_answer(why.plan, why.state)
    return [binding_blocks(answer.binding), victim_blocks(answer), *spared_groups(answer)]


def _held_blocks(why: Why, now: int | None) -> Group:
    """The holders of what is short."""
    rows = [Row(_cells(each, now)) for each in why.holding]
    return [Table(_HELD, rows, "  ", long=True)] if rows else []


def _cells(of: HoldingJob, now: int | None) -> tuple[str, ...]:
    job = of.job
    amount = f"{amount_of(of.r, of.amount).text} {RESOURCES[of.r]}"
    since = age(job.group.last_start, now)
    return _called(job.group.key), job.queue, str(job.priority), amount, "yes" if of.borrows else "", since


def _called(key: ObjectKey) -> str:
    return f"{key.namespace}/{key.name}"


def _taker_blocks(why: Why) -> Iterator[Block]:
    """The queues that could preempt a running job, and how far its queue is then below its own quota."""
    if why.verdict is not Verdict.RUNNING or why.job is None or not why.job.active:
        return
    if not why.job.preemptible:
        yield Remark("it is not preemptible, so no job can preempt it")
        return
    if not why.takers:
        yield Remark("no queue could preempt it now")
        return
    yield unfolded("could preempt it")
    said = "a job of {}: {}"
    yield Entries(why.takers, lambda t: [Remark(said.format(t.queue, t.rule), first="     ", more="       ")])
    if why.left_below:
        below = ", ".join(f"{amount_of(r, less).text} {RESOURCES[r]}" for r, less in why.left_below)
        yield Remark(f"without it {why.queue} is {below} below its own quota", first="    ")


def _safe_blocks(why: Why, now: int | None) -> Iterator[Block]:
    """The jobs that a minimum runtime protects, until when; and the end of the job's own preemptionDelay."""
    if why.until is not None and not why.safe:
        yield Remark(f"its preemptionDelay ends {when(why.until, now)}")
    yield Entries(why.safe, lambda each: [Remark(_safe_text(each, now))])


def _safe_text(of: SafeUntil, now: int | None) -> str:
    source = f"queue {of.source}" if of.source else "the shard"
    return f"minimum runtime of {_called(of.job.group.key)}, set by {source}, ends {when(of.until, now)}"


def _turn_blocks(why: Why) -> Group:
    turn = why.turn
    if turn is None:
        return []
    chance = "" if turn.defined else "; the order varies between runs of KAI itself"
    place = f"position {turn.position} of {turn.of} in {why.queue}"
    text = f"{place}, {turn.taken_up} of {turn.waiting} in the shard{chance}"
    return [Remark(text), Items("    ahead: ", [_called(key) for key in turn.ahead], long=True)]


def _remedy_blocks(why: Why) -> Group:
    return [] if why.plan is None else remedy_blocks(plan_answer(why.plan, why.state).remedies)


def _record_blocks(why: Why, now: int | None) -> Group:
    """What the cluster recorded: conditions with KAI's reasons, pods, starts, evictions, Events."""
    if why.group is None:
        return []
    found = [*_recorded(why.record, now), *event_blocks(why.record.notes, now)]
    return [unfolded("the cluster recorded" if found else "the cluster recorded nothing"), *found]


def _recorded(record: JobRecord, now: int | None) -> Iterator[Block]:
    for condition in record.conditions:
        status = f"={condition.status}" if condition.status else ""
        reason = f" {condition.reason}" if condition.reason else ""
        text = f"{condition.type}{status}{reason}, {when(condition.moment, now)}"
        yield Remark(text, place=condition.place, first="    ", more="      ")
        said = any(each.message and each.message in condition.message for each in record.explanations)
        if condition.message and not said:
            yield Remark(condition.message, first="      ", more="      ")
    for each in record.explanations:
        yield Remark(f"{each.reason}: {each.message}", first="      ", more="      ")
    for condition, pods in record.unscheduled:
        state = f"{condition.type}={condition.status} {condition.reason}"
        text = f"{count(pods, 'pod')}: {state}, {when(condition.moment, now)}"
        yield Remark(text, first="    ", more="      ")
        if condition.message:
            yield Remark(condition.message, first="      ", more="      ")
    if record.last_start is not None:
        yield Remark(f"last started {when(record.last_start, now)}", first="    ", more="      ")
    if record.last_eviction is not None:
        yield Remark(f"last evicted {when(record.last_eviction, now)}", first="    ", more="      ")
