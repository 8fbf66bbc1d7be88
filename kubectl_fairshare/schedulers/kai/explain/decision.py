"""The answer to "what happens to this job", with its proof.

Tested in ``tests/unit/schedulers/kai/explain/test_planning.py``.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.jobs.node_demand import BarredNodes
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kai.explain.gate_steps import is_lasting
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import Resources, Shard
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.reclaim.validator import FairnessVerdict
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom, Misfits
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.trace import Step

_IDLE: Final = frozenset({Law.IDLE, Law.IDLE_NODE, Law.PLACEMENT})
_ALWAYS: Final = frozenset({Law.QUEUE_UNKNOWN, Law.QUEUE_NOT_LEAF, Law.NOT_GROUPED, Law.NO_SHARD, Law.TRIED_ONCE})
"""The tests that a job fails whatever others hold."""


class Candidate(Value, frozen=True):
    """A job that may be reclaimed. ``asker`` and ``victim`` name the two queues that KAI compares.

    ``held`` is what the victim's side holds, ``allocatable`` what it may keep, ``quota`` its quota. ``safe``: a minimum
    runtime protects the job, so an elastic job loses only the pods above its minimum.
    """

    job: Job
    asker: str
    victim: str
    held: Resources
    allocatable: Resources
    quota: Resources
    safe: bool = False


class PassedOver(Value, frozen=True):
    """The jobs of one queue that are not candidates, the step that excludes them, and what they hold."""

    queue: str
    step: Step
    jobs: int
    holds: Resources


class Reclaim(Value, frozen=True):
    """The attempt to reclaim. ``steps`` are the reclaimer's own tests in KAI's order, up to the first that fails.

    ``candidates`` are in victim order. ``taken`` are the evictions that free enough and are fair, empty if there are
    none. ``verdict`` is about ``taken``, otherwise about the first set that would free enough, or None.
    ``left_out`` are jobs that no strategy allows once the earlier victims are gone. ``firm``: no other set that KAI's
    solver may try succeeds. ``ordered``: KAI's order of victims is the same in every run. ``defined``: KAI's verdict is
    the same in every run.
    """

    steps: tuple[Step, ...]
    candidates: tuple[Candidate, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    taken: tuple[Eviction, ...] = ()
    verdict: FairnessVerdict | None = None
    enough: bool = False
    left_out: tuple[str, ...] = ()
    firm: bool = True
    ordered: bool = True
    defined: bool = True

    @property
    def in_turns(self) -> bool:
        """Whether KAI may take a pod of another job in between, because this job has pods above its minimum."""
        return len(self.candidates) > 1 and any(eviction.surplus for eviction in self.taken)


class RemedyKind(StrEnum):
    """What a remedy changes."""

    LIMIT = "limit"
    QUOTA = "quota"
    BOUNDS = "bounds"
    PREEMPTIBLE = "preemptibility"
    PRIORITY = "priority"
    PODS = "pods"
    REQUEST = "request"
    POOL = "nodePool"
    LATER = "minRuntime"


class NewValue(NamedTuple):
    """One field of a remedy with its old and new value; ``queue`` is "" for the job itself.

    ``to`` is the new value of a field that holds no amount; the place is None for a queue without an object. ``field``
    is a resource where ``bound`` is ``limit`` or ``quota``.
    """

    queue: str
    field: str
    before: float | None
    after: float | None
    place: Place | None
    to: str = ""
    bound: str = ""


class Remedy(Value, frozen=True):
    """A change that was simulated and helps. ``outcome`` is the job's outcome with it.

    ``victims`` is the number of jobs that lose pods then, ``moved`` that of other jobs of which pods only restart
    elsewhere. ``then`` is what changes with it besides, in a clause.
    """

    kind: RemedyKind
    changes: tuple[NewValue, ...]
    outcome: Outcome
    victims: int
    then: str = ""
    moved: int = 0


class PlacedPod(NamedTuple):
    """A pod and its node."""

    pod: str
    node: str


class Placement(Value, frozen=True):
    """The effect of the first KAI action that has one. ``action`` is empty if no action has an effect.

    ``bound`` pods get their node now, ``waiting`` pods after evictions. ``lost`` are evicted pods of other jobs;
    ``moved`` are pods of other jobs that restart on another node or GPU, listed in ``moves``. ``condition`` is what KAI
    writes on the PodGroup if no action has an effect; it may write one of ``other_conditions`` instead, by chance.

    ``varies``: pods end elsewhere if KAI walks its maps in another order, ``others`` are the effects then, and
    ``orders`` the first action with an effect in each order that was tried. ``few``: the
    search is so long that few such orders were tried. ``unordered``: they end elsewhere if the new pods of the job are
    created in another order. ``refusals`` say how many nodes with room refuse a pod for each reason, and ``short``
    whether others have too little room, if no action has an effect.
    """

    action: str
    bound: tuple[PlacedPod, ...] = ()
    waiting: tuple[PlacedPod, ...] = ()
    lost: tuple[Eviction, ...] = ()
    moved: tuple[Eviction, ...] = ()
    moves: tuple[PlacedPod, ...] = ()
    condition: str = ""
    other_conditions: tuple[str, ...] = ()
    varies: bool = False
    others: "tuple[Placement, ...]" = ()
    orders: tuple[str, ...] = ()
    few: bool = False
    unordered: bool = False
    refusals: tuple[tuple[str, int], ...] = ()
    short: bool = False


class Plan(Value, frozen=True):
    """The decision for one job of a shard.

    ``outcome`` is Unknown if a feature that is not modelled can change it, or if it varies between runs of KAI;
    ``computed`` is the outcome apart from that. ``gates`` are the tests before allocation in KAI's order, up to the
    first that fails. ``room`` is what is idle. ``lower`` are jobs of the same queue with a lower priority, which KAI's
    preempt action may evict; ``displaced`` is what it evicts if reclaim finds nothing. ``misfits`` are pods larger than
    every node, ``barred`` nodes that are large enough for one, and never take it, ``crowd`` pods that are equal and too
    many for all nodes. ``placement`` is None if KAI does not try the job, or if this program does not decide it.
    ``alone`` is the outcome that the job would have if no other job waited, where that is better; ``together``: other
    jobs wait. ``moments`` are the plans at the moments that a question without one leaves open, each with the moment
    from which it holds, in nanoseconds since the epoch; empty if they have one outcome. ``in_vain`` is what the next
    cycle evicts for a job that can never get in.
    """

    shard: Shard
    job: Job
    chain: tuple[QueueAttributes, ...]
    outcome: Outcome
    computed: Outcome
    gates: tuple[Step, ...]
    room: IdleRoom
    reclaim: Reclaim | None
    lower: tuple[Job, ...]
    displaced: tuple[Eviction, ...]
    misfits: Misfits
    remedies: tuple[Remedy, ...]
    fidelity: Fidelity
    placement: Placement | None = None
    alone: Outcome | None = None
    together: bool = False
    barred: BarredNodes | None = None
    moments: "tuple[tuple[int, Plan], ...]" = ()
    crowd: tuple[str, ...] = ()
    in_vain: tuple[Eviction, ...] = ()

    @property
    def moved(self) -> tuple[Eviction, ...]:
        """Pods of other jobs that restart elsewhere to make room."""
        return self.placement.moved if self.placement else ()

    @property
    def victims(self) -> tuple[Eviction, ...]:
        """The evictions, by whichever action."""
        return (self.reclaim.taken if self.reclaim else ()) or self.displaced

    @property
    def proof(self) -> tuple[Step, ...]:
        """The steps behind the outcome."""
        return (*self.gates, *(self.reclaim.steps if self.reclaim else ()))


def with_gaps(plan: Plan, gaps: tuple[Gap, ...]) -> Plan:
    """The plan with further gaps, which can change the answer, instead of those about the same."""
    if not gaps:
        return plan
    same = {(gap.feature, gap.subject) for gap in gaps}
    kept = tuple(gap for gap in plan.fidelity.gaps if (gap.feature, gap.subject) not in same)
    return replace(plan, outcome=Outcome.UNKNOWN, fidelity=replace(plan.fidelity, gaps=kept).with_gaps(gaps))


def failing_step(plan: Plan) -> Step | None:
    """The test that decides: what keeps the pods from nodes with room, otherwise the last that fails.

    The idle total counts only if the attempt to reclaim gives no reason. A job that can never get in has the test that
    it always fails, None where nodes are too small.
    """
    if plan.crowd:  # that nodes refuse the pods now does not last
        return None
    if plan.computed is Outcome.NEVER and plan.barred is None:
        never = (step for step in plan.gates if not step.holds and (step.law in _ALWAYS or is_lasting(step)))
        return next(never, None)
    failing = [step for step in plan.proof if not step.holds]
    tried = plan.reclaim is not None and all(step.holds for step in plan.reclaim.steps)
    refusing = next((step for step in failing if step.law is Law.REFUSED), None)
    if refusing is not None and (tried or not refusing.operand("short")):
        return refusing
    if plan.misfits or (tried and all(step.law in _IDLE for step in failing)):
        return None
    bounds = [step for step in failing if step.law not in _IDLE]
    return next(iter(bounds or failing), None)
