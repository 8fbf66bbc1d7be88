"""The why screen of a pod: the verdict with its one reason, the holders of what it lacks, what would help."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.ages import lasting
from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark
from kubectl_fairshare.answers.plan_blocks import binding_blocks
from kubectl_fairshare.schedulers.koordinator.explain.decision import PossibleEnd
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.koordinator.words.amounts import exact_listing
from kubectl_fairshare.schedulers.koordinator.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.koordinator.words.plan_blocks import (
    asked_blocks,
    later_blocks,
    node_blocks,
    quota_blocks,
    record_blocks,
)
from kubectl_fairshare.schedulers.kubescheduler.why_words import (
    WhyScreen,
    held_blocks,
    route_blocks,
)

_OTHERS: Final = 3
_ON_NODES: Final = (Reason.NO_ROOM, Reason.NO_NODE, Reason.SCHEDULER_FAILS)


def why_groups(why: Why, state: State, now: int | None) -> list[Group]:
    """The blocks below the verdict."""
    screen = WhyScreen(
        _route(why, state), _limit_groups(why, state), held_blocks(why, quotas=True), _placed_blocks(why, now)
    )
    return screen.groups(why, lambda: plan_answer(why.plan, state, ()).remedies if why.plan else (), now)


def _route(why: Why, state: State) -> Group:
    """The way from the job to the quota, and the request."""
    path = state.figures(why.quota).tree.path(why.quota) if why.quota else ()
    route = route_blocks(why, [f"quota {name}" for name in path])
    if why.pod is None or why.plan is None:
        return route
    return [*route, *asked_blocks(why.plan), *quota_blocks(why.plan)]


def _limit_groups(why: Why, state: State) -> Iterator[Group]:
    """The quota's bounds that bind, what the nodes lack, the victims of the next attempt, what may happen later."""
    plan = why.plan
    if plan is None or not why.queued or why.reason is Reason.NEXT_ATTEMPT:
        return
    yield binding_blocks(plan_answer(plan, state, ()).binding)
    chosen = plan.attempt.chosen
    if chosen is not None:
        names = [fate.pod.name for fate in chosen.victims]
        yield [Items(f"  preempts on {chosen.node}: ", names, long=True), *_other_blocks(plan.possible[1:])]
    elif why.reason in _ON_NODES:
        yield node_blocks(plan)
    yield [*later_blocks(plan)]
    yield record_blocks(plan)


def _other_blocks(ends: Sequence[PossibleEnd]) -> Iterator[Block]:
    """The other outcomes that ties allow; of many the first, and their number."""
    for end in ends[:_OTHERS]:
        yield Items(f"  or, as ties decide, on {end.node}: ", [pod.name for pod in end.victims], long=True)
    if len(ends) > _OTHERS:
        yield Remark(f"or one of {len(ends) - _OTHERS} more, which `plan` lists")


def _placed_blocks(why: Why, now: int | None) -> Group:
    """What a placed pod holds, and who can preempt it."""
    pod = why.pod
    if pod is None or not pod.node:
        return []
    lines: list[Block] = [Remark(f"holds {exact_listing(pod.charge) or 'nothing'} {lasting(why.since, now)}")]
    lines += [Remark(f"{each.name} preempts it at the next attempt") for each in why.risk.preemptors]
    for each in why.risk.perhaps:
        lines.append(Remark(f"{each.name} may preempt it at the next attempt: ties decide"))
    lines += _takers(why, pod)
    for each in why.risk.across:
        lines.append(Remark(f"DefaultPreemption may evict it for {each.name}"))
    if why.risk.revoked or why.risk.revoked_perhaps:
        fate = "may be evicted once that has lasted for delayEvictTime"
        fate += "; a tie with equal pods decides" if why.risk.revoked_perhaps else ""
        fate = fate if why.watched else "stays, as monitorAllQuotas is off"
        text = f"{why.quota} uses more than its runtime: it {fate}"
        lines.append(Remark(text))
    return lines


def _takers(why: Why, pod: Pod) -> Group:
    """The quotas of which some new pod could preempt it."""
    laws = {Law(each.law) for each in why.takers}
    crosses = Law.ACROSS_QUOTAS in laws
    if not pod.preemptible:
        return [Remark(_firm(crosses=crosses))]
    if not laws:
        return [Remark("no pod could preempt it now")]
    if laws == {Law.ACROSS_QUOTAS}:
        return [Remark("only DefaultPreemption could evict it, for a pod of any quota, where its node is full")]
    others = "; where nodes are full, so can one of any other quota (DefaultPreemption)"
    takers = f"pod of {why.quota}" if why.quota else "pod without a quota"
    text = f"a waiting {takers} with a priority above {pod.priority} can preempt it"
    lines: list[Block] = [Remark(text + (others if crosses else "; other quotas cannot"))]
    if why.left_below:
        lines.append(Remark(f"without it {why.quota} is {exact_listing(dict(why.left_below))} below its min"))
    return lines


def _firm(*, crosses: bool) -> str:
    """What the label of a pod that is not preemptible means; DefaultPreemption does not know the label."""
    if crosses:
        return "it is labelled as not preemptible: only DefaultPreemption may evict it, where nodes are full"
    return "it is labelled as not preemptible, so no pod can preempt it"
