"""A snapshot as the scheduler sees it after a restart: quotas in use, nodes with their pods, nominated pods.

Why not read more than the snapshot: after a restart a scheduler knows objects only, so pods count in the order of their
importance and nominations are those that pods state.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``addPod``, ``updateElasticQuota``.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Mapping, Sequence

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, ElasticQuotaState, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load, filter_result, room_result
from kubectl_fairshare.schedulers.elasticquota.quotas.ledger import Ledger, open_ledger, pool_of
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult, known_nominated, nominated_peers
from kubectl_fairshare.schedulers.kubescheduler.importance import least_first


class State(Value, frozen=True):
    """``pods`` are those on each node, the least important first; ``kept`` are the pods nominated to it.

    ``budgets`` are by namespace.
    """

    source: ElasticQuotaState
    ledger: Ledger
    nodes: Mapping[str, Node]
    pods: Mapping[str, tuple[Pod, ...]]
    loads: Mapping[str, Load]
    kept: Mapping[str, tuple[Pod, ...]]
    budgets: Mapping[str, tuple[DisruptionBudget, ...]]

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


def state_of(source: ElasticQuotaState, pool: Vector | None = None) -> State:
    """The engine's state for a snapshot. ``pool`` is the sum of all min, if it is known."""
    on: dict[str, list[Pod]] = {name: [] for name in source.nodes}
    kept: dict[str, list[Pod]] = {}
    for pod in source.pods:
        if pod.node in on:
            on[pod.node].append(pod)
        # The scheduler notes a nomination as it queues a pod, and it queues no gated one.
        elif not pod.node and pod.nominated in on and not pod.gated:
            kept.setdefault(pod.nominated, []).append(pod)
    budgets: dict[str, list[DisruptionBudget]] = {}
    for budget in source.budgets:
        budgets.setdefault(budget.key.namespace, []).append(budget)
    return State(
        source,
        open_ledger(source.quotas, source.pods, pool),
        source.nodes,
        {name: tuple(least_first(pods)) for name, pods in on.items()},
        {name: _load(pods) for name, pods in on.items()},
        {name: tuple(kept[name]) for name in sorted(kept)},
        {namespace: tuple(found) for namespace, found in budgets.items()},
    )


def _load(pods: list[Pod]) -> Load:
    load = Load()
    for pod in pods:
        load = load.including(pod)
    return load


def with_quota(state: State, quota: ElasticQuota) -> State:
    """The state with another quota for a namespace."""
    quotas = {**state.source.quotas, quota.namespace: quota}
    return replace(
        state,
        source=replace(state.source, quotas=quotas),
        ledger=replace(state.ledger, quotas=quotas, pool=pool_of(quotas)),
    )


def with_node(state: State, node: Node) -> State:
    """The state with another node of a name, which has as much."""
    nodes = {**state.nodes, node.name: node}
    return replace(state, source=replace(state.source, nodes=nodes), nodes=nodes)


def without_pods(state: State) -> State:
    """The state without pods."""
    source = replace(state.source, pods=(), bounds=state.source.bounds.idle())
    return state_of(source, state.ledger.pool)


def with_pods(state: State, pods: Sequence[Pod]) -> State:
    """The state with other pods, sorted by their keys."""
    found = tuple(sorted(pods, key=lambda pod: pod.key))
    return state_of(replace(state.source, pods=found), state.ledger.pool)


def with_placed(state: State, pod: Pod) -> State:
    """The state with one more pod, which is on a node: only what is known of its node is made again."""
    pods = [*state.source.pods]
    insort(pods, pod, key=lambda each: each.key)
    there = tuple(least_first([*state.pods[pod.node], pod]))
    return replace(
        state,
        source=replace(state.source, pods=tuple(pods)),
        ledger=state.ledger.including(pod),
        pods={**state.pods, pod.node: there},
        loads={**state.loads, pod.node: state.loads[pod.node].including(pod)},
    )


def pod_at(state: State, key: ObjectKey) -> Pod:
    """One of the pods of the state."""
    return state.source.pods[_place(state.source.pods, key)]


def _place(pods: Sequence[Pod], key: ObjectKey) -> int:
    return bisect_left(pods, key, key=lambda each: each.key)


def with_bound(state: State, pod: Pod, node: str) -> State:
    """The state with one of its waiting pods on a node: only what is known of that node is made again."""
    there = replace(pod, node=node, nominated="", running=True)
    pods = list(state.source.pods)
    pods[_place(pods, pod.key)] = there
    on = state.pods.get(node)
    placed = {} if on is None else {node: tuple(least_first([*on, there]))}
    return replace(
        state,
        source=replace(state.source, pods=tuple(pods)),
        ledger=state.ledger.including(there),
        pods={**state.pods, **placed},
        loads={**state.loads, **({node: state.loads[node].including(there)} if placed else {})},
        kept=_without_kept(state.kept, pod),
    )


def _without_kept(kept: Mapping[str, tuple[Pod, ...]], pod: Pod) -> Mapping[str, tuple[Pod, ...]]:
    if not kept:
        return kept
    left = {name: tuple(other for other in pods if other.key != pod.key) for name, pods in kept.items()}
    return {name: pods for name, pods in left.items() if pods}


def with_nominated(state: State, pod: Pod, node: str, victims: Collection[Pod]) -> State:
    """The state with one of its waiting pods nominated to a node, and victims that are being deleted."""
    leaving = {other.key for other in victims}
    pods = (replace(p, terminating=True) if p.key in leaving else p for p in state.source.pods)
    return with_pods(state, [replace(p, nominated=node) if p.key == pod.key else p for p in pods])


def without_some(state: State, gone: Collection[Pod]) -> State:
    """The state without these pods, as far as it has them."""
    keys = {pod.key for pod in gone}
    return with_pods(state, [pod for pod in state.source.pods if pod.key not in keys])
