"""ResourceFlavors in the order in which queues try them, and their taints."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceFlavor, cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

FILTERING: Final = ("NoSchedule", "NoExecute")


def catch_alls(given: KueueGiven) -> Iterator[tuple[ClusterQueue, int, int]]:
    """The flavors that let every pod in and come before others that select Nodes: queue, group, flavor.

    A flavor without any quota of a resource of the group, its own or borrowed, is passed over by pods that ask for it.
    """
    flavors = given.kueue.flavors
    for queue in given.kueue.cluster_queues.values():
        for i, group in enumerate(queue.groups):
            selecting = [j for j, name in enumerate(group.flavors) if name in flavors and flavors[name].node_labels]
            for j, name in enumerate(group.flavors[: selecting[-1]] if selecting else ()):
                flavor = flavors.get(name)
                open_to_all = flavor is not None and not flavor.node_labels and not flavor.node_taints
                if open_to_all and all(_reaches(given, queue, name, resource) for resource in group.covered):
                    yield queue, i, j


def _reaches(given: KueueGiven, queue: ClusterQueue, flavor: str, resource: str) -> bool:
    """Whether the queue can ever have any of a resource in a flavor."""
    node = given.forest.queue_ids.get(queue.name)
    return node is None or given.forest.potential(node, FlavorResource(flavor, resource)) > 0


@warning_rule("K104")
def catch_all_flavor_first(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such flavor, in the first queue; for several in a group, at the first of them."""
    found: dict[str, list[tuple[Place, tuple[str, ...]]]] = {}
    seen: set[tuple[str, int]] = set()
    for queue, i, j in catch_alls(given):
        if (queue.name, i) not in seen:
            seen.add((queue.name, i))
            place = Place(queue.key, ("spec", "resourceGroups", i, "flavors", j, "name"))
            name, *later = queue.groups[i].flavors[j:]
            found.setdefault(name, []).append((place, tuple(later)))
    for name, uses in sorted(found.items()):
        (place, after), *others = uses
        yield Finding(
            place,
            f"flavor `{name}` has no nodeLabels, so it takes every pod before {few(after)}",
            Remedy("give it nodeLabels, or move it to the end"),
            evidence=(("queues", str(len(uses))), ("flavors after it here", str(len(after)))),
            related=(
                Related("defined here", Place(cluster_key("ResourceFlavor", name), ("metadata", "name"))),
                *(Related("also before others here", place) for place, _ in others[:10]),
            ),
        )


def own_tolerations(flavor: ResourceFlavor) -> tuple[list[int], list[int]]:
    """The indices of a flavor's filtering taints that it tolerates itself, and of those that it does not."""
    tolerated: list[int] = []
    filtering: list[int] = []
    for i, taint in enumerate(flavor.node_taints):
        if taint.effect in FILTERING:
            (tolerated if any(t.tolerates(taint) for t in flavor.tolerations) else filtering).append(i)
    return tolerated, filtering


@warning_rule("K105", advice=True)
def taint_not_tolerated(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor, at its first such taint."""
    for flavor in given.kueue.flavors.values():
        _, filtering = own_tolerations(flavor)
        if filtering:
            keys = [flavor.node_taints[i].key for i in filtering]
            yield Finding(
                Place(flavor.key, ("spec", "nodeTaints", filtering[0])),
                f"only workloads that tolerate {few(keys)} get flavor `{flavor.name}`",
                Remedy("add the toleration to the flavor if all workloads may use it"),
                evidence=(("taints not tolerated", str(len(filtering))),),
            )


@info_rule("K106", advice=True)
def own_taints_tolerated(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such flavor."""
    for flavor in given.kueue.flavors.values():
        tolerated, filtering = own_tolerations(flavor)
        if tolerated and not filtering:
            yield Finding(
                Place(flavor.key, ("spec", "nodeTaints")),
                f"flavor `{flavor.name}` tolerates its own {several(len(tolerated), 'taint')}: it excludes no workload",
                Remedy("remove the tolerations if workloads should request the flavor"),
            )


@info_rule("K107")
def prefer_no_schedule_taint(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such taint."""
    for flavor in given.kueue.flavors.values():
        for i, taint in enumerate(flavor.node_taints):
            if taint.effect == "PreferNoSchedule":
                place = Place(flavor.key, ("spec", "nodeTaints", i))
                edits: tuple[Edit, ...] = (Remove(place),) if len(flavor.node_taints) > 1 else ()
                yield Finding(
                    Place(flavor.key, (*place.path, "effect")),
                    f"taint `{taint.key}` of flavor `{flavor.name}` is PreferNoSchedule, so it excludes no workload",
                    Remedy("write NoSchedule, or leave the taint out", edits),
                )


@warning_rule("K085")
def groups_apart(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each group with a label for which an earlier group of the queue has another value."""
    for queue in given.kueue.cluster_queues.values():
        if len(queue.groups) < 2:
            continue
        values: dict[str, dict[str, str]] = {}
        for i, group in enumerate(queue.groups):
            labels = [
                (flavor, label)
                for flavor in group.flavors
                if flavor in given.kueue.flavors
                for label in sorted(given.kueue.flavors[flavor].node_labels.items())
            ]
            found = next((_apart(queue, i, f, label, values) for f, label in labels if _differs(label, values)), None)
            if found is not None:
                yield found
            for flavor, (key, value) in labels:
                values.setdefault(key, {}).setdefault(value, flavor)


def _differs(label: tuple[str, str], values: dict[str, dict[str, str]]) -> bool:
    return any(value != label[1] for value in values.get(label[0], ()))


def _apart(
    queue: ClusterQueue, i: int, flavor: str, label: tuple[str, str], values: dict[str, dict[str, str]]
) -> Finding:
    key, value = label
    other = min(v for v in values[key] if v != value)
    return Finding(
        Place(queue.key, ("spec", "resourceGroups", i)),
        f"{few(queue.groups[i].covered)} may come from `{flavor}` ({key}={value}), and other resources of the same "
        f"pod from `{values[key][other]}` ({key}={other})",
        Remedy("put resources that are requested together into one group"),
        evidence=(("label", key), ("here", value), ("in an earlier group", other)),
    )
