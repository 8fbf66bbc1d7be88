"""The fields that the answers to ``plan`` of all schedulers share, as types.

A scheduler's document has these and its own. In lists about the same things (``victims``, ``notAsked``, ``bindings``,
``remedies``) an entry has the fields of both.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypedDict

from kubectl_fairshare.answers.answer import (
    Amount,
    BindingLimit,
    InTurn,
    PossibleOutcome,
    Spared,
    Subject,
    TriedChange,
    Unasked,
    Victim,
)
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import ProofPart

OutcomeName = Literal["Admitted", "Preempts", "Waits", "Never", "Unmanaged", "Unknown"]


class ObjectPart(TypedDict):
    """The name of an object."""

    group: str
    kind: str
    namespace: str
    name: str


class SubjectPart(TypedDict):
    """The workload that was asked about; ``source`` is the object that it was read from, if that is another one."""

    group: str
    kind: str
    namespace: str
    name: str
    priority: int
    source: str | None


class StationPart(TypedDict):
    """A stop on the workload's way; the first, without a kind, is the workload."""

    kind: str
    name: str
    place: parts.PlacePart | None


class FigurePart(TypedDict):
    """An amount as people read it, and in the scheduler's units."""

    quantity: str
    value: int | float


class HeldPart(TypedDict):
    """An amount of a resource; ``flavor`` is what it is taken from, empty where the scheduler has none."""

    resource: str
    flavor: str
    amount: FigurePart


class RequestPartEntry(TypedDict):
    """One part of what each of ``pods`` pods requests: a container, an overhead, a transformation; and its field.

    ``source`` says who states the amount: the manifest (``written``), its ``limit``, a ``LimitRange``, or what ``note``
    says (``added``). ``podSet`` is empty where the workload has only one.
    """

    kind: Literal["container", "init container", "sidecar", "pod", "overhead", "transformation", "devices"]
    name: str
    source: Literal["written", "limit", "LimitRange", "added"]
    note: str
    podSet: str
    pods: int
    perPod: str
    place: parts.PlacePart


class NeedPart(TypedDict):
    """What is asked of a resource, what is free of it, if that is known, and the parts of the request."""

    asked: HeldPart
    free: HeldPart | None
    parts: list[RequestPartEntry]


class CandidatePart(TypedDict):
    """A workload or pod that was looked at, and the rule that decided."""

    object: ObjectPart
    queue: str
    priority: int
    law: str
    rule: str
    because: str


class VictimEntry(CandidatePart):
    """One that is preempted; ``frees`` is what that gives back of what is short."""

    frees: list[HeldPart]


class SparedPart(CandidatePart):
    """One that stays; ``putBack``: it was taken first, and the workload fits without."""

    holds: list[HeldPart]
    putBack: bool


class UnaskedEntry(TypedDict):
    """A queue without candidates."""

    queue: str
    law: str
    because: str
    workloads: int
    holds: list[HeldPart]


class BindingEntry(TypedDict):
    """A limit that keeps the workload out; ``always``: even with no other workload there."""

    clause: str
    resource: str
    flavor: str
    needed: FigurePart
    reachable: FigurePart
    short: FigurePart
    always: bool
    place: parts.PlacePart | None


class RemedyEntry(TypedDict):
    """A change that was simulated and helps; ``maker`` is who can make it: ``admin`` is an admin of the cluster."""

    text: str
    result: str
    maker: Literal["owner", "namespace-admin", "admin"]
    outcome: OutcomeName
    victims: int
    place: parts.PlacePart | None


class PossiblePart(TypedDict):
    """One of the outcomes that ties, or open moments, allow; ``where`` names flavors or a node."""

    outcome: OutcomeName
    verdict: str
    victims: list[ObjectPart]
    where: str


class InTurnPart(TypedDict):
    """The end after the work that waits before it, of which ``first`` get in; with ``doubts`` it is not exact."""

    first: int
    outcome: OutcomeName
    verdict: str
    doubts: list[str]


class CheckPart(TypedDict):
    """Something that must still pass once the quota is reserved."""

    kind: str
    name: str


class HoldPart(TypedDict):
    """What holds the workload besides quotas, and the field that causes it."""

    kind: Literal["SchedulingGate", "GateBeforeScheduler", "ResourceQuota", "Transformation"]
    sentence: str
    place: parts.PlacePart


class SharedPlan(TypedDict):
    """The outcome of one workload; the objects in ``restsOn`` alone decide the same.

    ``possible`` lists every outcome that the scheduler's ties allow, this one first, or that of each moment that the
    question leaves open; empty if there is only one.
    ``inTurn`` is the end after the work that waits before it, null if that is the same or not looked at.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["Plan"]
    scheduler: str
    outcome: OutcomeName
    byWhatIsModelled: OutcomeName
    verdict: str
    exitCode: int
    subject: SubjectPart
    route: list[StationPart]
    needs: list[NeedPart]
    victims: list[VictimEntry]
    spared: list[SparedPart]
    notAsked: list[UnaskedEntry]
    bindings: list[BindingEntry]
    remedies: list[RemedyEntry]
    checks: list[CheckPart]
    holds: list[HoldPart]
    next: list[str]
    ties: list[list[str]]
    possible: list[PossiblePart]
    inTurn: InTurnPart | None
    proof: ProofPart
    restsOn: list[str]
    fidelity: parts.FidelityPart


def held_part(of: Amount) -> HeldPart:
    """An amount, and what it is taken from."""
    return {"resource": of.resource, "flavor": of.pool, "amount": _amount(of)}


def hold_part(of: Hold, places: parts.Places) -> HoldPart:
    """What holds a workload besides quotas."""
    return {"kind": of.kind.value, "sentence": of.sentence, "place": parts.place(of.place, places)}


def possible_part(of: PossibleOutcome) -> PossiblePart:
    """One of the outcomes that ties, or moments, allow."""
    victims = [object_part(key) for key in of.victims]
    return {"outcome": of.outcome.value, "verdict": of.verdict, "victims": victims, "where": of.where}


def turn_part(of: InTurn) -> InTurnPart:
    """The end after the work that waits before it."""
    return {"first": of.first, "outcome": of.outcome.value, "verdict": of.verdict, "doubts": list(of.doubts)}


def subject_part(of: Subject) -> SubjectPart:
    """The workload that was asked about."""
    source = None if of.source is None else str(of.source)
    return {**object_part(of.key), "priority": of.priority, "source": source}


def object_part(key: ObjectKey) -> ObjectPart:
    """An object by its names."""
    return {"group": key.group, "kind": key.kind, "namespace": key.namespace, "name": key.name}


def victim_part(of: Victim) -> VictimEntry:
    """One that is preempted."""
    return {**_candidate(of), "frees": _all_held(of.frees)}


def spared_part(of: Spared) -> SparedPart:
    """One that stays."""
    return {**_candidate(of), "holds": _all_held(of.holds), "putBack": of.put_back}


def unasked_part(of: Unasked) -> UnaskedEntry:
    """A queue without candidates."""
    return {
        "queue": of.queue,
        "law": of.law,
        "because": of.because,
        "workloads": of.workloads,
        "holds": _all_held(of.holds),
    }


def binding_part(of: BindingLimit, places: parts.Places) -> BindingEntry:
    """A limit that binds."""
    return {
        "clause": of.clause,
        "resource": of.needed.resource,
        "flavor": of.needed.pool,
        "needed": _amount(of.needed),
        "reachable": _amount(of.reachable),
        "short": _amount(of.short),
        "always": of.ever,
        "place": parts.maybe_place(of.place, places),
    }


def remedy_part(of: TriedChange, places: parts.Places) -> RemedyEntry:
    """A change that helps."""
    return {
        "text": of.change,
        "result": of.result,
        "maker": of.maker.value,
        "outcome": of.outcome.value,
        "victims": of.victims,
        "place": parts.maybe_place(of.place, places),
    }


def _candidate(of: Victim | Spared) -> CandidatePart:
    return {
        "object": object_part(of.key),
        "queue": of.queue,
        "priority": of.priority,
        "law": of.law,
        "rule": of.rule,
        "because": of.because,
    }


def _amount(of: Amount) -> FigurePart:
    return _figure(of.text, of.value)


@lru_cache(maxsize=4096, typed=True)
def _figure(text: str, value: float) -> FigurePart:
    """Equal ones are one mapping, which is not to be changed."""
    return {"quantity": text, "value": value}


def _all_held(amounts: Iterable[Amount]) -> list[HeldPart]:
    return [held_part(amount) for amount in amounts]
