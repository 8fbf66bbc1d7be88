"""Preemption policies of ClusterQueues that have no effect, contradict each other, or have too much effect."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import trees
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import (
    fair_sharing,
    gate,
    sound_configuration,
    view,
)
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.preemption.priorities import ELSEWHERE, priorities

_PREEMPTION: Final = ("spec", "preemption")
_MOST_RELATED: Final = 10


def _place(queue: ClusterQueue, *path: str) -> Place:
    return Place(queue.key, (*_PREEMPTION, *path))


def _queues(given: KueueGiven) -> Iterator[ClusterQueue]:
    """The active queues without a cohort cycle, by name."""
    out = given.forest.cyclic_queues
    return (queue for queue in given.kueue.cluster_queues.values() if queue.name not in out)


def _others(queues: Sequence[ClusterQueue], *path: str) -> tuple[Related, ...]:
    return tuple(Related("also here", _place(queue, *path)) for queue in queues[1 : 1 + _MOST_RELATED])


@warning_rule("K136", advice=True)
def no_reclaim_with_fair_sharing(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue of a cohort."""
    if not fair_sharing(given):
        return
    for queue in _queues(given):
        if queue.cohort is not None and queue.preemption.reclaim_within_cohort == "Never":
            message = f"`{queue.name}` cannot preempt in cohort `{queue.cohort}`, even if its share is small"
            yield Finding(_place(queue, "reclaimWithinCohort"), message, Remedy("write `reclaimWithinCohort: Any`"))


@warning_rule("K137")
def borrow_policy_with_fair_sharing(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue of a cohort."""
    found = sound_configuration(given)
    if found is None or not fair_sharing(given):
        return
    for queue in _queues(given):
        policy = queue.preemption.borrow_within_cohort
        if queue.cohort is not None and policy != "Never":
            yield Finding(
                _place(queue, "borrowWithinCohort", "policy"),
                f"fair sharing ignores `{policy}`: shares decide the victims when `{queue.name}` borrows",
                Remedy("remove `borrowWithinCohort`", (Remove(_place(queue, "borrowWithinCohort")),)),
                related=(Related("fair sharing is on here", found.at("fairSharing")),),
            )


@warning_rule("K138", advice=True)
def lent_quota_not_reclaimable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each tree with lenders and borrowers; with fair sharing one for each queue."""
    if fair_sharing(given):
        return
    for tree in trees(given):
        queues = [node.queue for node in tree.queues]
        lenders = [queue for queue in queues if _lends(queue)]
        if len(queues) < 2 or not lenders or any(q.preemption.reclaim_within_cohort != "Never" for q in lenders):
            continue
        if any(_borrows(queue) for queue in queues):
            yield Finding(
                _place(lenders[0], "reclaimWithinCohort"),
                f"below cohort `{tree.root.name}` none of {several(len(lenders), 'lender')} may reclaim its quota",
                Remedy("write `reclaimWithinCohort: Any` if quota is a guarantee"),
                related=_others(lenders, "reclaimWithinCohort"),
            )


def _lends(queue: ClusterQueue) -> bool:
    return any(quota.nominal and quota.lending_limit != 0 for quota in queue.quotas.values())


def _borrows(queue: ClusterQueue) -> bool:
    return any(quota.borrowing_limit != 0 for quota in queue.quotas.values())


@warning_rule("K139")
def lower_priority_without_priorities(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the first queue."""
    queues = _reclaiming_from_lower(given)
    known = priorities(given)
    if queues and len(known) == 1:
        yield Finding(
            _place(queues[0], "reclaimWithinCohort"),
            f"no quota is ever reclaimed from lower priorities: every workload has priority {known[0]}",
            Remedy("write `reclaimWithinCohort: Any`, or add a WorkloadPriorityClass"),
            evidence=(("queues", str(len(queues))), ("priorities", "1")),
            related=_others(queues, "reclaimWithinCohort"),
            elsewhere=ELSEWHERE,
        )


def _reclaiming_from_lower(given: KueueGiven) -> list[ClusterQueue]:
    return [q for q in _queues(given) if q.cohort is not None and q.preemption.reclaim_within_cohort == "LowerPriority"]


@info_rule("K140", advice=True)
def reclaim_not_any(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue of a cohort."""
    for queue in _queues(given):
        policy = queue.preemption.reclaim_within_cohort
        if queue.cohort is not None and policy != "Any":
            message = (
                f"with reclaimWithinCohort `{policy}`, the cohort cannot use the quota that `{queue.name}` waits for"
            )
            yield Finding(_place(queue, "reclaimWithinCohort"), message, Remedy("write `reclaimWithinCohort: Any`"))


@info_rule("K141")
def cohort_policy_without_cohort(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for queue in given.kueue.cluster_queues.values():
        policies = queue.preemption
        set_ = [
            name
            for name, policy in (
                ("reclaimWithinCohort", policies.reclaim_within_cohort),
                ("borrowWithinCohort", policies.borrow_within_cohort),
            )
            if policy != "Never"
        ]
        if queue.cohort is None and set_:
            text = " and ".join(f"`{name}`" for name in set_)
            does = "has" if len(set_) == 1 else "have"
            message = f"ClusterQueue `{queue.name}` has no cohort, so {text} {does} no effect"
            edits = tuple(Remove(_place(queue, name)) for name in set_)
            yield Finding(_place(queue, set_[0]), message, Remedy("remove it, or name a cohort", edits, safe=True))


@info_rule("K142")
def priority_threshold_without_policy(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for queue in given.kueue.cluster_queues.values():
        threshold = queue.preemption.max_priority_threshold
        if threshold is not None and queue.preemption.borrow_within_cohort == "Never":
            place = _place(queue, "borrowWithinCohort", "maxPriorityThreshold")
            message = f"the threshold {threshold} of `{queue.name}` limits a policy that preempts no workload"
            remedy = Remedy("remove it, or write `policy: LowerPriority`", (Remove(place),), safe=True)
            yield Finding(place, message, remedy)


@info_rule("K143", advice=True)
def priorities_order_only(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue if several classes have different values."""
    values = sorted(set(given.kueue.workload_priorities.values()))
    if len(values) < 2:
        return
    for queue in _queues(given):
        if queue.preemption.within_cluster_queue == "Never":
            message = f"`{queue.name}` orders its queue by {len(values)} priorities, but never preempts because of them"
            yield Finding(
                _place(queue, "withinClusterQueue"),
                message,
                Remedy("write `withinClusterQueue: LowerPriority`"),
                evidence=(("priorities", ", ".join(map(str, values))),),
            )


@info_rule("K144")
def queue_priority_without_priorities(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the first queue, unless another rule reports reclaiming by priority."""
    queues = [q for q in _queues(given) if q.preemption.within_cluster_queue == "LowerPriority"]
    known = priorities(given)
    if queues and len(known) == 1 and not _reclaiming_from_lower(given):
        yield Finding(
            _place(queues[0], "withinClusterQueue"),
            f"`{queues[0].name}` never preempts within itself: every workload has priority {known[0]}",
            Remedy("add a WorkloadPriorityClass, or remove the policy"),
            evidence=(("queues", str(len(queues))), ("priorities", "1")),
            related=_others(queues, "withinClusterQueue"),
            elsewhere=ELSEWHERE,
        )


@warning_rule("K145")
def newer_preempted_by_creation(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the Configuration's timestamp."""
    found, settings = sound_configuration(given), view(given)
    if found is None or settings is None or gate(given, "DisableWaitForPodsReady"):
        return
    waiting = settings.get("waitForPodsReady")
    queues = [q for q in _queues(given) if q.preemption.within_cluster_queue == "LowerOrNewerEqualPriority"]
    if waiting and waiting["requeuingStrategy"]["timestamp"] == "Creation" and queues:
        first = Related("preempts newer workloads of equal priority here", _place(queues[0], "withinClusterQueue"))
        yield Finding(
            found.at("waitForPodsReady", "requeuingStrategy", "timestamp"),
            "a job that is evicted because it is not ready keeps its place and preempts newer jobs of its priority",
            Remedy("write `timestamp: Eviction`, the default"),
            evidence=(("queues", str(len(queues))),),
            related=(first, *_others(queues, "withinClusterQueue")),
        )


@info_rule("K146")
def borrowing_without_threshold(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue of a cohort; fair sharing ignores the whole policy."""
    if fair_sharing(given):
        return
    for queue in _queues(given):
        policies = queue.preemption
        bounded = policies.max_priority_threshold is not None
        if queue.cohort is not None and policies.borrow_within_cohort != "Never" and not bounded:
            message = f"to borrow, `{queue.name}` may preempt any borrower of lower priority in cohort `{queue.cohort}`"
            remedy = Remedy("write `maxPriorityThreshold`, the highest priority that may be preempted")
            yield Finding(_place(queue, "borrowWithinCohort", "policy"), message, remedy)


@info_rule("K147", advice=True)
def preemption_over_several_flavors(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue, with the number of such workloads."""
    met: dict[str, int] = {}
    for pending in given.submitted:
        local = given.kueue.local_queues.get((pending.key.namespace, pending.local_queue))
        if local is not None and local.cluster_queue is not None and len(pending.pod_sets) > 1:
            met[local.cluster_queue] = met.get(local.cluster_queue, 0) + 1
    for queue in _queues(given):
        several_flavors = any(len(group.flavors) > 1 for group in queue.groups)
        preempts = queue.preemption.reclaim_within_cohort != "Never" and queue.cohort is not None
        if queue.name in met and several_flavors and preempts and _borrows(queue):
            message = (
                f"`{queue.name}` assigns flavors to {several(met[queue.name], 'workload')} one pod set after the other"
            )
            yield Finding(_place(queue, "reclaimWithinCohort"), message, Remedy("keep the pod sets in one flavor"))
