"""min ≤ max ≤ hard: the bounds of one namespace, compared as the scheduler converts them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.finding import Edit, Finding, Insert, Related, Remedy, Remove, Replace, Severity
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota
from kubectl_fairshare.schedulers.elasticquota.model.vector import CPU, MEMORY, STORAGE, is_sound
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import Quotas, lists

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import Ceiling, QuotaReport, QuotaResourceFigures

_NATIVE: Final = (CPU, MEMORY, STORAGE)


def _pairs(given: ElasticQuotaGiven) -> "Iterator[tuple[QuotaReport, str, QuotaResourceFigures]]":
    """Every quota with every resource whose bounds are valid."""
    for report in given.quotas.reports:
        quota = report.quota
        for resource, figures in report.figures.items():
            sound = (is_sound(resource, w[resource]) for w in (quota.written_min, quota.written_max) if resource in w)
            if all(sound):
                yield report, resource, figures


@error_rule("E001")
def min_above_max(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource in both lists."""
    for report, resource, figures in _pairs(given):
        quota = report.quota
        if resource not in quota.written_max or figures.max is None or figures.min <= figures.max:
            continue
        least, most = figure(resource, figures.min), figure(resource, figures.max)
        yield Finding(
            quota.place("min", resource),
            f"min guarantees {least}, {figure(resource, figures.min - figures.max)} more than max allows",
            Remedy(
                "raise max to min or more, or lower min",
                (Replace(quota.place("max", resource), quota.written_min[resource]),),
            ),
            evidence=(("min", least), ("max", most)),
            related=(Related(f"max is {most}", quota.place("max", resource)),),
        )


@error_rule("E002")
def max_omits_resource(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource that min lists or pods request."""
    quotas = given.quotas
    for report in quotas.reports:
        quota = report.quota
        if quota.max is None or not quota.written_max:
            continue
        for resource in _NATIVE:
            if not lists(quota.written_max, resource):
                yield from _omitted(quotas, quota, resource)


def _omitted(quotas: Quotas, quota: ElasticQuota, resource: str) -> Iterator[Finding]:
    asking = quotas.requested.get(resource, {}).get(quota.namespace, ())
    least = quota.least.of(resource)
    if not asking and least <= 0:
        return
    because, edits = f"{several(len(asking), 'pod')} can never be admitted", tuple[Edit, ...]()
    if resource in quota.written_min:
        edits = (Insert(quota.place("max"), resource, quota.written_min[resource]),)
        because = because if asking else f"min cannot use its {figure(resource, least)}"
    yield Finding(
        quota.place("max"),
        f"max does not list `{resource}` and so allows 0 of it: {because}",
        Remedy(f"list `{resource}` in max, or remove max", edits),
        evidence=(("max", figure(resource, 0)), ("min", figure(resource, least)), ("pods", str(len(asking)))),
        related=tuple(Related("requested here", each.at("containers", 0, "resources")) for each in asking[:1]),
    )


@error_rule("E003")
def empty_list(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each empty list; an empty min is a warning, because a missing one means the same."""
    for examined in given.written:
        spec = examined.spec
        if spec.get("max") == {}:
            place = examined.at("spec", "max")
            remedy = Remedy("remove max, or list what is allowed", (Remove(place),))
            yield Finding(place, "max is empty and so allows 0 cpu, memory and ephemeral-storage", remedy)
        if spec.get("min") == {}:
            place = examined.at("spec", "min")
            yield Finding(
                place,
                "min is empty and guarantees nothing: everything that the namespace uses is borrowed",
                Remedy("list what is guaranteed, or remove min", (Remove(place),), safe=True),
                severity=Severity.WARNING,
            )


@error_rule("E014")
def quota_beyond_hard(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource. Scoped ResourceQuotas limit only some pods, so they are not compared."""
    for report, resource, figures in _pairs(given):
        if figures.hard is not None:
            yield from _held_against_hard(report.quota, resource, figures, figures.hard)


def _held_against_hard(
    quota: ElasticQuota, resource: str, figures: "QuotaResourceFigures", hard: "Ceiling"
) -> Iterator[Finding]:
    most = figures.max if resource in quota.written_max else None
    if figures.min > hard.value:
        name, value, severity, after = "min", figures.min, None, "not all of it can be used"
    elif most is not None and most > hard.value:
        name, value, severity, after = "max", most, Severity.WARNING, "it is never reached"
    elif most is not None and most == hard.value:
        name, value, severity, after = "max", most, Severity.INFO, "no pod can wait for quota"
    else:
        return
    own, bound = figure(resource, value), figure(resource, hard.value)
    more = f"{figure(resource, value - hard.value)} more than" if value > hard.value else "exactly what"
    yield Finding(
        quota.place(name, resource),
        f"{name} is {own}, {more} ResourceQuota `{hard.place.object.name}` allows pods to request: {after}",
        Remedy(f"raise `{hard.name}` of the ResourceQuota above it, or lower {name}"),
        evidence=((name, own), ("hard", bound)),
        related=(Related(f"hard is {bound}", hard.place),),
        severity=severity,
    )
