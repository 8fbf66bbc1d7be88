"""Names of missing objects: queues, flavors, topologies, priority classes.

A name that many objects use is one mistake: the finding is at its first use and lists the other places.
"""

from collections.abc import Iterator, Mapping

from kubectl_fairshare.finding import Finding, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.strays import is_meant
from kubectl_fairshare.lint.words.figures import few, several, used_too
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.jobs import UNMANAGED, JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.priority import CLASS_LABEL, WORKLOAD_CLASS
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.references.dangling import likely_names, put_right
from kubectl_fairshare.schedulers.kueue.rules.submissions import queue_place
from kubectl_fairshare.schedulers.kueue.tree.activity import MULTIKUEUE


def without_target(given: KueueGiven, kind: str, *, misspelt: bool) -> Severity | None:
    """The severity of a name without its object of a kind: info while the object may be outside of the input.

    A team's own LocalQueues and jobs are often kept without the objects of the platform. A name that is near to that of
    an object of the input is ``misspelt``. None: as the rule says.
    """
    return None if given.has_all(kind) or misspelt else Severity.WARNING


def _suspended_jobs(places: list[Place]) -> str:
    if len(places) == 1:
        return f"1 {_noun(places)} stays suspended"
    return f"{len(places)} {_noun(places)}s stay suspended"


def _noun(places: list[Place]) -> str:
    """``job``, or what all are if none is a job."""
    return "workload" if all(place.object.kind == "Workload" for place in places) else "job"


def flavor_places(queue: ClusterQueue) -> Iterator[tuple[str, Place]]:
    """Every flavor that a queue names, with its place."""
    for i, group in enumerate(queue.groups):
        for j, flavor in enumerate(group.flavors):
            yield flavor, Place(queue.key, ("spec", "resourceGroups", i, "flavors", j, "name"))


def used_flavors(given: KueueGiven) -> set[str]:
    """The flavors in which ClusterQueues and Cohorts have quota."""
    quotas = [one.quotas for one in given.kueue.cluster_queues.values()]
    quotas += [one.quotas for one in given.kueue.cohorts.values()]
    return {pair.flavor for table in quotas for pair in table}


def led_to(given: KueueGiven) -> set[str]:
    """The names of ClusterQueues that LocalQueues point to."""
    return {queue.cluster_queue or "" for queue in given.kueue.local_queues.values()}


def uses_multikueue(given: KueueGiven, queue: ClusterQueue) -> bool:
    """Whether workloads of the queue run in other clusters."""
    checks = given.kueue.checks
    return any(use.name in checks and checks[use.name].controller == MULTIKUEUE for use in queue.checks)


@error_rule("K050")
def local_queue_without_cluster_queue(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each LocalQueue without a ClusterQueue name, and for each name without a ClusterQueue."""
    missing: dict[str, list[Place]] = {}
    for queue in given.kueue.local_queues.values():
        if queue.cluster_queue is None:
            if is_meant(given, Place(queue.key, ("spec", "clusterQueue"))):
                continue
            message = f"LocalQueue `{queue.namespace}/{queue.name}` names no ClusterQueue, so it is never active"
            yield Finding(Place(queue.key, ("spec",)), message, Remedy("write `clusterQueue`"))
        elif not given.is_written("ClusterQueue", queue.cluster_queue):
            place = Place(queue.key, ("spec", "clusterQueue"))
            missing.setdefault(queue.cluster_queue, []).append(place)
    meant = likely_names(missing, given.known_names("ClusterQueue"), led_to(given))
    for name, places in sorted(missing.items()):
        yield Finding(
            places[0],
            f"ClusterQueue `{name}` does not exist, so {several(len(places), 'LocalQueue')} cannot admit workloads",
            put_right(places, meant.get(name), "name another ClusterQueue, or add this one"),
            evidence=(("LocalQueues", str(len(places))),),
            related=used_too(places),
            elsewhere=f"ClusterQueue {name}",
            severity=without_target(given, "ClusterQueue", misspelt=name in meant),
        )


@error_rule("K051")
def flavor_not_found(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each name without a ResourceFlavor."""
    missing: dict[str, list[Place]] = {}
    known = {each.key.name for each in given.of("ResourceFlavor")}
    for queue in given.kueue.cluster_queues.values():
        if not all(known.issuperset(group.flavors) for group in queue.groups):
            for flavor, place in flavor_places(queue):
                if flavor not in known and not given.is_written("ResourceFlavor", flavor):
                    missing.setdefault(flavor, []).append(place)
    meant = likely_names(missing, given.known_names("ResourceFlavor"), used_flavors(given)) if missing else {}
    for name, places in sorted(missing.items()):
        queues = sorted({place.object.name for place in places})
        yield Finding(
            places[0],
            f"ResourceFlavor `{name}` does not exist: {few(queues)} cannot admit workloads",
            put_right(places, meant.get(name), "add the ResourceFlavor, or remove the flavor"),
            evidence=(("inactive queues", str(len(queues))),),
            related=used_too(places),
            elsewhere=f"ResourceFlavor {name}",
        )


@error_rule("K055")
def topology_not_found(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each name without a Topology."""
    dangling = [
        flavor
        for flavor in given.kueue.flavors.values()
        if flavor.topology is not None and not given.is_written("Topology", flavor.topology)
    ]
    users: dict[str, list[ClusterQueue]] = {}
    for queue in given.kueue.cluster_queues.values() if dangling else ():
        for name, _ in flavor_places(queue):
            users.setdefault(name, []).append(queue)
    missing: dict[str, list[Place]] = {}
    for flavor in dangling:
        queues = users.get(flavor.name, [])
        if not queues or not all(uses_multikueue(given, queue) for queue in queues):
            missing.setdefault(flavor.topology or "", []).append(Place(flavor.key, ("spec", "topologyName")))
    meant = likely_names(
        missing, given.known_names("Topology"), {flavor.topology or "" for flavor in given.kueue.flavors.values()}
    )
    for name, places in sorted(missing.items()):
        below = sorted({queue.name for place in places for queue in users.get(place.object.name, ())})
        yield Finding(
            places[0],
            f"Topology `{name}` does not exist, so no queue with this flavor can admit workloads",
            put_right(places, meant.get(name), "add the Topology, or name another"),
            evidence=(("inactive queues", few(below) or "none yet"),),
            related=used_too(places),
            elsewhere=f"Topology {name}",
        )


@error_rule("K058")
def priority_class_not_found(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each class that a job names and that does not exist."""
    missing: dict[tuple[str, str], list[Place]] = {}
    for pending in given.submitted:
        if pending.refusal is not None and pending.refusal.law == JobLaw.PRIORITY_CLASS_MISSING:
            kind, name = pending.refusal.operands
            if not given.is_written(kind, name):
                missing.setdefault((kind, name), []).append(pending.refusal.places[0])
    classes = [name for kind, name in missing if kind == WORKLOAD_CLASS]
    meant = likely_names(classes, given.known_names(WORKLOAD_CLASS), _named_classes(given)) if classes else {}
    for (kind, name), places in sorted(missing.items()):
        yield Finding(
            places[0],
            f"{kind} `{name}` does not exist, so Kueue makes no Workload: {_suspended_jobs(places)}",
            put_right(places, meant.get(name), "name another class, or add this one"),
            evidence=(("jobs", str(len(places))),),
            related=used_too(places),
            elsewhere=f"{kind} {name}",
        )


def _named_classes(given: KueueGiven) -> set[str]:
    """The priority classes that objects name in their labels."""
    labels = (inside(manifest.data, "metadata", "labels") for manifest in given.snapshot.manifests.values())
    return {str(each.get(CLASS_LABEL)) for each in labels if isinstance(each, dict)}


@error_rule("K061")
def local_queue_not_found(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each LocalQueue that a managed job names and that its namespace does not have."""
    missing: dict[tuple[str, str], list[Place]] = {}
    for pending in given.submitted:
        name, namespace = pending.local_queue, pending.key.namespace
        if not name or (pending.refusal is not None and pending.refusal.law in UNMANAGED):
            continue
        if not given.is_written("LocalQueue", name, namespace):
            missing.setdefault((namespace, name), []).append(queue_place(pending))
    others = _namespaces_of(given)
    for (namespace, name), places in sorted(missing.items()):
        here = [each for place, each in given.kueue.local_queues if place == namespace]
        meant = likely_names([name], here, here).get(name)
        remedy = "name a LocalQueue of the job's own namespace, or add this one"
        if given.is_written("ClusterQueue", name):
            remedy = f"`{name}` is a ClusterQueue; name a LocalQueue that points to it"
        elif name in others:
            remedy = f"namespace {few(others[name])} has a LocalQueue of that name; each namespace needs its own"
        yield Finding(
            places[0],
            f"namespace `{namespace}` has no LocalQueue `{name}`: {_suspended_jobs(places)}",
            put_right(places, meant, remedy),
            evidence=((f"{_noun(places)}s", str(len(places))),),
            related=used_too(places),
            elsewhere=f"LocalQueue {namespace}/{name}",
            severity=without_target(given, "LocalQueue", misspelt=meant is not None),
        )


def _namespaces_of(given: KueueGiven) -> Mapping[str, list[str]]:
    """For each name, the namespaces with a LocalQueue of that name."""
    found: dict[str, list[str]] = {}
    for namespace, name in sorted(given.kueue.local_queues):
        found.setdefault(name, []).append(namespace)
    return found
