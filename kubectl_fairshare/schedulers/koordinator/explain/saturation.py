"""What each quota may use when every quota requests without end: the division with every request at its max."""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.figures import is_known, resources_of
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, exact, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.quotas.runtime import RuntimeRules, runtime_quotas
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.quotas.sums import PodSums, quota_sums

_ENDLESS = 1 << 62


class SaturatedQuota(Value, frozen=True):
    """One quota: its parent, and its runtime when all request without end, in inner units by resource.

    ``pods`` is how many pods of the asked size fit, None without a size; ``limited`` False: nothing limits it.
    """

    name: str
    parent: str
    depth: int
    leaf: bool
    runtime: Mapping[str, int]
    pods: int | None
    limited: bool


class SaturatedQuotas(Value, frozen=True):
    """All quotas, parents before their children. ``size`` is one pod's request."""

    quotas: Sequence[SaturatedQuota]
    resources: tuple[str, ...]
    size: Mapping[str, int]
    fidelity: Fidelity


def saturated_quotas(state: State, size: Mapping[str, int]) -> SaturatedQuotas:
    """The runtime of every quota when all request without end; ``size`` is one pod's request, perhaps empty."""
    found: list[SaturatedQuota] = []
    rules = RuntimeRules(state.source.arguments, state.source.gates, state.source.rounding)
    for name, figures in state.trees.items():
        tree = figures.tree
        own = {quota: _endless(group.max, quota) for quota, group in tree.quotas.items()}
        sums = quota_sums(tree, own, state.source.gates)
        runtimes = runtime_quotas(tree, sums, figures.shared, (), rules)
        depths = {ROOT: -1}
        for quota in tree.order:
            if quota in (ROOT, *SPECIAL):
                continue
            parent = tree.quotas[quota].parent
            depths[quota] = depths.get(parent, -1) + 1
            runtime = runtimes.of(quota) if is_known(state, name) else None
            amounts = {r: whole(r, nano) for r, nano in (runtime or {}).items()}
            limited = runtime is not None
            pods = _pods(amounts, size) if size and limited else None
            leaf = not tree.children.get(quota)
            found.append(SaturatedQuota(quota, parent, depths[quota], leaf, amounts, pods, limited))
    return SaturatedQuotas(found, resources_of(state), size, state_gaps(state))


def _endless(most: Amounts, name: str) -> PodSums:
    """The sums of a quota whose pods request more than there is, of everything that its max lists."""
    return PodSums() if name in (ROOT, *SPECIAL) else PodSums(request=dict.fromkeys(most, exact("cpu", _ENDLESS)))


def _pods(runtime: Mapping[str, int], size: Mapping[str, int]) -> int | None:
    """How many pods of a size a runtime admits; None if it limits none of their resources."""
    counts = [runtime[r] // amount for r, amount in size.items() if amount > 0 and r in runtime]
    return max(0, min(counts)) if counts else None


def sum_of_top(saturated: SaturatedQuotas, resource: str) -> int:
    """What all quotas at the top get together."""
    return sum(quota.runtime.get(resource, 0) for quota in saturated.quotas if not quota.depth)


def endless_entitlements(state: State) -> Mapping[str, Mapping[str, int]]:
    """The runtime of each quota, by name, if every quota has endless requests."""
    return {quota.name: quota.runtime for quota in saturated_quotas(state, {}).quotas if quota.limited}
