"""Where what the scheduler counts, what the controller writes, and what runs are three different things."""

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
    "notRunning": "the controller counts running pods alone",
    "overhead": "the controller leaves overhead out",
    "stale": "the controller does not keep up, or is not deployed",
}


@warning_rule("E025")
def quota_newer_than_pods(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota with a time of creation."""
    for namespace, quota in given.state.quotas.items():
        created = _created(given, quota.key)
        if created is None:
            continue
        older = [a.pod for a in given.quotas.asking[namespace] if a.pod.node and _bound(given, a.pod) < created]
        if older:
            yield Finding(
                Place(quota.key, ("metadata", "creationTimestamp")),
                f"{several(len(older), 'pod')} of `{namespace}` ran before its ElasticQuota existed: the scheduler "
                "does not count them until it restarts",
                Remedy("restart the scheduler, unless it has been since"),
                evidence=(("pods not counted", str(len(older))),),
                elsewhere="a restart of the scheduler since then",
            )


def _created(given: ElasticQuotaGiven, key: ObjectKey) -> int | None:
    return _moment(inside(given.snapshot.manifests[key].data, "metadata", "creationTimestamp"))


def _bound(given: ElasticQuotaGiven, pod: Pod) -> int:
    """When the pod got its node; the end of time if unknown."""
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
    """One finding for each resource that min or max names; none for a namespace whose pods are not in the input."""
    for report in given.quotas.reports:
        quota = report.quota
        if not given.quotas.asking.get(quota.namespace) and not given.complete:
            continue
        for resource, figures in report.figures.items():
            if figures.status is None or not (resource in quota.written_min or resource in quota.written_max):
                continue
            told, used = figure(resource, figures.status.value), figure(resource, figures.used)
            yield Finding(
                Place(quota.key, ("status", "used", resource)),
                f"status.used says {told}, the scheduler counts {used}: {_because(figures.status)}",
                Remedy("do not decide by status.used; see whether the controller runs"),
                evidence=(("status.used", told), ("used", used)),
                elsewhere=f"pods of {quota.namespace}",
            )


def _because(told: "StatusUsed") -> str:
    return ", and ".join(_CAUSES[cause] for cause, _ in told.causes) or "nothing explains it"
