"""The one pod whose deletion lets another pod in without preemption."""

from collections.abc import Iterator

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import gate
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, CycleEnd, Remedy, RemedyChange

_Kind = tuple[str, int]


def deletion(state: State, attempt: Attempt) -> Iterator[Remedy]:
    """The least important pod whose deletion alone places the pod, and the number of others that would do as well.

    Without nodes, the pod whose deletion lets the quotas admit it.
    """
    search = _Search(state, attempt)
    bound = [pod for pod in state.source.pods if pod.node]
    if state.nodes:
        working = [(pod, nodes) for pod in bound if (nodes := search.nodes_without(pod))]
    else:
        working = [(pod, ()) for pod in bound if search.is_admitted_without(pod)]
    if working:
        pod, nodes = min(working, key=lambda found: (found[0].priority, -found[0].start, found[0].key))
        change = RemedyChange(ChangeKind.DELETION, Place(pod.key), pod=pod)
        yield Remedy((change,), CycleEnd.SCHEDULABLE, nodes, 0, alternatives=len(working) - 1)


class _Search:
    """The effect of deleting each pod in turn; equal cases are computed once.

    Pods of one shape share their vectors, so their identity shows which are equal.
    """

    def __init__(self, state: State, attempt: Attempt) -> None:
        self._state = state
        self._pod, self._demand = attempt.pod, attempt.demand
        self._kept = state.nominated(attempt.pod)
        self._admitted = attempt.gate.admits
        self._free = tuple(n for n in state.nodes if state.verdict_on(attempt.pod, attempt.demand, n).passed)
        self._passes: dict[_Kind, bool] = {}
        self._fits: dict[_Kind, bool] = {}

    def nodes_without(self, pod: Pod) -> tuple[str, ...]:
        """The nodes with room for the waiting pod after ``pod`` is deleted; its nominated node comes first."""
        found = self._all_without(pod) if self.is_admitted_without(pod) else ()
        kept = self._pod.nominated
        return (kept,) if kept in found else found

    def _all_without(self, pod: Pod) -> tuple[str, ...]:
        if pod.node not in self._state.nodes or pod.node in self._free:
            return self._free
        kind = (pod.node, id(pod.request))
        if kind not in self._fits:
            load = self._state.loads[pod.node].without(pod)
            self._fits[kind] = self._state.verdict_on(self._pod, self._demand, pod.node, load).passed
        return tuple(sorted((*self._free, pod.node))) if self._fits[kind] else self._free

    def is_admitted_without(self, pod: Pod) -> bool:
        """Whether the quotas admit the waiting pod after ``pod`` is deleted."""
        if not self._state.ledger.has(pod.namespace):
            return self._admitted
        kind = (pod.namespace, id(pod.charge))
        if kind not in self._passes:
            verdict = gate(self._state.ledger.without(pod), self._pod, self._kept)
            self._passes[kind] = verdict.admits
        return self._passes[kind]
