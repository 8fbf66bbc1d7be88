"""The part of the plan screen about nodes: what each lacks, why each loses, what no node alone can give."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Group, Remark, Table
from kubectl_fairshare.answers.number_text import NOTHING, amount, count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import lack_step, rejection_step
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import NodeRoom, Spread
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.node_reasons import NodeSentences, blocks_of_nodes

_SHOWN: Final = 3


def node_blocks(plan: Plan) -> Group:
    """The nodes that the pod does not get, each with its reason."""
    return blocks_of_nodes(plan, NodeSentences(sentence, lack_step, rejection_step))


def spread_blocks(plan: Plan) -> Group:
    """What each node could give, if all nodes together have room; otherwise nothing."""
    spread = plan.spread
    if spread is not None and plan.half and plan.computed is Outcome.WAITS and spread.takeable:
        return [Remark(_by_node(spread))]
    if spread is None or not spread.is_reason:
        return []
    asked = [r for r in plan.pod.request.listed() if r != PODS and plan.pod.request.of(r)]
    columns = (
        Column("NODE", right=False),
        *(column for r in asked for column in (Column(f"FREE {r}"), Column("PREEMPTIBLE"))),
    )
    rows = [Row((room.node, *_room_cells(room, asked))) for room in spread.rooms]
    return [Remark(_spread_text(plan, spread)), Table(columns, rows, "  ", long=True)]


def _room_cells(room: NodeRoom, asked: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for r in asked for text in (_part(room.free, r), _part(room.takeable, r)))


def _part(of: Vector | None, resource: str) -> str:
    return NOTHING if of is None else amount(resource, of.of(resource))


def _spread_text(plan: Plan, spread: Spread) -> str:
    nodes, gone = count(len(spread.rooms), "node"), f"after evicting {count(spread.takeable, 'pod')}"
    if plan.attempt.gate.excesses:
        start = f"{gone} the quotas would admit it, and {nodes} together would have room"
    else:
        start = f"the quotas admit it, and {nodes} together have room" + (f" {gone}" if spread.takeable else "")
    return f"{start}; but the scheduler evicts pods of one node only"


def _by_node(spread: Spread) -> str:
    """The nodes, known only by their pods, on which preemption could make the quotas admit the pod."""
    helpful = [room.node for room in spread.rooms if room.pods and not room.excesses]
    if helpful:
        nodes = some_of(helpful, _SHOWN)
        return f"preemption on {nodes} would make the quotas admit it; the room on the node is not known"
    if spread.quotas_allow:
        return (
            "all nodes together have enough victims, no single node does, and the scheduler evicts from one node only"
        )
    return "evicting every candidate is not enough for the quotas to admit it"
