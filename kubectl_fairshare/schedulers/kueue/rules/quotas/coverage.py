"""Which resources a ClusterQueue covers, and which resources workloads request."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.strays import is_meant
from kubectl_fairshare.lint.words.figures import few, figure
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, Transformation
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import demands, least_count, pods_place, source_of
from kubectl_fairshare.schedulers.kueue.rules.submissions import default_queue, queue_place

_FEW: Final = 3
_GROUPS: Final = ("spec", "resourceGroups")
_LENIENT: Final = "IgnoreUndeclared"


def covers(queue: ClusterQueue, resource: str) -> bool:
    """Whether a resource group of the queue covers the resource."""
    return any(resource in group.covered for group in queue.groups)


def covered_places(queue: ClusterQueue) -> Iterator[tuple[str, Place]]:
    """Every covered resource of a queue, and its place."""
    for i, group in enumerate(queue.groups):
        for j, resource in enumerate(group.covered):
            yield resource, Place(queue.key, (*_GROUPS, i, "coveredResources", j))


def uncovered(given: KueueGiven, pending: Pending, queue: ClusterQueue) -> list[str]:
    """The resources that keep a workload out of its queue, because no resource group covers them."""
    if given.configuration.quota_check == _LENIENT:
        return []
    asking = (pod_set.requests.items() for pod_set in pending.pod_sets if least_count(pod_set) > 0)
    return [r for requests in asking for r, amount in requests if amount > 0 and not covers(queue, r)]


@warning_rule("K080")
def resource_not_covered(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue and resource; only information if Kueue does not limit undeclared resources."""
    found: dict[tuple[str, str], list[tuple[str, Place, int]]] = {}
    defaulted: dict[tuple[str, str], dict[Related, None]] = {}
    for pending, queue in demands(given):
        if not queue.groups:
            continue
        for pod_set in pending.pod_sets:
            for resource, amount in pod_set.requests.items():
                if amount > 0 and least_count(pod_set) > 0 and not covers(queue, resource):
                    asked = (source_of(pending), pods_place(pending, pod_set), amount)
                    found.setdefault((queue.name, resource), []).append(asked)
                    by_default = default_queue(given.snapshot, queue_place(pending))
                    defaulted.setdefault((queue.name, resource), {}).update(dict.fromkeys(by_default))
    lenient = given.configuration.quota_check == _LENIENT
    for (name, resource), askers in sorted(found.items()):
        sources = list(dict.fromkeys(source for source, _, _ in askers))
        fate = "used without limit" if lenient else "never admitted"
        verb = "requests" if len(sources) == 1 else "request"
        yield Finding(
            Place(given.kueue.cluster_queues[name].key, _GROUPS),
            f"{some_of(sources, _FEW)} {verb} `{resource}`, which ClusterQueue `{name}` does not cover: {fate}",
            Remedy(f"cover `{resource}`, or remove it from the jobs"),
            evidence=(
                ("workloads", str(len(sources))),
                ("most per pod", figure(resource, max(amount for _, _, amount in askers))),
            ),
            related=(*(Related("requested here", place) for _, place, _ in askers[:10]), *defaulted[name, resource]),
            severity=Severity.INFO if lenient else None,
        )


@info_rule("K081", advice=True)
def usual_resource_not_covered(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue, with the resources that are missing."""
    for queue in given.kueue.cluster_queues.values():
        if not queue.groups:
            continue
        usual = ("cpu", "memory") if covers(queue, "cpu") or covers(queue, "memory") else ()
        missing = [resource for resource in (*usual, "pods") if not covers(queue, resource)]
        if missing:
            yield Finding(
                Place(queue.key, _GROUPS),
                f"ClusterQueue `{queue.name}` does not cover {few(missing)}",
                Remedy(f"cover {few(missing)}"),
            )


@warning_rule("K082")
def covered_resource_excluded(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each excluded resource, at the first queue that covers it."""
    prefixes = given.configuration.excluded_prefixes
    if not prefixes:
        return
    produced = {output for rule in given.configuration.transformations for output in rule.outputs}
    found: dict[str, list[Place]] = {}
    for queue in given.kueue.cluster_queues.values():
        for resource, place in covered_places(queue):
            if resource.startswith(prefixes) and resource not in produced:
                found.setdefault(resource, []).append(place)
    for resource, places in sorted(found.items()):
        i = next(i for i, prefix in enumerate(prefixes) if resource.startswith(prefix))
        setting = given.configured[0].at("resources", "excludeResourcePrefixes", i) if given.configured else None
        yield Finding(
            places[0],
            f"the quota of `{resource}` is never used: the Configuration excludes the prefix `{prefixes[i]}`",
            Remedy("remove the prefix from the Configuration, or the resource from the queue"),
            evidence=(("queues", str(len(places))),),
            related=(
                *(() if setting is None else (Related("excluded here", setting),)),
                *(Related("covered here, too", place) for place in places[1:10]),
            ),
        )


@warning_rule("K083")
def transformation_without_quota(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each input, output and factor that does not match the quota."""
    rules = given.configuration.transformations
    if not given.configured or not given.kueue.cluster_queues or not rules:
        return
    covered: dict[str, list[Place]] = {}
    for queue in given.kueue.cluster_queues.values():
        for resource, place in covered_places(queue):
            covered.setdefault(resource, []).append(place)
    outputs = {output for rule in rules for output in rule.outputs}
    for i, each in enumerate(rules):
        place = given.configured[0].at("resources", "transformations", i)
        if each.strategy == "Replace" and each.input in covered and each.input not in outputs:
            yield _replaced_input(each, place, covered[each.input])
        lost = [o for o in sorted(each.outputs) if o not in covered and not _is_excluded(given, o)]
        if lost and given.configuration.quota_check != _LENIENT:
            yield _lost_outputs(each.input, Place(place.object, (*place.path, "outputs", lost[0])), lost)
        if each.multiply_by is not None and each.multiply_by not in covered:
            yield Finding(
                Place(place.object, (*place.path, "multiplyBy")),
                f"`{each.input}` is multiplied by `{each.multiply_by}`, and no queue covers that resource",
                Remedy(f"give quota for `{each.multiply_by}`, or multiply by another resource"),
                elsewhere=f"a ClusterQueue that covers {each.multiply_by}",
            )


def _replaced_input(each: Transformation, setting: Place, places: list[Place]) -> Finding:
    what = f"replaces it by {few(sorted(each.outputs))}" if each.outputs else "drops it"
    return Finding(
        places[0],
        f"the quota of `{each.input}` is never used: a transformation {what}",
        Remedy("give quota for the outputs instead, or write `strategy: Retain`"),
        evidence=(("queues", str(len(places))),),
        related=(Related("replaced here", setting), *(Related("covered here, too", place) for place in places[1:10])),
    )


def _lost_outputs(asked: str, place: Place, lost: list[str]) -> Finding:
    return Finding(
        place,
        f"no queue covers {few(lost)}, so Kueue never admits a workload that requests `{asked}`",
        Remedy("give quota for it, or remove the output"),
        elsewhere=f"a ClusterQueue that covers {lost[0]}",
    )


def _is_excluded(given: KueueGiven, resource: str) -> bool:
    prefixes = given.configuration.excluded_prefixes
    return bool(prefixes) and resource.startswith(prefixes)


@error_rule("K089")
def no_resource_groups(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such queue."""
    for queue in given.kueue.cluster_queues.values():
        if not queue.groups and not is_meant(given, Place(queue.key, ("spec", "resourceGroups"))):
            yield Finding(
                Place(queue.key, ("spec",)),
                f"ClusterQueue `{queue.name}` has no resourceGroups, so it has no quota",
                Remedy("write `resourceGroups`"),
            )
