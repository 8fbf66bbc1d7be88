"""Invariants: what no load may lead to, checked after each arrival.

- ``Entitled``: a workload within its queue's own quota gets in, after preemption at most
- ``Safe``: workloads of some queues are never preempted for those of others
- ``NoStarvation``: at rest no queue waits with work for which its own quota has room
- ``NoStarvedBurst``: at rest no queue that holds nothing waits with work that would get in alone
- ``NoCascade``: one arrival leads to so many evictions at most, and cycles come to rest
- ``NoEndlessEvictions``: no state returns between evictions, so that they would go on without end
- ``NoCrash``: the scheduler itself never stops
- ``QuotaBound``: no queue holds more than so much
Why not look at states at rest only: a workload that was preempted and came back is there at rest as before, so
evictions are looked at as they happen, after each arrival.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.search import LoopEvent
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.sandbox import Aftermath, MadeUpWork, Sandbox


class Arrival(NamedTuple):
    """One workload that arrived: the state before, and what it led to."""

    name: str
    load: MadeUpWork
    before: Sandbox
    after: Aftermath


class Invariant(Protocol):
    """What no load may lead to."""

    @property
    def text(self) -> str:
        """The invariant in a clause, as ``--never`` takes it."""

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that it names, sorted; only loads that ask for them can break it. Empty: any load may."""

    def breach(self, arrival: Arrival) -> str | None:
        """How the arrival breaks it, in a sentence; None if it does not."""


def resource_of(invariants: Iterable[Invariant]) -> str:
    """The resource that workloads ask for in a search, as the invariants name it; empty if they name none."""
    return next((resource for invariant in invariants for resource in invariant.resources), "")


def only_drawn(invariants: Iterable[Invariant], resource: str) -> Iterator[str]:
    """A sentence for each invariant that loads of ``resource`` alone cannot break."""
    for invariant in invariants:
        if invariant.resources and resource not in invariant.resources:
            named = ", ".join(invariant.resources)
            yield f"only drawn loads can break `{invariant.text}`: the others ask for no {named} (see `--resource`)"


def amounts_text(amounts: Mapping[str, int]) -> str:
    """Amounts as options take them: ``cpu=4,memory=1Gi``."""
    return ",".join(f"{resource}={amount(resource, value)}" for resource, value in sorted(amounts.items()))


def load_text(load: MadeUpWork) -> str:
    """A workload in a few words: ``4 cpu in team-a``."""
    asked = ", ".join(f"{amount(resource, value)} {resource}" for resource, value in load.total.items())
    priority = f" at priority {load.priority}" if load.priority else ""
    return f"{asked} in {load.queue}{priority}"


def _named(queues: frozenset[str], queue: str) -> bool:
    return not queues or queue in queues


class Entitled(Value, frozen=True):
    """A workload within its queue's own quota gets in; of ``queues``, or of all."""

    queues: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return "entitled waits" + (f" in {', '.join(sorted(self.queues))}" if self.queues else "")

    @property
    def resources(self) -> tuple[str, ...]:
        """It names none."""
        return ()

    def breach(self, arrival: Arrival) -> str | None:
        """The arrival waits, though its queue had room of its own for it."""
        if not _named(self.queues, arrival.load.queue) or arrival.name not in arrival.after.sandbox.waiting():
            return None
        # Before the arrival: afterwards the quota may be in use by another workload, which is what this is about.
        if not arrival.before.is_entitled(arrival.load):
            return None
        return f"{arrival.name} ({load_text(arrival.load)}) is within the queue's own quota and waits"


class Safe(Value, frozen=True):
    """Workloads of ``workloads_of`` are never preempted for those of ``by``; no queue named is every queue."""

    workloads_of: frozenset[str]
    by: frozenset[str]

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return f"{_list(self.workloads_of)} preempted by {_list(self.by)}"

    @property
    def resources(self) -> tuple[str, ...]:
        """It names none."""
        return ()

    def breach(self, arrival: Arrival) -> str | None:
        """A workload of the one was preempted for one of the other."""
        for each in arrival.after.removals:
            # Within a queue priorities decide, whatever a policy promises to queues.
            if _named(self.workloads_of, each.queue) and _named(self.by, each.by_queue) and each.queue != each.by_queue:
                return f"{each.name} of {each.queue} is preempted for {each.by} of {each.by_queue}, by {each.rule}"
        return None


def _list(queues: frozenset[str]) -> str:
    return ", ".join(sorted(queues)) or "any"


class NoStarvation(Value, frozen=True):
    """At rest no queue waits with work for which its own quota has room."""

    queues: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return "starvation" + (f" in {', '.join(sorted(self.queues))}" if self.queues else "")

    @property
    def resources(self) -> tuple[str, ...]:
        """It names none."""
        return ()

    def breach(self, arrival: Arrival) -> str | None:
        """Some workload waits at rest, though its queue has room of its own for it."""
        sandbox = arrival.after.sandbox
        if not arrival.after.rests:
            return None
        # Only at rest: in between, room may be there for a moment that the next cycle uses.
        for name, load in sorted(sandbox.waiting().items()):
            if _named(self.queues, load.queue) and sandbox.is_entitled(load):
                return f"at rest {name} ({load_text(load)}) waits, though its queue's own quota has room for it"
        return None


class NoStarvedBurst(Value, frozen=True):
    """At rest no queue that holds nothing waits with work that would get in alone.

    ``most`` bounds what is meant, by resource: a workload that asks for another resource is not. Empty: all are.
    """

    queues: frozenset[str] = frozenset()
    most: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        sizes = f" up to {amounts_text(self.most)}" if self.most else ""
        return "starved burst" + (f" in {', '.join(sorted(self.queues))}" if self.queues else "") + sizes

    @property
    def resources(self) -> tuple[str, ...]:
        """Those that it bounds."""
        return tuple(sorted(self.most))

    def breach(self, arrival: Arrival) -> str | None:
        """Some workload waits, its queue holds nothing, and alone it would run."""
        sandbox = arrival.after.sandbox
        for name, load in sorted(sandbox.waiting().items()):
            # A queue that holds something, or whose work ran and was preempted, was not starved.
            has_its_turn = name in arrival.after.ran or sandbox.used(load.queue)
            if not _named(self.queues, load.queue) or has_its_turn or not self._is_meant(load):
                continue
            # Work that waits even without any other is too large, not starved.
            alone = sandbox.idle().submitted(name, load)
            if name not in alone.sandbox.waiting():
                cycles = count(arrival.after.cycles, "cycle")
                return f"after {cycles} {name} ({load_text(load)}) still waits, and its queue holds nothing"
        return None

    def _is_meant(self, load: MadeUpWork) -> bool:
        return not self.most or all(amount <= self.most.get(resource, 0) for resource, amount in load.total.items())


class NoCascade(Value, frozen=True):
    """One arrival leads to ``most`` evictions at most, what is preempted may come back, and cycles come to rest."""

    most: int

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return f"cascade > {self.most}"

    @property
    def resources(self) -> tuple[str, ...]:
        """It names none."""
        return ()

    def breach(self, arrival: Arrival) -> str | None:
        """More evictions, or cycles without end."""
        removals = arrival.after.removals
        if not arrival.after.rests:
            # Whatever the bound: evictions without end are more than any number.
            pair = next(((one.name, one.by) for one in reversed(removals)), None)
            between = f": {pair[0]} and {pair[1]} evict each other" if pair is not None else ""
            return f"after {arrival.name} ({load_text(arrival.load)}) the cycles never come to rest{between}"
        if len(removals) <= self.most:
            return None
        names = ", ".join(f"{each.name} for {each.by}" for each in removals)
        return f"{arrival.name} ({load_text(arrival.load)}) leads to {count(len(removals), 'eviction')}: {names}"


class NoEndlessEvictions(Value, frozen=True):
    """No state returns between evictions: workloads do not take turns at evicting each other without end."""

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return "endless evictions"

    @property
    def resources(self) -> tuple[str, ...]:
        """It names none."""
        return ()

    def breach(self, arrival: Arrival) -> str | None:
        """The evictions between two equal states."""
        if not arrival.after.removals:
            return None  # victims stop at some pace only if there are any
        loop = arrival.before.loop(arrival.name, arrival.load)
        if loop is None:
            return None
        evictions = [each for each in loop.steps if each.event is LoopEvent.EVICTED]
        pairs = dict.fromkeys(f"{each.by} evicts {each.name}" for each in evictions)
        often = count(len(evictions), "eviction")
        return f"after {arrival.name} ({load_text(arrival.load)}) a state returns after {often}: {', '.join(pairs)}"


class NoCrash(Value, frozen=True):
    """The scheduler goes on: no load makes it stop, for all queues."""

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return "crashes"

    @property
    def resources(self) -> tuple[str, ...]:
        """It names none."""
        return ()

    def breach(self, arrival: Arrival) -> str | None:
        """How the scheduler stops."""
        return arrival.after.stops or None


class QuotaBound(Value, frozen=True):
    """A queue holds no more than ``most``, by resource."""

    queue: str
    most: Mapping[str, int]

    @property
    def text(self) -> str:
        """The invariant as ``--never`` takes it."""
        return f"{self.queue} > {amounts_text(self.most)}"

    @property
    def resources(self) -> tuple[str, ...]:
        """Those that it bounds."""
        return tuple(sorted(self.most))

    def breach(self, arrival: Arrival) -> str | None:
        """The queue holds more."""
        held = held_by_resource(arrival.after.sandbox, self.queue)
        for resource, most in sorted(self.most.items()):
            if held.get(resource, 0) > most:
                return f"{self.queue} holds {amount(resource, held[resource])} {resource}"
        return None


def held_by_resource(sandbox: Sandbox, queue: str) -> dict[str, int]:
    """What a queue holds of each resource, over all pools."""
    held: dict[str, int] = {}
    # Over all pools: a bound names a resource, and not where it comes from.
    for (_, resource), value in sandbox.used(queue).items():
        held[resource] = held.get(resource, 0) + value
    return held
