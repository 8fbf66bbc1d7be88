"""Resources that pods request and no min guarantees."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.finding import Finding, Insert, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.model.quantity import text
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota
from kubectl_fairshare.schedulers.elasticquota.model.vector import ZERO
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import ChargedPod, Quotas, is_injected, lists

_FURTHER: Final = "another ElasticQuota"


def _sum_is_zero(quotas: Quotas, resource: str) -> bool:
    """Whether the sum of all min of a resource is 0, with every min readable."""
    held = quotas.source.quotas.values()
    return quotas.ledger.pool.of(resource) == 0 and not any(
        lists(q.written_min, resource) and resource not in q.written_min for q in held
    )


def _where(asking: Sequence[ChargedPod]) -> tuple[Related, ...]:
    return tuple(Related("requested here", each.at("containers", 0, "resources")) for each in asking[:1])


@error_rule("E004")
def min_omits_requested(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each quota and resource; information if min is missing altogether."""
    quotas = given.quotas
    for resource, by_namespace in quotas.requested.items():
        if resource in quotas.unsound or _sum_is_zero(quotas, resource):
            continue
        for namespace, asking in by_namespace.items():
            quota = quotas.source.quotas[namespace]
            if lists(quota.written_min, resource):
                continue
            largest = max(each.pod.charge.of(resource) for each in asking)
            edit = (Insert(quota.place("min"), resource, text(resource, largest)),) if quota.written_min else ()
            yield Finding(
                quota.place("min"),
                f"min does not list `{resource}`, which {several(len(asking), 'pod')} of the namespace would use: "
                "the namespace always borrows it, can always lose its pods, and never reclaims",
                Remedy(f"list `{resource}` in min", edit),
                evidence=(("pods", str(len(asking))), ("largest", figure(resource, largest))),
                related=_where(asking),
                severity=None if quota.written_min else Severity.INFO,
            )


def _without_any(given: ElasticQuotaGiven, injected: bool) -> Iterator[Finding]:
    quotas = given.quotas
    for resource, by_namespace in quotas.requested.items():
        if is_injected(resource) is not injected or not _sum_is_zero(quotas, resource):
            continue
        asking = [each for found in by_namespace.values() for each in found]
        quota: ElasticQuota = quotas.source.quotas[next(iter(by_namespace))]
        used = quotas.ledger.total.of(resource)
        after = f"{several(len(asking), 'pod')} can never be admitted"
        if used > 0:
            after = f"{figure(resource, used)} is in use, so no new pod of any quota is admitted"
        yield Finding(
            quota.place("min", resource),
            f"no ElasticQuota guarantees `{resource}`: {after}",
            Remedy(f"list `{resource}` in the min of an ElasticQuota"),
            evidence=(
                ("sum of min", figure(resource, 0)),
                ("used", figure(resource, used)),
                ("pods", str(len(asking))),
            ),
            related=_where(asking),
            elsewhere=_FURTHER,
        )


@error_rule("E005")
def resource_without_any_min(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource, at the first quota whose pods request it."""
    yield from _without_any(given, injected=False)


@warning_rule("E035")
def ephemeral_storage_without_min(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding, at the first quota whose pods request it."""
    yield from _without_any(given, injected=True)


@error_rule("E006")
def more_in_use_than_guaranteed(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource, at the quota that borrows most of it."""
    quotas = given.quotas
    for excess in quotas.ledger.beyond_pool(ZERO) if quotas else ():
        resource = excess.resource
        if resource in quotas.unsound or excess.bound == 0:
            continue
        most = max(quotas.reports, key=lambda r: r.figures[resource].borrowed)
        used, bound = figure(resource, excess.used), figure(resource, excess.bound)
        yield Finding(
            most.quota.place("min", resource),
            f"{used} is in use, {figure(resource, excess.more)} more than the sum of all min: no pod of any "
            f"ElasticQuota is admitted; `{most.quota.namespace}` borrows "
            f"{figure(resource, most.figures[resource].borrowed)}",
            Remedy("raise min to the use, or wait until some pods end"),
            evidence=(("used", used), ("sum of min", bound)),
            elsewhere=_FURTHER,
        )
