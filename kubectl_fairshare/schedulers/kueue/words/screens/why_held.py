"""The part of the why screen about other workloads: holders of what is missing, victims, possible preemptors."""

from kubectl_fairshare.answers.ages import age, lasting
from kubectl_fairshare.answers.blocks import Block, Entries, Group, Items, Remark, Table, unfolded
from kubectl_fairshare.answers.held_amounts import held_cells
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.plan_blocks import cited_list
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.why.verdict import Holding, Lift, Reason, Taker, Why
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of, pair_text, pooled
from kubectl_fairshare.schedulers.kueue.words.inactivity import inactivity_clause
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import outcome_clause
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence


def held_blocks(why: Why, kueue: KueueState, now: int | None) -> Group:
    """The holders of what is missing; those whose queue borrows it come first."""
    if not why.held or why.verdict is not Verdict.NOT_NOW:
        return []
    queue = kueue.cluster_queues.get(why.cluster_queue)
    title, held = held_cells([(amount_of(h.pair, h.amount),) for h in why.held], pooled(queue))
    columns = (
        Column("HELD BY", right=False),
        Column("QUEUE", right=False, rank=1),
        Column("PRIORITY", rank=2),
        Column(title),
        Column("BORROWS", right=False, kept=False),
        Column("AGE", rank=3),
    )
    rows = [
        Row(
            (
                shown_name(h.holder.key, why.jobs),
                h.holder.cluster_queue,
                str(h.holder.priority),
                text,
                "yes" if h.borrows else "",
                age(h.holder.reserved, now),
            )
        )
        for h, text in zip(why.held, held, strict=True)
    ]
    return [Table(columns, rows, "  ", long=True)]


def lift_blocks(why: Why) -> Group:
    """The changes after which Kueue considers the workload, with the outcome; each was tried."""
    return cited_list("would help (each was tried)", ((_lift_text(lift), lift.place) for lift in why.lifts))


def _lift_text(of: Lift) -> str:
    before = f"{of.before} → " if of.before else ""
    return f"{of.place} {before}{of.after}: {outcome_clause(of.outcome, of.victims)}"


def leaving_blocks(why: Why) -> Group:
    """The victims that are being evicted for it."""
    items = [f"{shown_name(h.key, why.jobs)} ({_usage(h)})" for h in why.leaving]
    return [Items("  victims that still hold quota: ", items)] if items else []


def _usage(holder: Holder) -> str:
    return ", ".join(f"{amount(p.resource, v)} {pair_text(p)}" for p, v in sorted(holder.usage.items()))


def holding_blocks(why: Why, now: int | None) -> Group:
    """What an admitted workload holds, from whose quota, and which queues could preempt it."""
    if why.holding is None:
        return []
    of = why.holding
    lines: list[Block] = [Remark(f"holds {_usage(of.holder) or 'nothing'} {lasting(of.holder.reserved, now)}")]
    given = sum(a.count for a in of.assigned if a.count is not None)
    if of.assigned and all(a.count is not None for a in of.assigned) and given < of.asked:
        lines.append(Remark(f"{given} of {count(of.asked, 'pod')}: partial admission", first="    "))
    if not of.borrowed and of.holder.usage:
        lines.append(Remark(f"{of.holder.cluster_queue} stays within its own quota", first="    "))
    if of.borrowed:
        over = ", ".join(f"{amount(p.resource, more)} {pair_text(p)}" for p, more in of.borrowed)
        lines.append(Remark(f"{of.holder.cluster_queue} uses {over} beyond its own quota", first="    "))
    if of.out_of_service is not None:
        reasons, objects = (", ".join(texts) for texts in (of.out_of_service.reasons, of.out_of_service.objects))
        text = f"{of.holder.cluster_queue} is inactive now: {inactivity_clause(reasons, objects)}"
        lines.append(Remark(text, first="    "))
    return lines if why.reason is Reason.EVICTED else [*lines, *_takers(of)]


def displaced_blocks(why: Why) -> Group:
    """The workloads that Kueue preempted for it, according to their records."""
    return [Items("  preempted for it: ", [shown_name(key, why.jobs) for key in why.displaced], long=True)]


def _takers(of: Holding) -> Group:
    if of.stop is not None:
        return [Remark(f"no queue could preempt it now: {sentence(of.stop)}")]
    if not of.takers:
        return [Remark("no queue could preempt it now")]
    said = Entries(of.takers, lambda t: [Remark(_taker(t), place=t.place, first="     ", more="       ")])
    return [unfolded("could preempt it"), said, *_fall(of)]


def _fall(of: Holding) -> Group:
    """How far its queue falls below its own quota if another queue preempts the workload."""
    if not of.left_below or all(taker.own for taker in of.takers):
        return []
    below = ", ".join(_over(pair, less) for pair, less in of.left_below)
    return [Remark(f"without it {of.holder.cluster_queue} is {below} below its own quota", first="    ")]


def _taker(of: Taker) -> str:
    if of.own:
        return f"a workload of {of.queue} itself: withinClusterQueue {of.policy}"
    field = next(str(step) for step in of.place.path if str(step).endswith("WithinCohort"))
    over = ", ".join(_over(p, more) for p, more in of.over)
    rule = "by fair sharing, " if of.law is Law.S2A else ""
    why = f", for the borrowed {over}" if over else ""
    return f"a workload of {of.queue}: {rule}{field} {of.policy}{why}"


def _over(of: FlavorResource, more: int) -> str:
    return f"{amount(of.resource, more)} {pair_text(of)}"
