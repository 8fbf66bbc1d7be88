"""The why screen of a pod: the verdict with its one reason, the holders of what it lacks, what would help."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.ages import lasting
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.report.plan_screen import binding_lines
from kubectl_fairshare.report.printable import Block
from kubectl_fairshare.report.text.listing import long_list, long_table
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.pod_record import pod_record_lines
from kubectl_fairshare.report.text.table import Column, Row
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.koordinator.explain.decision import PossibleEnd
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.koordinator.words.amounts import exact_listing
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.koordinator.words.plan_blocks import (
    asked_lines,
    later_lines,
    node_lines,
    quota_lines,
    record_lines,
)
from kubectl_fairshare.schedulers.kubescheduler.why_words import (
    ahead_lines,
    ground_lines,
    remedy_blocks,
    route_lines,
)

_OTHERS: Final = 3
_ON_NODES: Final = (Reason.NO_ROOM, Reason.NO_NODE, Reason.SCHEDULER_FAILS)


def why_blocks(why: Why, state: State, view: View) -> list[Block]:
    """The blocks below the verdict."""
    return [
        _route(why, state, view),
        ground_lines(why, view),
        *_limit_blocks(why, state, view),
        _held_lines(why, view),
        _placed_lines(why, view),
        ahead_lines(why, view),
        *remedy_blocks(why, lambda: plan_answer(why.plan, state, ()).remedies if why.plan else (), view),
        pod_record_lines(why.record, view),
    ]


def _route(why: Why, state: State, view: View) -> list[str]:
    """The way from the job to the quota, and the request."""
    path = state.figures(why.quota).tree.path(why.quota) if why.quota else ()
    lines = route_lines(why, [f"quota {name}" for name in path], view)
    if why.pod is not None and why.plan is not None:
        lines += [*asked_lines(why.plan, view), *quota_lines(why.plan, view)]
    return lines


def _limit_blocks(why: Why, state: State, view: View) -> list[Block]:
    """The quota's bounds that bind, what the nodes lack, the victims of the next attempt, what may happen later."""
    plan = why.plan
    if plan is None or not why.queued or why.reason is Reason.NEXT_ATTEMPT:
        return []
    found: list[Block] = [binding_lines(plan_answer(plan, state, ()).binding, view)]
    if plan.attempt.chosen is not None:
        names = [fate.pod.name for fate in plan.attempt.chosen.victims]
        chosen = long_list(f"  preempts on {plan.attempt.chosen.node}: ", names, view)
        found.append([*chosen, *_other_lines(plan.possible[1:], view)])
    elif why.reason in _ON_NODES:
        found.append(node_lines(plan, view))
    return [*found, later_lines(plan, view), record_lines(plan, view)]


def _other_lines(ends: Sequence[PossibleEnd], view: View) -> list[str]:
    """The other outcomes that ties allow; of many the first, and their number."""
    lines: list[str] = []
    for end in ends[:_OTHERS]:
        lines += long_list(f"  or, as ties decide, on {end.node}: ", [pod.name for pod in end.victims], view)
    more = len(ends) - _OTHERS
    return [*lines, *(paragraph(f"or one of {more} more, which `plan` lists", view) if more > 0 else ())]


def _held_lines(why: Why, view: View) -> list[str]:
    """The holders of what is short."""
    if not why.held or why.verdict not in (Verdict.NOT_NOW, Verdict.UNKNOWN):
        return []
    columns = (
        Column("HELD BY", right=False),
        Column("QUOTA", right=False),
        Column("PRIORITY", rank=2),
        Column("HOLDS"),
        Column("BORROWS", right=False, kept=False),
        Column("NODE", right=False, rank=1),
    )
    rows = [
        Row(
            (
                each.pod.name,
                each.quota,
                str(each.pod.priority),
                f"{amount(each.resource, each.amount)} {each.resource}",
                "yes" if each.borrows else "",
                each.pod.node,
            )
        )
        for each in why.held
    ]
    return long_table(columns, rows, view)


def _placed_lines(why: Why, view: View) -> list[str]:
    """What a placed pod holds, and who can preempt it."""
    pod = why.pod
    if pod is None or not pod.node:
        return []
    lines = paragraph(f"holds {exact_listing(pod.charged) or 'nothing'} {lasting(why.since, view.now)}", view)
    lines += [
        line for each in why.risk.preemptors for line in paragraph(f"{each.name} preempts it at the next attempt", view)
    ]
    for each in why.risk.perhaps:
        lines += paragraph(f"{each.name} may preempt it at the next attempt: ties decide", view)
    lines += _takers(why, pod, view)
    for each in why.risk.across:
        lines += paragraph(f"DefaultPreemption may evict it for {each.name}", view)
    if why.risk.revoked or why.risk.revoked_perhaps:
        fate = "may be evicted once that has lasted for delayEvictTime"
        fate += "; a tie with equal pods decides" if why.risk.revoked_perhaps else ""
        fate = fate if why.watched else "stays, as monitorAllQuotas is off"
        text = f"{why.quota} uses more than its runtime: it {fate}"
        lines += paragraph(text, view)
    return lines


def _takers(why: Why, pod: Pod, view: View) -> list[str]:
    """The quotas of which some new pod could preempt it."""
    laws = {Law(each.law) for each in why.takers}
    crosses = Law.ACROSS_QUOTAS in laws
    if not pod.preemptible:
        return paragraph(_firm(crosses=crosses), view)
    if not laws:
        return paragraph("no pod could preempt it now", view)
    if laws == {Law.ACROSS_QUOTAS}:
        return paragraph("only DefaultPreemption could evict it, for a pod of any quota, where its node is full", view)
    others = "; where nodes are full, so can one of any other quota (DefaultPreemption)"
    takers = f"pod of {why.quota}" if why.quota else "pod without a quota"
    text = f"a waiting {takers} with a priority above {pod.priority} can preempt it"
    lines = paragraph(text + (others if crosses else "; other quotas cannot"), view)
    if why.left_below:
        lines += paragraph(f"without it {why.quota} is {exact_listing(dict(why.left_below))} below its min", view)
    return lines


def _firm(*, crosses: bool) -> str:
    """What the label of a pod that is not preemptible means; DefaultPreemption does not know the label."""
    if crosses:
        return "it is labelled as not preemptible: only DefaultPreemption may evict it, where nodes are full"
    return "it is labelled as not preemptible, so no pod can preempt it"
