"""Whether a set of victims is fair: a strategy allows each, and the reclaimer's side stays behind its siblings.

Victims are items: pods that leave together. Items of one queue are judged in order; queues in the order of their
arrival, the most frequent one of KAI's map.
Why victims are judged one after another and not as a sum: a queue that holds 6 with a fair share of 4 may lose two
victims of 1. The third would bring it below its share, and makes the whole set unfair.
Source: https://github.com/NVIDIA/KAI-Scheduler/tree/v0.17.0/pkg/scheduler/plugins/proportion/reclaimable,
"kai validation" in ``docs/laws.md``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.fairness import saturation, stays_behind
from kubectl_fairshare.schedulers.kai.model.amounts import charged, minus, plus, within
from kubectl_fairshare.schedulers.kai.model.objects import (
    DEFAULT_SUB_GROUP,
    UNLIMITED,
    Allocated,
    Charge,
    Requested,
    Resources,
)
from kubectl_fairshare.schedulers.kai.reclaim.strategies import allowing_strategies, compared_queues
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session


class Asker(NamedTuple):
    """The side that reclaims."""

    queue: str
    request: Charge
    preemptible: bool


class JudgedItem(Value, frozen=True):
    """One item: the compared queues, what the victim's side holds before it leaves, the strategy that allows it."""

    queue: str
    item: Charge
    asker: str
    victim: str
    held: Resources
    by_share: bool
    by_quota: bool

    @property
    def allowed(self) -> bool:
        """Whether a strategy allows it."""
        return self.by_share or self.by_quota


class Compared(Value, frozen=True):
    """A queue above the reclaimer, compared with a sibling that has victims: their saturation in one resource."""

    queue: str
    sibling: str
    resource: int
    ours: float
    theirs: float
    multiplier: float
    allowed: bool


class QuotaCheck(Value, frozen=True):
    """The non-preemptible jobs of a queue above the reclaimer, compared with its quota."""

    queue: str
    held: Resources
    quota: Resources
    allowed: bool


class FairnessVerdict(Value, frozen=True):
    """Whether the victims are fair, and every comparison up to the first that fails."""

    allowed: bool
    judged: tuple[JudgedItem, ...]
    compared: tuple[Compared | QuotaCheck, ...] = ()


Victims = Mapping[str, Sequence[Charge]]


def items_of(job: Job, tasks: Sequence[GangPod]) -> list[Charge]:
    """The pods that a job loses as items: each pod above its minimum alone, then the rest of the job as one."""
    sets: dict[str, list[GangPod]] = {}
    for task in tasks:
        sets.setdefault(task.pod.sub_group or DEFAULT_SUB_GROUP, []).append(task)
    core: list[GangPod] = []
    surplus: list[GangPod] = []
    for name in sets:
        minimum = max(job.pod_sets[name].minimum, 0)
        core += sets[name][:minimum]
        surplus += sets[name][minimum:]
    items = [task.accepted for task in surplus]
    # Surplus pods first, so that they are judged while the side still holds more.
    return [*items, charged([task.accepted for task in core])] if core else items


def judge(session: Session, asker: Asker, victims: Victims) -> FairnessVerdict:
    """Whether the reclaimer may take what the victims hold, with the queues in their order."""
    remaining: dict[str, Allocated] = {}
    involved: dict[str, set[int]] = {}
    judged: list[JudgedItem] = []
    for queue in victims:
        for found in _judge_items(session, asker, queue, victims[queue], (remaining, involved)):
            judged.append(found)
            if not found.allowed:
                return FairnessVerdict(False, tuple(judged))
    compared = list(_boundaries(session, asker, remaining, involved))
    return FairnessVerdict(all(one.allowed for one in compared), tuple(judged), tuple(compared))


def _judge_items(
    session: Session,
    asker: Asker,
    queue: str,
    items: Sequence[Charge],
    books: tuple[dict[str, Allocated], dict[str, set[int]]],
) -> Iterator[JudgedItem]:
    """Judges the items of one queue in order, and subtracts each from all queues above it."""
    remaining, involved = books
    chain = session.chain(queue)
    pair = compared_queues(session.chain(asker.queue), chain)
    if pair is None:
        return
    ours, theirs = pair
    involved[queue] = {r for item in items for r in _nonzero_resources(item)}
    held = remaining.setdefault(theirs.queue.name, theirs.allocated)
    request = Requested(asker.request.total)
    for item in items:
        # Again for each item: the last one has left.
        held = remaining[theirs.queue.name]
        share, quota = allowing_strategies(pair, request, held)
        yield JudgedItem(queue, item, ours.queue.name, theirs.queue.name, held, share, quota)
        # From all queues above, so that victims of a cousin count on the common way, too.
        for standing in chain:
            name = standing.queue.name
            remaining[name] = minus(remaining.get(name, standing.allocated), item.total)
            involved.setdefault(name, set()).update(involved[queue])


def _nonzero_resources(charge: Charge) -> Iterator[int]:
    """The resources with a nonzero amount; GPUs of MIG slices do not count here."""
    # KAI asks three places of the vector, and slices of MIG have others.
    return (r for r in range(3) if charge[r] > 0)


def _boundaries(
    session: Session, asker: Asker, remaining: Mapping[str, Allocated], involved: Mapping[str, set[int]]
) -> Iterator[Compared | QuotaCheck]:
    """The comparisons from the reclaimer's leaf up; only the last of them may fail."""
    request = asker.request.total
    own = set(_nonzero_resources(asker.request))
    by_parent: dict[str, list[QueueAttributes]] = {}
    for name in remaining:
        standing = session.standings[name]
        by_parent.setdefault(standing.queue.parent, []).append(standing)
    for ours in session.chain(asker.queue):
        held = plus(remaining.get(ours.queue.name, ours.allocated), request)
        # Only siblings that lose something are compared; others are not harmed.
        for sibling in by_parent.get(ours.queue.parent, ()):
            if sibling.queue.name == ours.queue.name:
                continue
            left = remaining[sibling.queue.name]
            for r in sorted(involved[sibling.queue.name] | own):
                found = _comparison(session.shard.multiplier, r, (ours, held), (sibling, left))
                if found is not None:
                    yield found
                    if not found.allowed:
                        return
        if not asker.preemptible:
            fixed = plus(ours.non_preemptible, request)
            allowed = within(fixed, ours.queue.quota)
            yield QuotaCheck(ours.queue.name, fixed, ours.queue.quota, allowed)
            if not allowed:
                return


def _comparison(
    multiplier: float, r: int, ours: tuple[QueueAttributes, Resources], theirs: tuple[QueueAttributes, Resources]
) -> Compared | None:
    share, other = ours[0].fair_share[r], theirs[0].fair_share[r]
    # Two unlimited shares have no ratio.
    if share == UNLIMITED and other == UNLIMITED:
        return None
    mine, its = saturation(ours[1][r], share), saturation(theirs[1][r], other)
    allowed = stays_behind(mine, its, other, multiplier)
    return Compared(ours[0].queue.name, theirs[0].queue.name, r, mine, its, multiplier, allowed)
