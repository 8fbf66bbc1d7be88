"""The answer for one workload, in the form that all schedulers share.

Its sentences are the scheduler's own words, without a final period, so a renderer adds no words of its own.
Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Generic, TypeVar

from kubectl_fairshare.answers.documents import (
    OBJECT_TEXT,
    OBJECT_TEXTS,
    OF_ONE_RESOURCE,
    STATED,
    AnswerPart,
    ProofSteps,
)
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field, replace

Detail_co = TypeVar("Detail_co", covariant=True)
_CANDIDATE = ("key", "queue", "priority", "law", "rule", "because")


class Maker(StrEnum):
    """Who can make a change: the workload's owner, an admin of the changed object's namespace, or of the cluster."""

    OWNER = "owner"
    NAMESPACE_ADMIN = "namespace-admin"
    ADMIN = "admin"


class Amount(Value, frozen=True):
    """An amount of a resource: ``value`` in the scheduler's units, ``text`` for people, with its unit.

    ``pool`` is the pool or flavor that it is taken from, if the scheduler has such.
    """

    resource: str
    value: int | float
    text: str
    pool: str = ""


Stated = Annotated[Amount, STATED]
"""An amount whose resource is said by another field: documents have its text and its number."""


@lru_cache(maxsize=4096, typed=True)  # an exact amount equals a plain one
def amount_of(resource: str, value: int, pool: str = "") -> Amount:
    """An amount with its text; cached, because queues and workloads hold the same amounts a thousand times."""
    return Amount(resource, value, amount(resource, value), pool)


class Need(AnswerPart, frozen=True):
    """What the workload requests of one resource, what is free now, if known, and the parts of the request."""

    asked: Amount
    free: Amount | None = None
    parts: Annotated[tuple[RequestTerm, ...], OF_ONE_RESOURCE] = ()


class Station(AnswerPart, frozen=True):
    """A stop on the workload's way: a queue, a flavor, a node; the first, without a kind, is the workload."""

    kind: str
    name: str
    place: Place | None = None


class Subject(AnswerPart, frozen=True):
    """The workload in question; ``source`` is the object that it was read from, if that is a different one."""

    DOCUMENT = ("group", "kind", "namespace", "name", "priority", "source")
    key: ObjectKey
    priority: int
    source: Annotated[ObjectKey | None, OBJECT_TEXT] = None

    @property
    def group(self) -> str:
        """The group of its API."""
        return self.key.group

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.key.kind

    @property
    def namespace(self) -> str:
        """Its namespace."""
        return self.key.namespace

    @property
    def name(self) -> str:
        """Its name."""
        return self.key.name


class Victim(AnswerPart, frozen=True):
    """A preempted workload or pod; ``frees`` is what it returns of the missing resources.

    ``queue`` is where it holds them. ``law`` is the scheduler's name of the rule that allows the preemption, ``rule``
    its short name, if it has one, and ``because`` the rule with its numbers.
    """

    DOCUMENT = (*_CANDIDATE, "frees")
    key: ObjectKey = field(name="object")
    queue: str
    priority: int
    frees: tuple[Amount, ...]
    law: str
    because: str
    rule: str = ""
    quota: str = ""  # what a pod counts against: it is on a node and counts against its namespace's quota

    @property
    def counts_against(self) -> str:
        """The queue or quota that loses it."""
        return self.quota or self.queue


class Spared(AnswerPart, frozen=True):
    """A candidate that stays. ``putBack``: it was chosen first, but the workload fits without its eviction."""

    DOCUMENT = (*_CANDIDATE, "holds", "put_back")
    key: ObjectKey = field(name="object")
    queue: str
    priority: int
    holds: tuple[Amount, ...]
    law: str
    because: str
    rule: str = ""
    put_back: bool = False


class Unasked(AnswerPart, frozen=True):
    """A queue without candidates, what it holds of the missing resources, and the reason."""

    DOCUMENT = ("queue", "law", "because", "workloads", "holds")

    queue: str
    holds: tuple[Amount, ...]
    workloads: int
    law: str
    because: str


class BindingLimit(AnswerPart, frozen=True):
    """A limit that keeps the workload out; ``clause`` says which, ``always``: even with no other workload there.

    ``place`` is where it is written.
    """

    DOCUMENT = ("clause", "resource", "flavor", "needed", "reachable", "short", "ever", "place")
    clause: str
    place: Place | None
    needed: Stated
    reachable: Stated
    short: Stated
    ever: bool = field(default=False, name="always")
    note: str = ""  # what is at the place, if that is only a part of the limit

    @property
    def resource(self) -> str:
        """The resource that is limited."""
        return self.needed.resource

    @property
    def flavor(self) -> str:
        """What it is taken from, empty where the scheduler has none."""
        return self.needed.pool


class TriedChange(AnswerPart, frozen=True):
    """A change that was simulated and helps, the outcome with it, and who can make it.

    ``admin`` is an admin of the cluster.
    """

    DOCUMENT = ("change", "result", "maker", "outcome", "victims", "place")
    change: str = field(name="text")
    outcome: Outcome
    result: str
    victims: int
    maker: Maker
    place: Place | None = None


class Check(AnswerPart, frozen=True):
    """A check that must still pass after the quota is reserved."""

    kind: str
    name: str


class Tie(Value, frozen=True):
    """A choice that the scheduler makes at random; ``text`` describes it, ``between`` names the alternatives."""

    text: str
    between: tuple[str, ...] = ()


class PossibleOutcome(AnswerPart, frozen=True):
    """One of the outcomes that ties, or open moments, allow; ``where`` names the flavors or the node.

    It is empty if the workload does not get in.
    """

    outcome: Outcome
    verdict: str
    victims: tuple[ObjectKey, ...] = ()
    where: str = ""


class InTurn(AnswerPart, frozen=True):
    """The end of a workload after those that wait before it, if that may be another one.

    ``first`` counts those that get in before it. ``doubts`` say what is not known of them, in clauses: with one, it is
    not exact.
    """

    first: int
    outcome: Outcome
    verdict: str
    doubts: tuple[str, ...] = ()


class Answer(AnswerPart, Generic[Detail_co], frozen=True):
    """The answer to "what happens to this workload", with its proof.

    ``outcome`` is Unknown if a feature that is not modelled can change it; ``computed`` is the outcome apart from that.
    ``verdict`` and ``computed_verdict`` say them in a clause. ``context`` are circumstances of the whole answer: the
    kind of preemption, the moment. ``next`` are the commands to run next. ``proof`` are the steps behind the outcome,
    and what they say;
    ``rests_on`` are the objects that alone give the same decision. ``notes`` are for the user, next to the answer.
    ``possible`` are the outcomes that ties allow, this one first, if there are several. ``in_turn`` is the end after
    the workloads that wait before it; None if that is the same. ``held_in`` are titles for
    where victims and where spared candidates hold what they hold. ``pooled`` are the resources that the queue has from
    several pools, so that amounts name theirs. ``detail`` is the scheduler's own part. ``starts``:
    the workload is unmanaged, and starts. ``holds`` are what holds the workload besides quotas.
    """

    DOCUMENT = (
        *("scheduler", "outcome", "computed", "verdict", "exit_code", "subject", "route", "needs", "victims", "spared"),
        *("unasked", "binding", "remedies", "checks", "holds", "next", "ties", "possible", "in_turn", "proof"),
        *("rests_on", "fidelity"),
    )
    scheduler: str
    outcome: Outcome
    computed: Outcome = field(name="byWhatIsModelled")
    verdict: str
    computed_verdict: str
    subject: Subject
    route: tuple[Station, ...]
    context: tuple[str, ...]
    proof: ProofSteps
    fidelity: Fidelity
    detail: Detail_co
    needs: tuple[Need, ...] = ()
    victims: tuple[Victim, ...] = ()
    spared: tuple[Spared, ...] = ()
    unasked: tuple[Unasked, ...] = field(default=(), name="notAsked")
    binding: tuple[BindingLimit, ...] = field(default=(), name="bindings")
    remedies: tuple[TriedChange, ...] = ()
    checks: tuple[Check, ...] = ()
    next: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    possible: tuple[PossibleOutcome, ...] = ()
    holds: tuple[Hold, ...] = ()
    rests_on: Annotated[tuple[ObjectKey, ...], OBJECT_TEXTS] = ()
    notes: tuple[Problem, ...] = ()
    assumed: str = ""
    in_turn: InTurn | None = None
    held_in: tuple[str, str] = ("QUEUE", "QUEUE")
    pooled: frozenset[str] = frozenset()
    starts: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code of the program for this answer alone."""
        return EXIT_CODES[Outcome.ADMITTED if self.starts else self.outcome]

    def with_parts(self, parts: Sequence[RequestTerm]) -> "Answer[Detail_co]":
        """The answer with the parts of its requests."""
        needs = (replace(n, parts=tuple(p for p in parts if p.resource == n.asked.resource)) for n in self.needs)
        return replace(self, needs=tuple(needs))

    def with_holds(self, holds: Sequence[Hold]) -> "Answer[Detail_co]":
        """The answer with what holds the workload besides quotas; the verdict names it if it gets in."""
        gets_in = self.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS)
        briefly = dict.fromkeys(hold.briefly for hold in holds if hold.briefly and gets_in)
        verdict = "; then ".join((self.verdict, *briefly))
        return replace(self, holds=(*self.holds, *holds), verdict=verdict)
