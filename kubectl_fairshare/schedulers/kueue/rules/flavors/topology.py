"""Topology-aware scheduling: levels on Nodes, and flavors with and without topology."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven


def _levels(given: KueueGiven) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for examined in given.of("Topology"):
        levels = examined.spec.get("levels") or ()
        found[examined.key.name] = [level["nodeLabel"] for level in levels]
    return found


@warning_rule("K078")
def topology_level_absent(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each topology and level, at the level, for the first flavor whose Nodes lack it."""
    levels = _levels(given) if given.machines else {}
    seen: set[tuple[str, str]] = set()
    for flavor in given.kueue.flavors.values():
        machines = given.machines.eligible(flavor.node_labels) if flavor.topology in levels else ()
        for i, level in enumerate(levels.get(flavor.topology or "", ())):
            lacking = [machine for machine in machines if level not in machine.labels]
            if lacking and (flavor.topology or "", level) not in seen:
                seen.add((flavor.topology or "", level))
                yield Finding(
                    Place(cluster_key("Topology", flavor.topology or ""), ("spec", "levels", i, "nodeLabel")),
                    f"{len(lacking)} of {several(len(machines), 'Node')} of ResourceFlavor `{flavor.name}` lack level "
                    f"`{level}`",
                    Remedy("label the Nodes, or name a level that they have"),
                    evidence=(("Nodes", str(len(machines))), ("without the label", str(len(lacking)))),
                    related=(
                        Related("flavor", Place(flavor.key, ("spec", "topologyName"))),
                        Related("a Node without it", Place(lacking[0].key, ("metadata", "labels"))),
                    ),
                )


@warning_rule("K079")
def topology_mixed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such queue, at its first flavor without topology."""
    flavors = given.kueue.flavors
    for queue in given.kueue.cluster_queues.values():
        known = [
            (flavor, i, j)
            for i, group in enumerate(queue.groups)
            for j, flavor in enumerate(group.flavors)
            if flavor in flavors
        ]
        plain = [each for each in known if flavors[each[0]].topology is None]
        placed = [flavor for flavor, _, _ in known if flavors[flavor].topology is not None]
        if plain and placed:
            _, i, j = plain[0]
            yield Finding(
                Place(queue.key, ("spec", "resourceGroups", i, "flavors", j, "name")),
                f"ClusterQueue `{queue.name}` mixes {few(placed)} with topology and "
                f"{few([flavor for flavor, _, _ in plain])} without",
                Remedy("use one ClusterQueue for each kind, or give all of them a topology"),
                evidence=(("with topology", str(len(placed))), ("without", str(len(plain)))),
            )
