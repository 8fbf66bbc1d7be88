"""Flavor assignment: which flavor each pod set gets for each resource, and what stood in the way.

Pod sets are served in order and each resource group from one flavor, tried in the queue's order; the
search stops at the first flavor that the queue's fungibility accepts, else the best one seen is used.
Source: Kueue v0.19; "flavors" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol

from kubectl_fairshare.model.amounts import add, subtract
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers.kueue.flavors.assignment import (
    ALL,
    SEVERITY,
    Assignment,
    FlavorAttempt,
    PodSetAssignment,
    Token,
    Tried,
    mode_of,
)
from kubectl_fairshare.schedulers.kueue.flavors.matching import mismatch
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law, may_search, merit, stops_at, visiting_order
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import reach
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

NOTHING_TRIED: Final[Tried] = {}


class Simulate(Protocol):
    """Looks for targets that free ``amount`` of one flavor-resource.

    Returns None when there are none, else the ledger without them and whether one is in the queue.
    """

    def __call__(self, pair: FlavorResource, amount: int) -> tuple[Ledger, bool] | None:
        """Simulates the preemption."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """What a pod set, or pod sets of one group, got."""

    flavors: Mapping[str, tuple[str, Grade]]
    borrow: int
    attempts: tuple[FlavorAttempt, ...]
    reasons: tuple[Step, ...]
    failed: bool
    tried: Mapping[str, int] = field(default_factory=dict)


def total_requests(queue: ClusterQueue, pod_set: PodSet, count: int) -> dict[str, int]:
    """What ``count`` pods of the set ask for in all; ``pods`` too when the queue covers it."""
    totals = {resource: min(amount * count, (1 << 63) - 1) for resource, amount in pod_set.requests.items()}
    if covers(queue, "pods"):
        totals["pods"] = count
    return totals


def covers(queue: ClusterQueue, resource: str) -> bool:
    """Whether a resource group of the queue covers the resource."""
    return any(resource in group.covered for group in queue.groups)


def assign(
    state: State,
    queue: int,
    pod_sets: Sequence[PodSet],
    counts: Sequence[int],
    simulate: Simulate,
    tried: Tried = NOTHING_TRIED,
) -> Assignment:
    """The assignment of a workload whose pod sets count ``counts`` pods.

    The scan of each pod set's flavors goes on after those ``tried`` before.
    """
    return _Assigner(state, queue, simulate, tried).run(pod_sets, counts)


class _Assigner:
    """One run over the pod sets of one workload; ``assumed`` grows with each pod set served."""

    def __init__(self, state: State, queue: int, simulate: Simulate, tried: Tried) -> None:
        self.state = state
        self.tried = tried
        self.node = queue
        self.queue = state.forest.nodes[queue].queue
        self.simulate = simulate
        self.assumed: dict[FlavorResource, int] = {}

    def run(self, pod_sets: Sequence[PodSet], counts: Sequence[int]) -> Assignment:
        done: dict[int, PodSetAssignment] = {}
        tried: dict[int, Mapping[str, int]] = {}
        borrowing = 0
        for members in _pod_set_groups(pod_sets):
            requests = {i: total_requests(self.queue, pod_sets[i], counts[i]) for i in members}
            before = self.tried.get(members[0], {})
            choice = self._choose([pod_sets[i] for i in members], _sum(requests.values()), before)
            for i in members:
                done[i] = _share_of(pod_sets[i], counts[i], requests[i], choice)
                tried[i] = {r: choice.tried[r] for r in done[i].flavors}
                self._assume(done[i])
            if choice.failed:
                break
            borrowing = max(borrowing, choice.borrow)
        return self._assignment([done[i] for i in sorted(done)], borrowing, tried)

    def _assume(self, served: PodSetAssignment) -> None:
        for resource, (flavor, _) in served.flavors.items():
            pair = FlavorResource(flavor, resource)
            self.assumed[pair] = add(self.assumed.get(pair, 0), served.requests[resource])

    def _assignment(self, served: list[PodSetAssignment], borrowing: int, tried: Tried) -> Assignment:
        usage: dict[FlavorResource, int] = {}
        bare: dict[FlavorResource, int] = {}
        for pod_set in served:
            for resource, (flavor, _) in pod_set.flavors.items():
                pair = FlavorResource(flavor, resource)
                amount = pod_set.requests[resource]
                usage[pair] = add(usage.get(pair, 0), amount)
                if resource != "pods":
                    bare[pair] = usage[pair]
        grade = min((p.grade for p in served), default=Grade.FIT)
        token = _workload_token(self.queue, served) if grade is Grade.NO_FIT else None
        return Assignment(tuple(served), mode_of(grade), borrowing, token, usage, bare, tried)

    def _choose(self, pod_sets: Sequence[PodSet], requests: Mapping[str, int], before: Mapping[str, int]) -> _Choice:
        flavors: dict[str, tuple[str, Grade]] = {}
        tried_to: dict[str, int] = {}
        attempts: list[FlavorAttempt] = []
        reasons: list[Step] = []
        borrow = 0
        for resource in sorted(requests, key=visiting_order):
            if resource in flavors:
                continue
            group = next((g for g in self.queue.groups if resource in g.covered), None)
            if group is None:
                if requests[resource] == 0 or self.state.configuration.quota_check == "IgnoreUndeclared":
                    continue
                missing = Step(Law.RESOURCE_UNAVAILABLE, (("resource", resource),), holds=False)
                return _Choice({}, borrow, tuple(attempts), (missing,), failed=True)
            covered = {r: v for r, v in requests.items() if r in group.covered}
            start = before.get(resource, ALL) + 1
            best, tried = self._serve(group, pod_sets, covered, start)
            attempts += tried
            short = tuple(r for a in tried for r in a.reasons)
            if best is None:
                return _Choice({}, borrow, tuple(attempts), short, failed=True)
            flavors |= {r: (best.flavor, grade) for r, grade in best.grades.items()}
            came_to = start + len(tried) - 1
            tried_to |= dict.fromkeys(best.grades, ALL if came_to == len(group.flavors) - 1 else came_to)
            borrow = max(borrow, best.borrow)
            if best.grade is not Grade.FIT:
                reasons += short
        return _Choice(flavors, borrow, tuple(attempts), tuple(reasons), failed=False, tried=tried_to)

    def _serve(
        self, group: ResourceGroup, pod_sets: Sequence[PodSet], requests: Mapping[str, int], start: int
    ) -> tuple[FlavorAttempt | None, list[FlavorAttempt]]:
        """The attempt chosen for the group, None when no flavor serves, and all attempts made, from ``start`` on."""
        best: FlavorAttempt | None = None
        tried: list[FlavorAttempt] = []
        for flavor in group.flavors[start:]:
            attempt = self._try(flavor, pod_sets, requests)
            tried.append(attempt)
            if stops_at(self.queue.fungibility, attempt.grade, attempt.level):
                return attempt, tried
            if attempt.grade is Grade.NO_FIT:
                continue
            if best is None or self._merit(attempt.grade, attempt.level) > self._merit(best.grade, best.level):
                best = attempt
        return best, tried

    def _merit(self, grade: Grade, level: int) -> tuple[int, int, int]:
        return merit(self.queue.fungibility, grade, level)

    def _try(self, name: str, pod_sets: Sequence[PodSet], requests: Mapping[str, int]) -> FlavorAttempt:
        unfit = mismatch(name, self.state.kueue.flavors.get(name), pod_sets)
        if unfit is not None:
            return FlavorAttempt(name, Grade.NO_FIT, 0, 0, Token.NO_MATCHING_FLAVOR, (unfit,), {})
        worst = (Grade.FIT, 0)
        borrow, token = 0, None
        grades: dict[str, Grade] = {}
        reasons: list[Step] = []
        for resource in sorted(requests, key=visiting_order):
            grade, level, reason = self._measure(FlavorResource(name, resource), requests[resource])
            grades[resource] = grade
            borrow = max(borrow, level)
            if self._merit(*worst) > self._merit(grade, level):
                worst = (grade, level)
            if reason is not None:
                reasons.append(reason)
            if grade is Grade.NO_FIT and token is not Token.EXCEEDS_MAX_QUOTA:
                token = _token(reason)
        return FlavorAttempt(name, worst[0], borrow, worst[1], token, tuple(reasons), grades)

    def _measure(self, pair: FlavorResource, request: int) -> tuple[Grade, int, Step | None]:
        """The grade and borrowing level of one request on one flavor-resource, and what is short."""
        ledger = self.state.ledger
        assumed = self.assumed.get(pair, 0)
        value = add(assumed, request)
        potential = ledger.forest.potential(self.node, pair)
        names = (("flavor", pair.flavor), ("resource", pair.resource))
        if value > potential:
            operands = (*names, ("assumed", assumed), ("request", request), ("potential", potential))
            return Grade.NO_FIT, 0, Step(Law.EXCEEDS_POTENTIAL, operands, holds=False)
        wide = reach(ledger, self.node, pair, value)
        free = ledger.free(self.node, pair)
        if value <= free:
            return Grade.FIT, wide.level, None
        operands = (*names, ("needed", value), ("free", free), ("more", subtract(value, free)))
        short = Step(Law.EXCEEDS_AVAILABLE, operands, holds=False)
        within = self.state.forest.quota(self.node, pair).nominal >= value
        policies, fair = self.queue.preemption, self.state.fair
        if not may_search(policies, within_nominal=within, may_reclaim=wide.may_reclaim, fair=fair):
            return Grade.NO_FIT, wide.level, short
        found = self.simulate(pair, value)
        if found is None:
            return Grade.NO_CANDIDATES, wide.level, short
        without_targets, own = found
        level = reach(without_targets, self.node, pair, value).level
        return (Grade.PREEMPT if own else Grade.RECLAIM), level, short


def _token(reason: Step | None) -> Token:
    exceeds = reason is not None and reason.law is Law.EXCEEDS_POTENTIAL
    return Token.EXCEEDS_MAX_QUOTA if exceeds else Token.WAITING_FOR_QUOTA


def _pod_set_groups(pod_sets: Sequence[PodSet]) -> Iterator[list[int]]:
    """Indices of pod sets that are served together, at the place of the first of each group."""
    members: dict[str | int, list[int]] = {}
    for i, pod_set in enumerate(pod_sets):
        members.setdefault(i if pod_set.group is None else pod_set.group, []).append(i)
    yield from members.values()


def _sum(requests: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for request in requests:
        for resource, amount in request.items():
            total[resource] = add(total.get(resource, 0), amount)
    return total


def _share_of(pod_set: PodSet, count: int, requests: Mapping[str, int], choice: _Choice) -> PodSetAssignment:
    own = {r: chosen for r, chosen in choice.flavors.items() if r in requests}
    return PodSetAssignment(pod_set.name, count, own, requests, choice.attempts, choice.reasons, choice.failed)


def _workload_token(queue: ClusterQueue, served: Sequence[PodSetAssignment]) -> Token | None:
    """The workload's token: from the failing pod set, the worst over groups of the mildest over flavors."""
    attempts = next(p.attempts for p in served if p.failed)
    if not attempts:
        return Token.NO_MATCHING_FLAVOR
    mildest: dict[int, Token] = {}
    for attempt in attempts:
        if attempt.token is None:
            continue
        group = next(i for i, g in enumerate(queue.groups) if attempt.flavor in g.flavors)
        mildest[group] = min(mildest.get(group, attempt.token), attempt.token, key=SEVERITY.__getitem__)
    return max(mildest.values(), key=SEVERITY.__getitem__, default=None)
