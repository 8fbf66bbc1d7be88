"""Kueue on one state to which made-up Workloads are submitted: its own cycles decide, and what they decide is done."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.explain.decision import with_gaps
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.gaps import REPEATED_SCAN, UNPLACED, transformed_gaps
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, LocalQueue, ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.review.doubts import CycleWatch
from kubectl_fairshare.schedulers.kueue.review.loops import PACES, Pace, eviction_loop
from kubectl_fairshare.schedulers.kueue.review.rulings import copies, entry, hints, ruling
from kubectl_fairshare.schedulers.kueue.tree.presuming import with_presumed_namespaces, with_presumed_references
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.kueue.words.plan_answer import plan_answer
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES, sentence
from kubectl_fairshare.schedulers.sandbox import (
    MOST_COPIES,
    Aftermath,
    EvictionLoop,
    MadeUpWork,
    PromisedQuotas,
    Removal,
    Ruling,
    Site,
)

NAMESPACE: Final = "fairshare-sandbox"
"""The namespace of made-up Workloads."""
_SECOND: Final = 10**9
_ONE_FLAVOR: Final = (
    "each figure is of work that can use that flavor alone: in this release of Kueue, a workload that can use several "
    "may wait in one without candidates though another has room"
)
_ASKS_FOR_PLACES: Final = (
    "in a flavor with a topology, the figures of a queue that has other flavors, too, are of work that asks for one: "
    "`kueue.x-k8s.io/podset-unconstrained-topology` or another request; other work never gets there"
)
_MOST_CYCLES: Final = 64
_NO_BOUND: Final[int | None] = None
_Queues = Mapping[str, tuple[Pending, ...]]
_Loads = Mapping[str, tuple[MadeUpWork, Pending]]


class _Setting(Value, frozen=True):
    """What no submission changes. ``pools`` are the states in which queues have one flavor alone, made when asked.

    ``gaps`` are what is not modelled of the input, where a topology places no pods and where it does.
    """

    sites: tuple[Site, ...]
    empty: State
    pools: dict[str, State] = field(default_factory=dict)
    gaps: dict[bool, tuple[Gap, ...]] = field(default_factory=dict)


def opened(snapshot: Snapshot) -> "KueueSandbox":
    """The sandbox of a snapshot; what waits in it waits here, too. Every queue in service gets a LocalQueue."""
    state = state_of(with_local_queues(with_presumed_references(snapshot)))
    known = with_presumed_namespaces(state.snapshot)
    state = state.of_snapshot(replace(known, namespaces={**known.namespaces, NAMESPACE: {}}))
    kueue = state.kueue
    idle = replace(kueue, holders=(), pending=())
    newest = max([*(h.created for h in kueue.holders), *(w.created for w in kueue.pending)], default=0)
    waiting: dict[str, tuple[Pending, ...]] = {}
    for each in kueue.pending:
        name = state.cluster_queue_of(each)
        waiting[name] = (*waiting.get(name, ()), each)
    setting = _Setting(tuple(_sites(state)), state_of(state.snapshot.with_part(idle)))
    return KueueSandbox(setting, state, newest + _SECOND, {}, waiting, {})


def with_local_queues(snapshot: Snapshot) -> Snapshot:
    """The snapshot with a LocalQueue of ours for every ClusterQueue, which then selects our namespace, too."""
    kueue = snapshot.part(KueueState)
    ours = {(NAMESPACE, name): LocalQueue(NAMESPACE, name, name, "None") for name in kueue.cluster_queues}
    everywhere = LabelSelector()
    queues = {name: replace(q, namespace_selector=everywhere) for name, q in kueue.cluster_queues.items()}
    local_queues = dict(sorted({**kueue.local_queues, **ours}.items()))
    return snapshot.with_part(replace(kueue, cluster_queues=queues, local_queues=local_queues))


def _sites(state: State) -> Iterator[Site]:
    forest = state.forest
    for name, queue in sorted(forest.queue_ids.items()):
        if not state.is_active(queue):
            continue
        node = forest.nodes[queue]
        order = [FlavorResource(f, r) for group in node.queue.groups for f in group.flavors for r in group.covered]
        pairs = [pair for pair in order if pair in node.quotas]
        policies = node.queue.preemption
        yield Site(
            name,
            {(pair.flavor, pair.resource): node.quotas[pair].nominal for pair in pairs},
            {(pair.flavor, pair.resource): _bounded(forest.potential(queue, pair)) for pair in pairs},
            "Lower"
            in f"{policies.within_cluster_queue}{policies.reclaim_within_cohort}{policies.borrow_within_cohort}",
        )


def _bounded(amount: int) -> int | None:
    return None if amount >= UNLIMITED else amount


class KueueSandbox(Value, frozen=True):
    """One state. ``loads`` are all that were submitted, ``queued`` and ``aside`` those that wait, by ClusterQueue."""

    setting: _Setting
    state: State
    clock: int
    loads: Mapping[str, tuple[MadeUpWork, Pending]]
    queued: _Queues
    aside: _Queues
    unplaced: frozenset[str] = frozenset()
    """Flavors with a topology in which work was taken as running, without a place for its pods."""
    replays: dict[tuple[str, int, str], tuple[State, Replay]] = field(default_factory=dict)
    """The searches for Workloads that were asked about, by queue, priority and pool, each on its state."""
    doubts: tuple[Gap, ...] = ()

    @property
    def sites(self) -> tuple[Site, ...]:
        """The ClusterQueues in service."""
        return self.setting.sites

    @property
    def notes(self) -> tuple[str, ...]:
        """Whose figures these are: a release may prefer a flavor without candidates, and a topology be asked for."""
        queues = self.state.kueue.cluster_queues.values()
        chooses = any(len(group.flavors) > 1 for queue in queues for group in queue.groups)
        alone = (_ONE_FLAVOR,) if chooses and not self.state.configuration.release.hopeless_last else ()
        flavors = [{flavor for group in queue.groups for flavor in group.flavors} for queue in queues]
        mixed = any(0 < len(_with_topology(self.state, each)) < len(each) for each in flavors)
        return (*alone, _ASKS_FOR_PLACES) if mixed else alone

    @property
    def single_pods(self) -> bool:
        """No: it admits workloads whole."""
        return False

    @property
    def promised(self) -> PromisedQuotas:
        """The nominal quotas of active ClusterQueues, and those of Cohorts, which come on top."""
        forest, sums = self.state.forest, dict[str, int]()
        queues = {*forest.queue_ids.values()}
        for each in forest.nodes:
            if each.id not in queues or self.state.is_active(each.id):
                for pair, quota in each.quotas.items():
                    sums[pair.resource] = min(sums.get(pair.resource, 0) + quota.nominal, UNLIMITED)
        return PromisedQuotas("nominal quota of all ClusterQueues and Cohorts", dict(sorted(sums.items())))

    def submitted(self, name: str, load: MadeUpWork) -> Aftermath:
        """The state once the Workload has arrived and cycles have run to rest."""
        loads, opened = self._opened(name, load)
        play, watch = opened(PACES[0], ticking=False)
        rests = play.settle(_MOST_CYCLES)
        waits, aside = play.left()
        sandbox = replace(
            KueueSandbox(self.setting, play.state, self.clock + _SECOND, loads, waits, aside, self.unplaced),
            doubts=self._doubts_after(load, (*watch.gaps, *(REPEATED_SCAN if play.repeats else ()))),
        )
        removals = tuple(
            Removal(
                each.target.holder.key.name,
                each.target.holder.cluster_queue,
                each.by.key.name,
                self.state.cluster_queue_of(each.by),
                RULES.get(each.target.trial.law, str(each.target.trial.law)),
            )
            for each in play.evictions
        )
        stops = "" if watch.crash is None else sentence(watch.crash)
        return Aftermath(sandbox, removals, rests, play.cycles, stops=stops)

    def loop(self, name: str, load: MadeUpWork) -> EvictionLoop | None:
        """The loop to which the arrival leads at some pace at which victims stop."""
        if self.doubts or transformed_gaps(self.state.configuration, load.request):
            return None
        _, opened = self._opened(name, load)
        return eviction_loop(partial(opened, ticking=True))

    def _opened(self, name: str, load: MadeUpWork) -> tuple[_Loads, Callable[..., tuple[Play, CycleWatch]]]:
        """All Workloads, with the one that arrives, and their play at a pace."""
        pending = self._pending(name, load)
        loads = {**self.loads, name: (load, pending)}
        queued = {**self.queued, load.queue: (*self.queued.get(load.queue, ()), pending)}
        unplaced = [_unplaced(self.state, flavor) for flavor in sorted(self.unplaced)]

        def opened(pace: Pace, *, ticking: bool) -> tuple[Play, CycleWatch]:
            watch = CycleWatch(unplaced, self.setting.gaps)
            play = Play(
                self.state,
                queued,
                self.clock,
                lambda holder: _again(loads, holder),
                self.aside,
                watch,
                lingering=pace.lingering,
            )
            play.ticking = _SECOND if ticking else 0
            return play, watch

        return loads, opened

    def queue_called(self, name: str) -> str | None:
        """The ClusterQueue of that name, or that a LocalQueue leads to: ``NAMESPACE/NAME``."""
        if any(site.queue == name for site in self.sites):
            return name
        namespace, _, queue = name.partition("/")
        local = self.state.kueue.local_queues.get((namespace, queue))
        return None if local is None else local.cluster_queue

    def placed(self, name: str, load: MadeUpWork, pool: str = "") -> "KueueSandbox":
        """The state in which the Workload holds quota: in the flavor named, otherwise in the first of each resource.

        Raises ``UsageError`` for a resource that the queue has no quota for.
        """
        node = self.state.forest.nodes[self.state.forest.queue_ids[load.queue]]
        usage = {}
        for resource, amount in load.total.items():
            pairs = [pair for pair in node.quotas if pair.resource == resource and pool in ("", pair.flavor)]
            order = [flavor for group in node.queue.groups for flavor in group.flavors]
            if not pairs:
                where = f" in flavor `{pool}`" if pool else ""
                message = f"ClusterQueue `{load.queue}` has no quota for `{resource}`{where}"
                raise UsageError(Problem(message, help="name a resource that it covers"))
            usage[min(pairs, key=lambda pair: order.index(pair.flavor))] = amount
        pending = self._pending(name, load)
        key, clock = pending.key, self.clock
        holder = Holder(key, name, load.queue, load.queue, load.priority, clock, clock, clock, False, usage)
        loads = {**self.loads, name: (load, pending)}
        unplaced = self.unplaced | _with_topology(self.state, (pair.flavor for pair in usage))
        after = self.state.after((), (holder,))
        doubts = self._doubts_after(load)
        return replace(self, state=after, clock=clock + _SECOND, loads=loads, unplaced=unplaced, doubts=doubts)

    def _doubts_after(self, load: MadeUpWork, more: Iterable[Gap] = ()) -> tuple[Gap, ...]:
        """What a state rests on that has the load, whose pods may be charged for something else."""
        charged = transformed_gaps(self.state.configuration, load.request)
        return tuple(dict.fromkeys((*self.doubts, *more, *charged)))

    def answer(self, load: MadeUpWork) -> Answer[PlanDetail]:
        """The outcome of the Workload as the head of its queue now."""
        decided = plan(self.state, self._pending("submitted", load), briefly=True, queues={})
        groups = self.state.kueue.cluster_queues[load.queue].groups
        if _with_topology(self.state, (flavor for group in groups for flavor in group.flavors)):
            decided = with_gaps(decided, tuple(_unplaced(self.state, name) for name in sorted(self.unplaced)))
        return plan_answer(decided, self.state.kueue)

    def share(self, queue: str) -> float | None:
        """The weighted share of the ClusterQueue, as a fraction; None without fair sharing, and for weight 0."""
        share = self.state.ledger.share(self.state.forest.queue_ids[queue])
        return share.value / 1000 if self.state.fair and not share.rank else None

    def ruling(self, load: MadeUpWork, pool: str = "") -> Ruling:
        """The outcome of the Workload as the head of its queue now."""
        pending = self._pending("asked", load)
        return self._doubted(ruling(self._of_pool(pool), pending, self._replay(load, pool)), load)

    def _doubted(self, found: Ruling, load: MadeUpWork) -> Ruling:
        """The ruling with what the way to this state rests on, and with what pods of the request are charged for."""
        charged = transformed_gaps(self.state.configuration, load.request)
        found = found._replace(gaps=(*found.gaps, *charged)) if charged else found
        return found._replace(chance=lambda: (*found.chance(), *self.doubts)) if self.doubts else found

    def doubts_about(self, load: MadeUpWork) -> tuple[Gap, ...]:  # noqa: ARG002 -- the state alone decides
        """Those of the way to this state."""
        return self.doubts

    def _replay(self, load: MadeUpWork, pool: str) -> Replay:
        """The earlier searches on this state for Workloads like this one."""
        key = load.queue, load.priority, pool
        known = self.replays.get(key)
        if known is None or known[0] is not self.state:
            known = self.replays[key] = self.state, Replay()
        return known[1]

    @property
    def enters_as_ruled(self) -> bool:
        """No: a search for victims may find other flavors."""
        return False

    def entry(self, load: MadeUpWork, pool: str = "") -> Ruling:
        """The outcome of the Workload as the head of its queue now if nothing is preempted for it."""
        return self._doubted(entry(self._of_pool(pool), self._pending("asked", load)), load)

    @property
    def most_figures(self) -> int | None:
        """All of them: what cohorts hold is known."""
        return _NO_BOUND

    def most_copies(self, figures: int) -> int:  # noqa: ARG002 -- each takes little
        """As many as are ever counted."""
        return MOST_COPIES

    def copies(self, load: MadeUpWork, pool: str, most: int) -> int:
        """How many such Workloads get in now, one after another and without preemption; at most ``most``."""
        return copies(self._of_pool(pool), self._pending("copy", load), most)

    def hints(self, queue: str) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """What is free for the ClusterQueue, and what it can ever hold."""
        found = hints(self.state, self.state.forest.queue_ids[queue])
        return {(pair.flavor, pair.resource): amounts for pair, amounts in found.items()}

    def _of_pool(self, pool: str) -> State:
        """The state in which all that the flavor gives is of that flavor alone; all flavors if none is named."""
        if not pool:
            return self.state
        known = self.setting.pools
        if pool not in known:
            kueue = self.state.kueue
            queues = {name: replace(q, groups=_only(q.groups, pool)) for name, q in kueue.cluster_queues.items()}
            known[pool] = state_of(self.state.snapshot.with_part(replace(kueue, cluster_queues=queues)))
        return replace(
            known[pool], ledger=self.state.ledger, holders=self.state.holders, occupancy=self.state.occupancy
        )

    def used(self, queue: str) -> Mapping[tuple[str, str], int]:
        """What a ClusterQueue holds, by flavor and resource."""
        usages = self.state.ledger.usages(self.state.forest.queue_ids[queue])
        return {(pair.flavor, pair.resource): amount for pair, amount in usages.items() if amount}

    def is_entitled(self, load: MadeUpWork) -> bool:
        """Whether each resource group has a flavor in which the queue stays within nominalQuota with the Workload."""
        ledger, queue = self.state.ledger, self.state.forest.queue_ids[load.queue]
        node = self.state.forest.nodes[queue]
        total = {resource: amount for resource, amount in load.total.items() if amount}
        for group in node.queue.groups:
            wanted = [(resource, total.pop(resource)) for resource in group.covered if resource in total]
            pairs = ([(FlavorResource(flavor, r), amount) for r, amount in wanted] for flavor in group.flavors)
            if not any(
                all(p in node.quotas and ledger.usage(queue, p) + v <= node.quotas[p].nominal for p, v in of)
                for of in pairs
            ):
                return False
        return not total

    def raised(self, queue: str, more: Mapping[tuple[str, str], int]) -> "KueueSandbox":
        """The state with more nominalQuota, without Workloads that wait."""
        state, node = self.state, self.state.forest.queue_ids[queue]
        for (flavor, resource), amount in more.items():
            pair = FlavorResource(flavor, resource)
            quota = state.forest.quota(node, pair)
            state = state.with_quota(node, pair, replace(quota, nominal=quota.nominal + amount))
        return replace(self, state=state, queued={}, aside={})

    def waiting(self) -> Mapping[str, MadeUpWork]:
        """The submitted Workloads that wait, by name."""
        waits = (each for queues in (self.queued, self.aside) for queue in queues.values() for each in queue)
        return {each.key.name: self.loads[each.key.name][0] for each in waits if each.key.name in self.loads}

    def idle(self) -> "KueueSandbox":
        """The same policy without Workloads."""
        return KueueSandbox(replace(self.setting, pools={}, gaps={}), self.setting.empty, self.clock, {}, {}, {})

    def _pending(self, name: str, load: MadeUpWork) -> Pending:
        key = ObjectKey(GROUP, "Workload", NAMESPACE, name)
        pods = PodSet("main", load.count, load.request, tolerations=load.tolerations, occupies=load.request)
        return Pending(key, name, load.queue, load.priority, self.clock, self.clock, (pods,))


def _with_topology(state: State, flavors: Iterable[str]) -> frozenset[str]:
    """Those of the flavors whose pods a topology places."""
    if not state.configuration.topology:
        return frozenset()
    known = {name: state.kueue.flavors[name] for name in flavors if name in state.kueue.flavors}
    return frozenset(name for name, flavor in known.items() if flavor.topology is not None)


def _unplaced(state: State, flavor: str) -> Gap:
    place = Place(state.kueue.flavors[flavor].key, ("spec", "topologyName"))
    return Gap(UNPLACED, (place,), touches=True, subject=flavor)


def _again(loads: Mapping[str, tuple[MadeUpWork, Pending]], holder: Holder) -> Pending | None:
    """A preempted Workload as it queues again; one of the input does not."""
    known = loads.get(holder.key.name)
    return None if known is None or known[1].key != holder.key else known[1]


def _only(groups: tuple[ResourceGroup, ...], flavor: str) -> tuple[ResourceGroup, ...]:
    """Resource groups with one flavor alone, where they have it."""
    return tuple(replace(group, flavors=(flavor,)) if flavor in group.flavors else group for group in groups)
