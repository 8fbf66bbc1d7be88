"""What keeps a workload out, its place in the queue, and what would help, as documents."""

from typing import Any, Final

from kubectl_fairshare.answers.answer import Amount, amount_of
from kubectl_fairshare.answers.documents import DocumentPart, Hooks
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.number_text import amount, weight_quantity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, QueuePosition, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.position import GoesFirst, goes_first
from kubectl_fairshare.schedulers.kueue.model.workload import Pending

_AMOUNTS: Final = (RemedyKind.REQUEST, RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT)


class LimitPart(DocumentPart, frozen=True):
    """A limit that keeps the workload out; ``always``: even without other workloads.

    ``valueAtPlace`` is the amount at ``place`` where that is only a part of ``value``, the quota of a whole tree.
    """

    flavor: str
    resource: str
    limit: str
    kind: str
    name: str
    value: Quantity
    needed: Quantity
    reachable: Quantity
    short: Quantity
    always: bool
    place: Place | None
    value_at_place: Quantity | None


class BindingPart(DocumentPart, frozen=True):
    """A limit that keeps the workload out: a field of a Cohort or ClusterQueue.

    ``valueAtPlace`` is the amount in that field where it is only a part of ``value``, the quota of a whole tree.
    """

    limit: str
    kind: str
    name: str
    value: Amount
    value_at_place: Amount | None


class AheadPart(DocumentPart, frozen=True):
    """A workload that is ahead of this one."""

    namespace: str
    name: str
    priority: int
    because: GoesFirst


class StandingPart(DocumentPart, frozen=True):
    """The place in the queue."""

    position: int | None
    of: int
    strategy: str
    ahead: tuple[AheadPart, ...]
    blocked_by: ObjectKey | None
    unordered: tuple[ObjectKey, ...]


class ChangedValue(DocumentPart, frozen=True):
    """A value that changes; ``quantity`` is how manifests write it, null where that is the number itself."""

    quantity: str | None
    value: int | float


class ChangedField(DocumentPart, frozen=True):
    """What a change changes, and how."""

    change: str
    object: str | None
    flavor: str | None
    resource: str | None
    pod_set: str | None
    before: ChangedValue
    after: ChangedValue


class FurtherChangePart(ChangedField, frozen=True):
    """A change that has to go with another one."""

    place: Place | None


class PlanRemedyPart(ChangedField, frozen=True):
    """A change that was tried and helps, in a plan."""

    priority_class: str | None
    also: tuple[FurtherChangePart, ...]


class SimulatedRemedyPart(ChangedField, frozen=True):
    """A change that was tried and helps, together with ``also``."""

    priority_class: str | None
    outcome: Outcome
    victims: int
    place: Place | None
    also: tuple[FurtherChangePart, ...]


def binding(of: Binding) -> BindingPart:
    """What only Kueue says in a plan of a limit that binds."""
    resource, there = of.pair.resource, _part_there(of)
    there_text = None if there is None else amount_of(resource, there)
    return BindingPart(str(of.kind), of.node_kind, of.node, amount_of(resource, of.value), there_text)


def _part_there(of: Binding) -> int | None:
    """The amount at the place of a limit, if that is only a part of it."""
    return None if of.place is None or of.amount_there == of.value else of.amount_there


def standing(of: QueuePosition, workload: Pending) -> StandingPart:
    """The place in the queue."""
    ahead = (AheadPart(w.key.namespace, w.key.name, w.priority, goes_first(w, workload)) for w in of.ahead)
    return StandingPart(
        None if of.unordered else of.position,
        of.of,
        of.strategy,
        tuple(ahead),
        None if of.blocker is None else of.blocker.key,
        tuple(w.key for w in of.unordered),
    )


def plan_remedy(of: Remedy) -> PlanRemedyPart:
    """What only Kueue says in a plan of a change that helps."""
    return PlanRemedyPart(priority_class=of.named, also=tuple(map(_further, of.also)), **_changed(of))


def _limit(of: Binding) -> LimitPart:
    return LimitPart(
        *of.pair,
        str(of.kind),
        of.node_kind,
        of.node,
        of.value,
        of.needed,
        of.reachable,
        of.short,
        of.ever,
        of.place,
        _part_there(of),
    )


def _remedy(of: Remedy) -> SimulatedRemedyPart:
    return SimulatedRemedyPart(
        priority_class=of.named,
        outcome=of.promised,
        victims=of.victims,
        place=of.place,
        also=tuple(map(_further, of.also)),
        **_changed(of),
    )


def _further(of: Remedy) -> FurtherChangePart:
    return FurtherChangePart(place=of.place, **_changed(of))


def _changed(of: Remedy) -> dict[str, Any]:
    """The fields of ``ChangedField``."""
    flavor, resource = ("", "") if of.pair is None else of.pair
    before, after = (_quantity(of, resource, value) for value in (of.before, of.after))
    return {
        "change": str(of.kind),
        "object": None if of.object is None else str(of.object),
        "flavor": flavor or None,
        "resource": resource or None,
        "pod_set": of.pod_set,
        "before": ChangedValue(of.words[0] or before, of.before),
        "after": ChangedValue(of.words[1] or after, of.after),
    }


def _quantity(of: Remedy, resource: str, value: float) -> str | None:
    """The value as manifests write it; None if it is not a quantity."""
    if of.kind is RemedyKind.WEIGHT:
        return weight_quantity(value)
    return amount(resource, int(value)) if of.pair is not None and of.kind in _AMOUNTS else None


HOOKS: Final[Hooks] = {Binding: _limit, Remedy: _remedy}
