"""Running pods with what they hold and which namespaces may preempt them.

Tested in ``tests/unit/schedulers/elasticquota/preemption/test_exposures.py``.
"""

from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Exposure, Exposures
from kubectl_fairshare.schedulers.elasticquota.explain.preemptors import left_below, takers
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State


def exposures(state: State, numbers: PreemptorNumbers) -> Exposures:
    """Every pod on a node in a namespace with a quota, sorted by key."""
    pods = [pod for pod in state.source.pods if pod.node and state.ledger.has(pod.namespace)]
    known = takers(state, numbers, pods)
    found = [_exposure(state, pod, known.of[pod.key]) for pod in sorted(pods, key=lambda pod: pod.key)]
    return Exposures(found, known.doubt)


def _exposure(state: State, pod: Pod, takers: Preemptors) -> Exposure:
    borrows = state.ledger.borrows(pod.namespace)
    holds = tuple(
        amount_of(resource, value) for resource in pod.charge.listed() if (value := pod.charge.of(resource)) > 0
    )
    below = tuple(amount_of(resource, value) for resource, value in left_below(state, pod))
    return Exposure(pod.key, pod.namespace, pod.priority, holds, borrows, takers, left_below=below)
