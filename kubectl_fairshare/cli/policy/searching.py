"""Searches over all cores: what a worker needs travels as bytes, and each worker reads it once."""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.cli.policy.workers import Crew, Workers
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.policy.search.invariants import Invariant, resource_of
from kubectl_fairshare.policy.search.loads import LoadSpace, space_of
from kubectl_fairshare.policy.search.reading import invariant_called
from kubectl_fairshare.policy.search.search import Counterexample, Outcomes, RunAll, SearchTask, carried_out
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox
from kubectl_fairshare.schedulers.scheduler import Sources

_ALONE: Final = 3.0
"""Seconds before workers are started."""
_Plain = tuple[int, list[tuple[int, list[tuple[str, dict[str, int], int, int]], str]], list[tuple[str, str]]]


class PortablePolicy(NamedTuple):
    """All that a worker needs to search: it makes the same sandbox, loads and invariants of it on any machine.

    ``busy``: loads arrive next to the work of the input.
    """

    manifests: tuple[Manifest, ...]
    unread: frozenset[str]
    complete: bool
    deleted: frozenset[ObjectKey]
    scheduler: str
    settings: Mapping[str, Any]
    never: tuple[str, ...]
    resource: str
    sizes: tuple[int, ...]
    queues: tuple[str, ...]
    releases: Mapping[str, str]
    busy: bool = False


class Prepared(NamedTuple):
    """A policy as a worker searches it."""

    sandbox: Sandbox
    space: LoadSpace
    invariants: tuple[Invariant, ...]
    fidelity: Fidelity


def prepare(policy: PortablePolicy) -> Prepared:
    """The sandbox of the policy, its loads and its invariants. Raises ``UsageError`` for wrong words."""
    from kubectl_fairshare.input.assemble import assemble

    of = policy
    complete, deleted, releases = of.complete, of.deleted, dict(of.releases)
    schedulers = known_schedulers()
    snapshot = assemble(
        of.manifests, schedulers, of.unread, complete=complete, deleted=deleted, releases=releases
    ).snapshot
    scheduler = scheduler_named(of.scheduler)
    adjusted = scheduler.adjusted(snapshot, of.settings, Sources(None, 1 << 30)).snapshot
    opened = scheduler.review.sandbox(adjusted)
    sandbox = opened if of.busy else opened.idle()
    queues = [found for name in of.queues if (found := sandbox.queue_called(name)) is not None]
    invariants = tuple(invariant_called(text, sandbox) for text in of.never)
    space = space_of(sandbox, of.resource or resource_of(invariants), of.sizes, queues)
    return Prepared(sandbox, space, invariants, scheduler.review.fidelity(adjusted))


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Prepared:
    return prepare(pickle.loads(packed))


def task_outcomes(packed: bytes, task: tuple[object, ...]) -> _Plain:
    """What one task finds, in plain values: this runs in a worker."""
    ready = _unpacked(packed)
    found = carried_out(SearchTask(*task), ready.sandbox, ready.space, ready.invariants)  # type: ignore[arg-type]
    broken = [(each.invariant, [_work(w) for w in each.loads], each.breach) for each in found.found]
    return found.states, broken, [(gap.feature, gap.subject) for gap in found.doubts]


def _work(of: MadeUpWork) -> tuple[str, dict[str, int], int, int]:
    return of.queue, dict(of.request), of.count, of.priority


def _outcomes(plain: _Plain) -> Outcomes:
    states, found, doubts = plain
    made = ((number, tuple(MadeUpWork(*each) for each in loads), breach) for number, loads, breach in found)
    gaps = tuple(Gap(feature, (), touches=True, subject=subject) for feature, subject in doubts)
    return Outcomes(states, tuple(Counterexample(*each) for each in made), gaps)


def here(ready: Prepared) -> RunAll:
    """Tasks are carried out one after another in this process."""
    return lambda tasks: (carried_out(task, ready.sandbox, ready.space, ready.invariants) for task in tasks)


@contextmanager
def everywhere(policy: PortablePolicy, ready: Prepared, workers: Workers) -> Iterator[RunAll]:
    """Tasks are carried out by workers, or here, until the block ends; results come in the order of the tasks.

    The first seconds are spent in this process: most searches end before workers have started, and then they start
    once. Raises ``UsageError`` where what the backend needs is not installed, or if workers die again and again.
    """
    if workers.are_here:
        yield here(ready)
        return
    workers.check()
    starting = until(_ALONE if workers.backend == "loky" else 0)
    with ExitStack() as started:
        crew = Crew(task_outcomes, pickle.dumps(policy), workers, started)

        def run(tasks: Iterable[SearchTask]) -> Iterator[Outcomes]:
            left = iter(tasks)
            for task in left:
                if starting():
                    yield from map(_outcomes, crew.results(map(_plain, chain((task,), left))))
                    return
                yield carried_out(task, ready.sandbox, ready.space, ready.invariants)

        yield run


def _plain(task: SearchTask) -> tuple[object, ...]:
    return task.prefix, task.length, task.seed, task.number, task.most


def until(seconds: float) -> Callable[[], bool]:
    """What says whether so many seconds have passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def seconds_since(start: float) -> float:
    """The time since a moment of this clock."""
    return time.monotonic() - start


def moment() -> float:
    """A moment of the clock that measures speed."""
    return time.monotonic()
