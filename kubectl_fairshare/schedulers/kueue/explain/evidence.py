"""The field that a reason rests on, so that a screen can cite its line.

Tested in ``tests/unit/cli/test_plan_cases.py``.
"""

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.selectors import Requirement
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.tree.derivation import quota_path
from kubectl_fairshare.trace import Fact, Step


def evidence(kueue: KueueState, queue: ClusterQueue | None, pod_sets: tuple[PodSet, ...], reason: Step) -> Place | None:
    """The field that makes the reason true, None if no field does."""
    names = dict(reason.operands)
    flavor = kueue.flavors.get(str(names.get("flavor")))
    if reason.law is Law.UNTOLERATED_TAINT and flavor is not None:
        return _taint(flavor, str(names.get("key")), str(names.get("effect")))
    if reason.law is Law.AFFINITY_MISMATCH and flavor is not None:
        clash = selector_clash(flavor, pod_sets)
        return Place(flavor.key, ("spec", "nodeLabels", *((clash.key,) if clash else ())))
    if queue is None:
        return None
    if reason.law is Law.RESOURCE_UNAVAILABLE:
        return Place(queue.key, ("spec", "resourceGroups"))
    if reason.law is Law.FLAVOR_NOT_FOUND:
        return _flavor_use(queue, str(names.get("flavor")))
    if reason.law in (Law.EXCEEDS_POTENTIAL, Law.EXCEEDS_AVAILABLE, Law.WITHIN_AVAILABLE):
        path = queue.paths.get(FlavorResource(str(names.get("flavor")), str(names.get("resource"))))
        return None if path is None else Place(queue.key, quota_path(path, "nominalQuota"))
    return None


def refusal_places(refused: Step) -> tuple[Place, ...]:
    """The fields that a rejection rests on."""
    return tuple(dict.fromkeys(part.place for part in refused.rests_on if isinstance(part, Fact)))


def selector_clash(flavor: ResourceFlavor, pod_sets: tuple[PodSet, ...]) -> Requirement | None:
    """The first node selector label that the flavor has with another value; None if the affinity excludes it."""
    for pod_set in pod_sets:
        for requirement in pod_set.node_selector:
            if requirement.key in flavor.node_labels and not requirement.matches(flavor.node_labels):
                return requirement
    return None


def _taint(flavor: ResourceFlavor, key: str, effect: str) -> Place:
    for i, taint in enumerate(flavor.node_taints):
        if (taint.key, taint.effect) == (key, effect):
            return Place(flavor.key, ("spec", "nodeTaints", i))
    return Place(flavor.key, ("spec", "nodeTaints"))


def _flavor_use(queue: ClusterQueue, name: str) -> Place:
    for i, group in enumerate(queue.groups):
        if name in group.flavors:
            return Place(queue.key, ("spec", "resourceGroups", i, "flavors", group.flavors.index(name), "name"))
    return Place(queue.key, ("spec", "resourceGroups"))
