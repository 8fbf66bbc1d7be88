"""What each quota may use with other requests, or when every quota requests without end."""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.demand import ENDLESS, OPTION, Demand, QueueDemand, demanded
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.figures import is_known, resources_of
from kubectl_fairshare.schedulers.koordinator.gaps import state_gaps
from kubectl_fairshare.schedulers.koordinator.model.amounts import exact, whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT, SPECIAL
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.runtime import RuntimeRules, runtime_quotas
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, TreeFigures
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
    """All quotas, parents before their children. ``size`` is one pod's request; ``demand`` is assumed."""

    quotas: Sequence[SaturatedQuota]
    resources: tuple[str, ...]
    size: Mapping[str, int]
    fidelity: Fidelity
    demand: Demand


def saturated_quotas(state: State, size: Mapping[str, int], demand: Demand = ENDLESS) -> SaturatedQuotas:
    """The runtime of every quota with the requests of a demand; ``size`` is one pod's request, perhaps empty.

    Raises ``UsageError`` for quotas and resources that it names and the input lacks.
    """
    found: list[SaturatedQuota] = []
    rules = RuntimeRules(state.source.arguments, state.source.gates, state.source.rounding)
    named = _with_those_below(state, demand)
    for name, figures in state.trees.items():
        tree = figures.tree
        own = {quota: _own(state, figures, group, named.get(quota), demand) for quota, group in tree.quotas.items()}
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
    return SaturatedQuotas(found, resources_of(state), size, state_gaps(state, figures=True), demand)


def _with_those_below(state: State, demand: Demand) -> dict[str, QueueDemand]:
    """The demand by quota: each that is named, and each below one whose demand says all."""
    found: dict[str, QueueDemand] = {}
    for name in demand.queues:
        if name not in state.tree_of or name == ROOT:
            names = sorted(state.source.quotas)
            remedy = did_you_mean(likely(name, names, 1)) or f"the quotas are {quoted(names)}"
            raise UsageError(Problem(f"no quota is called `{name}`", OPTION, remedy))
    for tree in (figures.tree for figures in state.trees.values()):
        for quota in tree.order:
            of = demand.queues.get(quota) or found.get(tree.quotas[quota].parent)
            if of is not None and (of.whole or quota in demand.queues):
                found[quota] = of
    return found


def _own(state: State, figures: TreeFigures, group: QuotaGroup, of: QueueDemand | None, demand: Demand) -> PodSums:
    """What the pods of a quota itself request, in the resources that its max lists."""
    now = figures.sums[group.name].own
    if group.name in (ROOT, *SPECIAL):
        return PodSums() if demand.unlimited else now
    if of is None and not demand.unlimited:
        return now
    if of is None or of.whole:
        # no pods are in a parent: it requests what those below it do, and nothing if they are idle
        idle = figures.tree.children.get(group.name) or (of is not None and of.idle)
        return PodSums() if idle else PodSums(request=dict.fromkeys(group.max, exact("cpu", _ENDLESS)))
    wanted = dict(_amount(state, group.name, resource, text) for resource, text in of.amounts.items())
    return PodSums(request={**now.request, **{r: value for r, value in wanted.items() if r in group.max}})


def _amount(state: State, quota: str, resource: str, text: str) -> tuple[str, int]:
    """An amount of a resource; without one, of the only accelerator or the only resource that quotas name."""
    known = resources_of(state)
    accelerators = [each for each in known if "/" in each]
    named = resource or next((those[0] for those in (accelerators, known) if len(those) == 1), "")
    if named not in known:
        message = f"no quota names `{resource}`" if resource else f"the amount of `{quota}` could be of any resource"
        raise UsageError(Problem(message, OPTION, f"write one of {quoted(known)}: `{quota}={(*known, 'cpu')[0]}=20`"))
    return named, exact(named, demanded(named, text))


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
