"""Flavors with a topology: the nodes that they share, and how their topologies decide."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceFlavor, cluster_key
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import trees
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.nodes import flavor_place
from kubectl_fairshare.schedulers.kueue.tree.activity import MULTIKUEUE, PROVISIONING


def _used(given: KueueGiven) -> dict[str, ResourceFlavor]:
    """The flavors that queues use, by name."""
    names = {f for queue in given.kueue.cluster_queues.values() for group in queue.groups for f in group.flavors}
    return {name: flavor for name, flavor in given.kueue.flavors.items() if name in names}


def _placing(given: KueueGiven) -> list[ResourceFlavor]:
    """Those of them that have a topology, where Kueue looks at topologies."""
    return [flavor for flavor in _used(given).values() if flavor.topology] if given.configuration.topology else []


@warning_rule("K193")
def topology_without_hosts(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Topology that a flavor uses and whose lowest level is not the host name."""
    for name in sorted({flavor.topology or "" for flavor in _placing(given)}):
        topology = given.kueue.topologies.get(name)
        if topology is not None and topology.levels and not topology.of_hosts:
            yield Finding(
                Place(cluster_key("Topology", name), ("spec", "levels", len(topology.levels) - 1, "nodeLabel")),
                f"Kueue adds up the free resources of each `{topology.levels[-1]}` and ignores taints and labels of "
                "its Nodes, so admitted pods may stay Pending",
                Remedy("add `kubernetes.io/hostname` as the lowest level"),
            )


@warning_rule("K194")
def topology_flavors_overlap(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor that selects Nodes of an earlier one, by name; both have a topology."""
    flavors = sorted(_placing(given), key=lambda flavor: flavor.name)
    reported: set[str] = set()
    for first, other in combinations(flavors, 2):
        common = _common(given, first, other)
        if common is not None and other.name not in reported:
            reported.add(other.name)
            yield Finding(
                flavor_place(other),
                f"ResourceFlavors `{first.name}` and `{other.name}` select {common}: in one cycle Kueue may place pods "
                "of both on one Node",
                Remedy("select the Nodes by a label that has one value on each Node"),
                related=(Related(f"`{first.name}`", flavor_place(first)),),
            )


def _common(given: KueueGiven, first: ResourceFlavor, other: ResourceFlavor) -> str | None:
    """The Nodes that both select, in words; without Nodes, only where every Node of one is one of the other."""
    if given.machines:
        both = {m.key for m in given.machines.eligible(first.node_labels)}
        number = sum(m.key in both for m in given.machines.eligible(other.node_labels))
        return f"the same {several(number, 'Node')}" if number else None
    one, two = first.node_labels, other.node_labels
    return "the same Nodes" if _contains(one, two) or _contains(two, one) else None


def _contains(wide: Mapping[str, str], narrow: Mapping[str, str]) -> bool:
    """Whether every Node with the labels ``narrow`` has the labels ``wide``."""
    return wide.items() <= narrow.items()


@warning_rule("K195")
def plain_flavor_on_topology_nodes(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor without a topology that selects Nodes of a flavor with one."""
    placing = _placing(given)
    for flavor in _used(given).values() if placing else ():
        if flavor.topology is not None or (not flavor.node_labels and not given.machines):
            continue
        other = next((each for each in placing if _common(given, flavor, each) is not None), None)
        if other is not None:
            yield Finding(
                flavor_place(flavor),
                f"ResourceFlavor `{flavor.name}` has no topology and selects Nodes of `{other.name}`, which has one: "
                "its pods take room that Kueue sees only once they run",
                Remedy("select other Nodes, or give both flavors the same topology"),
                related=(Related(f"`{other.name}`", flavor_place(other)),),
            )


@warning_rule("K196")
def topology_flavor_in_several_trees(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor with a topology that queues of several cohort trees use, at the second of them."""
    placing = {flavor.name for flavor in _placing(given)}
    users: dict[str, dict[str, Place]] = {}
    for tree in trees(given) if placing else ():
        for node in tree.queues:
            for i, group in enumerate(node.queue.groups):
                for j, name in enumerate(group.flavors):
                    place = Place(node.queue.key, ("spec", "resourceGroups", i, "flavors", j, "name"))
                    users.setdefault(name, {}).setdefault(tree.root.name, place)
    for name, places in sorted(users.items()):
        if name in placing and len(places) > 1:
            first, second = [*places.values()][:2]
            yield Finding(
                second,
                f"queues of {len(places)} cohort trees share the Nodes of `{name}`, and none of them can preempt a "
                "workload of another tree for a place",
                Remedy("put the queues into one cohort, or give each tree Nodes and a flavor of its own"),
                related=(Related("another tree", first),),
            )


@info_rule("K197")
def topology_decided_after_checks(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with a topology, at its first check that delays the placement."""
    placing = {flavor.name for flavor in _placing(given) if flavor.topology in given.kueue.topologies}
    words = {MULTIKUEUE: "the worker cluster places its pods", PROVISIONING: "the place is looked for after the check"}
    for queue in given.kueue.cluster_queues.values():
        if not any(name in placing for group in queue.groups for name in group.flavors):
            continue
        for check in queue.checks:
            known = given.kueue.checks.get(check.name)
            if known is not None and known.controller in words:
                yield Finding(
                    Place(queue.key, ("spec", "resourceGroups")),
                    f"ClusterQueue `{queue.name}` reserves quota first: {words[known.controller]}, while the quota is "
                    "held",
                    Remedy("nothing, if that is meant; the quota is held even if no place is found"),
                    related=(Related("the check", Place(known.key, ("spec", "controllerName"))),),
                )
                break


@error_rule("K198")
def topology_missing_for_multikueue(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue with a MultiKueue check and a flavor whose Topology is missing."""
    for queue in given.kueue.cluster_queues.values():
        if not _has_multikueue(given, queue):
            continue
        for i, j, flavor in _flavors_of(given, queue):
            if flavor.topology and not given.is_written("Topology", flavor.topology):
                yield Finding(
                    Place(queue.key, ("spec", "resourceGroups", i, "flavors", j, "name")),
                    f"ClusterQueue `{queue.name}` shows as active and admits nothing: there is no Topology "
                    f"`{flavor.topology}` for `{flavor.name}`",
                    Remedy("create the Topology, or remove `topologyName` from the flavor"),
                    related=(Related("the name", Place(flavor.key, ("spec", "topologyName"))),),
                    elsewhere=f"Topology {flavor.topology}",
                )
                break


def _has_multikueue(given: KueueGiven, queue: ClusterQueue) -> bool:
    known = (given.kueue.checks.get(check.name) for check in queue.checks)
    return any(check is not None and check.controller == MULTIKUEUE for check in known)


def _flavors_of(given: KueueGiven, queue: ClusterQueue) -> Iterator[tuple[int, int, ResourceFlavor]]:
    for i, group in enumerate(queue.groups):
        for j, name in enumerate(group.flavors):
            if name in given.kueue.flavors:
                yield i, j, given.kueue.flavors[name]


@warning_rule("K199")
def hostname_shared(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each host name that several Nodes of a topology carry, at the second of them."""
    found: dict[str, list[Place]] = {}
    for machine_key, hostname in _hosts(given):
        found.setdefault(hostname, []).append(Place(machine_key, ("metadata", "labels", _HOST)))
    for hostname, places in sorted(found.items()):
        if len(places) > 1:
            names = few([place.object.name for place in places])
            yield Finding(
                places[1],
                f"Nodes {names} have one host name, `{hostname}`: Kueue takes them for one host with the room of all",
                Remedy("give each Node its own `kubernetes.io/hostname`"),
                related=(Related("another one", places[0]),),
            )


@warning_rule("K200")
def hostname_not_node_name(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the first Node whose host name is not its name; another rule reports shared host names."""
    hosts = list(_hosts(given))
    times = Counter(hostname for _, hostname in hosts)
    lacking = [(key, hostname) for key, hostname in hosts if hostname != key.name and times[hostname] == 1]
    if lacking:
        key, hostname = lacking[0]
        yield Finding(
            Place(key, ("metadata", "labels", _HOST)),
            f"host name `{hostname}` is not the name of Node `{key.name}`: Kueue does not notice when the Node fails",
            Remedy("write the Node's name"),
            evidence=(("Nodes like it", str(len(lacking))),),
        )


_HOST = "kubernetes.io/hostname"


def _hosts(given: KueueGiven) -> Iterator[tuple[ObjectKey, str]]:
    """The Nodes of all topologies of hosts, with their host names, by name."""
    topologies = given.kueue.topologies
    seen = set()
    for flavor in _placing(given) if given.machines else ():
        topology = topologies.get(flavor.topology or "")
        for machine in (
            given.machines.eligible(flavor.node_labels) if topology is not None and topology.of_hosts else ()
        ):
            if machine.key not in seen and _HOST in machine.labels:
                seen.add(machine.key)
                yield machine.key, machine.labels[_HOST]
