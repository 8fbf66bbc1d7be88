"""Namespaces with a quota, or without one; and the project that a quota belongs to."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Replace
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.refusals import unserved_objects
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KOORDINATOR_GROUP
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven

_CURRENT: Final = f"{GROUP}/v1alpha1"
_KOORDINATOR: Final = "koordinator.sh"
SYSTEM: Final = ("kube-system", "kube-public", "kube-node-lease")


@error_rule("E007")
def second_quota_in_namespace(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota of a namespace except the first by name."""
    state = given.state
    for namespace, others in state.others.items():
        first = state.quotas[namespace].key
        for other in others:
            yield Finding(
                Place(other.key, ("metadata", "name")),
                f"namespace `{namespace}` already has the ElasticQuota `{first.name}`: which of the two counts is "
                "undefined",
                Remedy("keep one ElasticQuota per namespace"),
                evidence=(("in the namespace", several(1 + len(others), "ElasticQuota")),),
                related=(Related("the other is here", Place(first, ("metadata", "name"))),),
            )


@error_rule("E027")
def quota_of_another_group(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each such object. If other objects show Koordinator, the finding says so."""
    for place in () if _has_koordinator(given) else given.state.foreign:
        at = Place(place.object, ("apiVersion",))
        edits: tuple[Edit, ...] = (Replace(at, _CURRENT),)
        yield Finding(
            at,
            f"`{KOORDINATOR_GROUP}` is Koordinator's group: CapacityScheduling does not read its ElasticQuotas",
            Remedy(f"write `{_CURRENT}`, unless you use Koordinator", edits),
            elsewhere="Koordinator",
        )


def _has_koordinator(given: ElasticQuotaGiven) -> bool:
    """Whether labels, annotations or other objects show that Koordinator is meant."""
    for key, manifest in given.snapshot.manifests.items() if given.state.foreign else ():
        marks = (mark for field in ("labels", "annotations") for mark in mapping(manifest.data, "metadata", field))
        if key.group.endswith(_KOORDINATOR) or any(_KOORDINATOR in str(mark) for mark in marks):
            return True
    return False


@error_rule("E037")
def quota_version_not_served(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each ElasticQuota of the right group in another version."""
    for each in unserved_objects(given, GROUP):
        place = each.at("apiVersion")
        message = f"scheduler-plugins does not serve `{each.manifest.api_version}`"
        yield Finding(place, message, Remedy(f"write `{_CURRENT}`", (Replace(place, _CURRENT),)))


@warning_rule("E012", advice=True)
def namespace_without_quota(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each such namespace except system namespaces, at its first pod on such a node."""
    state = given.state
    if not state.quotas:
        return
    shared = {pod.node for pod in state.pods if pod.node and pod.namespace in state.quotas}
    found: dict[str, list[Pod]] = {}
    for pod in state.pods:
        if pod.node in shared and pod.namespace not in state.quotas and pod.namespace not in SYSTEM:
            found.setdefault(pod.namespace, []).append(pod)
    for namespace, pods in found.items():
        yield Finding(
            Place(pods[0].key, ("spec", "nodeName")),
            f"namespace `{namespace}` has no ElasticQuota, and {several(len(pods), 'pod')} on nodes of namespaces that "
            "have one: no min can reclaim this room",
            Remedy("give the namespace an ElasticQuota, or nodes of its own"),
            evidence=(("pods", str(len(pods))), ("nodes", str(len({p.node for p in pods})))),
            elsewhere=f"an ElasticQuota in {namespace}",
        )


@info_rule("E034")
def quota_without_namespace(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota; nothing if the input has no Namespace at all."""
    if not given.state.quotas or not (given.manifests("Namespace") or given.complete):
        return
    for namespace, quota in given.state.quotas.items():
        if ObjectKey("", "Namespace", "", namespace) not in given.snapshot.manifests:
            yield Finding(
                Place(quota.key, ("metadata", "namespace")),
                f"namespace `{namespace}` does not exist",
                Remedy("create the Namespace, or name another one"),
                elsewhere=f"Namespace {namespace}",
            )


@info_rule("E036", advice=True)
def idle_min(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota; nothing if the input has no pods at all."""
    if not given.state.pods:
        return
    for report in given.quotas.reports:
        held = [figure(r, f.min) for r, f in report.figures.items() if f.min > 0]
        if held and not given.quotas.asking.get(report.quota.namespace):
            yield Finding(
                report.quota.place("min"),
                f"min reserves {', '.join(held)} for a namespace without pods",
                Remedy("lower min if the namespace needs nothing"),
                elsewhere=f"pods of {report.quota.namespace}",
            )
