"""The search itself: tasks that can run anywhere, what each found, and the smallest load that breaks an invariant.

A task goes through all sequences that begin with some workloads, or through some drawn ones. What is counted is each
arrival that was decided.
Why not one walk through all sequences: tasks run on all processors, and none counts what a shorter one has counted.
Example: of 10 kinds, all sequences of 3 workloads are 100 tasks of 10 arrivals that count.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.policy.search.invariants import Arrival, Invariant
from kubectl_fairshare.policy.search.loads import LoadSpace, SeededNumbers, draw_work, names
from kubectl_fairshare.schedulers.sandbox import EvictionLoop, MadeUpWork, Sandbox


class Counterexample(NamedTuple):
    """A sequence of workloads whose last one breaks the ``invariant``-th invariant, and how."""

    invariant: int
    loads: tuple[MadeUpWork, ...]
    breach: str


class Outcomes(NamedTuple):
    """What one task decided, the first counterexample to each invariant, and what the decisions rest on."""

    states: int
    found: tuple[Counterexample, ...]
    doubts: tuple[Gap, ...] = ()


class SearchTask(Value, frozen=True):
    """All sequences of ``length`` that begin with the kinds in ``prefix``; or ``number`` drawn ones from ``seed`` on.

    Of the prefix itself only the last arrival counts: others are counted by shorter tasks.
    """

    prefix: tuple[int, ...] = ()
    length: int = 0
    seed: int = 0
    number: int = 0
    most: int = 0


def systematic_tasks(space: LoadSpace, length: int) -> Iterator[SearchTask]:
    """The tasks that together go through all sequences of one length."""
    # Two workloads: enough tasks for all processors, and each goes on from one state after them.
    width = min(2, length - 1)
    for prefix in product(range(len(space.kinds)), repeat=width):
        yield SearchTask(prefix, length)


def random_tasks(seed: int, total: int, most: int, each: int = 20) -> Iterator[SearchTask]:
    """The tasks that together draw ``total`` sequences of up to ``most`` workloads."""
    for number in range(0, total, each):
        yield SearchTask(seed=seed + number, number=min(each, total - number), most=most)


def carried_out(task: SearchTask, sandbox: Sandbox, space: LoadSpace, invariants: Sequence[Invariant]) -> Outcomes:
    """What the task finds."""
    run = _TaskRun(sandbox, invariants)
    if task.number:
        for number in range(task.number):
            # A seed for each sequence, not for each task: the same are drawn however they are split.
            run.whole(draw_work(space, SeededNumbers((task.seed + number) * 0x2545F491), task.most))
    else:
        run.all_after([space.kinds[i] for i in task.prefix], task.length, space.kinds)
    return Outcomes(run.states, tuple(run.found.values()), tuple(run.doubts))


class _TaskRun:
    """Arrivals one after another, each checked against all invariants that hold so far."""

    def __init__(self, sandbox: Sandbox, invariants: Sequence[Invariant]) -> None:
        self.states = 0
        self.found: dict[int, Counterexample] = {}
        self.doubts: dict[Gap, None] = {}
        self._start = sandbox
        self._invariants = invariants

    def whole(self, loads: Sequence[MadeUpWork]) -> None:
        """One sequence from beginning to end."""
        sandbox, before = self._start, list[MadeUpWork]()
        for name, load in zip(names(), loads, strict=False):
            before.append(load)
            sandbox = self._arrive(sandbox, name, before)

    def all_after(self, prefix: Sequence[MadeUpWork], length: int, kinds: Sequence[MadeUpWork]) -> None:
        """All sequences of the length that begin so; only arrivals at that length are checked."""
        sandbox = self._start
        for name, load in zip(names(), prefix, strict=False):
            sandbox = sandbox.submitted(name, load).sandbox
        self._deepen(sandbox, list(prefix), length, kinds)

    def _deepen(self, sandbox: Sandbox, before: list[MadeUpWork], length: int, kinds: Sequence[MadeUpWork]) -> None:
        name = f"w{len(before) + 1}"
        for load in kinds:
            loads = [*before, load]
            if len(loads) == length:
                self._arrive(sandbox, name, loads)
            else:
                self._deepen(sandbox.submitted(name, load).sandbox, loads, length, kinds)

    def _arrive(self, before: Sandbox, name: str, loads: Sequence[MadeUpWork]) -> Sandbox:
        self.states += 1
        arrival = Arrival(name, loads[-1], before, before.submitted(name, loads[-1]))
        self.doubts |= dict.fromkeys(arrival.after.sandbox.doubts)
        for number, invariant in enumerate(self._invariants):
            # One for each invariant is enough: it is shrunk afterwards.
            if number not in self.found and (breach := invariant.breach(arrival)) is not None:
                self.found[number] = Counterexample(number, tuple(loads), breach)
        return arrival.after.sandbox


def first_breach(sandbox: Sandbox, loads: Iterable[MadeUpWork], invariant: Invariant) -> tuple[int, str] | None:
    """After how many arrivals the sequence breaks the invariant, and how; None if it never does."""
    for number, (name, load) in enumerate(zip(names(), loads, strict=False), 1):
        after = sandbox.submitted(name, load)
        breach = invariant.breach(Arrival(name, load, sandbox, after))
        if breach is not None:
            return number, breach
        sandbox = after.sandbox
    return None


def loop_after(sandbox: Sandbox, loads: Sequence[MadeUpWork]) -> EvictionLoop | None:
    """The loop of evictions to which the last of these workloads leads, if they arrive one after another."""
    *before, last = zip(names(), loads, strict=False)
    for name, load in before:
        sandbox = sandbox.submitted(name, load).sandbox
    return sandbox.loop(*last)


def doubts_after(sandbox: Sandbox, loads: Iterable[MadeUpWork]) -> tuple[Gap, ...]:
    """What the decisions about these workloads rest on, if they arrive one after another."""
    for name, load in zip(names(), loads, strict=False):
        sandbox = sandbox.submitted(name, load).sandbox
    return sandbox.doubts


def shrunk(sandbox: Sandbox, found: Counterexample, invariant: Invariant, units: Mapping[str, int]) -> Counterexample:
    """The smallest load that can be reached by leaving workloads out and making them smaller, and still breaks it."""
    best = found
    while (smaller := _smaller(sandbox, best, invariant, units)) is not None:
        best = smaller
    return best


def _smaller(
    sandbox: Sandbox, found: Counterexample, invariant: Invariant, units: Mapping[str, int]
) -> Counterexample | None:
    for candidate in _candidates(found.loads, units):
        breach = first_breach(sandbox, candidate, invariant)
        if breach is not None:
            # What comes after the breach is left out at once, and the breach may be another one of the same invariant.
            return Counterexample(found.invariant, tuple(candidate[: breach[0]]), breach[1])
    return None


def _candidates(loads: Sequence[MadeUpWork], units: Mapping[str, int]) -> Iterator[list[MadeUpWork]]:
    """Smaller loads, those first that are much smaller."""
    for i in range(len(loads)):
        # A workload less first: no other step makes the load as much smaller.
        yield [*loads[:i], *loads[i + 1 :]]
    for i, load in enumerate(loads):
        if load.priority:
            yield [*loads[:i], MadeUpWork(load.queue, load.request, load.count, 0), *loads[i + 1 :]]
        for size in _sizes_below(load, units):
            yield [*loads[:i], MadeUpWork(load.queue, size, load.count, load.priority), *loads[i + 1 :]]


def _sizes_below(load: MadeUpWork, units: Mapping[str, int]) -> Iterator[dict[str, int]]:
    for resource, amount in load.request.items():
        unit = units.get(resource, 1)
        if len(load.request) > 1:
            yield {name: each for name, each in load.request.items() if name != resource}
        # Halves get small in few steps, and a unit less makes the end exact.
        for less in sorted({unit, amount // 2 // unit * unit, amount - unit}):
            if 0 < less < amount:
                yield {**load.request, resource: less}


RunAll = Callable[[Iterable[SearchTask]], Iterator[Outcomes]]
"""Runs tasks and yields their results, in the order of the tasks."""


class SearchBounds(Value, frozen=True):
    """How far a search goes: all sequences of ``systematic`` workloads, then ``random`` ones of up to ``most``."""

    systematic: int = 4
    random: int = 2000
    most: int = 12
    seed: int = 1


class SearchResults(Value, frozen=True):
    """What a search covered, and a counterexample for each invariant that does not hold.

    ``lengths`` are the lengths of which all sequences were decided; ``partly`` the one at which time ran out, 0 for
    none. ``drawn`` counts drawn sequences, ``states`` all arrivals. ``doubts`` are what their decisions rest on.
    """

    space: LoadSpace
    states: int
    systematic_states: int
    lengths: int
    partly: int
    drawn: int
    counterexamples: tuple[Counterexample, ...]
    doubts: tuple[Gap, ...] = ()


def search(
    space: LoadSpace,
    reach: SearchBounds,
    invariants: Sequence[Invariant],
    run_all: RunAll,
    out_of_time: Callable[[], bool],
    report_done: Callable[[int, int], None] = lambda *_: None,
) -> SearchResults:
    """Goes through ever longer sequences, then drawn ones, until every invariant is broken or time is over.

    ``report_done`` is called with how many sequences have been tried, of how many.
    """
    every = sum(len(space.kinds) ** length for length in range(1, reach.systematic + 1)) + reach.random
    found: dict[int, Counterexample] = {}
    doubts: dict[Gap, None] = {}
    states, lengths, partly, drawn_ones = 0, 0, 0, 0

    def take(outcomes: Outcomes) -> None:
        nonlocal states
        states += outcomes.states
        doubts.update(dict.fromkeys(outcomes.doubts))
        for each in outcomes.found:
            found.setdefault(each.invariant, each)

    def over() -> bool:
        return len(found) == len(invariants) or out_of_time()

    for length in range(1, reach.systematic + 1):
        if over():
            break
        whole = True
        for outcomes in run_all(systematic_tasks(space, length)):
            take(outcomes)
            report_done(states, every)
            if over():
                whole = False
                break
        lengths, partly = (length, 0) if whole else (lengths, length)
    systematic_states = states
    if not over():
        for task, outcomes in zip(
            random_tasks(reach.seed, reach.random, reach.most),
            run_all(random_tasks(reach.seed, reach.random, reach.most)),
            strict=False,
        ):
            take(outcomes)
            drawn_ones += task.number
            report_done(systematic_states + drawn_ones, every)
            if over():
                break
    ordered = tuple(found[number] for number in sorted(found))
    return SearchResults(space, states, systematic_states, lengths, partly, drawn_ones, ordered, tuple(doubts))


def answer_doubts(
    sandbox: Sandbox, found: SearchResults, least: Sequence[Counterexample], invariants: int
) -> tuple[Gap, ...]:
    """What the answer rests on: the counterexamples, and, if some of the ``invariants`` hold, all that was decided."""
    if len(least) < invariants:
        return found.doubts
    return tuple(dict.fromkeys(gap for each in least for gap in doubts_after(sandbox, each.loads)))
