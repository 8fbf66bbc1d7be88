"""What becomes of one workload, in the form that all schedulers' answers share.

Sentences in it are the scheduler's own words, without a final period; whoever prints an answer needs no other.
"""

from enum import StrEnum
from typing import Generic, TypeVar

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.trace import Step

Detail_co = TypeVar("Detail_co", covariant=True)


class Maker(StrEnum):
    """Who can make a change: the owner of the workload, or an administrator of the queues."""

    OWNER = "owner"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of a resource: ``value`` in the scheduler's units, ``text`` as people read it, with its unit.

    ``pool`` is what it is taken from, where the scheduler has pools, or flavors.
    """

    resource: str
    value: int | float
    text: str
    pool: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """What the workload asks for of one resource, and what is free of it now, if that is known."""

    asked: Amount
    free: Amount | None = None


@dataclass(frozen=True, slots=True)
class Station:
    """A stop on the workload's way: a queue, a flavor, a node."""

    kind: str
    name: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """The workload that was asked about; ``source`` is the object that it was read from, where that is another one."""

    key: ObjectKey
    priority: int
    source: ObjectKey | None = None


@dataclass(frozen=True, slots=True)
class Victim:
    """A workload, or a pod, that is preempted; ``frees`` is what that gives back of what is short.

    ``queue`` is where it holds that. ``law`` is the scheduler's name of the rule that allows it, ``rule`` its short
    name, if it has one, and ``because`` the rule with its numbers.
    """

    key: ObjectKey
    queue: str
    priority: int
    frees: tuple[Amount, ...]
    law: str
    because: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Spared:
    """A candidate that stays. ``put_back``: it was taken first, and the workload fits without."""

    key: ObjectKey
    queue: str
    priority: int
    holds: tuple[Amount, ...]
    law: str
    because: str
    rule: str = ""
    put_back: bool = False


@dataclass(frozen=True, slots=True)
class Unasked:
    """A queue of which no workload was a candidate, what it holds of what is short, and why."""

    queue: str
    holds: tuple[Amount, ...]
    workloads: int
    law: str
    because: str


@dataclass(frozen=True, slots=True)
class BindingLimit:
    """A limit that keeps the workload out, in the words of ``clause``.

    ``place`` is where it stands. ``ever``: it binds even with no other workload there. ``note`` says what stands at
    the place, where that is only a part of the limit.
    """

    clause: str
    place: Place | None
    needed: Amount
    reachable: Amount
    short: Amount
    ever: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class TriedChange:
    """A change that was simulated and helps: what it is, what becomes of the workload then, and who can make it."""

    change: str
    outcome: Outcome
    result: str
    victims: int
    maker: Maker
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Something that must still pass once the quota is reserved."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Tie:
    """A choice that the scheduler itself leaves to chance; ``text`` says between what, ``between`` names them."""

    text: str
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer(Generic[Detail_co]):
    """The answer to "what would become of this workload", with its proof.

    ``outcome`` is Unknown where a feature that is not modelled can touch it; ``computed`` is what it is otherwise.
    ``verdict`` and ``computed_verdict`` say them in a clause. ``context`` are the circumstances that hold for the
    whole answer: the kind of preemption, the moment. ``next`` are commands that a person would type now. ``proof`` are
    the steps that the outcome rests on, ``rests_on`` the objects that alone decide the same. ``notes`` are worth
    telling beside the answer. ``detail`` is the scheduler's own part.
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
    rests_on: tuple[ObjectKey, ...] = ()
    notes: tuple[Problem, ...] = ()
