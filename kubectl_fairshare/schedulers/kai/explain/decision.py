"""The answer to "what would become of this job", with its proof."""

from enum import StrEnum
from typing import Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import Resources, Shard
from kubectl_fairshare.schedulers.kai.reclaim.evictions import Eviction
from kubectl_fairshare.schedulers.kai.reclaim.validator import Judgement
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.room import IdleRoom
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes
from kubectl_fairshare.trace import Step

_IDLE: Final = frozenset({Law.IDLE, Law.IDLE_NODE, Law.PLACEMENT})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A job that may be reclaimed from. ``asker`` and ``victim`` name the sides that are compared.

    ``held`` is what the victim's side holds, ``allocatable`` what it may, ``quota`` its quota. ``safe`` tells
    that min-runtime protects it, so that as an elastic job it gives only what is above its minimum.
    """

    job: Job
    asker: str
    victim: str
    held: Resources
    allocatable: Resources
    quota: Resources
    safe: bool = False


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Jobs of a queue that are no candidates, the step that keeps them from it, and what they hold."""

    queue: str
    step: Step
    jobs: int
    holds: Resources


@dataclass(frozen=True, slots=True)
class Reclaim:
    """The attempt to reclaim. ``steps`` are the tests of the asker, in KAI's order, up to the first that fails.

    ``candidates`` stand in victim order; ``taken`` are the evictions that make enough room and are fair, empty
    where none were found; ``verdict`` tells of these, else of the first that would make room, None where none do.
    ``left_out`` are jobs that no strategy lets go once those before them went. ``firm`` tells that nothing that
    KAI's solver may try leads further; ``ordered`` that KAI itself has one order of victims, ``defined`` that it
    has one verdict.
    """

    steps: tuple[Step, ...]
    candidates: tuple[Candidate, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    taken: tuple[Eviction, ...] = ()
    verdict: Judgement | None = None
    enough: bool = False
    left_out: tuple[str, ...] = ()
    firm: bool = True
    ordered: bool = True
    defined: bool = True

    @property
    def in_turns(self) -> bool:
        """Whether KAI may turn to other jobs between pods that are taken here from one: those above its minimum."""
        return len(self.candidates) > 1 and any(eviction.surplus for eviction in self.taken)


class RemedyKind(StrEnum):
    """What a remedy changes."""

    LIMIT = "limit"
    QUOTA = "quota"
    PREEMPTIBLE = "preemptibility"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that was simulated and helps: ``outcome`` is what becomes of the job then.

    ``changes`` are fields with the values before and after; where a queue is no object, its place is None.
    """

    kind: RemedyKind
    changes: tuple[tuple[str, str, float, float, Place | None], ...]
    outcome: Outcome
    victims: int


class Placed(NamedTuple):
    """A pod, and the node that it gets."""

    pod: str
    node: str


@dataclass(frozen=True, slots=True)
class Placement:
    """What the first of KAI's actions does that does anything for a job; ``action`` is empty where none does.

    ``bound`` pods get their node now, ``waiting`` ones once others left it. Of other jobs, ``lost`` pods go and
    ``moved`` ones start again, as ``moves`` tells, on another node or GPU. ``condition`` is what KAI writes on the
    PodGroup where nothing is done.
    """

    action: str
    bound: tuple[Placed, ...] = ()
    waiting: tuple[Placed, ...] = ()
    lost: tuple[Eviction, ...] = ()
    moved: tuple[Eviction, ...] = ()
    moves: tuple[Placed, ...] = ()
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The decision for one job, of a shard.

    ``outcome`` is Unknown where something that is not modelled can touch it, or where KAI leaves it to chance;
    ``computed`` is what it is otherwise. ``gates`` are the tests before allocation in KAI's order, up to the first
    that fails. ``room`` is what is idle. ``lower`` are jobs of the same queue with a lower priority, which KAI's
    preempt action may take, ``displaced`` what it takes where reclaim finds nothing. ``misfits`` are pods larger than
    any node. ``placement`` is None where KAI does not come to it, or where it is not decided here.
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
    misfits: tuple[str, ...]
    remedies: tuple[Remedy, ...]
    fidelity: Fidelity
    placement: Placement | None = None

    @property
    def moved(self) -> tuple[Eviction, ...]:
        """Pods that start again elsewhere, to make room."""
        return self.placement.moved if self.placement else ()

    @property
    def victims(self) -> tuple[Eviction, ...]:
        """What gives way, whichever action takes it."""
        return (self.reclaim.taken if self.reclaim else ()) or self.displaced

    @property
    def proof(self) -> tuple[Step, ...]:
        """The steps that the outcome rests on."""
        return (*self.gates, *(self.reclaim.steps if self.reclaim else ()))


def failing_step(plan: Plan) -> Step | None:
    """The last test that fails; that too little is idle is no reason where the attempt to reclaim says more."""
    failing = [step for step in plan.proof if not step.holds]
    tried = plan.reclaim is not None and all(step.holds for step in plan.reclaim.steps)
    if plan.misfits or (tried and all(step.law in _IDLE for step in failing)):
        return None
    bounds = [step for step in failing if step.law not in _IDLE]
    return next(iter(bounds or failing), None)
