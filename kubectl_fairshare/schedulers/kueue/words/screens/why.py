"""The why screen: the state of a workload, its one reason, the holders of what it needs, and what would help."""

from typing import Final

from kubectl_fairshare.answers.blocks import Group, Indented, Items, Remark
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.plan_blocks import (
    binding_blocks,
    fact_blocks,
    remedy_blocks,
    spared_groups,
    victim_blocks,
)
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.schedulers.kueue.jobs.names import shown_name
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.why.verdict import Why
from kubectl_fairshare.schedulers.kueue.why.waits import TAKEN
from kubectl_fairshare.schedulers.kueue.words.plan_answer import binding_limit, plan_answer
from kubectl_fairshare.schedulers.kueue.words.screens.plan import clause, refusal_blocks
from kubectl_fairshare.schedulers.kueue.words.screens.plan_flavors import passed_over_blocks, scan_blocks
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import standing_blocks
from kubectl_fairshare.schedulers.kueue.words.screens.why_held import (
    displaced_blocks,
    held_blocks,
    holding_blocks,
    leaving_blocks,
    lift_blocks,
)
from kubectl_fairshare.schedulers.kueue.words.screens.why_record import eviction_blocks, record_blocks
from kubectl_fairshare.schedulers.kueue.words.why_words import (
    deciding,
    is_settled,
    subject,
)
from kubectl_fairshare.trace import Step, facts_of

_TOLD_BELOW: Final = (Law.ADMITTED, Law.FINISHED, Law.BEING_EVICTED)
"""Laws that rest on a condition alone, which the record shows."""
_LIMITS: Final = (Law.EXCEEDS_AVAILABLE, Law.EXCEEDS_POTENTIAL)


def why_groups(why: Why, kueue: KueueState, now: int | None) -> list[Group]:
    """The blocks below the verdict."""
    return [
        _route(why),
        _ground_blocks(why, kueue),
        _limit_blocks(why),
        held_blocks(why, kueue, now),
        leaving_blocks(why),
        holding_blocks(why, now),
        displaced_blocks(why),
        *_plan_groups(why, kueue),
        lift_blocks(why),
        [*eviction_blocks(why, now)],
        record_blocks(why, now),
    ]


def _route(why: Why) -> Group:
    """The route from the job to its ClusterQueue."""
    key = subject(why)
    stations = [f"{key.kind} {key.name}"]
    if why.workload is not None and why.workload != key:
        stations.append(f"Workload {why.workload.name}")
    elif why.workload is None:
        stations.append("no Workload in the input")
    elif key in why.jobs:
        stations.insert(0, f"{why.jobs[key].kind} {why.jobs[key].name}")
    if why.asking is not None and why.asking.local_queue:
        stations.append(f"LocalQueue {why.asking.local_queue}")
    if why.cluster_queue:
        stations.append(f"ClusterQueue {why.cluster_queue}")
    return [Items("  ", stations, " → ")]


def _ground_blocks(why: Why, kueue: KueueState) -> Group:
    """The fields that the dominant reason rests on; a limit is shown with what binds."""
    if why.because.law in _LIMITS or (why.because.law in _TOLD_BELOW and why.workload is not None):
        return []
    if why.plan is not None and why.plan.nomination.refused is not None:
        return refusal_blocks(why.plan, kueue)
    return fact_blocks(facts_of((why.because,)), "decided first: " if why.because.law in TAKEN else "")


def _limit_blocks(why: Why) -> Group:
    blocks = binding_blocks([binding_limit(b) for b in deciding(why)])
    if why.head is None or not blocks:
        return blocks
    return [Remark(f"{shown_name(why.head.key, why.jobs)} waits for"), Indented(blocks)]


def _plan_groups(why: Why, kueue: KueueState) -> list[Group]:
    """Flavors, place in the queue, and remedies for a workload that waits."""
    if why.plan is None or is_settled(why):
        return []
    considered = why.plan.nomination.refused is None
    answer = plan_answer(why.then or why.plan, kueue)
    remedied = why.verdict in (Verdict.NOT_NOW, Verdict.NEVER)
    alone = why.verdict is Verdict.NOT_NOW and why.head is None and why.then is None
    leave = why.head is None and why.because.law is Law.NEXT_CYCLE
    return [
        victim_blocks(answer) if leave else [],
        *(spared_groups(answer) if alone else ()),
        scan_blocks(why.plan) if why.head is None else [],
        [*passed_over_blocks(why.plan, kueue)] if _on_flavors(why.because) else [],
        standing_blocks(why.plan, why.jobs) if considered and why.verdict is not Verdict.NEVER else [],
        _as_head_blocks(why) if considered else [],
        remedy_blocks(answer.remedies) if remedied else [],
    ]


def _as_head_blocks(why: Why) -> Group:
    """What ``plan`` answers, if that differs: it takes the workload as the head of its queue."""
    if why.plan is None or why.plan.computed not in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return []
    if why.verdict not in (Verdict.NOT_NOW, Verdict.WAITING) or why.because.law is Law.NEXT_CYCLE:
        return []
    return [Remark(f"if it were first (plan): {clause(why.plan, why.plan.computed)}")]


def _on_flavors(because: Step) -> bool:
    """Whether the reason is about flavors."""
    return because.law in (*_LIMITS, Law.NO_FLAVOR)
