"""What documents are made of: amounts, places, what is not modelled.

An amount is a canonical quantity next to the exact integer (cpu in milli).

Tested in ``tests/unit/report/documents/test_schema.py``.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NotRequired, Protocol, TypedDict, runtime_checkable

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.number_text import amount as amount_text
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.trace import Fact, Operand

API_VERSION: Final = "fairshare.dev/v1alpha2"
ApiVersion = Literal["fairshare.dev/v1alpha2"]
FILE_VERSION: Final = "fairshare.dev/v1alpha1"
"""The version of files that the program writes and reads again: traces, baselines of lint."""
FileVersion = Literal["fairshare.dev/v1alpha1"]
OLDER_VERSION: Final = "fairshare.dev/v1alpha1"
"""The version that documents have with ``--api v1alpha1``."""
Places = Mapping[Place, Location]
OutcomeName = Literal["Admitted", "Preempts", "Waits", "Never", "Unmanaged", "Unknown"]
OperandValue = int | float | str | bool | None


class AmountPart(TypedDict):
    """An amount: canonical text, and the exact integer in the scheduler's units."""

    quantity: str
    value: int


class PlacePart(TypedDict):
    """A field of an object, and its place in a text."""

    source: str | None
    line: int | None
    column: int | None
    object: str
    field: str


class GroundPart(PlacePart):
    """A field that the answer rests on: its place and its value, which is null for a whole object."""

    value: OperandValue


class RefusedObjectPart(TypedDict):
    """An object that is refused: what is wrong, where, and what to do."""

    message: str
    place: PlacePart | None
    help: str | None


class GapPart(TypedDict):
    """A feature that is not modelled, and whether it can touch the answer."""

    feature: str
    subject: str
    touches: bool
    places: list[PlacePart]


class FidelityPart(TypedDict):
    """The scheduler that the answer reproduces, and how many outcomes its ties allow (``allOutcomes``: no more).

    ``hypotheticalNodes`` is the number of Nodes that ``--nodes`` adds; absent without any.
    """

    scheduler: str
    version: str
    grade: Literal["exact", "by rules", "not exact"]
    rulesOf: str | None
    laterChanges: list[str]
    releaseAssumed: bool
    exact: bool
    outcomes: int
    allOutcomes: bool
    notModelled: list[GapPart]
    hypotheticalNodes: NotRequired[int]


class ObjectPart(TypedDict):
    """The name of an object."""

    group: str
    kind: str
    namespace: str
    name: str


class SourcePart(TypedDict):
    """A line of a source; 0 where there is no text."""

    source: str
    line: int
    column: int


class FigurePart(TypedDict):
    """An amount as people read it, and in the scheduler's units."""

    quantity: str
    value: int | float


class HeldPart(TypedDict):
    """An amount of a resource; ``flavor`` is what it is taken from, empty where the scheduler has none."""

    resource: str
    flavor: str
    amount: FigurePart


class WorkloadName(TypedDict):
    """The name of a workload."""

    namespace: str
    name: str


@runtime_checkable
class PlacesWithNodes(Protocol):
    """Places that know how many Nodes of the input are hypothetical."""

    @property
    def hypothetical_nodes(self) -> int:
        """The number of Nodes that no cluster has."""


@lru_cache(maxsize=4096, typed=True)
def amount(resource: str, value: int) -> AmountPart:
    """An amount of a resource; equal ones are one mapping, which is not to be changed."""
    return stated_amount(amount_text(resource, value), value)


@lru_cache(maxsize=4096, typed=True)
def stated_amount(text: str, value: int) -> AmountPart:
    """An amount whose text is known; equal ones are one mapping, which is not to be changed."""
    return {"quantity": text, "value": value}


@lru_cache(maxsize=4096, typed=True)
def figure(text: str, value: float) -> FigurePart:
    """An amount in a scheduler's units; equal ones are one mapping, which is not to be changed."""
    return {"quantity": text, "value": value}


def held_part(of: Amount) -> HeldPart:
    """An amount, and what it is taken from."""
    return {"resource": of.resource, "flavor": of.pool, "amount": figure(of.text, of.value)}


def object_part(key: ObjectKey) -> ObjectPart:
    """An object by its names."""
    return {"group": key.group, "kind": key.kind, "namespace": key.namespace, "name": key.name}


def source_part(at: Location) -> SourcePart:
    """A line of a source."""
    return {"source": at.source, "line": at.line, "column": at.column}


def limit(resource: str, value: int | None) -> AmountPart | None:
    """A limit; None means that there is no limit."""
    return None if value is None else amount(resource, value)


def place(at: Place, places: Places) -> PlacePart:
    """A cited place; source, line and column are null if it comes from no text."""
    location = places.get(at)
    return {
        "source": location.source if location else None,
        "line": location.line if location else None,
        "column": location.column if location else None,
        "object": str(at.object),
        "field": field_text(at.path),
    }


def ground(of: Fact, places: Places) -> GroundPart:
    """A field that was read, and its value."""
    return {**place(of.place, places), "value": operand(of.value)}


def maybe_place(at: Place | None, places: Places) -> PlacePart | None:
    """A cited place, or null."""
    return None if at is None else place(at, places)


def refused_part(of: Problem, places: Places) -> RefusedObjectPart:
    """What is wrong with an object."""
    at = of.place if isinstance(of.place, Place) else None
    return {"message": of.message, "place": maybe_place(at, places), "help": of.help}


def fidelity(of: Fidelity, places: Places) -> FidelityPart:
    """The scheduler that the answer reproduces, and what it leaves out."""
    found: FidelityPart = {
        "scheduler": of.scheduler,
        "version": of.version,
        "grade": of.grade.value,
        "rulesOf": of.rules_of or None,
        "laterChanges": list(of.later),
        "releaseAssumed": of.assumed,
        "exact": of.exact,
        "outcomes": of.outcomes,
        "allOutcomes": of.all_outcomes,
        "notModelled": [
            {
                "feature": gap.feature,
                "subject": gap.subject,
                "touches": gap.touches,
                "places": [place(p, places) for p in gap.places],
            }
            for gap in of.gaps
        ],
    }
    if isinstance(places, PlacesWithNodes) and places.hypothetical_nodes:
        found["hypotheticalNodes"] = places.hypothetical_nodes
    return found


def workload_name(key: ObjectKey) -> WorkloadName:
    """A workload's name."""
    return {"namespace": key.namespace, "name": key.name}


def operand(value: Operand) -> OperandValue:
    """An operand; JSON has no infinity, so that is ``+Inf``."""
    return "+Inf" if value == math.inf else value


class DispersionPart(TypedDict):
    """Mean, median, 95th percentile and largest value; the percentiles are values that occur."""

    mean: float
    median: float
    p95: float
    most: float


def moment(of: int | None) -> str | None:
    """A moment, in nanoseconds since the epoch, as RFC 3339 text; null without one."""
    return moment_text(of) if of else None
