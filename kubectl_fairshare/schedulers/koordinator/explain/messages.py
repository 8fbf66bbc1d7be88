"""The scheduler's own messages about a pod that its quotas reject, word for word.

Quantities appear as the scheduler prints them: a single one as written, a sum in the notation of its first addend, a
runtime in canonical form. ``exceedDimensions`` is sorted here; the scheduler prints it in any order.
Source: koordinator v1.8.0, ``PreFilter`` and ``printResourceList``.
"""

from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.model.written import Written, WrittenList, computed, listing, total_of
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaGate, QuotaTest
from kubectl_fairshare.schedulers.koordinator.quotas.state import State


def message(state: State, pod: Pod, gate: QuotaGate) -> str:
    """What the scheduler says of a pod that its quotas reject; empty for one that they admit."""
    test = gate.refusal
    if test is None:
        return ""
    if test.law is Law.PARENT_UNKNOWN:
        return f"Could not find the elasticQuota {test.quota}, quotaNameTopo: {_topology(test)}"
    request = _kept(_request(state, pod), test)
    exceeded = f"pod's request: {listing(request)}, exceedDimensions: [{' '.join(test.exceeded)}]"
    if test.law is Law.OVER_MIN:
        least = listing(state.quotas[test.quota].written_min)
        used = listing(_used(state, test, firm=True))
        start = (
            f"Insufficient non-preemptible quotas, quotaName: {test.quota}, min: {least}, nonPreemptibleUsed: {used}"
        )
        return f"{start}, {exceeded}"
    named = f"quotaNameTopo: {_topology(test)}" if test.law is Law.PARENT_OVER else f"quotaName: {test.quota}"
    limit, used = listing(_limit(state, test)), listing(_used(state, test, firm=False))
    return f"Insufficient quotas, {named}, runtime: {limit}, used: {used}, {exceeded}"


def _topology(test: QuotaTest) -> str:
    return f"[{' '.join(test.topology)}]"


def _kept(texts: WrittenList, test: QuotaTest) -> WrittenList:
    return {resource: value for resource, value in texts.items() if resource in test.request}


def _limit(state: State, test: QuotaTest) -> WrittenList:
    if state.source.arguments.uses_runtime:
        return {resource: computed(resource, nano) for resource, nano in test.limit.items()}
    return state.quotas[test.quota].written_max


def _used(state: State, test: QuotaTest, *, firm: bool) -> WrittenList:
    """What a quota uses, with all below it, in the notation of the pods that use it."""
    tree = state.figures(test.quota).tree
    below = [test.quota, *(SPECIAL if test.quota == ROOT else ())]
    for name in below:
        below += tree.children.get(name, ())
    within, pods = frozenset(below), []
    for pod in state.source.pods:
        counts = pod.node and not pod.ignored and not (firm and pod.preemptible)
        if counts and (quota := state.quota_of[pod.key].quota) in within:
            pods.append((pod, state.quotas[quota].max))
    charged = ({r: v for r, v in _request(state, pod).items() if r in most} for pod, most in pods)
    return total_of(each for each in charged if any(value.nano for value in each.values()))


def _request(state: State, pod: Pod) -> WrittenList:
    """The request as written. For a pod without a manifest: in canonical form, with memory in binary units."""
    found = None if state.texts is None else state.texts(pod)
    if found is not None:
        return found
    return {r: Written(nano, "binary" if r == "memory" else "decimal") for r, nano in pod.charge.items()}
