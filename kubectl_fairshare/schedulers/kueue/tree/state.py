"""The state that the engine works on: the Kueue part of a snapshot with its forest, ledger and ordered queues.

Why a value and not a cache that is changed: a plan asks what would be with 2 GPUs more, and next to it what would be
without the victims; each is a state of its own, and the first is still there.
Source: ``Snapshot`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/cache/scheduler/snapshot.go.
Tested in ``tests/unit/schedulers/kueue/explain/test_citation.py``.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.model.amounts import UNLIMITED, add
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import ComparedInPart, Value, field, replace
from kubectl_fairshare.schedulers.choices import FIRST, Choices
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.moments import has_condition
from kubectl_fairshare.schedulers.kueue.laws import candidate_order, in_candidate_order
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, Preemption, Quota, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.topology import Node
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, Usage
from kubectl_fairshare.schedulers.kueue.topology.occupancy import Occupancy, occupancy_of
from kubectl_fairshare.schedulers.kueue.tree.activity import Inactivity, inactive_queues, shows_active
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, grow
from kubectl_fairshare.schedulers.kueue.tree.ledger import Ledger, open_ledger

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import UsageLedger

CandidateOrder: TypeAlias = Callable[[Holder], Any]
_Found = TypeVar("_Found")


class HolderIndex:
    """The workloads that hold quota, per queue, each queue's sorted on first use.

    ``orders`` are those of queues whose candidates are not in the usual order (admission fair sharing).
    """

    __slots__ = ("_by_queue", "_orders", "_sorted", "_usages")

    def __init__(self, by_queue: dict[int, list[Holder]], orders: Mapping[int, CandidateOrder] | None = None) -> None:
        self._by_queue = by_queue
        self._orders = orders or {}
        self._sorted: dict[int, list[Holder]] = {}
        self._usages: dict[int, tuple[Usage, ...]] = {}

    @property
    def queues(self) -> Collection[int]:
        """The queues in which workloads hold quota."""
        return self._by_queue.keys()

    def order(self, queue: int) -> CandidateOrder:
        """The order of the queue's workloads as candidates among themselves."""
        return self._orders.get(queue, candidate_order)

    def ordered_by(self, orders: Mapping[int, CandidateOrder]) -> "HolderIndex":
        """The same workloads in other orders."""
        return HolderIndex(self._by_queue, orders)

    def of(self, queue: int) -> list[Holder]:
        """The queue's workloads in candidate order (see ``candidate_order``)."""
        known = self._sorted.get(queue)
        if known is None:
            holders, order = self._by_queue.get(queue, ()), self._orders.get(queue)
            known = in_candidate_order(holders) if order is None else sorted(holders, key=order)
            self._sorted[queue] = known
        return known

    def in_no_order(self, queue: int) -> Sequence[Holder]:
        """The queue's workloads, for a question that their order does not matter to."""
        return self._by_queue.get(queue, ())

    def usages(self, queue: int) -> tuple[Usage, ...]:
        """What some of the queue's workloads hold, each that many share once: equal ones were read as one."""
        known = self._usages.get(queue)
        if known is None:
            alike = {id(holder.usage): holder.usage for holder in self._by_queue.get(queue, ())}
            known = self._usages[queue] = tuple(alike.values())
        return known

    def count(self, queue: int) -> int:
        """The number of workloads in the queue that hold quota."""
        return len(self._by_queue.get(queue, ()))

    def after(
        self, left: Mapping[int, Collection[ObjectKey]], arrived: Mapping[int, Sequence[Holder]]
    ) -> "HolderIndex":
        """The index after some workloads have left and others have arrived, per queue."""
        index = HolderIndex({**self._by_queue}, self._orders)
        index._sorted.update(self._sorted)
        index._usages.update(self._usages)
        for queue in {*left, *arrived}:
            index._usages.pop(queue, None)
            gone = left.get(queue, ())
            holders = [h for h in self.of(queue) if h.key not in gone]
            for holder in arrived.get(queue, ()):
                insort(holders, holder, key=self.order(queue))
            index._by_queue[queue] = index._sorted[queue] = holders
        return index


class Emptiness:
    """The ledger and the occupancy of a forest and Kueue's objects without any usage: made once for many questions."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[Forest, KueueState, Ledger, Occupancy] | None = None

    def of(self, forest: Forest, kueue: KueueState) -> tuple[Ledger, Occupancy]:
        """Those of a state with this forest and these objects."""
        known = self._known
        if known is None or known[0] is not forest or known[1] is not kueue:
            nodes = tuple(node.in_service for node in kueue.nodes)
            occupancy = occupancy_of(replace(kueue, nodes=nodes, occupied={}), ())
            known = self._known = forest, kueue, open_ledger(forest, {}), occupancy
        return known[2:]


class Once:
    """What was found last for some parts of a state: many questions are asked about one."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[tuple[object, ...], Any] | None = None

    def of(self, parts: tuple[object, ...], find: Callable[[], _Found]) -> _Found:
        """What ``find`` returns for these very parts."""
        known = self._known
        if known is None or any(a is not b for a, b in zip(known[0], parts, strict=True)):
            known = self._known = parts, find()
        found: _Found = known[1]
        return found


class State(ComparedInPart, Value, frozen=True):
    """A snapshot as the engine sees it.

    ``inactive`` maps the names of inactive queues to the reasons; ``occupancy`` is the free capacity of the nodes.
    ``chance`` makes the choices that Kueue does not define. ``once`` keeps the head that stops the manager.
    """

    UNCOMPARED = ("emptiness", "once")
    snapshot: Snapshot
    forest: Forest
    ledger: Ledger
    holders: HolderIndex
    inactive: Mapping[str, Inactivity]
    occupancy: Occupancy
    past: "UsageLedger | None" = None
    chance: Choices = FIRST
    emptiness: Emptiness = field(default_factory=Emptiness)
    once: Once = field(default_factory=Once)

    @property
    def kueue(self) -> KueueState:
        """Kueue's part of the snapshot."""
        return self.snapshot.part(KueueState)

    @property
    def configuration(self) -> Configuration:
        """The manager's configuration."""
        found = self.snapshot.parts.get(KueueState)  # read hundreds of times for a decision
        return found.configuration if isinstance(found, KueueState) else KueueState().configuration

    @property
    def fair(self) -> bool:
        """Whether fair sharing is configured."""
        return self.configuration.strategies is not None

    @property
    def unready(self) -> tuple[Holder, ...]:
        """The workloads whose pods must be ready before any other is admitted (waitForPodsReady.blockAdmission).

        Kueue does not look at one whose ClusterQueue does not exist.
        """
        if not self.configuration.block_admission:
            return ()
        # Counted by ClusterQueue in Kueue's cache, so that a Workload of a queue that is not there blocks none.
        return tuple(each for each in self.kueue.holders if not each.ready and self._may_exist(each.cluster_queue))

    def _may_exist(self, queue: str) -> bool:
        key, known = cluster_key("ClusterQueue", queue), self.snapshot
        return queue in self.kueue.cluster_queues or not known.excludes(key) or known.infers_absence(key)

    @property
    def shown_inactive(self) -> frozenset[str]:
        """The ClusterQueues of which the condition Active says that they are out of service."""
        return frozenset(name for name, why in self.inactive.items() if not shows_active(why))

    def is_active(self, node: int) -> bool:
        """Whether the ClusterQueue at ``node`` is active."""
        return self.forest.nodes[node].name not in self.inactive

    def cluster_queue_of(self, workload: Pending) -> str:
        """The name of the ClusterQueue that the workload's LocalQueue points to, empty without one."""
        local = self.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
        return "" if local is None or local.cluster_queue is None else local.cluster_queue

    def with_quota(self, node: int, pair: FlavorResource, quota: Quota) -> "State":
        """The state with one quota changed."""
        forest = self.forest.with_quota(node, pair, quota)
        return replace(self, forest=forest, ledger=self.ledger.with_quota(forest, node, pair))

    def with_weight(self, node: int, weight: float) -> "State":
        """The state with one fair sharing weight changed."""
        forest = self.forest.with_weight(node, weight)
        return replace(self, forest=forest, ledger=self.ledger.with_weights(forest))

    def with_preemption(self, queue: int, preemption: Preemption) -> "State":
        """The state with the preemption policies of one ClusterQueue changed."""
        return replace(self, forest=self.forest.with_preemption(queue, preemption))

    def of_snapshot(self, snapshot: Snapshot) -> "State":
        """The state of a snapshot with the same Kueue objects; namespaces and pending workloads may differ."""
        return replace(self, snapshot=snapshot)

    def with_chance(self, chance: Choices) -> "State":
        """The state with other choices at ties."""
        return replace(self, chance=chance)

    def with_past(self, past: "UsageLedger") -> "State":
        """The state with another past usage of LocalQueues, which orders heads and candidates."""
        return replace(self, past=past, holders=self.holders.ordered_by(_orders(self.forest, past)))

    def with_usage(self, ledger: Ledger, occupancy: Occupancy) -> "State":
        """The state with other usage, of quota and of nodes."""
        return replace(self, ledger=ledger, occupancy=occupancy)

    def emptied(self) -> "State":
        """The state as if nothing used quota or nodes, and every node were ready and open to all."""
        return self.with_usage(*self.emptiness.of(self.forest, self.kueue))

    def with_nodes(self, nodes: Iterable[Node]) -> "State":
        """The state with other nodes, and the same workloads on them."""
        return replace(self, occupancy=self.occupancy.on(replace(self.kueue, nodes=tuple(nodes))))

    def without(self, holders: Sequence[Holder]) -> "State":
        """The state whose ledger and queues lack ``holders``; its nodes stay as they are."""
        # A cycle that nominates anew lets the victims of others leave the nodes by itself, in one step.
        return replace(self.after(holders, ()), occupancy=self.occupancy)

    def without_holder(self, holder: Holder) -> "State":
        """The state after ``holder`` released its quota."""
        return self.after((holder,), ())

    def after(self, left: Sequence[Holder], arrived: Sequence[Holder]) -> "State":
        """The state after the workloads in ``left`` released their quota and those in ``arrived`` got some.

        Workloads of queues that do not exist change nothing. The snapshot stays as it was read.
        """
        ledger = self.ledger
        gone: dict[int, set[ObjectKey]] = {}
        come: dict[int, list[Holder]] = {}
        for holder in left:
            queue = self.forest.queue_ids.get(holder.cluster_queue)
            if queue is not None:
                gone.setdefault(queue, set()).add(holder.key)
                ledger = ledger.minus(queue, holder.usage)
        for holder in arrived:
            queue = self.forest.queue_ids.get(holder.cluster_queue)
            if queue is not None:
                come.setdefault(queue, []).append(holder)
                ledger = ledger.plus(queue, holder.usage)
        occupancy = self.occupancy.after(
            [p for holder in left for p in holder.placements], [p for holder in arrived for p in holder.placements]
        )
        return replace(self, ledger=ledger, holders=self.holders.after(gone, come), occupancy=occupancy)


def state_of(snapshot: Snapshot) -> State:
    """The state of a snapshot. Workloads in queues that do not exist hold nothing."""
    kueue = snapshot.part(KueueState)
    inactive = inactive_queues(kueue)
    forest = grow(kueue, frozenset(inactive))
    inactive = {**inactive, **{name: _caught_in_cycle(inactive.get(name)) for name in forest.cyclic_queues}}
    by_queue: dict[int, list[Holder]] = {}
    for holder in kueue.holders:
        queue = forest.queue_ids.get(holder.cluster_queue)
        if queue is not None:
            by_queue.setdefault(queue, []).append(_in_queue(kueue, holder) if holder.placements else holder)
    usages = {queue: _usage_of(held) for queue, held in by_queue.items()}
    # By name, so that reasons come in one order whatever the order of the input.
    inactive = dict(sorted(inactive.items()))
    occupancy = occupancy_of(kueue, kueue.holders)
    state = State(snapshot, forest, open_ledger(forest, usages), HolderIndex(by_queue), inactive, occupancy)
    return state if kueue.configuration.admission_sharing is None else _with_restored_past(state)


def _in_queue(kueue: KueueState, holder: Holder) -> Holder:
    """A workload with the flavors of its pods that its ClusterQueue no longer has."""
    groups = kueue.cluster_queues[holder.cluster_queue].groups
    dropped = frozenset(flavor for placed in holder.placements for flavor in placed.flavors)
    dropped = dropped.difference(*(group.flavors for group in groups))
    return replace(holder, dropped=dropped) if dropped else holder


def _with_restored_past(state: State) -> State:
    """The state with the past usage of LocalQueues, as far as the objects record it."""
    from kubectl_fairshare.schedulers.kueue.admission_sharing.restoring import Recorded, restored
    from kubectl_fairshare.schedulers.kueue.jobs.pending import pending_of

    manifests, context = state.snapshot.manifests, state.snapshot.part(Context)

    def was_evicted(workload: Pending) -> bool:
        manifest = manifests.get(workload.key)
        return manifest is not None and has_condition(root_of(manifest), "Evicted")

    recorded = Recorded(lambda key: pending_of(manifests[key], context).pod_sets, was_evicted)
    past = restored(state.kueue, state.shown_inactive, recorded)
    return state if past is None else state.with_past(past)


def _orders(forest: Forest, past: "UsageLedger") -> dict[int, CandidateOrder]:
    from kubectl_fairshare.schedulers.kueue.admission_sharing.order import usage_order

    return {forest.queue_ids[name]: usage_order(past, name) for name in past.scoped if name in forest.queue_ids}


def _caught_in_cycle(other: Inactivity | None) -> Inactivity:
    """A cohort cycle as a reason, in addition to the other reasons of a queue."""
    return (
        Inactivity(("CohortCycle",), ()) if other is None else replace(other, reasons=("CohortCycle", *other.reasons))
    )


def _usage_of(holders: Sequence[Holder]) -> dict[FlavorResource, int]:
    """What workloads use together: of ten thousand many have one usage, the same object, which is looked at once."""
    usages = [holder.usage for holder in holders]
    one_of_each = dict(zip(map(id, usages), usages, strict=True))
    total: dict[FlavorResource, int] = {}
    for identity, times in Counter(map(id, usages)).items():
        for pair, amount in one_of_each[identity].items():
            found = total.get(pair, 0) + amount * times
            # Products and sums agree while nothing saturates; from there on the order of additions counts.
            if amount < 0 or found >= UNLIMITED:
                return _sum_of(usages)
            total[pair] = found
    return total


def _sum_of(usages: Sequence[Usage]) -> dict[FlavorResource, int]:
    """The same in their order, which counts where a sum becomes unlimited."""
    total: dict[FlavorResource, int] = {}
    for usage in usages:
        for pair, amount in usage.items():
            total[pair] = add(total.get(pair, 0), amount)
    return total
