"""Pods that their quota counts in an unexpected way, or that it cannot help."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.finding import Finding, Related, Remedy, Remove
from kubectl_fairshare.jobs.creation import NewPods
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure, several, used_too
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota
from kubectl_fairshare.schedulers.elasticquota.model.vector import PODS
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import ChargedPod, Quotas, charged_resources, lists
from kubectl_fairshare.schedulers.manifests.holds import creation_holds, rejected_pods

_MOST_RELATED: Final = 5


def _per_namespace(quotas: Quotas) -> Iterator[tuple[ElasticQuota, tuple[ChargedPod, ...]]]:
    for namespace, asking in quotas.asking.items():
        yield quotas.source.quotas[namespace], asking


@warning_rule("E023")
def pod_without_requests(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each namespace, at its first such pod or template."""
    for quota, asking in _per_namespace(given.quotas):
        free = [each for each in asking if next(charged_resources(each.pod.charge), None) is None]
        if free:
            places = [each.at("containers", 0, "resources") for each in free]
            yield Finding(
                places[0],
                f"{several(len(free), 'pod')} of namespace `{quota.namespace}` without requests: its ElasticQuota "
                "counts 0 for each",
                Remedy("write requests, or let a LimitRange add defaults"),
                evidence=(("pods", str(len(free))),),
                related=used_too(places, "also here", _MOST_RELATED),
                elsewhere=f"a LimitRange in {quota.namespace}",
            )


@warning_rule("E024")
def charge_differs_from_node(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each namespace, at its first such pod or template."""
    for quota, asking in _per_namespace(given.quotas):
        found = [(each, resource) for each in asking for resource in _differing(each)]
        if found:
            each, resource = found[0]
            cost, taken = (figure(resource, amounts.of(resource)) for amounts in (each.pod.charge, each.pod.request))
            pods = len({a.pod.uid for a, _ in found})
            yield Finding(
                _cause(each),
                f"a pod counts as {cost} in the ElasticQuota of `{quota.namespace}` and uses {taken} on its node",
                Remedy("keep min below what the nodes have by this much, or add it to the containers' requests"),
                evidence=(("charged", cost), ("used on its node", taken), ("pods", str(pods))),
            )


def _differing(each: ChargedPod) -> Iterator[str]:
    """The resources in which the two sums differ by more than the rounding of containers explains."""
    charge, request = each.pod.charge, each.pod.request
    containers = len(each.spec.get("containers") or ()) + len(each.spec.get("initContainers") or ())
    for resource in sorted({*charge.listed(), *request.listed()} - {PODS}):
        if abs(charge.of(resource) - request.of(resource)) > containers:
            yield resource


def _cause(each: ChargedPod) -> Place:
    for index, container in enumerate(each.spec.get("initContainers") or ()):
        if container.get("restartPolicy") == "Always":
            return each.at("initContainers", index, "resources")
    return each.at("resources") if each.spec.get("resources") else each.at("containers", 0, "resources")


@error_rule("E028")
def scheduler_without_plugin(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each namespace and scheduler; nothing without a KubeSchedulerConfiguration."""
    profiles = given.state.profiles
    if profiles is None:
        return
    for quota, asking in _per_namespace(given.quotas):
        others: dict[str, list[ChargedPod]] = {}
        for each in asking:
            if each.pod.scheduler not in profiles:
                others.setdefault(each.pod.scheduler, []).append(each)
        for scheduler, pods in sorted(others.items()):
            places = [each.at("schedulerName") for each in pods]
            yield Finding(
                places[0],
                f"`{scheduler}` does not run CapacityScheduling: {several(len(pods), 'pod')} of `{quota.namespace}` "
                "count in its ElasticQuota, but no quota limits them",
                Remedy(_advice(profiles)),
                evidence=(("pods", str(len(pods))), ("profiles with the plugin", ", ".join(profiles) or "none")),
                related=used_too(places, "also here", _MOST_RELATED),
                elsewhere=f"a scheduler {scheduler} with the plugin",
            )


def _advice(profiles: tuple[str, ...]) -> str:
    if not profiles:
        return "enable CapacityScheduling in a profile of the scheduler"
    return "write " + " or ".join(f"`schedulerName: {name}`" for name in profiles)


@warning_rule("E030")
def guaranteed_but_never_preempting(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each namespace with a min, at its first such pod or template that may have to wait."""
    for quota, asking in _per_namespace(given.quotas):
        if not any(quota.least.of(r) > 0 for r in quota.written_min):
            continue
        never = [each for each in asking if not each.pod.preempts and not each.pod.node]
        if never:
            first = never[0]
            own = first.spec.get("preemptionPolicy") == "Never"
            place = first.at("preemptionPolicy" if own else "priorityClassName")
            yield Finding(
                place,
                f"{several(len(never), 'pod')} of `{quota.namespace}` cannot reclaim its min: preemptionPolicy "
                "is Never",
                Remedy("remove preemptionPolicy, or name another PriorityClass", (Remove(place),) if own else ()),
                evidence=(("pods", str(len(never))),),
            )


@warning_rule("E031")
def pod_larger_than_min(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each namespace and resource, at the largest pod."""
    quotas = given.quotas
    for resource, by_namespace in quotas.requested.items():
        for namespace, asking in by_namespace.items():
            quota = quotas.source.quotas[namespace]
            largest = max(asking, key=lambda a: a.pod.charge.of(resource))
            place = largest.at("containers", 0, "resources", "requests", resource)
            size, least = largest.pod.charge.of(resource), quota.least.of(resource)
            if lists(quota.written_min, resource) and 0 < least < size and resource not in quotas.unsound:
                more = figure(resource, size - least)
                yield Finding(
                    place,
                    f"one pod requests {figure(resource, size)}, {more} more than min of `{namespace}`: it never "
                    "reclaims",
                    Remedy("raise min to the pod's request or more, or make the pod smaller"),
                    evidence=(("pod", figure(resource, size)), ("min", figure(resource, least))),
                    related=(Related("min is here", quota.place("min", resource)),),
                )
            elif not largest.pod.node:
                yield from _beyond_nodes(quotas, largest, resource, place)


def _beyond_nodes(quotas: Quotas, each: ChargedPod, resource: str, place: Place) -> Iterator[Finding]:
    most = max((node.allocatable.of(resource) for node in quotas.state.nodes.values()), default=0)
    size = each.pod.request.of(resource)
    if 0 < most < size:
        yield Finding(
            place,
            f"one pod requests {figure(resource, size)}, {figure(resource, size - most)} more than any node has",
            Remedy("make the pod smaller, or add a larger node"),
            evidence=(("pod", figure(resource, size)), ("largest node", figure(resource, most))),
            elsewhere="a larger Node",
        )


@warning_rule("E038")
def quota_rejects_pods(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each new object and ResourceQuota, in namespaces with an ElasticQuota."""
    quotas = given.state.quotas

    def holds(maker: Manifest, bounds: NewPods) -> Iterator[Hold]:
        return creation_holds(maker, bounds) if maker.key.namespace in quotas else iter(())

    return rejected_pods(given.snapshot, holds)
