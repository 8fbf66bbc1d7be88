"""The ResourceQuotas of a state that keep another pod from being created, for pods that no manifest describes.

Tested in ``tests/unit/schedulers/kubescheduler/test_bounds.py``.
"""

from typing import Final

from kubectl_fairshare.answers.holds import CreationRefusal
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import CPU, PODS
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.bounds import Requests

_MILLI: Final = 10**6
_WHOLE: Final = 10**9


def refusals(state: State, pod: Pod) -> tuple[CreationRefusal, ...]:
    """The bounds that keep the pod from being created next to the pods of the state."""
    there = (requested(other) for other in state.source.pods if other.namespace == pod.namespace)
    return state.source.bounds.refusals(pod.namespace, requested(pod), there)


def requested(pod: Pod) -> Requests:
    """What a pod requests, as ResourceQuotas count it."""
    listed = (r for r in pod.request.listed() if r != PODS)
    return {r: size * (_MILLI if r == CPU else _WHOLE) for r in listed if (size := pod.request.of(r))}
