"""The answer to "what would become of this workload", with its proof."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target, Trial
from kubectl_fairshare.trace import Step


class Limit(StrEnum):
    """What kind of limit binds."""

    BORROWING_LIMIT = "borrowingLimit"
    LENDING_LIMIT = "lendingLimit"
    NOMINAL = "nominalQuota"


@dataclass(frozen=True, slots=True)
class Binding:
    """The limit that keeps a request out.

    ``node`` is the name of the Cohort or ClusterQueue whose limit binds, ``kind`` what it is (NOMINAL:
    the tree's whole quota is in use, or smaller than the request). ``place`` is the field of the limit.
    A cohort's whole quota is in no field: there ``place`` is a nominalQuota that is part of it, the
    root's own or the asking queue's, and ``stands`` is the amount given there; otherwise that is
    ``value``. ``needed`` is the workload's whole demand of the pair, ``reachable`` what it can take,
    ``short`` the difference. ``ever``: it binds even without other workloads.
    """

    pair: FlavorResource
    node: str
    node_kind: str
    kind: Limit
    value: int
    place: Place | None
    needed: int
    reachable: int
    ever: bool
    amount_there: int | None = None

    @property
    def short(self) -> int:
        """By how much the request exceeds what can be reached."""
        return self.needed - self.reachable


@dataclass(frozen=True, slots=True)
class SparedCandidate:
    """A candidate that was looked at and not taken: the law, and the shares that decided.

    ``theirs`` is the share of the candidate's side as the law compares it: S2-a without the candidate,
    S2-b as it is.
    """

    holder: Holder
    queue: str
    law: str
    at: tuple[str, str] | None = None
    mine: Share | None = None
    theirs: Share | None = None


@dataclass(frozen=True, slots=True)
class NotAsked:
    """A queue of the tree of which no workload was looked at, why, and what it holds of what is short.

    ``cohort`` names the cohort that the law is about, where it is about one.
    """

    queue: str
    law: str
    holds: tuple[tuple[FlavorResource, int], ...]
    workloads: int
    cohort: str = ""


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """Where the workload would really be: ``position`` from 1 among ``of`` in its ClusterQueue.

    ``ahead`` are the workloads before it in order; ``blocker`` is the head of a StrictFIFO queue that
    must go first. The plan itself answers as if the workload were the head.
    """

    position: int
    of: int
    ahead: tuple[Pending, ...]
    strategy: str
    blocker: Pending | None = None


class RemedyKind(StrEnum):
    """What a remedy changes."""

    COUNT = "count"
    REQUEST = "request"
    NOMINAL = "nominalQuota"
    BORROWING_LIMIT = "borrowingLimit"
    LENDING_LIMIT = "lendingLimit"
    WEIGHT = "weight"
    PRIORITY = "priority"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was simulated and helps: ``outcome`` is what becomes of the workload then.

    ``object`` and ``place`` are what to change: the workload itself (``object`` None) or a field of a
    Cohort or ClusterQueue. ``before`` and ``after`` are amounts of ``pair``'s resource in its units,
    pods for COUNT, weights, or priorities. ``victims`` is how many workloads are preempted then.
    One unit less of change was tried and does not do: the workload stays out, or gets in with fewer pods
    or victims where this lets all of it in without any. ``named`` is the lowest priority class that is
    enough, if there is one.
    """

    kind: RemedyKind
    before: int | float
    after: int | float
    outcome: Outcome
    victims: int
    pair: FlavorResource | None = None
    object: ObjectKey | None = None
    place: Place | None = None
    pod_set: str | None = None
    named: str | None = None


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A node on the way from the workload's ClusterQueue (first, height 0) up to its root.

    A request of borrowing level ``height`` borrows from the quota of the cohort with that height.
    ``share`` is the node's now, without the workload.
    """

    name: str
    kind: str
    height: int
    declared: bool
    share: Share


@dataclass(frozen=True, slots=True)
class Plan:
    """The decision for one workload.

    ``targets`` are preempted, in order; ``put_back`` were found unnecessary; ``refused`` are candidates that
    were not taken (of the search for the whole assignment, or of the one that failed); ``not_asked`` are
    queues of which no workload was looked at. ``trials`` are all candidates looked at. ``bindings`` are the limits that
    keep the workload out, none when it gets in. ``proof`` are the steps that the outcome rests on. ``checks`` are
    admission checks that must pass after the quota is reserved. ``ties`` name nodes between which Kueue's own
    choice is not defined. ``earlier`` are the cycles before this one, in which the scan of flavors stopped early
    and got nothing. ``path`` leads from the ClusterQueue to the root; ``names`` are the names of nodes by number,
    for those that trials compare.
    """

    workload: Pending
    outcome: Outcome
    computed: Outcome
    nomination: Nomination
    local_queue: Place | None
    targets: tuple[Target, ...]
    put_back: tuple[Target, ...]
    refused: tuple[SparedCandidate, ...]
    not_asked: tuple[NotAsked, ...]
    trials: tuple[Trial, ...]
    bindings: tuple[Binding, ...]
    standing: QueuePosition | None
    remedies: tuple[Remedy, ...]
    proof: tuple[Step, ...]
    checks: tuple[str, ...]
    ties: tuple[tuple[str, str], ...]
    fidelity: Fidelity
    path: tuple[Ancestor, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    earlier: tuple[Nomination, ...] = ()
