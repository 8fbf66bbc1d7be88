"""Differences between what the scheduler counts, what the controller writes, and what runs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.finding import Finding, Remedy
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.model.json import Json, inside, rows
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import StatusUsed

_CAUSES: Final = {
    "notRunning": "the controller counts running pods only",
    "overhead": "the controller omits overhead",
    "stale": "the controller is behind, or not deployed",
}


@warning_rule("E025")
def quota_newer_than_pods(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota with a creation time."""
    for namespace, quota in given.state.quotas.items():
        created = _created(given, quota.key)
        if created is None:
            continue
        older = [a.pod for a in given.quotas.asking[namespace] if a.pod.node and _binding_time(given, a.pod) < created]
        if older:
            yield Finding(
                Place(quota.key, ("metadata", "creationTimestamp")),
                f"{several(len(older), 'pod')} of `{namespace}` ran before its ElasticQuota existed: the scheduler "
                "does not count them until it restarts",
                Remedy("restart the scheduler, unless you did so since then"),
                evidence=(("pods not counted", str(len(older))),),
                elsewhere="a restart of the scheduler since then",
            )


def _created(given: ElasticQuotaGiven, key: ObjectKey) -> int | None:
    return _moment(inside(given.snapshot.manifests[key].data, "metadata", "creationTimestamp"))


def _binding_time(given: ElasticQuotaGiven, pod: Pod) -> int:
    """The moment when the pod got its node; infinite if unknown."""
    for condition in rows(given.snapshot.manifests[pod.key].data, "status", "conditions"):
        if (condition.get("type"), condition.get("status")) == ("PodScheduled", "True"):
            found = _moment(condition.get("lastTransitionTime"))
            if found is not None:
                return found
    return pod.started if pod.started is not None else 1 << 63


def _moment(text: Json) -> int | None:
    try:
        return nanoseconds(text) if isinstance(text, str) and text else None
    except ValueError:
        return None


@info_rule("E026")
def status_differs_from_use(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource in min or max, except for namespaces whose pods are not in the input."""
    for report in given.quotas.reports:
        quota = report.quota
        if not given.quotas.asking.get(quota.namespace) and not given.complete:
            continue
        for resource, figures in report.figures.items():
            if figures.status is None or not (resource in quota.written_min or resource in quota.written_max):
                continue
            stated, used = figure(resource, figures.status.value), figure(resource, figures.used)
            yield Finding(
                Place(quota.key, ("status", "used", resource)),
                f"status.used is {stated}, but the scheduler counts {used}: {_because(figures.status)}",
                Remedy("do not rely on status.used; check that the controller runs"),
                evidence=(("status.used", stated), ("used", used)),
                elsewhere=f"pods of {quota.namespace}",
            )


def _because(status: "StatusUsed") -> str:
    return ", and ".join(_CAUSES[each.cause] for each in status.causes) or "the cause is unknown"
