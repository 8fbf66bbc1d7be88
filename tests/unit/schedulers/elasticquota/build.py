"""Small states for the tests of the engine, written in a line or two."""

from collections.abc import Mapping
from typing import Any

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import LabelSelector, Requirement, Taint
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, ElasticQuotaState, Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.model.vector import Vector, vector_of
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of

GPU = "nvidia.com/gpu"
Amounts = Mapping[str, Any]


def amounts(written: Amounts | None) -> Vector | None:
    """Amounts of ``cpu``, ``gpu`` and others."""
    return None if written is None else vector_of({GPU if r == "gpu" else r: str(v) for r, v in written.items()})


def quota(namespace: str, least: Amounts | None = None, most: Amounts | None = None) -> ElasticQuota:
    key = ObjectKey("scheduling.x-k8s.io", "ElasticQuota", namespace, "quota")
    return ElasticQuota(key, amounts(least), amounts(most), dict(least or {}), dict(most or {}))


def node(name: str, taints: tuple[Taint, ...] = (), unschedulable: bool = False, **allocatable: Any) -> Node:
    there = amounts({"pods": 110, **allocatable})
    assert there is not None
    return Node(ObjectKey("", "Node", "", name), {"name": name}, taints, unschedulable, there)


def pod(name: str, on: str = "", priority: int = 0, started: int | None = 1, **request: Any) -> Pod:
    """A pod ``namespace/name``; ``on`` is its node."""
    namespace, _, own = name.partition("/")
    asked = amounts(request)
    assert asked is not None
    key = ObjectKey("", "Pod", namespace, own)
    return Pod(key, name, {"app": own}, priority, asked, asked, asked, node=on, started=started if on else None)


def kept(waiting: Pod, on: str) -> Pod:
    """The pod with a place kept for it."""
    return replace(waiting, nominated=on)


def budget(namespace: str, app: str, allowed: int = 0) -> DisruptionBudget:
    selector = LabelSelector((Requirement("app", "In", (app,)),))
    return DisruptionBudget(ObjectKey("policy", "PodDisruptionBudget", namespace, app), selector, allowed)


def state(*objects: ElasticQuota | Node | Pod | DisruptionBudget) -> State:
    """The state of these objects."""
    return state_of(source(*objects))


def source(*objects: ElasticQuota | Node | Pod | DisruptionBudget) -> ElasticQuotaState:
    ordered = sorted(objects, key=lambda each: each.key)
    return ElasticQuotaState(
        quotas={o.namespace: o for o in ordered if isinstance(o, ElasticQuota)},
        nodes={o.name: o for o in ordered if isinstance(o, Node)},
        pods=tuple(o for o in ordered if isinstance(o, Pod)),
        budgets=tuple(o for o in ordered if isinstance(o, DisruptionBudget)),
    )


def cycle(
    at: State, asking: Pod, demand: NodeDemand | None = None, semantics: Semantics = Semantics.K8S_1_35
) -> Attempt:
    return schedule(replace(at, source=replace(at.source, semantics=semantics)), asking, demand)


def planned(at: State, asking: Pod) -> Plan:
    return plan(at, asking, None)


def victims(found: Attempt) -> list[str]:
    """The victims on the chosen node, in order."""
    assert found.choice is not None
    return [fate.taken.pod.key.name for fate in found.trials[found.choice.nodes[0]].victims]
