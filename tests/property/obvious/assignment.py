"""Flavor assignment: which flavor each resource of each pod set would get, and how."""

from dataclasses import dataclass, field
from typing import Any

from kubectl_fairshare.model import quantity
from tests.property.obvious.amounts import Amounts, FlavorResource, merged, minus, plus, shown, times
from tests.property.obvious.classical import classical_targets
from tests.property.obvious.fair import fair_targets
from tests.property.obvious.pods import obstacle
from tests.property.obvious.preemption import Question, Target, borrow_within_cohort, without
from tests.property.obvious.tree import State, borrowing_level, potential, takeable
from tests.property.obvious.world import PodSet, Workload

Manifest = dict[str, Any]
MODES = ["NoFit", "NoCandidates", "Preempt", "Reclaim", "Fit"]
"""From the worst to the best; ``Preempt`` takes from the own queue, ``Reclaim`` from others alone."""
TOKENS = ["WaitingForQuota", "ExceedsMaxQuota", "NoMatchingFlavor"]
"""From the mildest to the worst."""


@dataclass
class Attempt:
    """One flavor tried. ``level`` belongs to the least preferred pair, ``borrow`` is the highest level."""

    flavor: str
    mode: str
    level: int = 0
    borrow: int = 0
    modes: dict[str, str] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    token: str | None = None


@dataclass
class PodSetAssignment:
    """What one pod set would get. Without flavors when it ``failed``. ``token`` is set on failure alone.

    A resource may be in mode Preempt although its flavor counts as fitting (a fitting resource that borrows more is
    the less preferred one), so whether the pod set ``fits`` is told by the flavors chosen, not by the resources.
    """

    name: str
    count: int
    requests: dict[str, int]
    flavors: dict[str, tuple[str, str]] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    borrow: int = 0
    fits: bool = True
    failed: bool = False
    token: str | None = None

    def amounts(self) -> Amounts:
        """What it asks for, by flavor-resource."""
        return {(flavor, resource): self.requests[resource] for resource, (flavor, _) in self.flavors.items()}


@dataclass
class Assignment:
    """What the workload would get, pod set by pod set."""

    pod_sets: list[PodSetAssignment]

    @property
    def mode(self) -> str:
        """Fit, Preempt or NoFit: the worst of all."""
        if any(p.failed for p in self.pod_sets):
            return "NoFit"
        return "Fit" if all(p.fits for p in self.pod_sets) else "Preempt"

    @property
    def borrowing(self) -> int:
        """The largest level of the flavors chosen."""
        return max([p.borrow for p in self.pod_sets], default=0)

    @property
    def token(self) -> str | None:
        """The reason token of an assignment that does not fit."""
        return next((p.token for p in self.pod_sets if p.failed), None)

    @property
    def message(self) -> str:
        """All reasons, pod set by pod set."""
        texts = [(p.name, ", ".join(sorted(p.reasons))) for p in self.pod_sets if p.reasons]
        return "; ".join(f"couldn't assign flavors to pod set {name}: {text}" for name, text in texts)

    def usage(self) -> Amounts:
        """All that would be placed, pods included."""
        total: Amounts = {}
        for pod_set in self.pod_sets:
            total = merged(total, pod_set.amounts())
        return total

    def short(self) -> list[FlavorResource]:
        """The flavor-resources that need preemption."""
        return sorted(
            {(f, resource) for p in self.pod_sets for resource, (f, mode) in p.flavors.items() if mode != "Fit"}
        )


def targets_of(question: Question) -> list[Target]:
    """The workloads to evict, by the algorithm configured."""
    if question.state.world.strategies is None:
        return classical_targets(question)
    return fair_targets(question)


def assign(state: State, workload: Workload, counts: list[int]) -> Assignment:
    """Assign flavors to all pod sets at these counts, up to the first that fails or has no request that counts."""
    assignment = Assignment([])
    done: set[int] = set()
    for index, pod_set in enumerate(workload.pod_sets):
        if index in done:
            continue
        members = [i for i, p in enumerate(workload.pod_sets) if i == index or (p.group and p.group == pod_set.group)]
        done |= set(members)
        pod_sets = [(workload.pod_sets[i], counts[i]) for i in members]
        group = _assign_group(state, workload, pod_sets, assignment.usage())
        assignment.pod_sets += group
        if any(p.failed or (p.requests and not p.flavors) for p in group):
            break
    return assignment


def _assign_group(
    state: State, workload: Workload, pod_sets: list[tuple[PodSet, int]], assumed: Amounts
) -> list[PodSetAssignment]:
    """Pod sets that must get the same flavors (usually one) are assigned as one, then told apart again."""
    separate = [_requests(state, workload.queue, pod_set, count) for pod_set, count in pod_sets]
    together: dict[str, int] = {}
    for requests in separate:
        together = {r: plus(together.get(r, 0), requests.get(r, 0)) for r in list(together) + list(requests)}
    whole = PodSetAssignment(pod_sets[0][0].name, pod_sets[0][1], together)
    _assign_resources(state, workload, whole, [pod_set.pod for pod_set, _ in pod_sets], assumed)
    return [
        PodSetAssignment(
            name=pod_set.name,
            count=count,
            requests=requests,
            flavors={r: chosen for r, chosen in whole.flavors.items() if r in requests},
            reasons=whole.reasons,
            attempts=whole.attempts,
            borrow=whole.borrow,
            fits=whole.fits,
            failed=whole.failed,
            token=whole.token,
        )
        for (pod_set, count), requests in zip(pod_sets, separate, strict=True)
    ]


def _requests(state: State, queue: str, pod_set: PodSet, count: int) -> dict[str, int]:
    requests = {resource: times(amount, count) for resource, amount in pod_set.per_pod.items()}
    if _group_of(state, queue, "pods") is not None:
        requests["pods"] = count
    return requests


def _group_of(state: State, queue: str, resource: str) -> Manifest | None:
    groups = state.world.queues[queue].get("resourceGroups") or []
    return next((group for group in groups if resource in group["coveredResources"]), None)


def hash_of_name(name: str) -> int:
    """The 64-bit FNV-1a hash, which decides in what order resources are visited."""
    value = 14695981039346656037
    for byte in name.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return value


def _assign_resources(
    state: State, workload: Workload, whole: PodSetAssignment, pods: list[Manifest], assumed: Amounts
) -> None:
    tokens: list[str] = []
    for resource in sorted(whole.requests, key=lambda r: (hash_of_name(r), r)):
        group = _group_of(state, workload.queue, resource)
        if resource in whole.flavors or (group is None and whole.requests[resource] == 0):
            continue
        if group is None:
            _fail(whole, [f"resource {resource} unavailable in ClusterQueue"], tokens)
            return
        requests = {r: amount for r, amount in whole.requests.items() if r in group["coveredResources"]}
        names = [flavor["name"] for flavor in group["flavors"]]
        tried, best = _try_flavors(state, workload, names, requests, pods, assumed)
        whole.attempts += tried
        reasons = [reason for attempt in tried for reason in attempt.reasons]
        refused = [attempt.token for attempt in tried if attempt.token is not None]
        if refused:
            tokens.append(min(refused, key=TOKENS.index))
        if best is None:
            _fail(whole, reasons, tokens)
            return
        whole.flavors |= {r: (best.flavor, best.modes[r]) for r in requests}
        whole.borrow = max(whole.borrow, best.borrow)
        if best.mode != "Fit":
            whole.fits = False
            whole.reasons += reasons


def _fail(whole: PodSetAssignment, reasons: list[str], tokens: list[str]) -> None:
    whole.failed = True
    whole.flavors = {}
    whole.borrow = 0
    whole.reasons = reasons
    whole.token = max(tokens, key=TOKENS.index) if tokens else None
    if not whole.attempts:
        whole.token = "NoMatchingFlavor"


def _try_flavors(
    state: State,
    workload: Workload,
    names: list[str],
    requests: dict[str, int],
    pods: list[Manifest],
    assumed: Amounts,
) -> tuple[list[Attempt], Attempt | None]:
    """The flavors tried, and the one chosen."""
    fungibility = state.world.queues[workload.queue].get("flavorFungibility") or {}
    preference = fungibility.get("preference") or "BorrowingOverPreemption"
    tried: list[Attempt] = []
    best: Attempt | None = None
    for name in names:
        attempt = _try_flavor(state, workload, name, requests, pods, assumed)
        tried.append(attempt)
        if _stops(attempt, fungibility):
            return tried, attempt
        if attempt.mode != "NoFit" and (best is None or _prefers(attempt, best, preference)):
            best = attempt
    return tried, best


def _stops(attempt: Attempt, fungibility: Manifest) -> bool:
    if attempt.mode in ("NoFit", "NoCandidates"):
        return False
    if attempt.mode != "Fit" and (fungibility.get("whenCanPreempt") or "TryNextFlavor") == "TryNextFlavor":
        return False
    return not (attempt.level > 0 and fungibility.get("whenCanBorrow") == "TryNextFlavor")


def _prefers(a: Attempt, b: Attempt, preference: str) -> bool:
    """Whether ``a`` is strictly better than ``b``."""
    return _merit(a.mode, a.level, preference) > _merit(b.mode, b.level, preference)


def _merit(mode: str, level: int, preference: str) -> tuple[int, int, int]:
    rank = MODES.index(mode)
    if mode == "NoFit":
        return (0, 0, 0)
    if mode == "NoCandidates":
        return (1, -level, 0)
    return (2, -level, rank) if preference == "PreemptionOverBorrowing" else (2, rank, -level)


def _try_flavor(
    state: State, workload: Workload, name: str, requests: dict[str, int], pods: list[Manifest], assumed: Amounts
) -> Attempt:
    if name not in state.world.flavors:
        return Attempt(name, "NoFit", reasons=[f"flavor {name} not found"], token="NoMatchingFlavor")
    refusal = obstacle(name, state.world.flavors[name], pods)
    if refusal is not None:
        return Attempt(name, "NoFit", reasons=[refusal], token="NoMatchingFlavor")
    fungibility = state.world.queues[workload.queue].get("flavorFungibility") or {}
    preference = fungibility.get("preference") or "BorrowingOverPreemption"
    attempt = Attempt(name, "Fit")
    tokens: list[str] = []
    for resource in sorted(requests):
        before = assumed.get((name, resource), 0)
        mode, level, reason, token = _try_resource(state, workload, (name, resource), before, requests[resource])
        attempt.modes[resource] = "Fit" if mode == "Fit" else "Preempt"
        attempt.borrow = max(attempt.borrow, level)
        if _merit(attempt.mode, attempt.level, preference) > _merit(mode, level, preference):
            attempt.mode, attempt.level = mode, level
        if reason is not None:
            attempt.reasons.append(reason)
            tokens.append(token)
    if attempt.mode == "NoFit":
        attempt.token = max(tokens, key=TOKENS.index)
    return attempt


def _try_resource(
    state: State, workload: Workload, fr: FlavorResource, before: int, request: int
) -> tuple[str, int, str | None, str]:
    """Mode, level, reason and token of one resource in one flavor."""
    flavor, resource = fr
    queue = workload.queue
    value, most = plus(before, request), potential(state.world, ("ClusterQueue", queue), fr)
    if value > most:
        text = (
            f"insufficient quota for {resource} in flavor {flavor}, previously considered podsets requests "
            f"({shown(resource, before)}) + current podset request ({quantity.text(resource, request)}) "
            f"> maximum capacity ({shown(resource, most)})"
        )
        return "NoFit", 0, text, "ExceedsMaxQuota"
    level, may_reclaim = borrowing_level(state, queue, fr, value)
    if value <= takeable(state, queue, fr):
        return "Fit", level, None, ""
    lacking = shown(resource, minus(value, takeable(state, queue, fr)))
    text = f"insufficient unused quota for {resource} in flavor {flavor}, {lacking} more needed"
    if not (_within_nominal(state, queue, fr, value) or may_reclaim or _preempts_while_borrowing(state, queue)):
        return "NoFit", level, text, "WaitingForQuota"
    targets = targets_of(Question(state, workload, queue, [fr], {fr: value}))
    if not targets:
        return "NoCandidates", level, text, "WaitingForQuota"
    level, _ = borrowing_level(without(state, [t.victim for t in targets]), queue, fr, value)
    mode = "Preempt" if any(t.victim.queue == queue for t in targets) else "Reclaim"
    return mode, level, text, "WaitingForQuota"


def _within_nominal(state: State, queue: str, fr: FlavorResource, value: int) -> bool:
    return state.world.nominal[("ClusterQueue", queue)].get(fr, 0) >= value


def _preempts_while_borrowing(state: State, queue: str) -> bool:
    preemption = state.world.queues[queue].get("preemption") or {}
    if borrow_within_cohort(state, queue)[0] != "Never":
        return True
    return state.world.strategies is not None and (preemption.get("reclaimWithinCohort") or "Never") != "Never"
