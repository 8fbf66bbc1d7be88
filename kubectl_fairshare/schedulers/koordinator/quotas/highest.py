"""The most that a quota may ever use: its runtime where it and all quotas above it request their max, and no other.

Counter-example to asking about the pod alone: ``org`` lends and has two children of min 1, ``a`` of which lends nothing
and has a max of 0. A pod of ``a`` alone raises nothing that ``org`` asks for, so the runtime of ``org`` is 0, and so is
the scaled min of ``a``. Once a pod of ``b`` waits, ``org`` has a runtime, and ``a`` its min.
What siblings request lowers what is left for a quota, and raises what their parent has. So a pod is assumed in each
quota on the path that requests the max of that quota: one of a parent takes nothing from the children. So it is in
each quota below: a resource that a max does not list is not bounded there, and rises with what they request.
Source:
https://github.com/koordinator-sh/koordinator/blob/v1.8.0/pkg/scheduler/plugins/elasticquota/core/group_quota_manager.go,
``refreshRuntimeNoLock``; ``getScaledMinQuota`` and ``iterationForRedistribution`` next to it.
Tested in ``tests/unit/schedulers/koordinator/test_explain.py``.
"""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import NOTHING, Amounts
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods


def highest_limit(state: State, quota: str) -> Amounts:
    """What a quota may use at most, whatever its own pods and others request; a resource without a bound is absent.

    Without nodes the total is not known, and has no bound.
    """
    group = state.quotas[quota]
    if not state.source.arguments.uses_runtime:
        return group.max
    # These have no runtime, and what is not listed is not limited.
    if quota in names.SPECIAL or quota in state.figures(quota).tree.orphans:
        return NOTHING
    if not state.nodes:
        return {r: most if group.lends else max(most, group.min.get(r, 0)) for r, most in group.max.items()}
    asking = tuple(name for name in names.SPECIAL if name in state.quotas and state.sums(name).limit_request)
    if (quota, asking) not in state.highest:
        state.highest[quota, asking] = _highest(state, quota, asking)
    return state.highest[quota, asking]


def _highest(state: State, quota: str, asking: tuple[str, ...]) -> Amounts:
    """The highest runtime: where the default and the system quota are ``asking``, with their requests or without.

    The weight of the default quota is negative in cpu, which raises what others get.
    """
    tree = state.figures(quota).tree
    below = (name for name in tree.quotas if quota in tree.ancestors(name))
    path = [_asking(name, state.quotas[name].max) for name in (*tree.path(quota), *below)]
    special = [_asking(name, state.sums(name).limit_request) for name in asking]
    # Both are tried, as either may be the higher one: requests of these take their share, and a negative weight adds.
    found = [with_pods(state.bare or state, pods).runtime(quota) for pods in (path, [*path, *special])]
    return {r: max(each.get(r, 0) for each in found) for r in found[0]}


def _asking(quota: str, request: Amounts) -> Pod:
    """A pod of a quota that waits."""
    key = ObjectKey("", "Pod", "", f"of {quota}")
    labels = {names.QUOTA_NAME: quota}
    return Pod(key=key, uid=key.name, labels=labels, priority=0, request=request, charge=request, bare=request)
