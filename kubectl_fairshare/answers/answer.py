"""The answer for one workload, in the form that all schedulers share.

Its sentences are the scheduler's own words, without a final period, so a renderer adds no words of its own.
Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Generic, TypeVar

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.answers.needs import RequestTerm
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.trace import Step

Detail_co = TypeVar("Detail_co", covariant=True)


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


@lru_cache(maxsize=4096, typed=True)  # an exact amount equals a plain one
def amount_of(resource: str, value: int, pool: str = "") -> Amount:
    """An amount with its text; cached, because queues and workloads hold the same amounts a thousand times."""
    return Amount(resource, value, amount(resource, value), pool)


class Need(Value, frozen=True):
    """What the workload requests of one resource, what is free now, if known, and the parts of the request."""

    asked: Amount
    free: Amount | None = None
    parts: tuple[RequestTerm, ...] = ()


class Station(Value, frozen=True):
    """One step of the workload's route: a queue, a flavor, a node."""

    kind: str
    name: str
    place: Place | None = None


class Subject(Value, frozen=True):
    """The workload in question; ``source`` is the object that it was read from, if that is a different one."""

    key: ObjectKey
    priority: int
    source: ObjectKey | None = None


class Victim(Value, frozen=True):
    """A preempted workload or pod; ``frees`` is what it returns of the missing resources.

    ``queue`` is where it holds them. ``law`` is the scheduler's name of the rule that allows the preemption, ``rule``
    its short name, if it has one, and ``because`` the rule with its numbers. ``quota`` is what it counts against, if
    that is not where it holds them: a pod is on a node and counts against its namespace's quota.
    """

    key: ObjectKey
    queue: str
    priority: int
    frees: tuple[Amount, ...]
    law: str
    because: str
    rule: str = ""
    quota: str = ""

    @property
    def counts_against(self) -> str:
        """The queue or quota that loses it."""
        return self.quota or self.queue


class Spared(Value, frozen=True):
    """A candidate that stays. ``put_back``: it was chosen first, but the workload fits without its eviction."""

    key: ObjectKey
    queue: str
    priority: int
    holds: tuple[Amount, ...]
    law: str
    because: str
    rule: str = ""
    put_back: bool = False


class Unasked(Value, frozen=True):
    """A queue without candidates, what it holds of the missing resources, and the reason."""

    queue: str
    holds: tuple[Amount, ...]
    workloads: int
    law: str
    because: str


class BindingLimit(Value, frozen=True):
    """A limit that keeps the workload out; ``clause`` says which.

    ``place`` is its place. ``ever``: it binds even on an empty cluster. ``note`` says what is at the place, if that is
    only a part of the limit.
    """

    clause: str
    place: Place | None
    needed: Amount
    reachable: Amount
    short: Amount
    ever: bool = False
    note: str = ""


class TriedChange(Value, frozen=True):
    """A change that was simulated and helps: the change, the outcome with it, and who can make it."""

    change: str
    outcome: Outcome
    result: str
    victims: int
    maker: Maker
    place: Place | None = None


class Check(Value, frozen=True):
    """A check that must still pass after the quota is reserved."""

    kind: str
    name: str


class Tie(Value, frozen=True):
    """A choice that the scheduler makes at random; ``text`` describes it, ``between`` names the alternatives."""

    text: str
    between: tuple[str, ...] = ()


class PossibleOutcome(Value, frozen=True):
    """One of the outcomes that ties allow; ``where`` names the flavors or the node, if the workload gets in."""

    outcome: Outcome
    verdict: str
    victims: tuple[ObjectKey, ...] = ()
    where: str = ""


class InTurn(Value, frozen=True):
    """The end of a workload after those that wait before it, if that may be another one.

    ``first`` counts those that get in before it. ``doubts`` say what is not known of them, in clauses.
    """

    first: int
    outcome: Outcome
    verdict: str
    doubts: tuple[str, ...] = ()


class Answer(Value, Generic[Detail_co], frozen=True):
    """The answer to "what happens to this workload", with its proof.

    ``outcome`` is Unknown if a feature that is not modelled can change it; ``computed`` is the outcome apart from that.
    ``verdict`` and ``computed_verdict`` say them in a clause. ``context`` are circumstances of the whole answer: the
    kind of preemption, the moment. ``next`` are the commands to run next. ``proof`` are the steps behind the outcome;
    ``rests_on`` are the objects that alone give the same decision. ``notes`` are for the user, next to the answer.
    ``possible`` are the outcomes that ties allow, this one first, if there are several. ``in_turn`` is the end after
    the workloads that wait before it; None if that is the same. ``held_in`` are titles for
    where victims and where spared candidates hold what they hold. ``pooled`` are the resources that the queue has from
    several pools, so that amounts name theirs. ``detail`` is the scheduler's own part. ``starts``:
    the workload is unmanaged, and starts. ``holds`` are what holds the workload besides quotas.
    """

    scheduler: str
    outcome: Outcome
    computed: Outcome
    verdict: str
    computed_verdict: str
    subject: Subject
    route: tuple[Station, ...]
    context: tuple[str, ...]
    proof: tuple[Step, ...]
    fidelity: Fidelity
    detail: Detail_co
    needs: tuple[Need, ...] = ()
    victims: tuple[Victim, ...] = ()
    spared: tuple[Spared, ...] = ()
    unasked: tuple[Unasked, ...] = ()
    binding: tuple[BindingLimit, ...] = ()
    remedies: tuple[TriedChange, ...] = ()
    checks: tuple[Check, ...] = ()
    next: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    possible: tuple[PossibleOutcome, ...] = ()
    holds: tuple[Hold, ...] = ()
    rests_on: tuple[ObjectKey, ...] = ()
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
