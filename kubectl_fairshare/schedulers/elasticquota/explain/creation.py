"""The ResourceQuotas that keep a pod from being created; the API server decides this before any scheduler.

Source: Kubernetes' ResourceQuota for pods: waiting pods count like running ones, and an equal sum still fits.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_planning.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.explain.shares import requested_as
from kubectl_fairshare.schedulers.elasticquota.model.objects import Hard, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS, ZERO, Excess, Vector, amount, plus
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State


class CreationRefusal(Value, frozen=True):
    """A bound of a ResourceQuota that another pod would exceed: its name there, its place, the amounts."""

    name: str
    place: Place
    excess: Excess


def refusals(state: State, pod: Pod) -> tuple[CreationRefusal, ...]:
    """The bounds on requests and on the number of pods that keep the pod from being created.

    ResourceQuotas with scopes, and bounds on limits, are left out.
    """
    hards = [h for h in state.source.hards if h.key.namespace == pod.namespace and not h.scoped]
    if not hards:
        return ()
    used, there = ZERO, 0
    for other in state.source.pods:
        if other.namespace == pod.namespace:
            used, there = plus(used, other.request), there + 1
    return tuple(r for hard in hards for r in _refusals_of(hard, pod.request, used, there))


def _refusals_of(hard: Hard, wanted: Vector, used: Vector, there: int) -> Iterator[CreationRefusal]:
    for name, value in hard.bounds.items():
        if name == PODS:
            excess = Excess(PODS, 1, there, amount(PODS, value))
        elif (resource := requested_as(name)) is not None:
            excess = Excess(resource, wanted.of(resource), used.of(resource), amount(resource, value))
        else:
            continue
        if excess.wanted > 0 and excess.more > 0:
            yield CreationRefusal(name, Place(hard.key, (*hard.path, name)), excess)
