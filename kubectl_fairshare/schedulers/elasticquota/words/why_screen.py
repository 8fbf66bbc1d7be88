"""The why screen of a pod: the verdict with its one reason, the holders of what it lacks, what would help."""

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
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Exposed, Reason, Why
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.elasticquota.words.plan_blocks import amounts_text, asked_lines
from kubectl_fairshare.schedulers.elasticquota.words.plan_nodes import node_lines, spread_lines
from kubectl_fairshare.schedulers.kubescheduler.why_words import (
    ahead_lines,
    ground_lines,
    remedy_blocks,
    route_lines,
    title,
)

_ON_NODES: Final = (Reason.NO_ROOM, Reason.NO_NODE, Reason.SCATTERED, Reason.SCHEDULER_FAILS)


def why_blocks(why: Why, state: State, view: View) -> list[Block]:
    """The blocks below the verdict."""
    return [
        _route(why, state, view),
        ground_lines(why, view),
        *_limit_blocks(why, state, view),
        _held_lines(why, view),
        _holding_lines(why, view),
        ahead_lines(why, view),
        *remedy_blocks(why, lambda: plan_answer(why.plan, state, ()).remedies if why.plan else (), view),
        pod_record_lines(why.record, view),
    ]


def _route(why: Why, state: State, view: View) -> list[str]:
    """The way from the job to the quota, and the request."""
    quota = state.source.quotas.get(title(why).partition("/")[0])
    quotas = [] if quota is None else [f"ElasticQuota {quota.namespace}/{quota.key.name}"]
    lines = route_lines(why, quotas, view)
    if why.pod is not None and why.plan is not None:
        lines += asked_lines(why.plan, view)
    return lines


def _limit_blocks(why: Why, state: State, view: View) -> list[Block]:
    """The quota's bounds that bind, what the nodes lack, and the victims of the next attempt."""
    plan = why.plan
    if plan is None or not why.queued or why.reason is Reason.NEXT_ATTEMPT:
        return []
    binding = binding_lines(plan_answer(plan, state, ()).binding, view)
    if why.reason is Reason.NEXT_PREEMPTION and plan.chosen is not None:
        names = [fate.taken.pod.name for fate in plan.chosen.victims]
        return [binding, long_list(f"  preempts on {plan.chosen.node}: ", names, view)]
    return [
        binding,
        node_lines(plan, view) if why.reason in _ON_NODES else [],
        spread_lines(plan, view),
    ]


def _held_lines(why: Why, view: View) -> list[str]:
    """The holders of what is short."""
    if not why.held or why.verdict not in (Verdict.NOT_NOW, Verdict.UNKNOWN):
        return []
    columns = (
        Column("HELD BY", right=False),
        Column("PRIORITY", rank=2),
        Column("HOLDS"),
        Column("BORROWS", right=False, kept=False),
        Column("NODE", right=False, rank=1),
    )
    rows = [
        Row(
            (
                each.pod.name,
                str(each.pod.priority),
                f"{amount(each.resource, each.amount)} {each.resource}",
                "yes" if each.borrows else "",
                each.pod.node,
            )
        )
        for each in why.held
    ]
    return long_table(columns, rows, view)


def _holding_lines(why: Why, view: View) -> list[str]:
    """What a placed pod holds, and who can preempt it."""
    of, pod = why.holding, why.pod
    if of is None or pod is None:
        return []
    lines = paragraph(f"holds {amounts_text(pod.charge) or 'nothing'} {lasting(why.since, view.now)}", view)
    for each in of.now:
        verb = "preempts" if each.certain else "may preempt"
        lines += paragraph(f"{each.pod.name} {verb} it at the next attempt, to get room on {each.node}", view)
    return [*lines, *_takers(of, pod, view)]


def _takers(of: Exposed, pod: Pod, view: View) -> list[str]:
    if not of.takers:
        return paragraph("no pod could preempt it now", view)
    namespace, lines = pod.namespace, list[str]()
    if of.by_own:
        own = f"a pod of {namespace} with a priority above {pod.priority} that takes {namespace} above its min"
        lines += paragraph(f"{own} can preempt it", view)
    elif not of.others:
        text = f"a pod with a priority above {pod.priority} of a namespace without a quota can preempt it"
        return paragraph(text, view)
    if not of.borrowed:
        return [*lines, *paragraph(f"{namespace} borrows nothing, so no other namespace can preempt it", view)]
    over = ", ".join(f"{amount(e.resource, e.more)} {e.resource}" for e in of.borrowed)
    if not of.others:
        text = f"{namespace} borrows {over}, and no pod of another namespace could preempt it"
        return [*lines, *paragraph(text, view)]
    other = "a pod that stays within the min of its own namespace can preempt it"
    lines += paragraph(f"{namespace} borrows {over}: {other}", view)
    lines += long_list("  such a pod may be of: ", [_other(of, each) for each in of.others], view)
    return [*lines, *_fall(of, pod, view)]


def _other(of: Exposed, namespace: str) -> str:
    unused = [f"{amount(r, value)} {r} unused" for name, r, value in of.lenders if name == namespace]
    return f"{namespace} ({', '.join(unused)})" if unused else namespace


def _fall(of: Exposed, pod: Pod, view: View) -> list[str]:
    """How far its namespace falls below its min if another namespace preempts the pod."""
    if not of.left_below:
        return []
    below = ", ".join(f"{amount(resource, less)} {resource}" for resource, less in of.left_below)
    return paragraph(f"without it {pod.namespace} is {below} below its min", view)
