"""The objects that a plan rests on: a state of these alone gives the same plan."""

from collections.abc import Iterator

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State


def cited_objects(state: State, plan: Plan) -> tuple[ObjectKey, ...]:
    """The objects that the plan rests on, sorted.

    These are every quota with the pods that it counts, because sums over all quotas decide; every node that was tried,
    with the pods on it and nominated to it; the disruption budgets of namespaces that lose pods; and the ResourceQuotas
    that reject the pod, with the pods that they count.
    """
    return tuple(sorted(set(_cited(state, plan))))


def _cited(state: State, plan: Plan) -> Iterator[ObjectKey]:
    quoted = plan.attempt.gate.quoted
    looked_at = {*plan.attempt.filters, *plan.attempt.trials}
    for quota in state.source.quotas.values():
        yield quota.key
    for pod in state.source.pods:
        if pod.node in looked_at or (pod.node and quoted and state.ledger.has(pod.namespace)):
            yield pod.key
    nominated = state.nominated(plan.pod)
    yield from (pod.key for pod in nominated)
    looked_at |= {pod.nominated for pod in nominated}
    yield from (state.nodes[name].key for name in state.nodes if name in looked_at)
    losing = {t.pod.namespace for trial in plan.attempt.trials.values() for t in trial.taken}
    yield from (b.key for namespace in sorted(losing) for b in state.budgets.get(namespace, ()))
    if plan.refusals:
        yield from (refusal.place.object for refusal in plan.refusals)
        yield from (pod.key for pod in state.source.pods if pod.namespace == plan.pod.namespace)
    if plan.pod.key in {p.key for p in state.source.pods}:
        yield plan.pod.key
