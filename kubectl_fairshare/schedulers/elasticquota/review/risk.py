"""Which namespaces may preempt a running pod, by what they use now.

A namespace is listed where a pod of it, within its min, could take this one, or a higher priority of the pod's own
namespace could; whether one pod really does depends on the node, and is for ``plan`` to say.
Source: scheduler-plugins, ``SelectVictimsOnNode``; the chapters of ElasticQuota in ``docs/laws.md``.
"""

from kubectl_fairshare.answers.review import Exposure, PossiblePreemptor
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.words.plan_answer import amount_of


def exposures(state: State) -> list[Exposure]:
    """Every pod on a node in a namespace with a quota, sorted by key."""
    minima = {name: quota.least for name, quota in sorted(state.source.quotas.items())}
    others = [name for name, least in minima.items() if any(map(least.of, least.listed()))]
    pods = (pod for pod in state.source.pods if pod.node and state.ledger.has(pod.namespace))
    return [_exposure(state, pod, others) for pod in sorted(pods, key=lambda pod: pod.key)]


def _exposure(state: State, pod: Pod, others: list[str]) -> Exposure:
    borrows = state.ledger.borrows(pod.namespace)
    takers = {PossiblePreemptor(pod.namespace, str(Law.OWN_LOWER), "higher priority in the namespace")}
    if borrows:
        rule = "reclaim, within its min"
        takers |= {PossiblePreemptor(name, str(Law.BORROWER), rule) for name in others if name != pod.namespace}
    holds = tuple(
        amount_of(resource, value) for resource in pod.charge.listed() if (value := pod.charge.of(resource)) > 0
    )
    return Exposure(pod.key, pod.namespace, pod.priority, holds, borrows, frozenset(takers))
