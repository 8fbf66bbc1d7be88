"""The part of the why screen about other workloads: holders of what is missing, victims, possible preemptors."""

from kubectl_fairshare.answers.ages import age, lasting
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.report.text.listing import long_list, long_table, rest, shown_items
from kubectl_fairshare.report.text.paragraph import cited, paragraph
from kubectl_fairshare.report.text.table import Column, Row, wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.why.verdict import Holding, Reason, Taker, Why
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text
from kubectl_fairshare.schedulers.kueue.words.inactivity import inactivity_clause
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import outcome_clause
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence


def held_lines(why: Why, view: View) -> list[str]:
    """The holders of what is missing; those whose queue borrows it come first."""
    if not why.held or why.verdict is not Verdict.NOT_NOW:
        return []
    columns = (
        Column("HELD BY", right=False),
        Column("QUEUE", right=False, rank=1),
        Column("PRIORITY", rank=2),
        Column("HOLDS"),
        Column("BORROWS", right=False, kept=False),
        Column("AGE", rank=3),
    )
    rows = [
        Row(
            (
                shown_name(h.holder.key, why.jobs),
                h.holder.cluster_queue,
                str(h.holder.priority),
                f"{amount(h.pair.resource, h.amount)} {h.pair.resource}",
                "yes" if h.borrows else "",
                age(h.holder.reserved, view.now),
            )
        )
        for h in why.held
    ]
    return long_table(columns, rows, view)


def lift_lines(why: Why, view: View) -> list[str]:
    """The changes after which Kueue considers the workload, with the outcome; each was tried."""
    lines = ["  would help (each was tried)"] if why.lifts else []
    for lift in why.lifts:
        before = f"{lift.before} → " if lift.before else ""
        text = f"{lift.place} {before}{lift.after}: {outcome_clause(lift.outcome, lift.victims)}"
        lines += cited(text, view.cite(lift.place), view, "     ", "       ")
    return lines


def leaving_lines(why: Why, view: View) -> list[str]:
    """The victims that are being evicted for it."""
    items = [f"{shown_name(h.key, why.jobs)} ({_usage(h)})" for h in why.leaving]
    return wrapped_items("  victims that still hold quota: ", items, view.width, ", ") if items else []


def _usage(holder: Holder) -> str:
    return ", ".join(f"{amount(p.resource, v)} {pair_text(p)}" for p, v in sorted(holder.usage.items()))


def holding_lines(why: Why, view: View) -> list[str]:
    """What an admitted workload holds, from whose quota, and which queues could preempt it."""
    if why.holding is None:
        return []
    of = why.holding
    lines = paragraph(f"holds {_usage(of.holder) or 'nothing'} {lasting(of.holder.reserved, view.now)}", view)
    given = sum(a.count for a in of.assigned if a.count is not None)
    if of.assigned and all(a.count is not None for a in of.assigned) and given < of.asked:
        lines += paragraph(f"{given} of {count(of.asked, 'pod')}: partial admission", view, "    ", "    ")
    if not of.borrowed and of.holder.usage:
        lines += paragraph(f"{of.holder.cluster_queue} stays within its own quota", view, "    ", "    ")
    if of.borrowed:
        over = ", ".join(f"{amount(p.resource, more)} {pair_text(p)}" for p, more in of.borrowed)
        lines += paragraph(f"{of.holder.cluster_queue} uses {over} beyond its own quota", view, "    ", "    ")
    if of.out_of_service is not None:
        reasons, objects = (", ".join(texts) for texts in (of.out_of_service.reasons, of.out_of_service.objects))
        text = f"{of.holder.cluster_queue} is inactive now: {inactivity_clause(reasons, objects)}"
        lines += paragraph(text, view, "    ", "    ")
    return lines if why.reason is Reason.EVICTED else [*lines, *_takers(of, view)]


def displaced_lines(why: Why, view: View) -> list[str]:
    """The workloads that Kueue preempted for it, according to their records."""
    return long_list("  preempted for it: ", [shown_name(key, why.jobs) for key in why.displaced], view)


def _takers(of: Holding, view: View) -> list[str]:
    if of.stop is not None:
        return paragraph(f"no queue could preempt it now: {sentence(of.stop)}", view)
    if not of.takers:
        return paragraph("no queue could preempt it now", view)
    lines = [
        line
        for t in shown_items(of.takers, view)
        for line in cited(_taker(t), view.cite(t.place), view, "     ", "       ")
    ]
    return ["  could preempt it", *lines, *rest(of.takers, view), *_fall(of, view)]


def _fall(of: Holding, view: View) -> list[str]:
    """How far its queue falls below its own quota if another queue preempts the workload."""
    if not of.left_below or all(taker.own for taker in of.takers):
        return []
    below = ", ".join(_over(pair, less) for pair, less in of.left_below)
    return paragraph(f"without it {of.holder.cluster_queue} is {below} below its own quota", view, "    ", "    ")


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
