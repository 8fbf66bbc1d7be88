"""Whether pods may run on a flavor's nodes: taints, selectors and affinity.

Why not the whole selector of the pods: pods ask for zone a and gpu h100, and the flavor has only a label gpu. Its nodes
may well be in zone a, so zone does not count; with a flavor that has the label zone it would.
Source: ``checkFlavorForPodSets``, ``flavorSelector`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/flavorassigner.go; "matching" in
``docs/laws.md``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kubectl_fairshare.model.selectors import Requirement, Taint
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import PodSet
from kubectl_fairshare.trace import Step

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.kueue.topology.requests import FlavorSurroundings

_FILTERING = ("NoSchedule", "NoExecute")


def mismatch(
    name: str,
    flavor: ResourceFlavor | None,
    pod_sets: Sequence[PodSet],
    around: "FlavorSurroundings | None" = None,
    keys: Collection[str] | None = None,
) -> Step | None:
    """Why the pod sets cannot use the flavor, None if they can; with ``around``, topologies count too.

    ``keys`` are the label keys that count, None for those of the flavor.
    """
    from kubectl_fairshare.schedulers.kueue.laws import Law
    from kubectl_fairshare.schedulers.kueue.topology.requests import topology_mismatch

    if flavor is None:
        return Step(Law.FLAVOR_NOT_FOUND, (("flavor", name),), holds=False)
    for pod_set in pod_sets:
        # Topology before taints before affinity: the first one is the reason that Kueue notes.
        law = None if around is None else topology_mismatch(flavor, pod_set, around)
        if law is not None:
            return Step(law, (("flavor", name), ("pod set", pod_set.name)), holds=False)
        taint = untolerated_taint(flavor, pod_set)
        if taint is not None:
            operands = (("flavor", name), ("key", taint.key), ("value", taint.value), ("effect", taint.effect))
            return Step(Law.UNTOLERATED_TAINT, operands, holds=False)
        if not selects(flavor, pod_set, keys):
            return Step(Law.AFFINITY_MISMATCH, (("flavor", name), ("pod set", pod_set.name)), holds=False)
    return None


def may_run_on(flavor: ResourceFlavor, pod_sets: Sequence[PodSet]) -> bool:
    """Whether the taints and labels of the flavor match the pod sets."""
    return all(untolerated_taint(flavor, each) is None and selects(flavor, each) for each in pod_sets)


def untolerated_taint(flavor: ResourceFlavor, pod_set: PodSet) -> Taint | None:
    """The flavor's first NoSchedule or NoExecute taint that neither pods nor flavor tolerate."""
    return next(untolerated_taints(flavor, pod_set), None)


def untolerated_taints(flavor: ResourceFlavor, pod_set: PodSet) -> Iterator[Taint]:
    """The flavor's NoSchedule and NoExecute taints that neither pods nor flavor tolerate, in order."""
    # The flavor's own tolerations count: Kueue adds them to the pods when they start.
    tolerations = (*pod_set.tolerations, *flavor.tolerations)
    for taint in flavor.node_taints:
        if taint.effect in _FILTERING and not any(t.tolerates(taint, numeric=True) for t in tolerations):
            yield taint


def selects(flavor: ResourceFlavor, pod_set: PodSet, keys: Collection[str] | None = None) -> bool:
    """Whether selector and required affinity match the flavor's labels.

    Only ``keys`` count; None for the keys of the flavor's own labels.
    """
    labels = flavor.node_labels
    keys = labels if keys is None else keys
    if not all(r.matches(labels) for r in _known(pod_set.node_selector, keys)):
        return False
    terms = [_known(term.expressions, keys) for term in pod_set.affinity or ()]
    # Terms are alternatives: one of which no key counts accepts every flavor.
    return not all(terms) or not terms or any(all(r.matches(labels) for r in term) for term in terms)


def _known(requirements: Sequence[Requirement], keys: Collection[str]) -> list[Requirement]:
    return [r for r in requirements if r.key in keys]


def label_keys(flavors: Iterable[ResourceFlavor | None]) -> set[str]:
    """The keys of the labels of all these flavors."""
    return {key for flavor in flavors if flavor is not None for key in flavor.node_labels}
