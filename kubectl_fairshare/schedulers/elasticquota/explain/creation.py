"""The ResourceQuotas of a state that keep another pod from being created, for pods that no manifest describes.

Source: Kubernetes' ResourceQuota for pods: waiting pods count like running ones, and an equal sum still fits.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_creation.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity import nano, native
from kubectl_fairshare.schedulers.elasticquota.explain.shares import requested_as
from kubectl_fairshare.schedulers.elasticquota.model.objects import Hard, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import CPU, PODS, ZERO, Vector, plus
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State

_MILLI: Final = 10**6
_WHOLE: Final = 10**9


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
        resource, bound = requested_as(name), nano(native(value))
        if name == PODS:
            asked, held = _WHOLE, there * _WHOLE
        elif resource is not None:
            unit = _MILLI if resource == CPU else _WHOLE
            asked, held = wanted.of(resource) * unit, used.of(resource) * unit
        else:
            continue
        if asked > 0 and asked + held > bound:
            yield CreationRefusal(Place(hard.key, (*hard.path, name)), asked, held, bound)
