"""The why screen of a pod: the verdict with its one reason, the holders of what it lacks, what would help."""

from typing import Final

from kubectl_fairshare.answers.ages import lasting
from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.plan_blocks import binding_blocks
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Exposed, Reason, Why
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.elasticquota.words.plan_blocks import amounts_text, asked_blocks
from kubectl_fairshare.schedulers.elasticquota.words.plan_nodes import node_blocks, spread_blocks
from kubectl_fairshare.schedulers.kubescheduler.why_words import (
    WhyScreen,
    held_blocks,
    route_blocks,
    title,
)

_ON_NODES: Final = (Reason.NO_ROOM, Reason.NO_NODE, Reason.SCATTERED, Reason.SCHEDULER_FAILS)


def why_groups(why: Why, state: State, now: int | None) -> list[Group]:
    """The blocks below the verdict."""
    screen = WhyScreen(_route(why, state), _limit_groups(why, state), held_blocks(why), _holding_blocks(why, now))
    return screen.groups(why, lambda: plan_answer(why.plan, state, ()).remedies if why.plan else (), now)


def _route(why: Why, state: State) -> Group:
    """The way from the job to the quota, and the request."""
    quota = state.source.quotas.get(title(why).partition("/")[0])
    quotas = [] if quota is None else [f"ElasticQuota {quota.namespace}/{quota.key.name}"]
    asked = asked_blocks(why.plan) if why.pod is not None and why.plan is not None else ()
    return [*route_blocks(why, quotas), *asked]


def _limit_groups(why: Why, state: State) -> list[Group]:
    """The quota's bounds that bind, what the nodes lack, and the victims of the next attempt."""
    plan = why.plan
    if plan is None or not why.queued or why.reason is Reason.NEXT_ATTEMPT:
        return []
    binding = binding_blocks(plan_answer(plan, state, ()).binding)
    if why.reason is Reason.NEXT_PREEMPTION and plan.chosen is not None:
        names = [fate.pod.name for fate in plan.chosen.victims]
        return [binding, [Items(f"  preempts on {plan.chosen.node}: ", names, long=True)]]
    return [
        binding,
        node_blocks(plan) if why.reason in _ON_NODES else [],
        spread_blocks(plan),
    ]


def _holding_blocks(why: Why, now: int | None) -> Group:
    """What a placed pod holds, and who can preempt it."""
    of, pod = why.holding, why.pod
    if of is None or pod is None:
        return []
    lines: list[Block] = [Remark(f"holds {amounts_text(pod.charge) or 'nothing'} {lasting(why.since, now)}")]
    for each in of.now:
        verb = "preempts" if each.certain else "may preempt"
        lines.append(Remark(f"{each.pod.name} {verb} it at the next attempt, to get room on {each.node}"))
    return [*lines, *_takers(of, pod)]


def _takers(of: Exposed, pod: Pod) -> Group:
    if not of.takers:
        return [Remark("no pod could preempt it now")]
    namespace, lines = pod.namespace, list[Block]()
    if of.by_own:
        own = f"a pod of {namespace} with a priority above {pod.priority} that takes {namespace} above its min"
        lines.append(Remark(f"{own} can preempt it"))
    elif not of.others:
        text = f"a pod with a priority above {pod.priority} of a namespace without a quota can preempt it"
        return [Remark(text)]
    if not of.borrowed:
        return [*lines, Remark(f"{namespace} borrows nothing, so no other namespace can preempt it")]
    over = ", ".join(f"{amount(e.resource, e.more)} {e.resource}" for e in of.borrowed)
    if not of.others:
        text = f"{namespace} borrows {over}, and no pod of another namespace could preempt it"
        return [*lines, Remark(text)]
    other = "a pod that stays within the min of its own namespace can preempt it"
    lines.append(Remark(f"{namespace} borrows {over}: {other}"))
    lines.append(Items("  such a pod may be of: ", [_other(of, each) for each in of.others], long=True))
    return [*lines, *_fall(of, pod)]


def _other(of: Exposed, namespace: str) -> str:
    unused = [f"{amount(r, value)} {r} unused" for name, r, value in of.lenders if name == namespace]
    return f"{namespace} ({', '.join(unused)})" if unused else namespace


def _fall(of: Exposed, pod: Pod) -> Group:
    """How far its namespace falls below its min if another namespace preempts the pod."""
    if not of.left_below:
        return []
    below = ", ".join(f"{amount(resource, less)} {resource}" for resource, less in of.left_below)
    return [Remark(f"without it {pod.namespace} is {below} below its min")]
