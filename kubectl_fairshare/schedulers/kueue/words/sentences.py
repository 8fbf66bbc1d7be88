"""One sentence for each law: what the law says about the operands of a step.

Sentences are clauses in lower case without a final period. An operand that a step does not carry prints as ``?``, so
a missing operand is not an error. The laws of accounting have equations instead.
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from kubectl_fairshare.answers.number_text import NOTHING, amount, count
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.explain.decision import NotAsked, SparedCandidate
from kubectl_fairshare.schedulers.kueue.flavors.requests import total_with
from kubectl_fairshare.schedulers.kueue.laws import Law, Share
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Trial
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words.equations import EQUATIONS
from kubectl_fairshare.schedulers.kueue.words.inactivity import inactivity_clause
from kubectl_fairshare.schedulers.kueue.words.refusals import refusal_sentence
from kubectl_fairshare.schedulers.kueue.words.topology_sentences import topology_sentence
from kubectl_fairshare.trace import Operand, Step

RULES: Final[Mapping[Law, str]] = {
    Law.IN_QUEUE_PRIORITY: "priority",
    Law.ENTITLED: "nominal entitlement",
    Law.S2A: "S2-a",
    Law.S2B: "S2-b",
    Law.RECLAIM_HIERARCHY: "reclaim",
    Law.RECLAIM_PRIORITY: "reclaim",
    Law.RECLAIM_WHILE_BORROWING: "reclaim while borrowing",
}
"""The short names of the rules by which a workload is preempted."""


class _Operands(Value, frozen=True):
    """The operands of a step by name, as text."""

    by_name: Mapping[str, Operand]
    holds: bool

    def __getitem__(self, name: str) -> str:
        value = self.by_name.get(name)
        return "?" if value is None else str(value)

    def amount(self, name: str) -> str:
        """An amount of the step's resource; a limit that is not set prints as a dash."""
        value = self.by_name.get(name)
        if value is None:
            return NOTHING
        return amount(self["resource"], value) if isinstance(value, int) else str(value)

    @property
    def pair(self) -> str:
        """``nvidia.com/gpu in a100``."""
        return f"{self['resource']} in {self['flavor']}"

    def count(self, name: str, one: str) -> str:
        """A number with its noun: ``1 workload``, ``2 workloads``."""
        value = self.by_name.get(name)
        return count(value, one) if isinstance(value, int) else f"? {one}s"

    def needed(self) -> str:
        """The requested amount, earlier pod sets included."""
        if "needed" in self.by_name:
            return self.amount("needed")
        assumed, request = self.by_name.get("assumed"), self.by_name.get("request")
        if isinstance(assumed, int) and isinstance(request, int):
            return amount(self["resource"], total_with(assumed, request, saturates=True))
        return "?"


def sentence(step: Step) -> str:
    """What the step says, in one clause."""
    if isinstance(step.law, TopologyLaw):
        return topology_sentence(step)
    law = step.law if step.law.__class__ is Law else Law(step.law)
    equation = EQUATIONS.get(law)
    if equation is not None:
        return equation(dict(step.operands))
    return SENTENCES[law](_Operands(dict(step.operands), step.holds))


def refusal_clause(refused: Step, workload: Pending) -> str:
    """Why a workload is not considered; if its own fields are the reason, what is wrong with them."""
    if refused.law is Law.WORKLOAD_REFUSED and workload.refusal is not None:
        return refusal_sentence(workload.refusal)
    return sentence(refused)


def trial_step(trial: Trial, names: Mapping[int, str]) -> Step:
    """A candidate of the search, as a step of its law."""
    sides = None if trial.at is None else (names.get(trial.at[0]), names.get(trial.at[1]))
    return judgement_step(trial.law, trial.holder, sides, trial.mine, trial.theirs, taken=trial.taken)


def refused_step(refused: SparedCandidate) -> Step:
    """A spared candidate, as a step of its law."""
    return judgement_step(Law(refused.law), refused.holder, refused.at, refused.mine, refused.theirs, taken=False)


def judgement_step(
    law: Law,
    holder: Holder,
    sides: tuple[str | None, str | None] | None,
    mine: Share | None,
    theirs: Share | None,
    *,
    taken: bool,
) -> Step:
    """The step of a law about one candidate, with the shares of both sides if the law compares them."""
    operands: list[tuple[str, Operand]] = [
        ("workload", holder.name),
        ("cluster queue", holder.cluster_queue),
        ("priority", holder.priority),
    ]
    if sides is not None and mine is not None and theirs is not None:
        operands += [
            ("side", sides[0]),
            ("other side", sides[1]),
            ("new share", math.inf if mine.rank else mine.value),
            ("old share", math.inf if theirs.rank else theirs.value),
        ]
    return Step(law, tuple(operands), holds=taken)


@lru_cache(maxsize=4096)
def shares_compared(mine: float, theirs: float) -> tuple[str, str, str]:
    """Two shares and the gap between them, with enough digits to see that they differ from each other and from 0."""
    if math.isinf(mine) or math.isinf(theirs):
        gap = "0" if mine == theirs else "∞"
        return _share(mine, 3), _share(theirs, 3), gap
    visible = [v / 1000 for v in (mine, theirs, abs(mine - theirs)) if v]
    digits = next((d for d in range(3, 18) if all(round(v, d) for v in visible)), 18)
    return _share(mine, digits), _share(theirs, digits), _share(abs(mine - theirs), digits)


def _share(value: float, digits: int) -> str:
    if math.isinf(value):
        return "∞"
    return f"{value / 1000:.{digits}f}" if value else "0"


def _s2a(o: _Operands) -> str:
    mine, theirs = o.by_name.get("new share"), o.by_name.get("old share")
    if not isinstance(mine, float) or not isinstance(theirs, float):
        return f"the shares {'allow' if o.holds else 'do not allow'} it once the candidate is gone"
    new, old, gap = shares_compared(mine, theirs)
    relation = "≤" if o.holds else ">"
    return (
        f"share {new} of {o['side']} with the new workload {relation} share {old} of {o['other side']} "
        f"without the candidate, by {gap}"
    )


def _s2b(o: _Operands) -> str:
    mine, theirs = o.by_name.get("new share"), o.by_name.get("old share")
    if not isinstance(mine, float) or not isinstance(theirs, float):
        return f"the current shares {'allow' if o.holds else 'do not allow'} it"
    new, old, gap = shares_compared(mine, theirs)
    relation = "<" if o.holds else "≥"
    return f"share {new} of {o['side']} with the new workload {relation} share {old} of {o['other side']} now, by {gap}"


def _exceeds_available(o: _Operands) -> str:
    return f"needs {o.needed()} {o.pair}, {o.amount('free')} free now: {o.amount('more')} missing"


def _local_queue_missing(o: _Operands) -> str:
    if o["local queue"]:
        return f"LocalQueue {o['local queue']} does not exist"
    managed = (
        "it has no label kueue.x-k8s.io/queue-name, and Kueue manages jobs without it (manageJobsWithoutQueueName)"
    )
    unread = o.by_name.get("not read")
    return f"{managed}; Kueue does not read its {unread}" if unread else managed


def _namespace(o: _Operands) -> str:
    return f"namespace {o['namespace']} is not selected by the namespaceSelector of ClusterQueue {o['cluster queue']}"


def _queue_inactive(o: _Operands) -> str:
    why = inactivity_clause(str(o.by_name.get("reasons", "")), str(o.by_name.get("objects", "")))
    return f"ClusterQueue {o['cluster queue']} is inactive{why and f': {why}'}"


def _checks(o: _Operands) -> str:
    several = ", " in o["checks"]
    checks = o["described"] if "described" in o.by_name else o["checks"]
    return f"its quota is reserved; admission check{'s' if several else ''} {checks} must still pass"


def _backoff(o: _Operands) -> str:
    until = o.by_name.get("until")
    moment = moment_text(until) if isinstance(until, int) else "?"
    return f"its backoff after {o.count('evictions', 'requeue')} lasts until {moment}"


_DEACTIVATIONS: Final = {
    "AdmissionCheck": "an admission check rejected it",
    "MaximumExecutionTimeExceeded": "it ran for longer than its maximum execution time",
    "RequeuingLimitExceeded": "its pods were not ready in time, and it has used up its requeues",
}


def _deactivation(o: _Operands) -> str:
    cause = o.by_name.get("cause")
    if cause is None:
        return "the workload is deactivated: its spec.active is false"
    why = _DEACTIVATIONS.get(str(cause), str(cause)) if cause else "its spec.active was set to false"
    checks = f" ({o['checks']})" if o.by_name.get("checks") else ""
    return f"the workload is deactivated: {why}{checks}"


def _under_way(o: _Operands) -> str:
    return f"preemption in progress: {o['leaving']} of {o.count('victims', 'victim')} still to release quota"


_CHANCE: Final = "; or another workload of the same rank is first and takes the quota: Kueue leaves that to chance"


def _next_cycle(o: _Operands) -> str:
    victims, ahead = o.by_name.get("victims"), o.by_name.get("ahead")
    turn = f"after {o.count('ahead', 'workload')} ahead of it" if ahead else "in the next cycle"
    chance = _CHANCE if o.by_name.get("tied") else ""
    if victims:
        return f"Kueue preempts {o.count('victims', 'workload')} for it {turn}{chance}"
    return f"quota is free; admitted {turn}{chance}"


def _skipped_alone(o: _Operands) -> str:
    when = f"without its {o.count('victims', 'victim')}" if o.by_name.get("victims") else "now"
    return f"needs {o.needed()} {o.pair}, {o.amount('free')} free {when}: Kueue preempts nothing, and always skips it"


SENTENCES: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.FLAVOR_NOT_FOUND: lambda o: f"flavor {o['flavor']} does not exist",
    Law.UNTOLERATED_TAINT: lambda o: f"its taint {o['key']}={o['value']}:{o['effect']} is not tolerated",
    Law.NO_TOPOLOGY: lambda o: (
        "it asks for a topology, and no flavor of its ClusterQueue has one"
        if o.by_name.get("resource groups")
        else "its ClusterQueue has no resourceGroups, and Kueue then admits nothing at all"
    ),
    Law.SLICE_FLAVOR: lambda o: f"the slice that it replaces is in {o['held'] or 'no flavor'}",
    Law.SLICE_REPLACED: lambda o: f"{o['workload']} is the slice that it replaces, and ends when it is admitted",
    Law.NOT_NOMINATED: lambda _: "the flavor is not among those that the cycle first nominated it for",
    Law.AFFINITY_MISMATCH: lambda o: f"node selector or affinity of pod set {o['pod set']} excludes it",
    Law.NO_FLAVOR: lambda o: f"no flavor matches pod set {o['pod set']}: {o['flavors']} passed over",
    Law.RESOURCE_UNAVAILABLE: lambda o: f"the ClusterQueue does not cover {o['resource']}",
    Law.RESOURCE_NOT_PROVIDED: lambda o: f"it was not tried for {o['resource']}, as the search stopped before it",
    Law.EXCEEDS_POTENTIAL: lambda o: f"needs {o.needed()} {o.pair}, can never get more than {o.amount('potential')}",
    Law.WITHIN_AVAILABLE: lambda o: f"needs {o.needed()} {o.pair}, {o.amount('free')} free now",
    Law.EXCEEDS_AVAILABLE: _exceeds_available,
    Law.QUEUE_MISSING: lambda o: (
        f"ClusterQueue {o['cluster queue']} does not exist"
        if o["cluster queue"]
        else "its LocalQueue has no ClusterQueue"
    ),
    Law.QUEUE_INACTIVE: _queue_inactive,
    Law.NAMESPACE_MISSING: lambda o: f"namespace {o['namespace']} does not exist",
    Law.NAMESPACE_NOT_SELECTED: _namespace,
    Law.LOCAL_QUEUE_MISSING: _local_queue_missing,
    Law.LOCAL_QUEUE_STOPPED: lambda o: f"LocalQueue {o['local queue']} is stopped",
    Law.WORKLOAD_REFUSED: lambda o: f"Kueue rejects the workload itself: {o['law']}",
    Law.WORKLOAD_INACTIVE: _deactivation,
    Law.PREBUILT_MISSING: lambda o: f"Kueue makes no Workload: the job names {o['workload']}, which does not exist",
    Law.NOT_GIVEN: lambda o: f"{o['kind']} {o['name']} is not in the input",
    Law.ADMITTED: lambda o: f"ClusterQueue {o['cluster queue']} has admitted it",
    Law.FINISHED: lambda o: f"it has finished ({o['reason']}) and holds no quota",
    Law.CHECKS_PENDING: _checks,
    Law.CHECK_REJECTED: lambda o: f"admission check {o['checks']} rejected it",
    Law.SCHEDULER_CRASH: lambda o: (
        f"Kueue {o['release']} stops here: nothing is scheduled. Its manager crashes as soon as it considers "
        f"{o['workload']}, and again after each restart: no candidates in ClusterQueue {o['queue']} suffice, and it "
        f"has no cohort (rule K212)"
    ),
    Law.CHECKS_FAILED: lambda _: "an admission check rejected it, or is to be retried: Kueue first resets its checks",
    Law.BEING_EVICTED: lambda o: f"it is being evicted ({o['reason']}) and holds its quota until its pods are gone",
    Law.BACKOFF: _backoff,
    Law.BEHIND_HEAD: lambda o: f"ClusterQueue {o['cluster queue']} is StrictFIFO, and {o['head']} goes first",
    Law.BEHIND_PREEMPTOR: lambda o: f"Kueue first finishes the preemption for {o['head']} in the same ClusterQueue",
    Law.BEHIND_SKIPPED: lambda o: f"Kueue tries {o['head']} first in each cycle, in vain, and none behind it",
    Law.TAKEN_FIRST: lambda _: "workloads that Kueue tries before it take what it needs",
    Law.AFTER_OTHERS: lambda o: f"Kueue admits it in cycle {o['cycle']}, as those before it leave it other flavors",
    Law.PREEMPTION_UNDER_WAY: _under_way,
    Law.PREEMPTION_GATED: lambda o: (
        f"it would preempt {o.count('victims', 'workload')}, but its preemption gate is closed"
    ),
    Law.PODS_READY_FIRST: lambda o: (
        f"Kueue first waits for the pods of {o.count('workloads', 'admitted workload')} to be ready"
    ),
    Law.NEXT_CYCLE: _next_cycle,
    Law.ADMISSION_GATED: lambda _: "the annotation kueue.x-k8s.io/admission-gated-by keeps it out of its queue",
    Law.ON_HOLD: lambda _: "its job is on hold",
    Law.NOT_REQUEUED: lambda o: f"its condition {o['condition']} keeps it out of its queue (reason {o['reason']})",
    Law.NOT_MODELLED: lambda o: f"{o['quota']}this decides and is not known: {o['features']}",
    Law.IN_QUEUE_PRIORITY: lambda o: f"same queue: withinClusterQueue allows preempting priority {o['priority']}",
    Law.ENTITLED: lambda _: "the preemptor's queue stays within its nominal quota, so it takes back its own",
    Law.S2A: _s2a,
    Law.S2B: _s2b,
    Law.RECLAIM_HIERARCHY: lambda o: f"{o['cluster queue']} borrows, and the preemptor's side has quota for this",
    Law.RECLAIM_PRIORITY: lambda o: f"{o['cluster queue']} borrows, and reclaimWithinCohort allows preempting it",
    Law.RECLAIM_WHILE_BORROWING: lambda o: (
        f"borrowWithinCohort allows preempting priority {o['priority']} while borrowing"
    ),
    Law.WITHIN_QUOTA: lambda o: f"{o['cluster queue']} no longer borrows what is missing, after the victims before it",
    Law.ONLY_WITHOUT_BORROWING: lambda _: "may be preempted only if the new workload does not borrow",
    Law.PUT_BACK: lambda _: "the new workload fits without preempting it",
    Law.POLICY: lambda _: "the preemption policy of the preemptor's queue is Never for it",
    Law.SHORT_RESOURCE: lambda _: "holds nothing of what is missing",
    Law.QUEUE_NOT_BORROWING: lambda _: "nothing to take: within its own quota",
    Law.COHORT_NOT_BORROWING: lambda o: f"nothing to take: its cohort {o['cohort']} is within its own quota",
    Law.PREEMPTION_NOT_TRIED: lambda _: "the preemptor would have to borrow, and may not preempt for that",
    Law.NOT_NEEDED: lambda _: "the victims before it free enough",
    Law.NOT_ENOUGH: lambda _: "preempting every candidate does not free enough",
    Law.NO_CANDIDATES: lambda _: "priority and age protect its workloads",
    Law.NEXT_QUEUE_TIE: lambda o: f"{o['side']} and {o['other side']} have the same share: Kueue may pick either",
    Law.RESERVES: lambda _: "no victims found: the cycle reserves its quota, so other workloads cannot take it",
    Law.DEFERRED_FIT: lambda _: "it fits once the victims of an earlier workload of the cycle have left",
    Law.OVERLAP: lambda _: "an earlier workload of the cycle preempts the same victims",
    Law.NO_LONGER_FITS: lambda _: "an earlier workload of the cycle took the quota",
    Law.SKIPPED_ALONE: _skipped_alone,
    Law.CYCLE_TIE: lambda o: f"{o['workload']} and {o['other']} rank the same: Kueue may take either first",
}


def law_step(of: NotAsked) -> Step:
    """Why a queue has no candidates, as a step of its law."""
    cohort: tuple[tuple[str, Operand], ...] = (("cohort", of.cohort),) if of.cohort else ()
    return Step(Law(of.law), (("cluster queue", of.queue), *cohort), holds=False)
