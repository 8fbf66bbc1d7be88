"""Which namespaces may preempt a running pod, by what they use now.

A namespace is listed where a pod of it, within its min, could take this one, or a higher priority of the pod's own
namespace could; whether one pod really does depends on the node, and is for ``plan`` to say.
Source: scheduler-plugins, ``SelectVictimsOnNode``; the chapters of ElasticQuota in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/elasticquota/preemption/test_exposures.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.answers.preemptors import PreemptorNumbers, Preemptors
from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import amount_of


def exposures(state: State, numbers: PreemptorNumbers) -> list[Exposure]:
    """Every pod on a node in a namespace with a quota, sorted by key."""
    pods = [pod for pod in state.source.pods if pod.node and state.ledger.has(pod.namespace)]
    takers = _takers(state, sorted({pod.namespace for pod in pods}), numbers)
    return [_exposure(state, pod, takers[pod.namespace]) for pod in sorted(pods, key=lambda pod: pod.key)]


def _takers(state: State, namespaces: Iterable[str], numbers: PreemptorNumbers) -> dict[str, Preemptors]:
    """The takers of the pods of each namespace: its own, and if it borrows, all others within whose min a pod can be.

    A namespace without a min stays within it with a pod that requests nothing, unless it borrows.
    """
    minima = {name: quota.least for name, quota in sorted(state.source.quotas.items())}
    others = {
        name: numbers.set_of((PossiblePreemptor(name, str(Law.BORROWER), "reclaim, within its min"),))
        for name, least in minima.items()
        if any(map(least.of, least.listed())) or not state.ledger.borrows(name)
    }
    everyone = numbers.having(0).union(others.values())
    found = {}
    for name in namespaces:
        own = numbers.set_of((PossiblePreemptor(name, str(Law.OWN_LOWER), "higher priority in the namespace"),))
        beside = everyone.without(others[name]) if name in others else everyone
        found[name] = own.union((beside,)) if state.ledger.borrows(name) else own
    return found


def _exposure(state: State, pod: Pod, takers: Preemptors) -> Exposure:
    borrows = state.ledger.borrows(pod.namespace)
    holds = tuple(
        amount_of(resource, value) for resource in pod.charge.listed() if (value := pod.charge.of(resource)) > 0
    )
    return Exposure(pod.key, pod.namespace, pod.priority, holds, borrows, takers)
