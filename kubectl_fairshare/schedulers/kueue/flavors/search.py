"""Flavor assignment: the flavor of each pod set for each resource, and why other flavors do not fit.

Pod sets are served in order, each resource group from one flavor. Flavors are tried in the queue's order; the search
stops at the first flavor that the queue's fungibility accepts, otherwise it uses the best one.
Why not the best of all flavors: on-demand comes first and fits by borrowing, spot comes second and fits within quota.
With ``whenCanBorrow: Borrow`` the search ends at on-demand, and never sees that spot would have been free.
Source: https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/pkg/scheduler/flavorassigner;
"flavors" in ``docs/laws.md``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.flavors.assignment import (
    ALL,
    SEVERITY,
    Assignment,
    FlavorAttempt,
    GroupTrial,
    PodSetAssignment,
    Token,
    Tried,
    exceeds_available,
    grades_of,
    mode_of,
    operands_of,
)
from kubectl_fairshare.schedulers.kueue.flavors.map_order import Measured, notes, stopped
from kubectl_fairshare.schedulers.kueue.flavors.matching import label_keys, mismatch
from kubectl_fairshare.schedulers.kueue.flavors.requests import held_requests, sum_of, total_requests, total_with
from kubectl_fairshare.schedulers.kueue.flavors.slices import OldSlice
from kubectl_fairshare.schedulers.kueue.flavors.tokens import resource_token, workload_token
from kubectl_fairshare.schedulers.kueue.laws import (
    Grade,
    Law,
    SchedulerCrashError,
    may_search,
    merit,
    stops_at,
    visiting_order,
)
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet, PodSetAdmission, pair_of
from kubectl_fairshare.schedulers.kueue.topology.requests import FlavorSurroundings, is_topology_only
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import reach
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

NOTHING_TRIED: Final[Tried] = {}


class Simulate(Protocol):
    """Searches for targets that free ``amount`` of one flavor-resource.

    Returns None if there are none, otherwise the ledger without them and whether one is in the queue.
    """

    def __call__(self, pair: FlavorResource, amount: int) -> tuple[Ledger, bool] | None:
        """Simulates the preemption."""


class History(Value, frozen=True):
    """What was before an assignment.

    The scan of each pod set's flavors goes on after those ``tried``. ``old`` is the slice that the workload replaces.
    ``nominated``, where it is given, are the only flavors to try: by pod set and resource those of the nomination.
    ``admitted`` are the pod sets of a workload that holds quota: what they were given counts, not what they request.
    """

    tried: Tried = field(default_factory=dict)
    old: OldSlice | None = None
    nominated: Mapping[str, Mapping[str, str]] | None = None
    admitted: Sequence[PodSetAdmission] = ()


class _Choice(Value, frozen=True):
    """The flavors of a pod set, or of the pod sets of one group."""

    flavors: Mapping[str, tuple[str, Grade]]
    borrow: int
    attempts: tuple[FlavorAttempt, ...]
    reasons: tuple[Step, ...]
    failed: bool
    tried: Mapping[str, int] = field(default_factory=dict)
    trials: tuple[GroupTrial, ...] = ()


def assign(
    state: State,
    queue: int,
    pod_sets: Sequence[PodSet],
    counts: Sequence[int],
    simulate: Simulate,
    history: "History | None" = None,
) -> Assignment:
    """The assignment of a workload whose pod sets count ``counts`` pods, in the light of what was before."""
    return _Assigner(state, queue, simulate, history or History()).run(pod_sets, counts)


class _Members(Value, frozen=True):
    """Pod sets that are served together, with their places in the workload."""

    indices: tuple[int, ...]
    pod_sets: tuple[PodSet, ...]


class _Assigner:
    """One run over the pod sets of one workload; ``assumed`` grows with each pod set served."""

    def __init__(self, state: State, queue: int, simulate: Simulate, history: History) -> None:
        self.state = state
        self.history = history
        self.release = state.configuration.release
        self.exact = self.release.exact_amounts
        self.node = queue
        self.queue = state.forest.nodes[queue].queue
        self.simulate = simulate
        self.assumed: dict[FlavorResource, int] = {}
        self.measured: list[tuple[FlavorResource, int]] = []
        self.may_crash = False
        self.topology_only = state.configuration.topology and is_topology_only(self.queue, state.kueue.flavors)
        self.topology_flavors = _with_topology(state) if self.release.groups_share_flavors else ()

    def run(self, pod_sets: Sequence[PodSet], counts: Sequence[int]) -> Assignment:
        done: dict[int, PodSetAssignment] = {}
        tried: dict[int, Mapping[str, int]] = {}
        borrowing = 0
        for members in _pod_set_groups(pod_sets):
            requests = {i: self._requests(i, pod_sets[i], counts[i]) for i in members}
            before = self.history.tried.get(members[0], {})
            group = _Members(tuple(members), tuple(pod_sets[i] for i in members))
            choice = self._choose(group, sum_of(requests.values()), before)
            for i in members:
                done[i] = _share_of(pod_sets[i], counts[i], requests[i], choice, self.topology_flavors)
                tried[i] = {r: choice.tried[r] for r in done[i].flavors}
                self._assume(done[i])
            if choice.failed:
                break
            borrowing = max(borrowing, choice.borrow)
            # All that it requests is 0 of what the queue does not declare, or passed over by IgnoreUndeclared.
            if any(requests[i] and not done[i].flavors for i in members):
                break  # nothing that it requests counts here: Kueue ends, and leaves the later pod sets out
        return self._assignment([done[i] for i in sorted(done)], borrowing, tried)

    def _requests(self, index: int, pod_set: PodSet, count: int) -> dict[str, int]:
        if self.history.admitted:
            return held_requests(self.queue, self.history.admitted[index].scaled(count))
        return total_requests(self.queue, pod_set, count, exact=self.exact)

    def _assume(self, served: PodSetAssignment) -> None:
        for resource, (flavor, _) in served.flavors.items():
            pair = pair_of(flavor, resource)
            self.assumed[pair] = add(self.assumed.get(pair, 0), self._charge(served, resource))

    def _charge(self, served: PodSetAssignment, resource: str) -> int:
        """What the pod set adds to the queue's usage: a slice that replaces another one adds only the difference."""
        old = self.history.old
        held = 0 if old is None else old.requests_of(served.name).get(resource, 0)
        return served.requests.get(resource, 0) - held

    def _assignment(self, served: list[PodSetAssignment], borrowing: int, tried: Tried) -> Assignment:
        usage: dict[FlavorResource, int] = {}
        bare: dict[FlavorResource, int] = {}
        for pod_set in served:
            for resource, (flavor, _) in pod_set.flavors.items():
                if resource not in pod_set.requests:
                    continue
                pair = pair_of(flavor, resource)
                usage[pair] = add(usage.get(pair, 0), self._charge(pod_set, resource))
                if resource != "pods" or self.release.pods_are_freed:
                    bare[pair] = add(bare.get(pair, 0), self._search_for(served, pod_set, resource))
        grade = min((p.grade for p in served), default=Grade.FIT)
        token = workload_token(self.queue, served) if grade is Grade.NO_FIT else None
        if grade is Grade.NO_FIT and self._fails_uncovered(served):
            token = Token.NO_MATCHING_FLAVOR
        return Assignment(
            tuple(served),
            mode_of(grade),
            borrowing,
            token,
            usage,
            bare,
            tried,
            may_crash=self.may_crash,
            measured=tuple(self.measured),
        )

    def _fails_uncovered(self, served: Sequence[PodSetAssignment]) -> bool:
        """Whether an uncovered resource is the reason, in releases in which it is one next to flavors that fit."""
        failed = next((p for p in served if p.failed), None)
        lacking = failed is not None and any(r.law is Law.RESOURCE_UNAVAILABLE for r in failed.reasons)
        return lacking and self.release.uncovered_counts

    def _search_for(self, served: Sequence[PodSetAssignment], pod_set: PodSetAssignment, resource: str) -> int:
        """What the search for targets frees for a pod set: for a slice, what its further pods ask for."""
        old = None if self.history.old is None else self.history.old.at(served.index(pod_set))
        amount = pod_set.requests[resource]
        if old is None or pod_set.count == 0:
            return amount
        # By pods and not by amounts: Kueue scales the requests of one pod to the number of further pods.
        return amount // pod_set.count * (pod_set.count - old.count)

    def _choose(self, group: "_Members", requests: Mapping[str, int], before: Mapping[str, int]) -> _Choice:
        flavors: dict[str, tuple[str, Grade]] = {}
        tried_to: dict[str, int] = {}
        trials: list[GroupTrial] = []
        borrow, crashes = 0, False
        # By a hash of the name, as Kueue keeps requests; where a release takes the order of a Go map, ``map_order`` has
        # the other outcomes.
        for resource in sorted(requests, key=visiting_order):
            if resource in flavors or any(t.group is not None and resource in t.group.covered for t in trials):
                continue
            try:
                trial = self._trial(group, resource, requests, before)
            except SchedulerCrashError:
                crashes = True
                continue
            if trial is None:
                continue
            trials.append(trial)
            best = trial.best
            if best is None and self.release.every_misfit:
                break
            if best is not None and trial.group is not None:
                flavors |= {r: (best.flavor, grade) for r, grade in best.grades.items()}
                last = len(trial.group.flavors) - 1
                tried_to |= dict.fromkeys(best.grades, ALL if trial.came_to == last else trial.came_to)
                borrow = max(borrow, best.borrow)
        self._note_crash(crashes, before=any(trial.failed for trial in trials))
        attempts, reasons = notes(trials)
        kept = () if self.release.every_misfit else tuple(trials)
        if any(trial.failed for trial in trials):
            return _Choice({}, borrow, attempts, reasons, failed=True, trials=kept)
        return _Choice(flavors, borrow, attempts, reasons, failed=False, tried=tried_to, trials=kept)

    def _trial(
        self, group: "_Members", resource: str, requests: Mapping[str, int], before: Mapping[str, int]
    ) -> GroupTrial | None:
        """The attempts at the flavors of the resource's group; None for a resource that does not count."""
        resources = next((g for g in self.queue.groups if resource in g.covered), None)
        if resources is None:
            # A request of 0 of what the queue does not declare needs no flavor.
            if requests[resource] == 0 or self.state.configuration.quota_check == "IgnoreUndeclared":
                return None
            missing = Step(Law.RESOURCE_UNAVAILABLE, (("resource", resource),), holds=False)
            return GroupTrial(None, resource, passed=(missing,))
        covered = {r: v for r, v in requests.items() if r in resources.covered}
        # -1 plus 1: a scan that came to the end begins anew.
        start = before.get(resource, ALL) + 1
        skipped = self._not_nominated(resources.flavors[start:], group, resource)
        best, tried, came_to = self._serve(resources, group, covered, start, skipped)
        passed = tuple(skipped[f] for f in resources.flavors[start : came_to + 1] if f in skipped)
        return GroupTrial(resources, resource, tuple(tried), passed, best, came_to)

    def _not_nominated(self, flavors: Iterable[str], group: "_Members", resource: str) -> dict[str, Step]:
        """The flavors that the nomination gave to no pod set of the group, which are not tried again."""
        nominated = self.history.nominated
        if nominated is None:
            return {}
        known = {nominated.get(p.name, {}).get(resource) for p in group.pod_sets}
        return {
            flavor: Step(Law.NOT_NOMINATED, (("flavor", flavor), ("asked for", resource)), holds=False)
            for flavor in flavors
            if flavor not in known
        }

    def _serve(
        self,
        resources: ResourceGroup,
        group: "_Members",
        requests: Mapping[str, int],
        start: int,
        skipped: Collection[str],
    ) -> tuple[FlavorAttempt | None, list[FlavorAttempt], int]:
        """The attempt chosen for the group, None when no flavor serves; all attempts made, from ``start`` on.

        The number is the place of the last flavor that was looked at, or skipped.
        """
        best: FlavorAttempt | None = None
        tried: list[FlavorAttempt] = []
        for place, flavor in enumerate(resources.flavors[start:], start):
            if flavor in skipped:
                continue
            attempt = self._try(flavor, group, requests, resources)
            tried.append(attempt)
            if stops_at(self.queue.fungibility, attempt.grade, attempt.level):
                return attempt, tried, place
            if attempt.grade is Grade.NO_FIT:
                continue
            # Strictly better: of equal flavors the first one stays.
            if best is None or self._merit(attempt.grade, attempt.level) > self._merit(best.grade, best.level):
                best = attempt
        # Looked at to the end: the next scan begins with the first flavor again.
        return best, tried, len(resources.flavors) - 1

    def _merit(self, grade: Grade, level: int) -> tuple[int, int, int]:
        last, swapped = self.release.hopeless_last, self.release.preferences_swapped
        return merit(self.queue.fungibility, grade, level, hopeless_last=last, swapped=swapped)

    def _around(self, resources: ResourceGroup) -> FlavorSurroundings | None:
        """What decides whether a flavor can place pods; None where no topology counts."""
        if not self.state.configuration.topology:
            return None
        return FlavorSurroundings(resources, self.state.kueue.topologies, self.topology_only)

    def _try(
        self, name: str, group: "_Members", requests: Mapping[str, int], resources: ResourceGroup
    ) -> FlavorAttempt:
        unfit = mismatch(
            name, self.state.kueue.flavors.get(name), group.pod_sets, self._around(resources), self._keys(resources)
        )
        if unfit is not None:
            return FlavorAttempt(name, Grade.NO_FIT, 0, 0, Token.NO_MATCHING_FLAVOR, (unfit,), {})
        worst = (Grade.FIT, 0)
        crashes = False
        measured: list[Measured] = []
        for resource in sorted(requests, key=visiting_order):
            # A slice must have the flavor of the one that it replaces: its pods run there already.
            less, clash = self._difference(group, name, resource)
            try:
                grade, level, reason = self._measure(pair_of(name, resource), requests[resource] - less)
            except SchedulerCrashError:
                crashes = True
                continue
            if clash is not None:
                worst = (Grade.NO_FIT, 0)
            # The flavor is as good as its worst resource, by the queue's own preference.
            if self._merit(*worst) > self._merit(grade, level):
                worst = (grade, level)
            token = resource_token(reason) if grade is Grade.NO_FIT else None
            token = token if clash is None else Token.NO_MATCHING_FLAVOR
            measured.append((resource, grade, level, tuple(r for r in (clash, reason) if r is not None), token))
        tokens = (token for *_, token in measured if token is not None)
        token = max(tokens, key=SEVERITY.__getitem__, default=None)
        borrow = max((level for _, _, level, *_ in measured), default=0)
        said = tuple(reason for *_, reasons, _ in measured for reason in reasons)
        grades = grades_of(tuple((resource, grade) for resource, grade, *_ in measured))
        whole = FlavorAttempt(name, worst[0], borrow, worst[1], token, said, grades)
        misfit = any(grade is Grade.NO_FIT for _, grade, *_ in measured)
        self._note_crash(crashes, before=misfit)
        return stopped(whole, measured) if misfit and not self.release.every_misfit else whole

    def _note_crash(self, crashes: bool, *, before: bool) -> None:
        """Raises ``SchedulerCrashError`` unless by chance Kueue ends at something else ``before`` it crashes."""
        if crashes and not before:
            raise SchedulerCrashError
        self.may_crash = self.may_crash or crashes

    def _keys(self, resources: ResourceGroup) -> Collection[str] | None:
        """The label keys of node affinity that count for all flavors of the group; None where each has its own."""
        return None if self.release.own_label_keys else label_keys(map(self.state.kueue.flavors.get, resources.flavors))

    def _difference(self, group: "_Members", flavor: str, resource: str) -> tuple[int, Step | None]:
        """What the replaced slice holds already of a request, and why the flavor is not the one that it holds."""
        less = 0
        for i in group.indices if self.history.old is not None else ():
            old = None if self.history.old is None else self.history.old.at(i)
            held = "" if old is None else old.flavors.get(resource, "")
            if held != flavor:
                operands = (("flavor", flavor), ("held", held))
                return less, Step(Law.SLICE_FLAVOR, operands, holds=False)
            less += 0 if old is None else old.requests.get(resource, 0)
        return less, None

    def _measure(self, pair: FlavorResource, request: int) -> tuple[Grade, int, Step | None]:
        """The grade and borrowing level of one request on one flavor-resource, and what is missing."""
        ledger = self.state.ledger
        assumed = self.assumed.get(pair, 0)
        value = total_with(assumed, request, saturates=self.release.sums_saturate)
        potential = ledger.forest.potential(self.node, pair)
        # What could never be, whatever others hold; asked first, as such a flavor needs no search.
        if value > potential:
            operands = (*operands_of(pair), ("assumed", assumed), ("request", request), ("potential", potential))
            return Grade.NO_FIT, 0, Step(Law.EXCEEDS_POTENTIAL, operands, holds=False)
        self.measured.append((pair, value))
        wide = reach(ledger, self.node, pair, value)
        free = ledger.free(self.node, pair)
        # The level counts although it fits: fungibility may prefer a flavor that need not borrow.
        if value <= free:
            return Grade.FIT, wide.level, None
        short = exceeds_available(pair, value, free)
        # The request alone and not with what the queue uses: its owner may claim all of the nominal quota back.
        within = self.state.forest.quota(self.node, pair).nominal >= value
        policies, fair = self.queue.preemption, self.state.fair
        if not may_search(policies, within_nominal=within, may_reclaim=wide.may_reclaim, fair=fair):
            return Grade.NO_FIT, wide.level, short
        found = self.simulate(pair, value)
        if found is None:
            return Grade.NO_CANDIDATES, wide.level, short
        without_targets, own = found
        # After the victims have left: with quota that comes back it may borrow less far.
        level = reach(without_targets, self.node, pair, value).level
        return (Grade.PREEMPT if own else Grade.RECLAIM), level, short


def _pod_set_groups(pod_sets: Sequence[PodSet]) -> Iterator[list[int]]:
    """Indices of pod sets that are served together, at the place of the first of each group."""
    members: dict[str | int, list[int]] = {}
    for i, pod_set in enumerate(pod_sets):
        members.setdefault(i if pod_set.group is None else pod_set.group, []).append(i)
    yield from members.values()


def _share_of(
    pod_set: PodSet, count: int, requests: Mapping[str, int], choice: _Choice, flavors: Collection[str]
) -> PodSetAssignment:
    """What of the choice is the pod set's; one of a group that asks for nothing keeps ``flavors`` with a topology."""
    own = {r: chosen for r, chosen in choice.flavors.items() if r in requests}
    if not requests and pod_set.group is not None:
        own = {r: (f, g) for r, (f, g) in choice.flavors.items() if f in flavors}
    return PodSetAssignment(
        pod_set.name, count, own, requests, choice.attempts, choice.reasons, choice.failed, choice.trials
    )


def _with_topology(state: State) -> Collection[str]:
    """The flavors with a topology that counts."""
    return {f.name for f in state.kueue.flavors.values() if state.configuration.topology and f.topology is not None}
