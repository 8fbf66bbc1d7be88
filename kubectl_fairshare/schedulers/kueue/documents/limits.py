"""What keeps a workload out, its place in the queue, and what would help, as documents."""

from typing import TypedDict

from kubectl_fairshare.answers.number_text import amount, weight_quantity
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import BindingEntry, OutcomeName, RemedyEntry
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, QueuePosition, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.position import GoesFirst, goes_first
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_AMOUNTS = (RemedyKind.REQUEST, RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT)


class LimitPart(TypedDict):
    """A limit that keeps the workload out; ``always``: even without other workloads.

    ``standsThere`` is the amount at ``place``: a part of ``value`` where that is the quota of a whole tree.
    """

    flavor: str
    resource: str
    limit: str
    kind: str
    name: str
    value: parts.AmountPart
    needed: parts.AmountPart
    reachable: parts.AmountPart
    short: parts.AmountPart
    always: bool
    place: parts.PlacePart | None
    standsThere: parts.AmountPart | None


class BindingPart(BindingEntry):
    """A limit that keeps the workload out: a field of a Cohort or ClusterQueue.

    ``standsThere`` is the amount at ``place``: a part of ``value`` where that is the quota of a whole tree.
    """

    limit: str
    kind: str
    name: str
    value: parts.AmountPart
    standsThere: parts.AmountPart | None


class AheadPart(TypedDict):
    """A workload that is ahead of this one."""

    namespace: str
    name: str
    priority: int
    because: GoesFirst


class StandingPart(TypedDict):
    """The place in the queue."""

    position: int | None
    of: int
    strategy: str
    ahead: list[AheadPart]
    blockedBy: parts.WorkloadName | None
    unordered: list[parts.WorkloadName]


class FurtherChangePart(TypedDict):
    """A change that has to go with another one."""

    change: str
    object: str | None
    flavor: str | None
    resource: str | None
    podSet: str | None
    before: int | float
    after: int | float
    beforeQuantity: str | None
    afterQuantity: str | None
    place: parts.PlacePart | None


class SimulatedRemedyPart(TypedDict):
    """A change that was tried and helps, together with ``also``."""

    change: str
    object: str | None
    flavor: str | None
    resource: str | None
    podSet: str | None
    before: int | float
    after: int | float
    beforeQuantity: str | None
    afterQuantity: str | None
    priorityClass: str | None
    outcome: OutcomeName
    victims: int
    place: parts.PlacePart | None
    also: list[FurtherChangePart]


class PlanRemedyPart(RemedyEntry):
    """A change that was tried and helps, in a plan."""

    change: str
    object: str | None
    flavor: str | None
    resource: str | None
    podSet: str | None
    before: int | float
    after: int | float
    beforeQuantity: str | None
    afterQuantity: str | None
    priorityClass: str | None
    also: list[FurtherChangePart]


def binding(of: Binding, places: parts.Places) -> LimitPart:
    """The limit that binds."""
    resource = of.pair.resource
    return {
        "flavor": of.pair.flavor,
        "resource": resource,
        "limit": str(of.kind),
        "kind": of.node_kind,
        "name": of.node,
        "value": parts.amount(resource, of.value),
        "needed": parts.amount(resource, of.needed),
        "reachable": parts.amount(resource, of.reachable),
        "short": parts.amount(resource, of.short),
        "always": of.ever,
        "place": parts.maybe_place(of.place, places),
        "standsThere": parts.limit(resource, None if of.place is None else of.amount_there),
    }


def standing(of: QueuePosition, workload: Pending) -> StandingPart:
    """The place in the queue."""
    return {
        "position": None if of.unordered else of.position,
        "of": of.of,
        "strategy": of.strategy,
        "ahead": [
            {
                "namespace": w.key.namespace,
                "name": w.key.name,
                "priority": w.priority,
                "because": goes_first(w, workload),
            }
            for w in of.ahead
        ],
        "blockedBy": None if of.blocker is None else parts.workload_name(of.blocker.key),
        "unordered": [parts.workload_name(w.key) for w in of.unordered],
    }


def _quantity(of: Remedy, resource: str | None, value: float) -> str | None:
    """The value as manifests write it; None if it is not a quantity."""
    if of.kind is RemedyKind.WEIGHT:
        return weight_quantity(value)
    return None if resource is None else amount(resource, int(value))


def remedy(of: Remedy, places: parts.Places) -> SimulatedRemedyPart:
    """A change that was tried and helps."""
    resource = of.pair.resource if of.pair is not None and of.kind in _AMOUNTS else None
    before, after = (_quantity(of, resource, value) for value in (of.before, of.after))
    return {
        "change": str(of.kind),
        "object": None if of.object is None else str(of.object),
        "flavor": None if of.pair is None else of.pair.flavor or None,
        "resource": None if of.pair is None else of.pair.resource or None,
        "podSet": of.pod_set,
        "before": of.before,
        "after": of.after,
        "beforeQuantity": of.words[0] or before,
        "afterQuantity": of.words[1] or after,
        "priorityClass": of.named,
        "outcome": of.promised.value,
        "victims": of.victims,
        "place": parts.maybe_place(of.place, places),
        "also": [_further(each, places) for each in of.also],
    }


def _further(of: Remedy, places: parts.Places) -> FurtherChangePart:
    """A change that goes with a remedy."""
    found = remedy(of, places)
    return {
        "change": found["change"],
        "object": found["object"],
        "flavor": found["flavor"],
        "resource": found["resource"],
        "podSet": found["podSet"],
        "before": found["before"],
        "after": found["after"],
        "beforeQuantity": found["beforeQuantity"],
        "afterQuantity": found["afterQuantity"],
        "place": found["place"],
    }
