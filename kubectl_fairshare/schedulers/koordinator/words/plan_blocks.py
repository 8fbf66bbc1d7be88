"""The blocks that only Koordinator's plans show: the quota's test, nodes, what may happen later."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark, unfolded
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.words.amounts import exact_listing
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.node_reasons import NodeSentences, blocks_of_nodes
from kubectl_fairshare.trace import first_place

_MEMBERS: Final = (Law.NAMED, Law.OF_NAMESPACE, Law.LISTED, Law.BY_DEFAULT, Law.UNKNOWN_NAME, Law.NO_QUOTA)
_TESTS: Final = (
    *(Law.UNLIMITED, Law.WITHIN_RUNTIME, Law.OVER_RUNTIME, Law.WITHIN_MIN, Law.OVER_MIN),
    *(Law.PARENT_WITHIN, Law.PARENT_OVER, Law.PARENT_UNKNOWN),
)


def asked_blocks(plan: Plan) -> Group:
    """The pod's priority, and what it adds to its quota."""
    charged, request = exact_listing(plan.attempt.gate.request), exact_listing(plan.pod.request)
    stations = [f"priority {plan.pod.priority}", f"requests {request or 'nothing'}"]
    if charged != request:
        stations.append(f"its quota is charged {charged or 'nothing'}")
    if not plan.pod.preemptible:
        stations.append("not preemptible")
    return [Items("  ", stations, " · ")]


def quota_blocks(plan: Plan) -> Iterator[Block]:
    """Which quota the pod belongs to, and the quotas' tests."""
    for step in plan.proof:
        if step.law in _MEMBERS:
            yield Remark(sentence(step), place=first_place(step))
    steps = [step for step in plan.proof if step.law in _TESTS]
    failing = [step for step in steps if not step.holds]
    if plan.attempt.gate.quota:
        yield unfolded(f"the quotas {'reject it' if failing else 'admit it'}")
    for step in () if failing else steps:
        yield Remark(sentence(step), place=first_place(step), first="    ", more="      ")


def node_blocks(plan: Plan) -> Group:
    """The nodes that the pod does not get, each with its reason."""
    return blocks_of_nodes(plan, NodeSentences(sentence, lack_step, rejection_step))


def later_blocks(plan: Plan) -> Iterator[Block]:
    """What may happen later: evictions in vain, and the over-use revoker."""
    if plan.in_vain:
        which = "the evictions" if plan.outcome is plan.computed else "these evictions"
        yield Remark(f"{which} do not help: the quota still rejects the pod afterwards")
    if plan.revoked:
        names = [pod.name for pod in plan.revoked]
        lasts = "its quota uses more than its runtime: if that lasts longer than delayEvictTime, these are evicted: "
        stays = "its quota uses more than its runtime; monitorAllQuotas is off, so these stay: "
        yield Remark(lasts if plan.watched else stays, names=names)


def record_blocks(plan: Plan) -> Group:
    """The scheduler's own message, on a line that can be searched for."""
    if not plan.message or plan.half:
        return []
    return [unfolded("the scheduler's message", "dim"), unfolded(plan.message, indent="    ")]
