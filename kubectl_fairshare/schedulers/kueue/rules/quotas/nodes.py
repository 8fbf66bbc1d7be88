"""Compares quota with the Nodes of the cluster. Without Nodes in the input there are no findings."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.machines import NodeCapacity
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import about, few, figure, several
from kubectl_fairshare.model.amounts import UNLIMITED, add
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import Taint
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Cohort, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import trees
from kubectl_fairshare.schedulers.kueue.rules.flavors.order import FILTERING, catch_alls
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_LABELS: Final = ("spec", "nodeLabels")
_NANO: Final = 10**9
_NANO_OF_CPU: Final = 10**6
_PASSING: Final = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "node-role.kubernetes.io/")


def in_counted_units(resource: str, nano: int) -> int:
    """The capacity of Nodes, given in 10⁻⁹, in Kueue's units, rounded down."""
    return nano // (_NANO_OF_CPU if resource == "cpu" else _NANO)


def _used_flavors(given: KueueGiven) -> list[ResourceFlavor]:
    """The flavors of all queues, by name; empty if the input has no Nodes."""
    if not given.machines:
        return []
    used = {f for queue in given.kueue.cluster_queues.values() for group in queue.groups for f in group.flavors}
    return [flavor for name, flavor in given.kueue.flavors.items() if name in used]


def flavor_place(flavor: ResourceFlavor) -> Place:
    """The place where a flavor selects its Nodes, or its name if it selects all."""
    return Place(flavor.key, _LABELS if flavor.node_labels else ("metadata", "name"))


@warning_rule("K099")
def flavor_without_nodes(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor in use if no Node has all of its labels."""
    for flavor in _used_flavors(given):
        if not given.machines.eligible(flavor.node_labels):
            labels = [f"{key}={value}" for key, value in sorted(flavor.node_labels.items())]
            alone = [k for k, v in sorted(flavor.node_labels.items()) if not given.machines.eligible({k: v})]
            yield Finding(
                Place(flavor.key, (*_LABELS, alone[0])) if alone else flavor_place(flavor),
                f"no Node has {few(labels)}, so pods of ResourceFlavor `{flavor.name}` stay Pending",
                Remedy("write labels that Nodes have"),
                evidence=(("Nodes in the input", str(len(given.machines.all))), ("selected", "0")),
                elsewhere="Nodes",
            )


@warning_rule("K100")
def flavors_overlap(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor that has Nodes in common with an earlier one, by name, in some tree.

    Flavors with a topology know of each other. Another rule reports a flavor that selects every Node and comes first.
    """
    catching = {queue.groups[i].flavors[j] for queue, i, j in catch_alls(given)} if given.machines else set()
    selecting: dict[ObjectKey, list[str]] = {}
    for flavor in _used_flavors(given):
        if flavor.name not in catching and flavor.topology is None:
            for machine in given.machines.eligible(flavor.node_labels):
                selecting.setdefault(machine.key, []).append(flavor.name)
    nodes: dict[tuple[str, ...], int] = {}
    for names in map(tuple, selecting.values()):
        if len(names) > 1:
            nodes[names] = nodes.get(names, 0) + 1
    together = _used_together(given) if nodes else set()
    common: dict[tuple[str, str], int] = {}
    for names, count in nodes.items():
        for pair in {pair for group in together for pair in _with_first([n for n in names if n in group])}:
            common[pair] = common.get(pair, 0) + count
    for (first, other), count in sorted(common.items()):
        flavors = given.kueue.flavors
        yield Finding(
            flavor_place(flavors[other]),
            f"ResourceFlavors `{first}` and `{other}` of one cohort select the same {several(count, 'Node')}",
            Remedy("select the Nodes by a label that has one value on each Node"),
            evidence=(("Nodes in common", str(count)),),
            related=(Related(f"`{first}`", flavor_place(flavors[first])),),
        )


def _used_together(given: KueueGiven) -> set[frozenset[str]]:
    """The flavors of each tree; trees with the same flavors count once."""
    return {frozenset(pair.flavor for queue in tree.queues for pair in queue.quotas) for tree in trees(given)}


def _with_first(names: list[str]) -> Iterator[tuple[str, str]]:
    for other in names[1:]:
        yield names[0], other


def _quotas(given: KueueGiven) -> Mapping[FlavorResource, list[tuple[int, Place]]]:
    """The quotas other than 0 of all queues and Cohorts, and their places."""
    found: dict[FlavorResource, list[tuple[int, Place]]] = {}
    owners: list[ClusterQueue | Cohort] = [*given.kueue.cluster_queues.values(), *given.kueue.cohorts.values()]
    for one in owners:
        for pair, quota in one.quotas.items():
            if quota.nominal:
                place = Place(one.key, (*one.paths[pair], "nominalQuota"))
                found.setdefault(pair, []).append((quota.nominal, place))
    return found


def _balances(given: KueueGiven) -> Iterator[tuple[ResourceFlavor, str, int, int, list[tuple[int, Place]]]]:
    """Quota, capacity of the Nodes, and single quotas, for each flavor with Nodes and each resource of a Node."""
    quotas: dict[str, list[str]] = {}
    table = _quotas(given) if given.machines else {}
    for pair in sorted(table):
        quotas.setdefault(pair.flavor, []).append(pair.resource)
    for flavor in _used_flavors(given):
        machines = given.machines.eligible(flavor.node_labels)
        for resource in quotas.get(flavor.name, ()) if machines else ():
            if resource in given.machines.resources:
                entries = table[FlavorResource(flavor.name, resource)]
                nominal = 0
                for amount, _ in entries:
                    nominal = add(nominal, amount)
                have = sum(machine.allocatable.get(resource, 0) for machine in machines)
                yield flavor, resource, nominal, in_counted_units(resource, have), entries


@warning_rule("K101")
def quota_above_nodes(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor and resource; resources that no Node has do not come from Nodes."""
    for flavor, resource, nominal, have, entries in _balances(given):
        if nominal > have:
            above = about(resource, nominal if nominal == UNLIMITED else nominal - have)
            yield Finding(
                flavor_place(flavor),
                f"quota in `{flavor.name}` is {above} more than its Nodes have",
                Remedy("lower the quotas, or add Nodes"),
                evidence=(
                    ("quota", figure(resource, nominal)),
                    ("allocatable", figure(resource, have)),
                    ("Nodes", str(len(given.machines.eligible(flavor.node_labels)))),
                ),
                related=tuple(Related(figure(resource, amount), place) for amount, place in entries[:10]),
                elsewhere="Nodes",
            )


@info_rule("K102", advice=True)
def nodes_without_quota(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor and resource."""
    for flavor, resource, nominal, have, _ in _balances(given):
        if nominal < have:
            yield Finding(
                flavor_place(flavor),
                f"the Nodes of `{flavor.name}` have {about(resource, have - nominal)} that no quota covers",
                Remedy("raise the quotas"),
                evidence=(("quota", figure(resource, nominal)), ("allocatable", figure(resource, have))),
                elsewhere="quota in other objects",
            )


@warning_rule("K108")
def node_taint_not_listed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor whose Nodes are all tainted; information if some of them are.

    Taints that the cluster sets by itself, and those of the control plane, do not count.
    """
    for flavor in _used_flavors(given):
        machines = given.machines.eligible(flavor.node_labels)
        unlisted = [(machine, taint) for machine in machines if (taint := _unlisted_taint(flavor, machine)) is not None]
        every = len(unlisted) == len(machines)
        if unlisted and (every or flavor.node_labels):
            machine, taint = unlisted[0]
            carry = "carries" if len(machines) == 1 else "carry"
            yield Finding(
                flavor_place(flavor),
                f"{len(unlisted)} of {several(len(machines), 'Node')} of `{flavor.name}` {carry} taint `{taint.key}` "
                f"({taint.effect}), which the flavor neither lists nor tolerates",
                Remedy("list it in `nodeTaints`, or add a toleration"),
                evidence=(("Nodes", str(len(machines))), ("with the taint", str(len(unlisted)))),
                related=(Related("tainted here", Place(machine.key, ("spec", "taints"))),),
                severity=None if every else Severity.INFO,
            )


def _unlisted_taint(flavor: ResourceFlavor, machine: NodeCapacity) -> Taint | None:
    for taint in machine.taints:
        if taint.effect not in FILTERING or taint.key.startswith(_PASSING) or taint in flavor.node_taints:
            continue
        if not any(toleration.tolerates(taint) for toleration in flavor.tolerations):
            return taint
    return None
