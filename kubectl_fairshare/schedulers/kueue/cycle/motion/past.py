"""Past usage of LocalQueues in motion: what it is once time has passed and workloads were admitted.

A figure does not change between samples, as Kueue's manager samples each LocalQueue once in an interval and when one of
its workloads is admitted.
Why samples are played one by one: half of a usage fades in an hour, whether in one step or in twelve, but Kueue rounds
each sample, so twelve leave other digits than one, and equal usages are a tie.
Source: ``CalculateDecayedConsumed`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/util/admissionfairsharing/admission_fair_sharing.go;
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/controller/core/localqueue_controller.go samples.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission_sharing import figures
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import (
    Entry,
    LocalQueueName,
    UsageLedger,
    admitted_usage,
    covered_resources,
    is_sampled,
    requests_of,
)
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_SECOND = 10**9
MOST_SAMPLES: Final = 10_000
"""Samples after which no more of them are played for their own sake, if nothing else happens meanwhile."""
MOST_FIGURES: Final = 300_000
"""Samples of single LocalQueues in one play after which one replaces all that are due."""


class PastInMotion:
    """The moments of the last samples, and the workloads that hold quota by LocalQueue.

    ``unmoved`` counts the samples since something else happened, ``_still`` are the LocalQueues that one of them left
    as they were: the next one does, too. ``is_rough``: one sample replaced several, which leaves other digits.
    """

    def __init__(self, state: State, start: int) -> None:
        self._last: dict[LocalQueueName, int] = dict.fromkeys(state.kueue.local_queues, start)
        self._held: dict[LocalQueueName, dict[str, Holder]] = {}
        self._still: set[LocalQueueName] = set()
        self._figures = 0
        self._present: dict[LocalQueueName, figures.Amounts] = {}
        self._members: tuple[KueueState, frozenset[str], Mapping[str, set[LocalQueueName]]] | None = None
        self.unmoved = 0
        self.is_rough = False

    def move(self) -> None:
        """Something other than a sample happens."""
        self._still.clear()
        self.unmoved = 0

    @property
    def is_cut_short(self) -> bool:
        """Whether no more samples are played for their own sake."""
        return self.unmoved >= MOST_SAMPLES or self._figures >= MOST_FIGURES

    def arrived(self, holder: Holder) -> None:
        """A workload has quota from now on."""
        self._forget(_name(holder))
        self._held.setdefault(_name(holder), {})[holder.uid] = holder

    def left(self, holder: Holder) -> None:
        """A workload has no quota any more."""
        self._forget(_name(holder))
        self._held[_name(holder)].pop(holder.uid, None)

    def _forget(self, name: LocalQueueName) -> None:
        """Other workloads of a LocalQueue hold quota from now on."""
        self._present.pop(name, None)
        self._members = None

    def _presence(self, name: LocalQueueName) -> figures.Amounts:
        """What the admitted workloads of a LocalQueue hold, added up once."""
        if name not in self._present:
            self._present[name] = admitted_usage(self._held.get(name, {}).values())
        return self._present[name]

    def held(self) -> Mapping[LocalQueueName, Iterable[Holder]]:
        """The workloads with quota, by LocalQueue."""
        return {name: tuple(holders.values()) for name, holders in self._held.items()}

    def next_sample(self, state: State) -> int | None:
        """The moment of the next sample; None where past usage does not count, or where no more samples are played."""
        if state.past is None or self.is_cut_short:
            return None
        moving = [last for name, last in self._last.items() if name not in self._still and _is_sampled(state, name)]
        return min(moving) + _interval(state.past) if moving else None

    def sampled(self, state: State, now: int) -> UsageLedger | None:
        """The ledger after all samples that were due by ``now``; None where past usage does not count."""
        past = state.past
        if past is None:
            return None
        interval = _interval(past)
        for name, queue in state.kueue.local_queues.items():
            if is_sampled(state.kueue, queue, state.shown_inactive):
                past = self._sampled(past, name, self._last.setdefault(name, now), now, interval)
        return past

    def _sampled(self, past: UsageLedger, name: LocalQueueName, last: int, now: int, interval: int) -> UsageLedger:
        """One sample after the other: the digits that Kueue keeps depend on the number of samples.

        One that changes nothing is the last of them that has to be made.
        """
        # Whole intervals alone: between samples a figure does not change.
        due = (now - last) // interval
        if due <= 0:
            return past
        self._last[name] = last + due * interval
        entry = past.of(name)
        consumed, before = entry.consumed, None
        present = self._presence(name)
        while due and consumed != before:
            step = 1 if self._figures < MOST_FIGURES else due
            before, consumed = consumed, figures.sampled(consumed, present, step * interval, past.sharing)
            self.is_rough |= step > 1
            self._figures += 1
            due -= step
        if past.computed(_with_consumed(entry, consumed)) == past.of(name):
            self._still.add(name)
            return past
        return past.with_entry(name, _with_consumed(entry, consumed))

    def reordered(self, state: State, after: UsageLedger) -> list[str]:
        """The ClusterQueues in which past usage orders LocalQueues otherwise than in the state: only these decide anew.

        Orders compare LocalQueues of one ClusterQueue, by the usage of those that workloads wait in or hold quota of.
        """
        before = state.past
        if before is None:
            return []
        members = self._members_of(state.kueue, after.scoped)
        return sorted(queue for queue, names in members.items() if _ranks(before, names) != _ranks(after, names))

    def _members_of(self, kueue: KueueState, scoped: frozenset[str]) -> Mapping[str, set[LocalQueueName]]:
        """The LocalQueues that point to each of the ClusterQueues, and those whose workloads hold quota there."""
        known = self._members
        if known is not None and known[0] is kueue and known[1] == scoped:
            return known[2]
        found: dict[str, set[LocalQueueName]] = {name: set() for name in scoped}
        pairs = [(name, queue.cluster_queue or "") for name, queue in kueue.local_queues.items()]
        pairs += [(name, each.cluster_queue) for name, held in self._held.items() for each in held.values()]
        for name, queue in pairs:
            if queue in found:
                found[queue].add(name)
        self._members = kueue, scoped, found
        return found

    def settled(self, state: State, cluster_queue: str, admitted: Pending, now: int) -> UsageLedger | None:
        """The ledger after a workload was admitted at once: its LocalQueue is charged with its penalty."""
        past = state.past
        if past is None or cluster_queue not in past.scoped:
            return past
        name = (admitted.key.namespace, admitted.local_queue)
        covered = covered_resources(state.kueue, cluster_queue)
        penalty = figures.entry_penalty(requests_of(admitted.pod_sets, covered), past.sharing)
        entry = self._decayed(past, name, now - self._last.get(name, now))
        self._last[name] = now
        return past.with_entry(name, _with_consumed(entry, figures.total((entry.consumed, penalty))))

    def _decayed(self, past: UsageLedger, name: LocalQueueName, nanoseconds: int) -> Entry:
        entry = past.of(name)
        return _with_consumed(entry, figures.sampled(entry.consumed, self._presence(name), nanoseconds, past.sharing))


def carried_on(before: UsageLedger, after: UsageLedger) -> UsageLedger:
    """The usage of LocalQueues that are still there, for the weights that they have after a change of the policy."""
    entries = {
        name: after.computed(replace(before.entries[name], weight=entry.weight)) if name in before.entries else entry
        for name, entry in after.entries.items()
    }
    return replace(after, entries=entries)


def _ranks(past: UsageLedger, names: Iterable[LocalQueueName]) -> dict[LocalQueueName, int]:
    """How the LocalQueues compare by usage: equal ones have one rank."""
    usages = {name: past.of(name).usage for name in names}
    places = {usage: place for place, usage in enumerate(sorted(set(usages.values())))}
    return {name: places[usage] for name, usage in usages.items()}


def _interval(past: UsageLedger) -> int:
    return int(past.sharing.sampling * _SECOND) or _SECOND


def _with_consumed(entry: Entry, consumed: figures.Consumption) -> Entry:
    return Entry(consumed, {}, entry.weight)


def _is_sampled(state: State, name: LocalQueueName) -> bool:
    queue = state.kueue.local_queues.get(name)
    return queue is not None and is_sampled(state.kueue, queue, state.shown_inactive)


def _name(holder: Holder) -> LocalQueueName:
    return holder.key.namespace, holder.local_queue
