"""The blocks that only plans under ElasticQuotas show: the request, the quotas' test, whose pods it can preempt."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, Items, Remark, unfolded
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.trace import Step, first_place

_TESTS: Final = (Law.NO_QUOTA, Law.WITHIN_MAX, Law.OVER_MAX, Law.WITHIN_POOL, Law.OVER_POOL)
_SIDES: Final = (Law.WITHIN_MIN, Law.OVER_MIN)


def asked_blocks(plan: Plan) -> Group:
    """The pod's priority, what it adds to its quota, and what it uses on a node if that differs."""
    charged, taken = amounts_text(plan.pod.charge), amounts_text(plan.pod.request)
    stations = [f"priority {plan.pod.priority}", f"requests {charged or 'nothing'}"]
    if charged != taken:
        stations.append(f"uses {taken or 'nothing'} on its node")
    return [Items("  ", stations, " · ")]


def amounts_text(of: Vector) -> str:
    """The amounts other than 0."""
    return ", ".join(f"{amount(r, of.of(r))} {r}" for r in of.listed() if of.of(r))


def quota_blocks(plan: Plan) -> Iterator[Block]:
    """The quotas' verdict, the inequalities if all hold, and the nominated pods that count."""
    steps = [step for step in plan.proof if step.law in _TESTS]
    failing = [step for step in steps if not step.holds]
    yield unfolded(f"the quotas {f'reject it ({plan.attempt.gate.verdict})' if failing else 'admit it'}")
    for step in () if failing else steps:
        yield Remark(sentence(step), place=_field(step), first="    ", more="      ")
    peers = dict.fromkeys(part for step in failing or steps for part in step.rests_on if isinstance(part, Step))
    for peer in peers:
        yield Remark(sentence(peer), "dim", first="    ", more="      ")


def _field(step: Step) -> Place | None:
    """The place of the bound; the sum of all minima has none."""
    return None if step.law is Law.WITHIN_POOL else first_place(step)


def side_blocks(plan: Plan) -> Group:
    """Whose pods it can preempt, if preemption is tried."""
    sides = [step for step in plan.proof if step.law in _SIDES]
    return [Remark(sentence(step)) for step in sides[:1]]
