"""The answer to "would this workload be admitted now", with its proof.

Tested in ``tests/unit/schedulers/kueue/explain/test_binding.py``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.topology import Node
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target, Trial
from kubectl_fairshare.trace import Step


class Limit(StrEnum):
    """The kind of limit that binds."""

    BORROWING_LIMIT = "borrowingLimit"
    LENDING_LIMIT = "lendingLimit"
    NOMINAL = "nominalQuota"
    DOMAIN = "topologyDomain"


class LevelTried(Value, frozen=True):
    """One level of a topology at which a single domain was looked for: the best has ``room`` for pods of ``asked``."""

    level: int
    best: str
    room: int
    asked: int


class DomainRow(Value, frozen=True):
    """A domain of a topology: ``room`` for pods, ``free`` amount of the resource shown, ``pods`` that go there."""

    depth: int
    level: str
    name: str
    room: int
    free: Quantity
    pods: int
    leader: bool = False


class UnitGround(Value, frozen=True):
    """Where the pods of one unit go, or the domains that come closest to it (``placed``: they have a place).

    ``resource`` and ``per_pod`` say in what the room is measured. ``level`` is where one domain is looked for;
    ``excluded`` counts domains without any room by the reason, ``absent`` are nodes that do not count, with the reason.
    """

    pod_sets: tuple[str, ...]
    flavor: str
    topology: str
    levels: tuple[str, ...]
    level: int
    required: bool
    unconstrained: bool
    pods: int
    slice_size: int
    resource: str
    per_pod: int
    tried: tuple[LevelTried, ...]
    rows: tuple[DomainRow, ...]
    excluded: Mapping[str, int]
    absent: tuple[tuple[Node, str], ...]
    placed: bool


class Binding(Value, frozen=True):
    """The limit that keeps a request out.

    ``node`` is the name of the Cohort or ClusterQueue whose limit binds, ``kind`` the kind of limit (NOMINAL:
    the tree's whole quota is in use, or smaller than the request). ``place`` is the field of the limit.
    No field has a cohort's whole quota: there ``place`` is a nominalQuota that is a part of it, the root's own or
    that of the workload's queue, and ``amount_there`` is the amount in that field; otherwise it equals ``value``.
    ``needed`` is the workload's whole request of the pair, ``reachable`` what it can take, ``short`` the difference.
    ``ever``: it binds even without other workloads.
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
        """The amount by which the request exceeds what the workload can take, also where a limit wraps around."""
        return int(self.needed) - int(self.reachable)


class SparedCandidate(Value, frozen=True):
    """A candidate that the search examined and did not preempt: the law, and the shares that decided.

    ``theirs`` is the share of the candidate's side as the law compares it: S2-a without the candidate, S2-b with it.
    """

    holder: Holder
    queue: str
    law: str
    at: tuple[str, str] | None = None
    mine: Share | None = None
    theirs: Share | None = None


class NotAsked(Value, frozen=True):
    """A queue of the tree without candidates: the law that excludes it, and what it holds of the missing pairs.

    ``cohort`` names the cohort that the law is about, empty if the law is not about one.
    """

    queue: str
    law: str
    holds: tuple[tuple[FlavorResource, int], ...]
    workloads: int
    cohort: str = ""


class QueuePosition(Value, frozen=True):
    """The real place of the workload: ``position``, from 1, among ``of`` in its ClusterQueue.

    ``ahead`` are the workloads ahead of it; ``blocker`` is the head of a StrictFIFO queue, which must go first.
    The plan itself takes the workload as the head. ``unordered`` are the workloads of which the input does not say
    whether they are ahead of it: ``position`` is the first place that it may have.
    """

    position: int
    of: int
    ahead: tuple[Pending, ...]
    strategy: str
    blocker: Pending | None = None
    unordered: tuple[Pending, ...] = ()

    @property
    def last(self) -> int:
        """The last place that the workload may have."""
        return self.position + len(self.unordered)


class RemedyKind(StrEnum):
    """What a remedy changes."""

    COUNT = "count"
    MINIMUM = "minimum"
    REQUEST = "request"
    NOMINAL = "nominalQuota"
    BORROWING_LIMIT = "borrowingLimit"
    LENDING_LIMIT = "lendingLimit"
    WEIGHT = "weight"
    PRIORITY = "priority"
    WITHIN_QUEUE = "withinClusterQueue"
    RECLAIM = "reclaimWithinCohort"
    BORROW = "borrowWithinCohort"
    TOLERATION = "toleration"
    SELECTOR = "nodeSelector"
    LEVEL = "topologyLevel"
    SLICE = "podSetSliceSize"
    UNCORDON = "unschedulable"
    END = "end"


QUOTA_REMEDIES: Final = frozenset(
    {
        *(RemedyKind.COUNT, RemedyKind.MINIMUM, RemedyKind.REQUEST),
        *(RemedyKind.NOMINAL, RemedyKind.BORROWING_LIMIT, RemedyKind.LENDING_LIMIT),
    }
)
"""Changes of what a workload asks for, or of what its queue can have."""


class Remedy(Value, frozen=True):
    """A change that was simulated and helps: ``outcome`` is the outcome of the workload after the change.

    ``object`` and ``place`` are what to change: the workload itself (``object`` None), a field of a Cohort,
    ClusterQueue or Node, or a workload that would have to end. ``before`` and ``after`` are amounts of ``pair``'s
    resource in its units, pods for COUNT, MINIMUM and SLICE, weights, priorities, or numbers of levels or policies,
    which ``words`` name; TOLERATION and SELECTOR have words alone, and the flavor that pods may use then in ``pair``.
    ``victims`` is the number of workloads that are preempted after the change, ``leaving`` names them, if known.
    A change that is one unit smaller was tried and is not enough: the workload is not admitted, or it needs victims
    or runs with fewer pods where this change needs neither. ``named`` is the lowest priority class that is enough,
    if one exists. ``pods``: only so many of its pods start, by partial admission. ``doubted``: something that is not
    modelled, or not in the input, can change the outcome after the change. ``also`` are changes that have to go with
    it: none of them can be one unit smaller. ``reclaims``: the change is the least with which the workload gets in,
    also where it has to preempt.
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
    words: tuple[str, str] = ("", "")
    leaving: tuple[ObjectKey, ...] = ()
    pods: tuple[int, int] | None = None
    doubted: bool = False
    also: tuple["Remedy", ...] = ()
    reclaims: bool = False

    @property
    def promised(self) -> Outcome:
        """The outcome as far as it is certain."""
        return Outcome.UNKNOWN if self.doubted else self.outcome


class Ancestor(Value, frozen=True):
    """A node on the path from the workload's ClusterQueue (first, height 0) up to its root.

    A request of borrowing level ``height`` borrows from the quota of the cohort with that height.
    ``share`` is the node's current share, without the workload.
    """

    name: str
    kind: str
    height: int
    declared: bool
    share: Share


class Borrowed(NamedTuple):
    """A request that makes the workload borrow: ``needed``, on top of what its queue uses, is above its quota."""

    pair: FlavorResource
    needed: int
    used: int
    quota: int


class Plan(Value, frozen=True):
    """The decision for one workload.

    ``targets`` are preempted, in this order. ``put_back`` are former targets that turned out to be unnecessary.
    ``refused`` are candidates that were not preempted (from the search for the whole assignment, or from the search
    that failed). ``not_asked`` are queues without candidates. ``trials`` are all candidates that were examined.
    ``bindings`` are the limits that keep the workload out, empty if it is admitted. ``proof`` are the steps that the
    outcome rests on. ``checks`` are admission checks that must pass after the quota is reserved. ``ties`` name nodes
    between which Kueue's choice is not defined. ``earlier`` are the cycles before this one, in which the scan of
    flavors stopped early without a result; ``once_alone`` are all cycles of the scan that lets it in once others have
    ended, where Kueue's own reason says that it can never fit. ``path`` leads from the ClusterQueue to the root.
    ``names`` maps the numbers of the nodes that trials compare to their names. ``grounds`` are the domains for pods
    that a topology places. ``controllers`` are those of the checks, by name. ``unready`` are the workloads whose pods
    must be ready before it is admitted. ``possible`` are the decisions that ties allow, this one first, if there are
    several: the outcome and the nomination of each. ``blocked``: its status keeps it out of its queue. ``borrowed``
    are the requests that make it borrow. ``finer_reasons`` as in the Configuration. ``drawn`` are nominations of which
    chance draws other requests, and that end the same. ``alone`` is the nomination without all running work, of a
    workload that never gets in though Kueue's reason is one that passes: it ends at the first group of resources that
    lacks quota, and a later one can be out of reach. ``stops``: Kueue's manager dies before it writes anything.
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
    once_alone: tuple[Nomination, ...] = ()
    controllers: Mapping[str, str] = field(default_factory=dict)
    unready: tuple[Holder, ...] = ()
    blocked: Step | None = None
    grounds: tuple[UnitGround, ...] = ()
    possible: tuple[tuple[Outcome, Nomination], ...] = ()
    borrowed: tuple[Borrowed, ...] = ()
    finer_reasons: bool | None = False
    drawn: tuple[Nomination, ...] = ()
    alone: Nomination | None = None
    stops: bool = False

    @property
    def deciding(self) -> Nomination:
        """The nomination that the outcome rests on."""
        return self.nomination if self.alone is None else self.alone


def with_gaps(plan: Plan, gaps: tuple[Gap, ...]) -> Plan:
    """The plan with further gaps, which can change the answer."""
    if not gaps:
        return plan
    return replace(plan, outcome=Outcome.UNKNOWN, fidelity=plan.fidelity.with_gaps(gaps))


def borrowed_from(plan: Plan, level: int) -> str | None:
    """The cohort from which a request of that borrowing level borrows; None if it borrows nothing."""
    return next((a.name for a in plan.path if level and a.height == level and a.kind == "Cohort"), None)
