"""Fields that the API server or Kueue accepts but drops, or that exceed what a status can list."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.refusals import quote
from kubectl_fairshare.lint.words.figures import article, title_of
from kubectl_fairshare.model.json import inside, mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import gate, sound_configuration
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_PARALLELISM: Final = "kueue.x-k8s.io/job-min-parallelism"
_STATUS_FLAVORS: Final = 64
_RETRIES: Final = ("backoffBaseSeconds", "backoffLimitCount", "backoffMaxSeconds")
_SERVER_SET: Final = ("uid", "creationTimestamp")


@info_rule("K040", advice=True)
def status_dropped(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Workload with a status that does not come from a server."""
    for each in given.of("Workload"):
        if each.judgement is None or not each.judgement.accepted:
            continue
        dumped = any(name in mapping(each.manifest.data, "metadata") for name in _SERVER_SET)
        if not dumped and each.manifest.data.get("status"):
            yield Finding(
                each.at("status"),
                f"the API server drops the status of {title_of(each.key)} on creation",
                Remedy("remove it; Kueue writes the status itself", (Remove(each.at("status")),)),
            )


@warning_rule("K042")
def min_count_without_gate(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set, and for each Job, that requests partial admission."""
    if gate(given, "PartialAdmission") is not False or sound_configuration(given) is None:
        return
    remedy = Remedy("turn on PartialAdmission in Kueue's Configuration, or remove it")
    for each in given.of("Workload"):
        for index, pod_set in enumerate(rows(each.spec, "podSets")):
            if pod_set.get("minCount") is not None:
                place = each.at("spec", "podSets", index, "minCount")
                message = f"minCount {quote(pod_set['minCount'])} is dropped: the feature gate PartialAdmission is off"
                yield Finding(place, message, remedy)
    for manifest in given.manifests("Job", "batch"):
        annotations = mapping(manifest.data, "metadata", "annotations")
        if _PARALLELISM in annotations:
            place = Place(manifest.key, ("metadata", "annotations", _PARALLELISM))
            message = f"job-min-parallelism {quote(annotations[_PARALLELISM])} has no effect: PartialAdmission is off"
            yield Finding(place, message, remedy)


@info_rule("K043")
def namespace_on_cluster_scoped(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object."""
    for kind, names in KINDS.items():
        if names.namespaced:
            continue
        for each in given.of(kind):
            namespace = inside(each.manifest.passing_data, "metadata", "namespace")
            if namespace:
                place = each.at("metadata", "namespace")
                message = f"{article(kind)} {kind} has no namespace: the API server drops `{namespace}`"
                yield Finding(place, message, Remedy("remove it", (Remove(place),), safe=True))


@warning_rule("K046")
def more_flavors_than_status_holds(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each queue."""
    for queue in given.kueue.cluster_queues.values():
        count = sum(len(group.flavors) for group in queue.groups)
        if count > _STATUS_FLAVORS:
            yield Finding(
                Place(queue.key, ("spec", "resourceGroups")),
                f"{title_of(queue.key)} has {count} flavors, {count - _STATUS_FLAVORS} more than its status can list",
                Remedy("spread them over several ClusterQueues of one cohort"),
                evidence=(("flavors", str(count)), ("room", str(_STATUS_FLAVORS))),
            )


@warning_rule("K047")
def negative_retry(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each setting."""
    for each in given.of("ProvisioningRequestConfig"):
        strategy = mapping(each.spec, "retryStrategy")
        for name in _RETRIES:
            if (strategy.get(name) or 0) < 0:
                yield Finding(
                    each.at("spec", "retryStrategy", name),
                    f"`{name}` is {strategy[name]}: the API server accepts it, but it means no retry or no wait",
                    Remedy("write 0 or more"),
                    evidence=((name, str(strategy[name])),),
                )
