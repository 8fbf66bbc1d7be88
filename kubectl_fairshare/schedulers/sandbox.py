"""A scheduler on one state to which made-up work is submitted, for ``test``, ``capacity`` and ``search``.

Values in, values out: a submission makes another sandbox and leaves the first as it was. Amounts are in the units of
``model.amounts``. Tested in ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Sized
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, TypeVar

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.search import LoopEvent, LoopStep
from kubectl_fairshare.jobs.node_demand import NodeDemand
from kubectl_fairshare.model.errors import AbsentSubjectError, Problem
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.values import Value, replace

AnyPod = TypeVar("AnyPod", bound="SubmittedPod")
_NO_HINTS: Final[Mapping[tuple[str, str], tuple[int, ...]]] = {}
MOST_COPIES: Final = 1000
"""The most copies of a workload that are counted."""
MOST_STEPS: Final = 1_500_000
"""Figures of one answer, times the objects that each is decided on, where that is the whole state."""
MOST_SESSION_STEPS: Final = 30_000
"""The same where each figure takes two dozen sessions of a scheduler."""
EVERY_TAINT: Final = (Toleration(operator="Exists"),)
_NO_BOUND: Final[int | None] = None
_MOST_CYCLES: Final = 256


class Site(Value, frozen=True):
    """A queue to which work can be submitted.

    ``guaranteed`` is its own quota and ``most`` what it can ever hold, by pool and resource; None for no bound. A pool
    is a flavor; its name is empty where the scheduler has none.
    ``prioritised``: work of it may have priorities. ``unbounded`` are the pools and resources of which its own quota
    has no bound.
    """

    queue: str
    guaranteed: Mapping[tuple[str, str], int]
    most: Mapping[tuple[str, str], int | None]
    prioritised: bool = True
    unbounded: tuple[tuple[str, str], ...] = ()

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that it has quota for, sorted."""
        return tuple(sorted({resource for _, resource in self.guaranteed}))


class MadeUpWork(Value, frozen=True):
    """A made-up workload: ``count`` pods in a queue, each with this ``request``; by default for all taints."""

    queue: str
    request: Mapping[str, int]
    count: int = 1
    priority: int = 0
    tolerations: tuple[Toleration, ...] = EVERY_TAINT

    def __hash__(self) -> int:
        return hash((self.queue, self.count, self.priority))

    @property
    def demand(self) -> NodeDemand:
        """What its pods demand of a node."""
        return NodeDemand(tolerations=self.tolerations)

    @property
    def total(self) -> dict[str, int]:
        """What all its pods ask for."""
        return {resource: amount * self.count for resource, amount in self.request.items()}


class PromisedQuotas(NamedTuple):
    """What quotas promise together, by resource; ``of`` names what is added up, so that a tree counts once.

    ``names`` are other names, of resources for which something else is added up.
    """

    of: str
    amounts: Mapping[str, int]
    names: Mapping[str, str] = MappingProxyType({})


class Removal(NamedTuple):
    """A workload that was preempted, and for which other one; ``rule`` is the scheduler's, in a few words."""

    name: str
    queue: str
    by: str
    by_queue: str
    rule: str


class EvictionLoop(NamedTuple):
    """The steps between two equal states, so that they go on without end; ``pace`` says when the pods of victims stop.

    Cycles count from the first of the loop.
    """

    steps: tuple[LoopStep, ...]
    pace: str


def loop_since(steps: Sequence[LoopStep], pace: str) -> EvictionLoop | None:
    """The steps as a loop that begins with an eviction; None if nothing is evicted in them."""
    start = next((place for place, each in enumerate(steps) if each.event is LoopEvent.EVICTED), None)
    if start is None:
        return None
    first = steps[start].cycle
    period = max(each.cycle for each in steps) - min(each.cycle for each in steps) + 1
    turned = (*steps[start:], *steps[:start])
    return EvictionLoop(tuple(replace(each, cycle=(each.cycle - first) % period + 1) for each in turned), pace)


AT_ONCE: Final = "the pods of victims stop at once"


class Aftermath(NamedTuple):
    """What a submission led to. ``rests`` is False if the cycles repeat for ever, or did not end in time.

    ``ran`` are workloads that ran for a time, where turns are taken, whether or not they run at the end. ``stops`` is
    how the scheduler itself stops, in a sentence; empty if it goes on. ``loop``: a state returned, by these steps.
    """

    sandbox: "Sandbox"
    removals: tuple[Removal, ...]
    rests: bool
    cycles: int
    ran: frozenset[str] = frozenset()
    stops: str = ""
    loop: EvictionLoop | None = None


class SizeSpan(NamedTuple):
    """Amounts from ``least`` to ``most`` that are decided in the same way; those up to ``reached`` get in."""

    least: int
    most: int
    reached: int


class Sizes(Protocol):
    """How amounts of one resource are decided, for many at once. Only hints: a figure rests on rulings."""

    @property
    def start(self) -> int:
        """Where to look first."""

    def around(self, amount: int, within: tuple[int, int], unit: int) -> SizeSpan | None:
        """The amounts that are decided as this one is; None where that is not known.

        Only those ``within`` two bounds; its ends may be up to a ``unit`` too near.
        """


class Ruling(NamedTuple):
    """What would become of one more workload now. ``victims`` name workloads, ``queues`` the victims' queues.

    ``what_binds`` says which limits keep it out; empty if nothing does. Most rulings are never asked for it.
    ``within`` is asked for the most of its first resource that a search for victims came to, if there was one: a hint,
    as are ``sizes``, which are about workloads that ask for one resource in one pod.
    ``gaps`` are features that are not modelled. ``chance`` says what else the outcome or the queues rest on: on chance,
    and on doubts about the state. Few rulings are asked for it, as it may take searches of its own.
    """

    outcome: Outcome
    victims: tuple[str, ...] = ()
    queues: tuple[str, ...] = ()
    what_binds: Callable[[], str] = str
    within: Callable[[], int | None] = type(None)
    gaps: tuple[Gap, ...] = ()
    sizes: Sizes | None = None
    chance: Callable[[], tuple[Gap, ...]] = tuple


def ruling_of(answer: Answer[PlanDetail], queues: Iterable[str]) -> Ruling:
    """The ruling that an answer gives; ``queues`` are those of its victims."""
    victims = tuple(dict.fromkeys(f"{each.key.namespace}/{each.key.name}" for each in answer.victims))
    what_binds = partial(_what_binds, answer)
    return Ruling(answer.computed, victims, tuple(sorted(set(queues))), what_binds, gaps=answer.fidelity.gaps)


def _what_binds(answer: Answer[PlanDetail]) -> str:
    """The limits that bind, otherwise why the work stays out: nodes are not limits."""
    if answer.binding or answer.computed not in (Outcome.WAITS, Outcome.NEVER):
        return "; ".join(limit.clause for limit in answer.binding)
    return answer.verdict.partition(": ")[2]


class Sandbox(Protocol):
    """One state with work that was submitted to it."""

    @property
    def sites(self) -> Sequence[Site]:
        """The queues, by name."""

    @property
    def notes(self) -> Sequence[str]:
        """What is presumed because the input lacks it."""

    @property
    def doubts(self) -> tuple[Gap, ...]:
        """What the decisions that led to this state rest on: chance, and features that are not modelled."""

    @property
    def single_pods(self) -> bool:
        """Whether a workload is one pod: the scheduler decides about each pod alone."""

    @property
    def most_figures(self) -> int | None:
        """How many queues and resources can be asked about at once, where each goes through the state; None for all."""

    def most_copies(self, figures: int) -> int:
        """How many copies are counted at most for each of so many figures."""

    @property
    def promised(self) -> PromisedQuotas:
        """What all quotas promise together; no amount counts twice."""

    def submitted(self, name: str, load: MadeUpWork) -> Aftermath:
        """The state once the workload has arrived and cycles have run to rest; who is preempted queues again."""

    def loop(self, name: str, load: MadeUpWork) -> EvictionLoop | None:
        """A loop of evictions to which the arrival of the workload leads, exactly decided; None if none is known.

        Where pods of victims may stop one after the other, that is tried, too.
        """

    def queue_called(self, name: str) -> str | None:
        """The queue that users call so; None for an unknown name."""

    def placed(self, name: str, load: MadeUpWork, pool: str = "") -> "Sandbox":
        """The state in which the workload runs, whether or not the scheduler would let it in.

        Raises ``UsageError`` where it cannot run at all: an unknown pool, or no node that takes it.
        """

    def answer(self, load: MadeUpWork) -> Answer[PlanDetail]:
        """The decision for the workload as the head of its queue now, with its explanation."""

    def share(self, queue: str) -> float | None:
        """The number by which the scheduler orders the queue among its siblings; None if it has none."""

    def doubts_about(self, load: MadeUpWork) -> tuple[Gap, ...]:
        """What the decision on one more workload rests on, of the decisions that led to this state."""

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:
        """The outcome of the workload as the head of its queue now; in one ``pool`` alone if that is named."""

    @property
    def enters_as_ruled(self) -> bool:
        """Whether ``entry`` is ``ruling``: where something is preempted for a workload, it waits first in any case."""

    def entry(self, load: MadeUpWork, pool: str = "") -> Ruling:
        """The outcome of the workload now if nothing is preempted for it."""

    def copies(self, load: MadeUpWork, pool: str, most: int) -> int:
        """How many such workloads get in now, one after another and without preemption; at most ``most``."""

    def hints(self, queue: str) -> Mapping[tuple[str, str], Sequence[int]]:
        """Amounts, by pool and resource, at which room may end: where to look first, and nothing more."""

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a queue holds, by pool and resource."""

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether the queue stays within its own quota with the workload."""

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "Sandbox":
        """The state with more of the queue's own quota, by pool and resource, and without work that waits.

        A limit of the queue that is below its raised quota is raised to it.
        """

    def waiting(self) -> Mapping[str, MadeUpWork]:
        """The submitted workloads that wait, by name."""

    def idle(self) -> "Sandbox":
        """The same policy with no work at all."""


class CountedOneByOne:
    """How many copies get in, for schedulers without pools: each is placed before the next is asked about.

    Victims stop at once.
    """

    __slots__ = ()

    def loop(self: Sandbox, name: str, load: MadeUpWork) -> EvictionLoop | None:
        """The loop of its cycles, where what they rest on is known."""
        after = self.submitted(name, load)
        return None if after.sandbox.doubts else after.loop

    @property
    def most_figures(self) -> int | None:
        """All of them."""
        return _NO_BOUND

    @property
    def enters_as_ruled(self) -> bool:
        """Yes."""
        return True

    def most_copies(self, figures: int) -> int:  # noqa: ARG002 -- each takes little
        """As many as are ever counted: a copy is a pod."""
        return MOST_COPIES

    def entry(self: Sandbox, load: MadeUpWork, pool: str = "") -> Ruling:
        """The outcome of the work if it is taken up now: without preemption it waits where it preempts."""
        return self.ruling(load, pool)

    def copies(self: Sandbox, load: MadeUpWork, pool: str, most: int) -> int:
        """How many such workloads get in now, one after another and without preemption; at most ``most``."""
        sandbox = self
        for number in range(most):
            if sandbox.entry(load, pool).outcome is not Outcome.ADMITTED:
                return number
            sandbox = sandbox.placed(f"copy-{number + 1}", load, pool)
        return most

    def hints(self, queue: str) -> Mapping[tuple[str, str], tuple[int, ...]]:  # noqa: ARG002 -- it has none
        """None: it has no amounts besides the quotas and limits of all schedulers."""
        return _NO_HINTS


class SubmittedPod(Protocol):
    """A pod that waits in a sandbox."""

    @property
    def uid(self) -> str:
        """The identity; no other pod has it."""

    @property
    def priority(self) -> int:
        """The priority."""

    @property
    def start(self) -> int:
        """The moment from which on it waits, in nanoseconds."""


def is_scattered(nodes: Sized, scattered: Sized, choices: Sized, *, by_quota: bool) -> bool:
    """Whether a pod may be on another of the nodes than the one that it gets here.

    It gets one of the ``choices``, if there are any. One that preempts only because a quota rejects it (``by_quota``)
    may get any node once its victims are gone. The only one with room need not be that if earlier pods, those that are
    ``scattered``, are elsewhere.
    """
    may = len(scattered) or len(choices) > 1 or (len(choices) and by_quota)
    return len(nodes) > 1 and bool(may)


class PlacedStep(NamedTuple):
    """A pod that was placed, its queue, and those that had to leave for it."""

    name: str
    queue: str
    removals: Sequence[Removal] = ()


class RestCourse(NamedTuple):
    """How trying pods ended: whether at rest, after how many attempts, and the loop if a state returned."""

    rests: bool
    cycles: int
    loop: EvictionLoop | None = None


def tried_to_rest(
    waiting: list[AnyPod],
    attempt: Callable[[AnyPod], bool],
    placed: Callable[[], Hashable],
    steps: Sequence[PlacedStep],
) -> RestCourse:
    """Tries pods by priority, then age, until none is placed, or until a state returns.

    ``attempt`` says whether a pod is placed; it takes the pod out of ``waiting`` and adds its victims. ``placed`` is
    where pods are; ``steps`` are those that it placed.
    """
    seen: dict[Hashable, int] = {}
    cycles = 0
    while True:
        picture, moved = (frozenset(pod.uid for pod in waiting), placed()), False
        if picture in seen:
            return RestCourse(False, cycles, loop_since(_loop_steps(steps[seen[picture] :]), AT_ONCE))
        seen[picture] = len(steps)
        for pod in sorted(waiting, key=lambda p: (-p.priority, p.start)):
            if pod in waiting:
                cycles += 1
                moved = attempt(pod) or moved
        if not moved or cycles > _MOST_CYCLES:
            return RestCourse(not moved, cycles)


def _loop_steps(steps: Sequence[PlacedStep]) -> list[LoopStep]:
    found: list[LoopStep] = []
    for number, (name, queue, removals) in enumerate(steps, 1):
        found += [LoopStep(number, LoopEvent.EVICTED, r.name, r.queue, r.by, r.by_queue, r.rule) for r in removals]
        found.append(LoopStep(number, LoopEvent.STARTS, name, queue))
    return found


def queue_named(name: str, sandbox: Sandbox, place: Location | str) -> str:
    """The queue that a word at ``place`` names. Raises ``AbsentSubjectError`` with near names for an unknown one."""
    found = sandbox.queue_called(name)
    if found is None:
        known = [site.queue for site in sandbox.sites]
        remedy = did_you_mean(likely(name, known, 2)) or f"queues are {quoted(known[:8])}"
        raise AbsentSubjectError(Problem(f"there is no queue `{name}`", place, remedy))
    return found
