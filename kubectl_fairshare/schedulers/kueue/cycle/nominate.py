"""What one workload would get on a given state: its flavors, and which workloads would be preempted.

Why the search for victims runs once more after the flavors are found: each flavor was tried for one resource, with
victims for that alone; a workload of GPUs and cpu needs one set of victims that frees both.
Source: ``nominate``, ``getInitialAssignments`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; ``SimulatePreemption`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/preemption/preemption_oracle.go; "nomination" in
``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.cycle.drawing import drawn
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode, Tried
from kubectl_fairshare.schedulers.kueue.flavors.held import held_assignment
from kubectl_fairshare.schedulers.kueue.flavors.placing import topology_placing
from kubectl_fairshare.schedulers.kueue.flavors.requests import current_counts, reduced_counts
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED, History, assign
from kubectl_fairshare.schedulers.kueue.flavors.slices import OldSlice, old_slice
from kubectl_fairshare.schedulers.kueue.jobs.laws import NO_WORKLOAD, JobLaw
from kubectl_fairshare.schedulers.kueue.laws import Law, PreemptionReason, Preemptor, SchedulerCrashError
from kubectl_fairshare.schedulers.kueue.model.topology import PlacedPods
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending, SecondPass, Usage
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.preemption.targets import Grounds, SearchResult, Target, Trial
from kubectl_fairshare.schedulers.kueue.topology.occupancy import GIVES_BACK, Occupancy
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger
from kubectl_fairshare.schedulers.kueue.tree.reach import fits
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Step

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.flavors.topology import TopologyPlacing
    from kubectl_fairshare.schedulers.kueue.topology.placement import PlacementRequest


Simulation: TypeAlias = tuple[FlavorResource, int, SearchResult]
"""A search for so much of one flavor and resource."""


class Nomination(Value, frozen=True):
    """What a workload would get. ``refused`` says why Kueue does not consider it, if so.

    ``queue`` is the node of its ClusterQueue, None when there is no such node. ``fits``: all that is assigned fits
    once the targets have left. Kueue may find flavors of which that is not true, and skips the workload then.
    ``replaced`` is the slice that leaves as soon as this one has quota. ``gated``: preemption would be needed, and
    a closed preemption gate forbids it. ``placements`` is what it takes of the nodes, ``lasting`` from the next cycle
    on; ``placed``: a topology is to place its pods now. ``second``: it holds quota already and needs a new place.
    ``goes_first``: others leave for it, and such heads are processed first. ``tied``: a search for victims that may
    succeed had a choice that Kueue does not define, or chance draws what the workload requests.
    """

    workload: Pending
    cluster_queue: str
    queue: int | None
    assignment: Assignment | None = None
    search: SearchResult | None = None
    refused: Step | None = None
    simulations: Sequence[Simulation] = ()
    fits: bool = True
    replaced: OldSlice | None = None
    gated: bool = False
    placements: tuple[PlacedPods, ...] = ()
    lasting: tuple[PlacedPods, ...] = ()
    placed: bool = False
    second: SecondPass | None = None
    goes_first: bool = False
    tied: bool = False

    @property
    def mode(self) -> Mode:
        """Kueue's mode; NoFit if the workload was not considered."""
        return Mode.NO_FIT if self.assignment is None else self.assignment.mode

    @property
    def crashes(self) -> bool:
        """Whether Kueue's manager dies of it."""
        return self.refused is not None and self.refused.law is Law.SCHEDULER_CRASH

    @property
    def searches(self) -> tuple[SearchResult, ...]:
        """The searches for victims, of single flavors and of the whole assignment."""
        return (*(search for _, _, search in self.simulations), *(() if self.search is None else (self.search,)))

    @property
    def leaving(self) -> tuple[Target, ...]:
        """Those that leave for it: the slice that it replaces, then its victims. Some only if it ``admits``."""
        targets = () if self.search is None else self.search.targets
        if self.replaced is None or self.queue is None:
            return targets
        if self.mode is Mode.NO_FIT or (self.mode is Mode.PREEMPT and not targets):
            return ()
        old = self.replaced.holder
        trial = Trial(old, self.queue, Law.SLICE_REPLACED, taken=True)
        return (Target(old, self.queue, PreemptionReason.REPLACED, trial), *targets)

    @property
    def admits(self) -> bool:
        """Whether it gets in, at once or after its targets have left."""
        return (
            self.fits
            and not self.gated
            and not self.shrinks
            and not (self.without_domain and self.mode is Mode.FIT)
            and (self.mode is Mode.FIT or (self.search is not None and bool(self.search.targets)))
        )

    @property
    def without_domain(self) -> tuple[int, ...]:
        """The pod sets whose place has no domain, by number: the API server refuses an admission with such a place."""
        found = () if self.assignment is None else self.assignment.pod_sets
        return tuple(i for i, p in enumerate(found) if p.topology is not None and not p.topology.domains)

    @property
    def shrinks(self) -> bool:
        """Whether it holds quota, and only fewer pods get a place: the API server refuses to change its admission."""
        if self.second is None or self.assignment is None:
            return False
        served = zip(self.assignment.pod_sets, self.second.admitted, strict=False)
        return any(pod_set.count != admitted.count for pod_set, admitted in served)

    @property
    def goes_on(self) -> bool:
        """Whether Kueue tries more flavors in the next cycle: the scan stopped early without a result."""
        return not self.admits and self.stopped_early

    @property
    def stopped_early(self) -> bool:
        """Whether the scan of flavors stopped before the last one."""
        return self.assignment is not None and self.assignment.stopped_early

    @property
    def tried(self) -> Tried:
        """The last flavors that the scan reached."""
        return NOTHING_TRIED if self.assignment is None else self.assignment.tried


_SearchKey: TypeAlias = tuple[
    frozenset[FlavorResource], tuple[tuple[FlavorResource, int], ...], tuple[tuple[str, int, int], ...]
]


class Nominator:
    """Nominates one workload; equal searches run once.

    Its flavors are scanned after those ``tried`` in the cycle before. ``nominated``, where it is given, are the only
    flavors to try: by pod set and resource those of an earlier nomination in the same cycle. ``second``: it holds
    quota already and needs a new place. Without ``preempting`` no search finds a victim. ``replay`` may be one with
    earlier searches for workloads of the queue, of one age and priority, on this state.
    """

    def __init__(
        self,
        state: State,
        queue: int,
        workload: Pending,
        tried: Tried = NOTHING_TRIED,
        nominated: Mapping[str, Mapping[str, str]] | None = None,
        second: SecondPass | None = None,
        *,
        preempting: bool = True,
    ) -> None:
        self.state = state
        self.preempting = preempting
        self.second = second
        self.queue = queue
        self.workload = workload
        held = second.admitted if second is not None and second.anew else ()
        self.history = History(tried, old_slice(state, queue, workload), nominated, held)
        self.replay = Replay()
        self._placing = topology_placing(state, queue, workload.pod_sets, second)
        self._found: dict[_SearchKey, SearchResult] = {}
        self._left: tuple[Sequence[Target], Occupancy] | None = None

    def nominate(self) -> Nomination:
        """Flavors for the whole workload; if it does not fit and may shrink, for the most pods that fit."""
        try:
            return self._nominate()
        except SchedulerCrashError:
            name = self.state.forest.nodes[self.queue].name
            release = self.state.configuration.release.text
            operands = (("workload", self.workload.name), ("queue", name), ("release", release))
            crash = Step(Law.SCHEDULER_CRASH, operands, holds=False)
            return Nomination(self.workload, name, self.queue, refused=crash, second=self.second)

    def _nominate(self) -> Nomination:
        assignment, search = self._with_counts(self._counts())
        lost = self.second is not None and bool(self.second.unhealthy)
        # Fewer pods only if preemption does not help: partial admission comes last.
        if assignment.mode is not Mode.FIT and not search.targets and not lost:
            smaller = self._with_fewer_pods()
            if smaller is not None:
                assignment, search = smaller
        if self._placing is not None:
            # A head that preempts keeps the nodes that it would get, so that later heads of the cycle go elsewhere.
            assignment = self._placing.reserved(assignment, self._after(search.targets))
        return self._nomination(assignment, search)

    def _counts(self) -> tuple[int, ...]:
        """Pods that need quota, or for a workload that holds it those that it holds it for."""
        if self.second is None:
            return current_counts(self.workload.pod_sets, clamped=self.state.configuration.release.reclaims_clamped)
        return tuple(each.count for each in self.second.admitted)

    def _after(self, targets: Sequence[Target]) -> Occupancy:
        """The nodes without the targets; without any, empty of all that a topology places."""
        if not targets:
            return self.state.occupancy.emptied()
        return self._without_targets(targets)

    def _without_targets(self, targets: Sequence[Target]) -> Occupancy:
        if self._left is None or self._left[0] is not targets:
            placements = (p for t in targets for p in t.holder.freed)
            self._left = targets, self.state.occupancy.changed(placements, GIVES_BACK)
        return self._left[1]

    def _nomination(self, assignment: Assignment, search: SearchResult) -> Nomination:
        # Of each search ten thousand heads would keep a ledger that no later question reads.
        kept = {id(found): replace(found, left=None) for found in self._found.values()}
        simulations = tuple(
            (usage[0][0], usage[0][1], kept[id(found)])
            for (_, usage, placed), found in self._found.items()
            if len(usage) == 1 and not placed
        )
        name = self.state.forest.nodes[self.queue].name
        taken = () if self._placing is None else self._placing.taken(assignment)
        fitting = self._fits(assignment, search, taken)
        gated = self.state.configuration.preemption_gates and self.workload.preemption_gated
        return Nomination(
            workload=self.workload,
            cluster_queue=name,
            queue=self.queue,
            assignment=assignment,
            search=kept.get(id(search), search),
            simulations=simulations,
            fits=fitting,
            replaced=self.history.old,
            gated=gated and assignment.mode is Mode.PREEMPT and bool(search.targets),
            placements=taken,
            lasting=() if self._placing is None else self._placing.lasting(assignment, taken),
            placed=self._placing is not None and self._placing.is_due(assignment),
            second=self.second,
            goes_first=self.state.configuration.preemptors_first and self.workload.preempting,
            tied=any(search.tied for search in self._found.values()),
        )

    def _fits(self, assignment: Assignment, search: SearchResult, taken: Sequence[PlacedPods]) -> bool:
        if assignment.mode is not Mode.FIT and not search.targets:
            return True  # it requests nothing yet
        leaving: dict[int, Counter[FlavorResource]] = {}
        for target in search.targets:
            leaving.setdefault(target.queue, Counter()).update(target.holder.usage)
        if self.history.old is not None:
            leaving.setdefault(self.queue, Counter()).update(self.history.old.holder.usage)
        ledger = self.state.ledger
        for queue, usage in leaving.items():
            ledger = ledger.minus(queue, usage)
        # What it holds already is in the ledger.
        asked: Usage = {} if self.second is not None else assignment.usage
        if not fits(ledger, self.queue, asked, borrowing=True):
            return False
        return not taken or self._without(search.targets).fits(taken)

    def _without(self, targets: Sequence[Target]) -> Occupancy:
        """The nodes without the targets, and without the slice that is replaced."""
        found = self._without_targets(targets)
        return found if self.history.old is None else found.changed(self.history.old.holder.freed, GIVES_BACK)

    def _with_counts(self, counts: tuple[int, ...]) -> tuple[Assignment, SearchResult]:
        if self.second is None or self.second.anew:
            assignment = assign(self.state, self.queue, self.workload.pod_sets, counts, self._simulate, self.history)
        else:
            assignment = held_assignment(self.second, self.state.forest.nodes[self.queue].queue, counts)
        # Kueue returns before it looks for places where a pod set ended without flavors.
        if self._placing is not None and not assignment.ended_uncounted:
            assignment = self._placing.applied(assignment)
        if assignment.mode is not Mode.PREEMPT:
            return assignment, SearchResult()
        # This search ignores the resource `pods` and amounts of 0, as Kueue does.
        least = 0 if self.state.configuration.release.zero_counts else 1
        usage = {p: v for p, v in assignment.usage_without_pods.items() if v >= least}
        asked = {} if self._placing is None else self._placing.requests(assignment)
        return assignment, self._search(assignment.short, usage, asked)

    def _with_fewer_pods(self) -> tuple[Assignment, SearchResult] | None:
        """The assignment with the fewest pods left out, by bisection as Kueue does it (KEP-420)."""
        pod_sets = self.workload.pod_sets
        delta = sum(p.count - p.min_count for p in pod_sets if p.min_count is not None)
        if delta <= 0:
            return None
        best = None
        low, high = 0, delta + 1
        while low < high:
            middle = (low + high) // 2
            assignment, search = self._with_counts(reduced_counts(pod_sets, middle, delta))
            # As for all pods: fit, or fit once victims have left.
            if assignment.mode is Mode.FIT or search.targets:
                best, high = (assignment, search), middle
            else:
                low = middle + 1
        return best

    def _simulate(self, pair: FlavorResource, amount: int) -> tuple[Ledger, bool] | None:
        search = self._search(frozenset((pair,)), {pair: amount})
        if not search.targets:
            return None
        # One target in the workload's own queue makes the whole flavor count as Preempt, not Reclaim.
        own = any(t.reason is PreemptionReason.IN_CLUSTER_QUEUE for t in search.targets)
        ledger = self.state.ledger if search.left is None else search.left
        for target in search.targets if search.left is None else ():
            ledger = ledger.minus(target.queue, target.holder.usage)
        return ledger, own

    def _grounds(self, placing: "TopologyPlacing", asked: Mapping[str, Sequence["PlacementRequest"]]) -> Grounds:
        from kubectl_fairshare.schedulers.kueue.preemption.grounds import search_grounds

        return search_grounds(placing.in_search, asked, self.state)

    def _search(
        self,
        short: frozenset[FlavorResource],
        usage: dict[FlavorResource, int],
        asked: Mapping[str, Sequence["PlacementRequest"]] | None = None,
    ) -> SearchResult:
        """The search for targets; ``asked`` are pod sets that must have a place, too."""
        if not self.preempting:
            return SearchResult()
        counts = tuple((f, a.index, a.count) for f, each in (asked or {}).items() for a in each)
        # The same search comes again for a single flavor-resource, and for fewer pods.
        key = (short, tuple(sorted(usage.items())), counts)
        if key not in self._found:
            preemptor = Preemptor(self.queue, self.workload.priority, self.workload.queued, short, usage)
            placing = self._placing
            grounds = None if placing is None or not asked else partial(self._grounds, placing, asked)
            self._found[key] = self._targets(preemptor, grounds)
        return self._found[key]

    def _targets(self, preemptor: Preemptor, grounds: Callable[[], Grounds] | None) -> SearchResult:
        if self.state.fair:
            from kubectl_fairshare.schedulers.kueue.preemption.fair_targets import fair_targets

            return fair_targets(self.state, preemptor, self.replay, grounds)
        from kubectl_fairshare.schedulers.kueue.preemption.classical import classical_targets

        return classical_targets(self.state, preemptor, grounds)


def nominate_again(state: State, second: SecondPass) -> Nomination:
    """What a workload that holds quota gets if its place is looked for now."""
    name = second.holder.cluster_queue
    queue = state.forest.queue_ids.get(name)
    refused = _refusal_in(state, second.workload, name)
    if refused is not None or queue is None:
        return Nomination(second.workload, name, queue, refused=refused, second=second)
    return Nominator(state, queue, second.workload, second=second).nominate()


def nominate(state: State, workload: Pending, tried: Tried = NOTHING_TRIED, replay: Replay | None = None) -> Nomination:
    """What the workload would get if it were considered now, after the flavors ``tried`` in the cycle before."""
    name = state.cluster_queue_of(workload)
    queue = state.forest.queue_ids.get(name)
    refused = refusal(state, workload)
    if refused is not None or queue is None:
        return Nomination(workload, name, queue, refused=refused)
    nominator = Nominator(state, queue, drawn(workload, state.chance), tried)
    nominator.replay = replay or nominator.replay
    found = nominator.nominate()
    return replace(found, tied=True) if workload.is_drawn else found


def refusal(state: State, workload: Pending) -> Step | None:
    """Why Kueue does not consider the workload: the first reason in the order of Kueue's checks; None if it does."""
    if workload.refusal is not None and workload.refusal.law in NO_WORKLOAD:
        return resource_refusal(workload)
    if workload.gated_by:
        return Step(Law.ADMISSION_GATED, (("workload", workload.name), ("gates", workload.gated_by)), holds=False)
    if not workload.active:
        return Step(Law.WORKLOAD_INACTIVE, (("workload", workload.name),), holds=False)
    if workload.refusal is not None and workload.refusal.law == JobLaw.DEVICES:
        return resource_refusal(workload)
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    if local is None or local.stop_policy != "None":
        law = Law.LOCAL_QUEUE_MISSING if local is None else Law.LOCAL_QUEUE_STOPPED
        return Step(law, (("local queue", workload.local_queue),), holds=False)
    return _refusal_in(state, workload, state.cluster_queue_of(workload))


def _refusal_in(state: State, workload: Pending, name: str) -> Step | None:
    """Why a head of the ClusterQueue of this name is not considered, also one that holds quota already."""
    if workload.failed_checks:
        # Before the queue is looked at, as in Kueue: such a workload is requeued without a look at its queue.
        return Step(Law.CHECKS_FAILED, (("workload", workload.name),), holds=False)
    named = (("cluster queue", name),)
    if name not in state.kueue.cluster_queues:
        return Step(Law.QUEUE_MISSING, named, holds=False)
    if name not in state.forest.queue_ids or name in state.inactive:
        return Step(Law.QUEUE_INACTIVE, named, holds=False)
    return namespace_refusal(state, workload, name) or resource_refusal(workload)


def namespace_refusal(state: State, workload: Pending, name: str) -> Step | None:
    """Why the workload's namespace may not use the ClusterQueue."""
    namespace = workload.key.namespace
    wording = () if state.configuration.release.namespace_words else (("wording", "earlier"),)
    labels = state.snapshot.namespaces.get(namespace)
    if labels is None:
        return Step(Law.NAMESPACE_MISSING, (("namespace", namespace), *wording), holds=False)
    selector = state.kueue.cluster_queues[name].namespace_selector
    if selector is None or not selector.matches(labels):
        operands = (("namespace", namespace), ("cluster queue", name), *wording)
        return Step(Law.NAMESPACE_NOT_SELECTED, operands, holds=False)
    return None


def resource_refusal(workload: Pending) -> Step | None:
    """Why the workload's own requests keep it from being considered."""
    if workload.refusal is None:
        return None
    operands = tuple((str(i), text) for i, text in enumerate(workload.refusal.operands))
    return Step(Law.WORKLOAD_REFUSED, (("law", workload.refusal.law), *operands), holds=False)
