"""Pods that are evicted when a namespace uses more than its min."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule, info_rule
from kubectl_fairshare.lint.words.figures import few, figure, several
from kubectl_fairshare.model.json import rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.namespaces import SYSTEM
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import Quotas

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaReport

_CRITICAL: Final = 2_000_000_000


def _borrowed(quotas: Quotas, report: "QuotaReport") -> tuple[Excess, ...]:
    return quotas.ledger.borrowed(report.quota.namespace)


def _placed_pods(quotas: Quotas, namespace: str) -> list[Pod]:
    return [each.pod for each in quotas.asking[namespace] if each.pod.node]


@error_rule("E013")
def evictable_system_pods(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota of a system namespace, otherwise for each borrower with such pods."""
    quotas = given.quotas
    for namespace, quota in quotas.source.quotas.items():
        if namespace in SYSTEM:
            yield Finding(
                Place(quota.key, ("metadata", "namespace")),
                f"an ElasticQuota in `{namespace}` makes its pods victims as soon as they use more than min",
                Remedy("remove the ElasticQuota from the system namespace"),
            )
    for report in quotas.borrowers():
        namespace = report.quota.namespace
        needed = [pod for pod in _placed_pods(quotas, namespace) if pod.priority >= _CRITICAL or _of_daemon(given, pod)]
        if namespace in SYSTEM or not needed:
            continue
        excess = _borrowed(quotas, report)[0]
        borrowed = figure(excess.resource, excess.more)
        yield Finding(
            Place(needed[0].key, ("metadata", "name")),
            f"{several(len(needed), 'critical or DaemonSet pod')} of `{namespace}` can be evicted by pods of priority "
            f"0: it uses {borrowed} more than its min",
            Remedy("run such pods in a namespace without an ElasticQuota, or raise min"),
            evidence=(("borrowed", borrowed), ("pods", few([pod.key.name for pod in needed]))),
            related=(Related("min is here", report.quota.place("min", excess.resource)),),
        )


def _of_daemon(given: ElasticQuotaGiven, pod: Pod) -> bool:
    owners = rows(given.snapshot.manifests[pod.key].data, "metadata", "ownerReferences")
    return any(owner.get("kind") == "DaemonSet" for owner in owners)


@info_rule("E032", advice=True)
def borrower_with_one_priority(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each borrower with two pods or more."""
    quotas = given.quotas
    for report in quotas.borrowers():
        pods = _placed_pods(quotas, report.quota.namespace)
        excess = _borrowed(quotas, report)[0]
        if len(pods) > 1 and len({pod.priority for pod in pods}) == 1:
            yield Finding(
                report.quota.place("min", excess.resource),
                f"`{report.quota.namespace}` uses {figure(excess.resource, excess.more)} more than its min, and all "
                f"its {len(pods)} pods have priority {pods[0].priority}: none of them can preempt another",
                Remedy("give pods that can wait a PriorityClass with a lower value"),
                evidence=(("pods", str(len(pods))), ("priority", str(pods[0].priority))),
            )


@info_rule("E033")
def budget_in_borrower(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each budget that covers pods of a borrower."""
    quotas = given.quotas
    for report in quotas.borrowers():
        namespace = report.quota.namespace
        pods = _placed_pods(quotas, namespace)
        excess = _borrowed(quotas, report)[0]
        for budget in quotas.state.budgets.get(namespace, ()):
            covered = [pod for pod in pods if budget.covers(pod)]
            if covered:
                yield Finding(
                    Place(budget.key, ("spec",)),
                    f"`{namespace}` uses {figure(excess.resource, excess.more)} more than its min: this budget does "
                    f"not protect its {several(len(covered), 'pod')} from eviction",
                    Remedy("raise min to what the pods under the budget use"),
                    evidence=(("pods", str(len(covered))), ("borrowed", figure(excess.resource, excess.more))),
                    related=(Related("min is here", report.quota.place("min", excess.resource)),),
                )
