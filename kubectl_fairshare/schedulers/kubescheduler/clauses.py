"""Clauses about pods on nodes that do not depend on quotas: the nodes to choose from, and what would help.

Decides nothing: it has words only.
Tested in ``tests/unit/schedulers/koordinator/test_words.py``.
"""

from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple

from kubectl_fairshare.answers.answer import Maker, TriedChange
from kubectl_fairshare.answers.blocks import Group, Remark
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.phrases import one_of_others, some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange
from kubectl_fairshare.schedulers.kubescheduler.fit import beyond_nodes
from kubectl_fairshare.schedulers.kubescheduler.plan import AnyPodPlan, PluginPlan
from kubectl_fairshare.schedulers.pod_making import gated_clause
from kubectl_fairshare.schedulers.shared_words import too_large_clause

_LIMITS: Final = (ChangeKind.MIN, ChangeKind.MAX)
_OWNERS: Final = frozenset((ChangeKind.REQUEST, ChangeKind.PRIORITY, ChangeKind.POLICY, ChangeKind.PREEMPTIBLE))
_SHOWN: Final = 3


def any_of(nodes: Sequence[str]) -> str:
    """The nodes that the scheduler chooses from."""
    shown = some_of(nodes, _SHOWN)
    return f"any of {shown}" if len(nodes) > 1 else shown


class PlanWords(NamedTuple, Generic[AnyPodPlan]):
    """How a plugin says what keeps a pod out, and the outcomes that chance or the moment decide."""

    obstacle: Callable[[AnyPodPlan], str]
    chances: Callable[[AnyPodPlan], str]
    moments: Callable[[AnyPodPlan], str]

    def verdict(self, plan: AnyPodPlan) -> str:
        """The outcome in one clause."""
        if plan.outcome is Outcome.UNKNOWN and plan.fidelity.modelled:
            return f"unknown: left to chance: {self.chances(plan)}"
        if plan.outcome is Outcome.UNKNOWN:
            counts = self.moments(plan)
            return f"unknown: {f'{counts}; ' if counts else ''}not modelled: {'; '.join(plan.fidelity.doubts)}"
        gates = plan.pod.gates if plan.outcome is Outcome.WAITS else ()
        return plan.origin.conditional(gated_clause(self.clause(plan), gates))

    def unknown_clause(self, plan: AnyPodPlan) -> str:
        """What is not known of a plan with an unknown outcome, and what is, in one clause."""
        known = "" if plan.fidelity.modelled else f"; ignoring that: {plan.origin.conditional(self.clause(plan))}"
        return f"{self.verdict(plan).removeprefix('unknown: ')}{known}"

    def clause(self, plan: AnyPodPlan) -> str:
        """The outcome as far as it is modelled, in one clause."""
        if plan.computed is Outcome.ADMITTED:
            return "the quotas admit it" if plan.half else f"placed now on {any_of(plan.feasible)}"
        if plan.computed is Outcome.PREEMPTS and plan.preempted_on:
            opening = "nominated to" if plan.elsewhere else "placed on"
            return f"{opening} {any_of(plan.preempted_on)} after preempting {count(plan.victims, 'pod')}"
        opening = "waits" if plan.computed is Outcome.WAITS else "can never be placed"
        return f"{opening}: {self.obstacle(plan)}"

    def creation_blocks(self, plan: AnyPodPlan) -> Group:
        """What the scheduler would make of a pod that ResourceQuotas keep from being created, unless that is never."""
        if plan.if_created is None or plan.computed is not Outcome.WAITS:
            return []
        origin = replace(plan.origin, refusals=())
        created = replace(plan, computed=plan.if_created, if_created=None, origin=origin)
        return [Remark(f"once it is created: {self.clause(created)}")]


_ROOM: Final = {"INSUFFICIENT", "TOO_MANY_PODS"}


def nodes_clause(plan: PluginPlan) -> str:
    """Why no node takes the pod, whatever the quotas say."""
    attempt = plan.attempt
    if attempt.course is CycleEnd.ERROR:
        return "the scheduler fails with an error on the nodes where preemption would help"
    lacks = {lack.law.name for result in attempt.filters.values() for lack in result.lacks}
    if attempt.trials or _ROOM & lacks:
        return "no node has room for it"
    return too_large_clause(beyond_nodes(plan.alone)) if "EXCEEDS_NODE" in lacks else "no node is allowed for it"


def useless_blocks(plan: PluginPlan) -> Group:
    """The changes that were tried, if none helps a pod that may get in later."""
    if plan.remedies or plan.refusals or plan.computed is not Outcome.WAITS:
        return []
    return [Remark("tried without effect: a higher min, max or priority; the deletion of one pod")]


def subject_text(plan: PluginPlan) -> str:
    """The pod as the user knows it: the object that it is written in, and its node if it has one."""
    source = str(plan.origin.place.object)
    if plan.origin.place.path:
        return f"one more pod of {source}"
    return f"{source}, as if not yet on {plan.origin.node}" if plan.origin.node else source


def tried_change(remedy: Remedy, namespace: str) -> TriedChange:
    """What would help a pod of the namespace, as answers of all schedulers have it."""
    owned = {c.kind in _OWNERS or (c.pod is not None and c.pod.namespace == namespace) for c in remedy.changes}
    promised = Outcome.PREEMPTS if remedy.course is CycleEnd.PREEMPT else Outcome.ADMITTED
    return TriedChange(
        change_clause(remedy),
        Outcome.UNKNOWN if remedy.doubted else promised,
        f"ignoring what is not modelled: {result(remedy)}" if remedy.doubted and remedy.nodes else result(remedy),
        remedy.victims,
        Maker.OWNER if owned == {True} else Maker.ADMIN,
        next((change.place for change in remedy.changes if change.place is not None), None),
    )


def change_clause(remedy: Remedy) -> str:
    """The change in one clause."""
    text = ", ".join(_change(change) for change in remedy.changes)
    if remedy.alternatives:
        text += f" (or {one_of_others(remedy.alternatives)})"
    return text


def _change(change: RemedyChange) -> str:
    if change.kind in _LIMITS:
        before = "none" if change.before is None else amount(change.resource, change.before)
        after = amount(change.resource, change.after or 0)
        return f"{change.kind} of {change.quota}: {change.resource} {before} → {after}"
    if change.kind is ChangeKind.REQUEST:
        before, after = amount(change.resource, change.before or 0), amount(change.resource, change.after or 0)
        return f"{change.resource} of the pod {before} → {after}"
    if change.kind is ChangeKind.PRIORITY:
        return f"priority {change.before} → {change.after}"
    if change.kind is ChangeKind.UNCORDON and change.place is not None:
        return f"uncordon {change.place.object.name}"
    if change.kind is ChangeKind.DELETION and change.pod is not None:
        return f"delete {change.pod.name} on {change.pod.node}"
    if change.kind is ChangeKind.PREEMPTIBLE:
        return 'without the label preemptible: "false"'
    return "preemptionPolicy PreemptLowerPriority"


def result(remedy: Remedy) -> str:
    """The outcome after the change."""
    named = f" (class {remedy.named})" if remedy.named is not None else ""
    if not remedy.nodes:
        return f"the quotas admit it{named}"
    first, others = remedy.nodes[0], len(remedy.nodes) - 1
    nodes = f"{first} or {count(others, 'other')}" if others else first
    if remedy.course is CycleEnd.SCHEDULABLE:
        return f"placed on {nodes}{named}"
    return f"placed after preempting {_victims_of(remedy)} on {nodes}{named}"


def _victims_of(remedy: Remedy) -> str:
    """The number of victims; the range that ties allow."""
    least = "" if remedy.fewest == remedy.victims else f"{remedy.fewest} to "
    return f"{least}{count(remedy.victims, 'pod')}"
