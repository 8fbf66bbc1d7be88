"""Settings of the plugin, and what nodes mean to it."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import over_used
from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven


@warning_rule("Q019")
def default_max_without_effect(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for the arguments that bound the default quota while runtime quotas are on."""
    arguments = given.state.arguments
    if _sets(arguments, "defaultQuotaGroupMax") and arguments.uses_runtime and arguments.place is not None:
        yield Finding(
            Place(arguments.place.object, (*arguments.place.path, "defaultQuotaGroupMax")),
            "with `enableRuntimeQuota` the default quota has no runtime and admits everything: this max has no effect",
            Remedy("remove it, or turn `enableRuntimeQuota` off"),
        )


def _sets(arguments: Arguments, name: str) -> bool:
    return name in arguments.given


@info_rule("Q025")
def over_use_stays(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding, at the first quota that uses more than its runtime while nothing takes it back."""
    engine, arguments = given.engine, given.state.arguments
    if engine is None or not given.state.nodes or arguments.monitors_all or not arguments.uses_runtime:
        return
    over = [name for name in over_used(engine) if name in given.state.quotas]
    if over:
        yield Finding(
            Place(given.state.quotas[over[0]].key, ("metadata", "name")),
            f"{few(over)} use more than their runtime, and `monitorAllQuotas` is off: nothing takes it back",
            Remedy("turn `monitorAllQuotas` on, or wait until pods end"),
        )


@info_rule("Q027")
def idle_nodes_counted(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding, at the first node that is cordoned or not ready."""
    nodes = [node for node in given.state.nodes.values() if node.unschedulable or not node.ready]
    if nodes and given.state.quotas:
        yield Finding(
            Place(nodes[0].key, ("metadata", "name")),
            f"{few([node.name for node in nodes])} take no pods, and count into the total that quotas divide",
            Remedy("expect runtime quotas above what fits until they are back"),
        )
