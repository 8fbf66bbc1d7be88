"""The objects that a plan rests on: a state of these alone gives the same plan."""

from collections.abc import Iterator

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.quotas.state import State


def cited_objects(state: State, plan: Plan) -> tuple[ObjectKey, ...]:
    """The objects that the plan rests on, sorted.

    These are all quotas with the pods that they count and all nodes, because a division rests on the requests of all
    siblings and on the total; the disruption budgets of namespaces that lose pods; and the ResourceQuotas that reject
    the pod.
    """
    return tuple(sorted(set(_cited(state, plan))))


def _cited(state: State, plan: Plan) -> Iterator[ObjectKey]:
    yield from (quota.key for quota in state.source.quotas.values())
    yield from (node.key for node in state.nodes.values())
    counted = (pod for pod in state.source.pods if pod.key != plan.pod.key or plan.origin.exists)
    yield from (pod.key for pod in counted)
    yield from (refusal.place.object for refusal in plan.refusals)
    losing = {fate.pod.namespace for trial in plan.attempt.trials.values() for fate in trial.fates}
    yield from (budget.key for namespace in sorted(losing) for budget in state.budgets.get(namespace, ()))
