"""A snapshot as the scheduler sees it after a restart, settled: trees, sums, runtime quotas, nodes with their pods.

Why not the ``status`` of quotas: the scheduler counts pods itself after a restart, and a controller writes statuses
later, one after the other, so that they need not fit together.
Source: https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/quota_handler.go,
``ReplaceQuotas`` and the handlers of events next to it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import ComparedInPart, Value, field, replace
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts, minus, plus
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Node, Pod, QuotaGroup
from kubectl_fairshare.schedulers.koordinator.model.overlay import overlaid
from kubectl_fairshare.schedulers.koordinator.model.written import WrittenList
from kubectl_fairshare.schedulers.koordinator.nodes.fit import Load, filter_result, room_result
from kubectl_fairshare.schedulers.koordinator.quotas.membership import Membership, PodQuota, membership
from kubectl_fairshare.schedulers.koordinator.quotas.runtime import (
    RuntimeQuotas,
    RuntimeRules,
    runtime_quotas,
)
from kubectl_fairshare.schedulers.koordinator.quotas.sums import (
    PodSums,
    QuotaSums,
    TreeSums,
    pod_sums,
    quota_sums,
    with_one_more,
    with_one_placed,
)
from kubectl_fairshare.schedulers.koordinator.quotas.trees import (
    ParentCycleError,
    QuotaTree,
    named_totals,
    node_total,
    trees_of,
)
from kubectl_fairshare.schedulers.koordinator.reading.quotas import assumed_quotas
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult, known_nominated, nominated_peers
from kubectl_fairshare.schedulers.kubescheduler.importance import by_key

_NO_PRIORITY: Final = 1 << 31
"""Above every priority: that of a node without pods."""
RequestText = Callable[[Pod], WrittenList | None]
"""The request of a pod with the texts of its manifest; None for a pod that no manifest has."""


class TreeFigures(Value, frozen=True):
    """One tree with what its quotas request, use and may use. ``shared`` is the total without special quotas' use."""

    tree: QuotaTree
    total: Amounts
    shared: Amounts
    tree_sums: TreeSums
    runtimes: RuntimeQuotas

    @property
    def sums(self) -> Mapping[str, QuotaSums]:
        """What each quota requests and uses."""
        return self.tree_sums.of


class State(ComparedInPart, Value, frozen=True):
    """``quota_of`` maps every pod to its quota. ``figures`` are by tree, ``tree_of`` by quota.

    ``pods`` are those on each node, in the order in which they are visited; ``budgets`` are by namespace. ``texts``
    gives the request of a pod as its manifest writes it, for messages. ``kept`` are the pods nominated to each node,
    ``lowest`` the least priority of those on each, and ``repelling`` those that keep other pods off their node.
    """

    UNCOMPARED = ("texts", "bare", "highest")
    source: KoordinatorState
    quotas: Mapping[str, QuotaGroup]
    members: Membership
    quota_of: Mapping[ObjectKey, PodQuota]
    trees: Mapping[str, TreeFigures]
    tree_of: Mapping[str, str]
    pods: Mapping[str, tuple[Pod, ...]]
    loads: Mapping[str, Load]
    budgets: Mapping[str, tuple[DisruptionBudget, ...]]
    texts: RequestText | None = None
    own: Mapping[str, PodSums] = field(default_factory=dict)
    kept: Mapping[str, tuple[Pod, ...]] = field(default_factory=dict)
    lowest: Mapping[str, int] = field(default_factory=dict)
    repelling: tuple[Pod, ...] = ()
    bare: "State | None" = None
    """The same without pods; None for a state without pods."""
    highest: dict[tuple[str, tuple[str, ...]], Amounts] = field(default_factory=dict)
    """The most that quotas may use, as far as it is known: the same for all states of these quotas and nodes."""

    def nominated(self, pod: Pod) -> list[Pod]:
        """The nominated pods that the pod's scheduler knows, node by node."""
        return known_nominated(pod, (other for pods in self.kept.values() for other in pods), self.source.profiles)

    def peers(self, pod: Pod, node: str) -> tuple[Pod, ...]:
        """Pods nominated to the node that are at least as important."""
        there = self.kept.get(node)
        return nominated_peers(pod, there, self.source.profiles) if there else ()

    def verdict_on(self, pod: Pod, demand: NodeDemand, node: str, load: Load | None = None) -> FilterResult:
        """What the filters say of one of the nodes; ``load`` is what it holds, if not what it holds now."""
        return filter_result(pod, demand, self.nodes[node], load or self.loads[node], self.peers(pod, node))

    def room_on(self, pod: Pod, node: str, load: Load | None = None) -> FilterResult:
        """The verdict on one of the nodes by amounts alone."""
        return room_result(pod, self.nodes[node], load or self.loads[node], self.peers(pod, node))

    def room_alone(self, pod: Pod, node: str) -> FilterResult:
        """The verdict by amounts alone on one of the nodes without other pods."""
        return room_result(pod, self.nodes[node], Load())

    @property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes by name."""
        return self.source.nodes

    def figures(self, quota: str) -> TreeFigures:
        """The tree of a quota."""
        return self.trees[self.tree_of[quota]]

    def sums(self, quota: str) -> QuotaSums:
        """What a quota requests and uses."""
        return self.figures(quota).sums[quota]

    def runtime(self, quota: str) -> Amounts:
        """The runtime of a quota; empty without one, and then nothing is limited."""
        return self.figures(quota).runtimes.of(quota) or NOTHING

    def limit(self, quota: str) -> Amounts:
        """What a quota may use: its runtime, or its max if runtime quotas are off."""
        return self.runtime(quota) if self.source.arguments.uses_runtime else self.quotas[quota].max


def all_quotas(source: KoordinatorState) -> dict[str, QuotaGroup]:
    """The quotas by name, with those that the scheduler creates itself.

    The default and the system quota are in the default tree: an object of one that names another tree counts there,
    where no pod is. Source: ``GetOrCreateGroupQuotaManagerForTree``, ``updateQuotaToTreeMap``.
    """
    away = {n for n in names.SPECIAL if source.gates.multi_tree and n in source.quotas and source.quotas[n].tree}
    own = {name: quota for name, quota in source.quotas.items() if name not in away}
    return dict(sorted({**assumed_quotas(source.arguments), **own}.items()))


def membership_of(source: KoordinatorState, quotas: Mapping[str, QuotaGroup]) -> Membership:
    """What decides the quota of a pod."""
    every = (*quotas.values(), *(q for each in source.doubles.values() for q in each), *source.ending)
    return membership(quotas, every, no_default=source.gates.no_default)


def state_of(source: KoordinatorState, asked: Iterable[Pod] = (), texts: RequestText | None = None) -> State:
    """The engine's state for a snapshot; ``asked`` are waiting pods that the snapshot does not have.

    Raises ``FairshareError`` for a cycle of parents, on which the scheduler never comes to an end.
    """
    quotas = all_quotas(source)
    try:
        trees = trees_of(quotas, source.gates, by_name=source.rounding is not Rounding.EACH)
    except ParentCycleError as cycle:
        raise FairshareError(cycle_problem(cycle, quotas)) from None
    totals, taken = named_totals((q for tree in trees.values() for q in tree.quotas.values()), source.gates)
    totals[""] = minus(node_total(source.nodes.values()), taken)
    budgets: dict[str, list[DisruptionBudget]] = {}
    for budget in source.budgets:
        budgets.setdefault(budget.key.namespace, []).append(budget)
    own = {name: PodSums() for name in quotas}
    frame = State(
        replace(source, pods=()),
        quotas,
        membership_of(source, quotas),
        {},
        {
            name: _divided(source, tree, totals.get(name, NOTHING), quota_sums(tree, own, source.gates))
            for name, tree in trees.items()
        },
        {name: tree for tree, each in trees.items() for name in each.quotas if tree == "" or name != names.ROOT},
        dict.fromkeys(source.nodes, ()),
        dict.fromkeys(source.nodes, Load()),
        {namespace: tuple(each) for namespace, each in budgets.items()},
        texts,
        own,
        lowest=dict.fromkeys(source.nodes, _NO_PRIORITY),
    )
    return replace(with_pods(frame, source.pods, asked), bare=frame)


def alone(state: State, pod: Pod) -> State:
    """The state with one pod and no other."""
    return with_pod(state.bare or with_pods(state, ()), pod)


def with_pod(state: State, pod: Pod) -> State:
    """The state with one pod more, which is nominated to no node. What does not rest on it is shared, not copied."""
    at = bisect_right(state.source.pods, pod.key, key=lambda each: each.key)
    counted = _under_gates(pod, state.source)
    pods = (*state.source.pods[:at], counted, *state.source.pods[at:])
    source = replace(state.source, pods=pods)
    member = state.members.of(pod)
    own = state.own
    if member.quota in state.quotas:
        most = state.quotas[member.quota].max
        own = overlaid(own, {member.quota: with_one_more(own[member.quota], counted, most)})
    waiting = () if pod.node else (member.quota,)
    state = replace(
        state,
        source=source,
        quota_of=overlaid(state.quota_of, {pod.key: member}),
        trees={
            name: _figures(source, figures, own, (member.quota,), waiting, figures.runtimes.more)
            if member.quota in figures.tree.quotas
            else figures
            for name, figures in state.trees.items()
        },
        own=own,
        repelling=tuple(each for each in pods if each.repelling) if counted.repelling else state.repelling,
    )
    return state if pod.node not in state.nodes else _on_node(state, counted)


def _on_node(state: State, pod: Pod) -> State:
    """The state with the load of one pod more on its node."""
    there = tuple(by_key((*state.pods[pod.node], pod)))
    loads = overlaid(state.loads, {pod.node: state.loads[pod.node].including(pod)})
    lowest = overlaid(state.lowest, {pod.node: min(state.lowest[pod.node], pod.priority)})
    return replace(state, pods=overlaid(state.pods, {pod.node: there}), loads=loads, lowest=lowest)


def pod_at(state: State, key: ObjectKey) -> Pod:
    """One of the pods of the state."""
    return state.source.pods[_place(state.source.pods, key)]


def _place(pods: Sequence[Pod], key: ObjectKey) -> int:
    return bisect_left(pods, key, key=lambda each: each.key)


def with_bound(state: State, pod: Pod, node: str) -> State:
    """The state with one of its waiting pods on a node. What does not rest on it is shared, not copied."""
    at = _place(state.source.pods, pod.key)
    there = replace(state.source.pods[at], node=node, nominated="", running=True)
    source = replace(state.source, pods=(*state.source.pods[:at], there, *state.source.pods[at + 1 :]))
    quota, own = state.quota_of[pod.key].quota, state.own
    if quota in state.quotas:
        own = overlaid(own, {quota: with_one_placed(own[quota], there, state.quotas[quota].max)})
    kept = {name: tuple(p for p in pods if p.key != pod.key) for name, pods in state.kept.items()}
    state = replace(
        state,
        source=source,
        trees={
            name: _figures(source, figures, own, (quota,), (), figures.runtimes.more)
            if quota in figures.tree.quotas
            else figures
            for name, figures in state.trees.items()
        },
        own=own,
        kept={name: pods for name, pods in kept.items() if pods},
    )
    return state if node not in state.nodes else _on_node(state, there)


def with_nominated(state: State, pod: Pod, node: str, victims: Collection[Pod]) -> State:
    """The state with one of its waiting pods nominated to a node, which may be none, and victims that leave."""
    leaving = {other.key for other in victims}
    pods = (replace(p, terminating=True, preempted=True) if p.key in leaving else p for p in state.source.pods)
    return with_pods(state, [replace(p, nominated=node) if p.key == pod.key else p for p in pods])


def without_some(state: State, gone: Collection[Pod]) -> State:
    """The state without these pods, as far as it has them."""
    keys = {pod.key for pod in gone}
    return with_pods(state, [pod for pod in state.source.pods if pod.key not in keys])


def with_pods(state: State, pods: Sequence[Pod], asked: Iterable[Pod] = ()) -> State:
    """The state with other pods; figures that rest on no pod that has come or gone are kept."""
    source = replace(state.source, pods=tuple(pods))
    source = replace(source, pods=tuple(under_gates(source)))
    old, new = {id(pod) for pod in state.source.pods}, {id(pod) for pod in source.pods}
    added = [pod for pod in source.pods if id(pod) not in old]
    gone = [pod for pod in state.source.pods if id(pod) not in new]
    more = {pod.key: state.members.of(pod) for pod in added}
    before = state.quota_of
    quota_of = {pod.key: more[pod.key] if pod.key in more else before[pod.key] for pod in source.pods}
    touched = {each.quota for each in more.values()} | {before[pod.key].quota for pod in gone}
    limits = {name: quota.max for name, quota in state.quotas.items() if name in touched}
    concerned = ((name, pod) for pod in source.pods if (name := quota_of[pod.key].quota) in limits)
    own = {**state.own, **pod_sums(limits, concerned)}
    # A quota above others has a runtime once a pod of its own asks for it.
    waiting = {quota_of[pod.key].quota for pod in source.pods if not pod.node}
    waiting |= {state.members.of(pod).quota for pod in asked}
    on, loads, lowest = _on_nodes(state, source.pods, added, gone)
    kept: dict[str, list[Pod]] = {}
    for pod in source.pods:
        if pod.nominated in on and not pod.node and not pod.gated:
            kept.setdefault(pod.nominated, []).append(pod)
    return replace(
        state,
        source=source,
        quota_of=quota_of,
        trees={name: _figures(source, figures, own, touched, waiting) for name, figures in state.trees.items()},
        pods=on,
        loads=loads,
        own=own,
        kept={name: tuple(by_key(pods)) for name, pods in kept.items()},
        lowest=lowest,
        repelling=tuple(pod for pod in source.pods if pod.repelling),
    )


def _on_nodes(
    state: State, pods: Iterable[Pod], added: Iterable[Pod], gone: Iterable[Pod]
) -> tuple[dict[str, tuple[Pod, ...]], dict[str, Load], dict[str, int]]:
    """The pods on each node, its load, and the least priority there."""
    on: dict[str, list[Pod]] = {pod.node: [] for pod in (*gone, *added) if pod.node in state.nodes}
    for pod in pods:
        if pod.node in on:
            on[pod.node].append(pod)
    several = {name: tuple(by_key(each)) for name, each in on.items()}
    loads = {name: Load.of(each) for name, each in on.items()}
    lowest = {name: min((pod.priority for pod in each), default=_NO_PRIORITY) for name, each in on.items()}
    return {**state.pods, **several}, {**state.loads, **loads}, {**state.lowest, **lowest}


def under_gates(source: KoordinatorState) -> Iterable[Pod]:
    """The pods as the feature gates let them count."""
    gates = source.gates
    if not (gates.ignores_overhead or gates.ignores_ended or gates.ignores_leaving):
        return source.pods
    return [_under_gates(pod, source) for pod in source.pods]


def _under_gates(pod: Pod, source: KoordinatorState) -> Pod:
    gates = source.gates
    if not (gates.ignores_overhead or gates.ignores_ended or gates.ignores_leaving):
        return pod
    return replace(pod, charge=pod.bare if gates.ignores_overhead else pod.charge, ignored=_is_ignored(pod, source))


def _is_ignored(pod: Pod, source: KoordinatorState) -> bool:
    """Whether a gate takes a pod that is being deleted out of all sums: at once, or once its time is over."""
    if not pod.terminating or source.gates.ignores_leaving:
        return pod.terminating
    over = pod.gone_at is not None and source.moment is not None and source.moment > pod.gone_at
    return source.gates.ignores_ended and over


def cycle_problem(cycle: ParentCycleError, quotas: Mapping[str, QuotaGroup]) -> Problem:
    """What is wrong with quotas that are their own ancestors."""
    first = quotas[cycle.names[0]]
    message = f"quotas are their own ancestors: {cycle}; the scheduler loops on them without end"
    return Problem(message, Place(first.key, ("metadata", "labels", names.PARENT)), "give one of them another parent")


def _figures(
    source: KoordinatorState,
    before: TreeFigures,
    own: Mapping[str, PodSums],
    touched: Collection[str],
    waiting: Collection[str],
    more: frozenset[str] = frozenset(),
) -> TreeFigures:
    """The figures of a tree with other pods in the quotas that are touched."""
    sums = quota_sums(before.tree, own, source.gates, before.tree_sums, touched)
    return _divided(source, before.tree, before.total, sums, waiting, more)


def _divided(
    source: KoordinatorState,
    tree: QuotaTree,
    total: Amounts,
    sums: TreeSums,
    waiting: Collection[str] = (),
    more: frozenset[str] = frozenset(),
) -> TreeFigures:
    rules = RuntimeRules(source.arguments, source.gates, source.rounding)
    # Root divides what pods of the default and the system quota leave over: these are outside of the division.
    special = NOTHING if tree.id else plus(*(sums.of[each].used for each in names.SPECIAL))
    shared = minus(total, special)
    return TreeFigures(tree, total, shared, sums, runtime_quotas(tree, sums, shared, waiting, rules, more))


def with_quota(state: State, quota: QuotaGroup, asked: Iterable[Pod] = ()) -> State:
    """The state with another quota of a name."""
    quotas = {**state.source.quotas, quota.name: quota}
    return state_of(replace(state.source, quotas=quotas), asked, state.texts)


def with_node(state: State, node: Node) -> State:
    """The state with another node of a name, which has as much."""
    return replace(state, source=replace(state.source, nodes={**state.nodes, node.name: node}))
