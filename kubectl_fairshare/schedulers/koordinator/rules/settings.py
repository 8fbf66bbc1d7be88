"""Settings of the plugin, and what nodes mean to it."""

from collections.abc import Iterable, Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.model.amounts import beyond, total_of
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import over_used, own_pods, revoked
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven


@warning_rule("Q019")
def default_max_without_effect(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each argument that bounds the default or the system quota while runtime quotas are on."""
    arguments = given.state.arguments
    if arguments.place is None or not arguments.uses_runtime:
        return
    for name, quota in (("defaultQuotaGroupMax", "default"), ("systemQuotaGroupMax", "system")):
        if name in arguments.given:
            yield Finding(
                Place(arguments.place.object, (*arguments.place.path, name)),
                f"with `enableRuntimeQuota` the {quota} quota has no runtime and admits everything: this max has no "
                "effect",
                Remedy("remove it, or turn `enableRuntimeQuota` off"),
            )


@info_rule("Q025")
def over_use_stays(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding, at the first quota that uses more than its runtime and that nothing, or not all, is taken from."""
    engine, arguments = given.engine, given.state.arguments
    if engine is None or not given.state.nodes or not arguments.uses_runtime:
        return
    over = [name for name in over_used(engine) if name in given.state.quotas]
    if arguments.monitors_all:
        yield from _forgotten(given, engine, over)
    elif over:
        use = "uses more than its" if len(over) == 1 else "use more than their"
        yield Finding(
            Place(given.state.quotas[over[0]].key, ("metadata", "name")),
            f"{few(over)} {use} runtime, and `monitorAllQuotas` is off: nothing takes it back",
            Remedy("turn `monitorAllQuotas` on, or wait until pods end"),
        )


def _forgotten(given: KoordinatorGiven, engine: State, over: Iterable[str]) -> Iterator[Finding]:
    """The first quota that still uses too much after the revoker has evicted its pods, although others could go."""
    for name in over:
        victims = {pod.key for pod in revoked(engine, name)}
        left = [pod for pod in own_pods(engine, name) if pod.key not in victims]
        after = beyond(total_of(pod.charge for pod in left), engine.runtime(name))
        if after and any(pod.preemptible and pod.charge.get(resource) for pod in left for resource in after):
            yield Finding(
                Place(given.state.quotas[name].key, ("metadata", "name")),
                f"`{name}` uses more than its runtime, and evictions for `monitorAllQuotas` leave too much {few(after)}"
                ": after each pod only the resources that this pod requests are compared",
                Remedy("request all resources of max in every pod of the quota"),
            )
            return


@info_rule("Q027")
def idle_nodes_counted(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding, at the first node that is cordoned or not ready."""
    nodes = [node for node in given.state.nodes.values() if node.unschedulable or not node.ready]
    if nodes and given.state.quotas:
        take = "takes no pods, but counts" if len(nodes) == 1 else "take no pods, but count"
        yield Finding(
            Place(nodes[0].key, ("metadata", "name")),
            f"{few([node.name for node in nodes])} {take} in the total that the quotas divide",
            Remedy("until they are back, runtime quotas allow more than what fits"),
        )
