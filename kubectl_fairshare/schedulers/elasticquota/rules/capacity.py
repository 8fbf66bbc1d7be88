"""min and max, compared with what the nodes have and with the sum that all quotas share."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, PODS, is_sound
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import Quotas

if TYPE_CHECKING:
    from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaReport, Sums

_NODES: Final = "another Node"
_QUOTA: Final = "another ElasticQuota"
_MOST_PLANNED: Final = 8
_MOST_RELATED: Final = 5


def _sums(given: ElasticQuotaGiven) -> "Iterator[tuple[str, Sums]]":
    """Resources that nodes offer and that a min lists, with the sums over all quotas."""
    quotas = given.quotas
    for resource, sums in quotas.table.sums.items() if quotas else ():
        if sums.allocatable and sums.min > 0 and resource != PODS and resource not in quotas.unsound:
            yield resource, sums


def _holders(quotas: Quotas, resource: str) -> list[ElasticQuota]:
    """The quotas with some of a resource in min, largest first."""
    found = [r.quota for r in quotas.reports if r.quota.least.of(resource) > 0]
    return sorted(found, key=lambda quota: (-quota.least.of(resource), quota.namespace))


def _others(holders: list[ElasticQuota], resource: str) -> tuple[Related, ...]:
    return tuple(
        Related(f"{figure(resource, quota.least.of(resource))} more here", quota.place("min", resource))
        for quota in holders[1 : 1 + _MOST_RELATED]
    )


@error_rule("E008")
def min_beyond_capacity(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource, at the largest min; a warning if only pods without a quota use the room."""
    quotas = given.quotas
    for resource, sums in _sums(given):
        capacity = sums.allocatable or 0
        left = capacity - sums.outside
        if sums.min <= left:
            continue
        beyond = sums.min > capacity
        has, against = ("the nodes have", capacity) if beyond else ("pods without a quota leave", left)
        holders = _holders(quotas, resource)
        yield Finding(
            holders[0].place("min", resource),
            f"the sum of all min is {figure(resource, sums.min)}, {figure(resource, sums.min - against)} more than "
            f"{has}",
            Remedy("lower min, or add nodes"),
            evidence=(
                ("sum of min", figure(resource, sums.min)),
                ("allocatable", figure(resource, capacity)),
                ("used without a quota", figure(resource, sums.outside)),
            ),
            related=_others(holders, resource),
            elsewhere=_NODES,
            severity=None if beyond else Severity.WARNING,
        )


@warning_rule("E009")
def min_is_all_capacity(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource; information while the largest pod of every quota would still fit on a node."""
    quotas = given.quotas
    for resource, sums in _sums(given):
        if sums.min != sums.allocatable:
            continue
        holders = _holders(quotas, resource)
        stuck = _stuck(quotas, resource)
        total = figure(resource, sums.min)
        evidence = (("sum of min", total), ("nodes", str(quotas.table.nodes[1])))
        remedy = Remedy("keep the sum of all min below what the nodes have")
        if stuck is None:
            message = (
                f"the sum of all min is {total}, all that the nodes have: no reserve against fragmentation is left"
            )
            place = holders[0].place("min", resource)
            yield Finding(place, message, remedy, evidence, elsewhere=_NODES, severity=Severity.INFO)
        else:
            quota, pod = stuck
            size = figure(resource, pod.charge.of(resource))
            message = (
                f"the sum of all min is {total}, all that the nodes have, and a pod of {size} within its min fits on "
                f"no node: {_freest(quotas, resource)}"
            )
            yield Finding(quota.place("min", resource), message, remedy, evidence, elsewhere=_NODES)


def _stuck(quotas: Quotas, resource: str) -> tuple[ElasticQuota, Pod] | None:
    """A quota whose largest pod, if it came a second time, would stay within min and fit on no node."""
    from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import schedule
    from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd

    by_namespace = quotas.requested.get(resource, {})
    largest = [max(asking, key=lambda a: a.pod.charge.of(resource)) for asking in by_namespace.values()]
    largest.sort(key=lambda a: (-a.pod.charge.of(resource), a.pod.name))
    for asking in largest[:_MOST_PLANNED]:
        pod = asking.pod
        within = not quotas.ledger.exceeds_min(pod.namespace, pod.charge)
        if within and max(_free(quotas, resource).values()) < pod.request.of(resource):
            again = replace(pod, uid=f"{pod.uid} again", node="", nominated="", started=None, running=False)
            if schedule(quotas.state, again, asking.demand).course not in (
                CycleEnd.SCHEDULABLE,
                CycleEnd.PREEMPT,
            ):
                return quotas.source.quotas[pod.namespace], pod
    return None


def _free(quotas: Quotas, resource: str) -> Mapping[str, int]:
    """The free amount of a resource on each node."""
    state = quotas.state
    return {n: node.allocatable.of(resource) - state.loads[n].requested.of(resource) for n, node in state.nodes.items()}


def _freest(quotas: Quotas, resource: str) -> str:
    """The free amounts of the nodes with the most."""
    free = _free(quotas, resource)
    most = sorted(free, key=lambda name: (-free[name], name))[:3]
    return ", ".join(f"`{name}` has {figure(resource, max(0, free[name]))} free" for name in most)


@info_rule("E010", advice=True)
def stranded_capacity(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource, at the largest min."""
    quotas = given.quotas
    for resource, sums in _sums(given):
        if sums.stranded is not None and sums.stranded > 0:
            stranded = figure(resource, sums.stranded)
            yield Finding(
                _holders(quotas, resource)[0].place("min", resource),
                f"no ElasticQuota can use {stranded}: the sum of all min is {figure(resource, sums.min)}",
                Remedy("raise min to use more"),
                evidence=(("allocatable", figure(resource, sums.allocatable or 0)), ("stranded", stranded)),
                elsewhere=_QUOTA,
            )


@warning_rule("E011")
def max_out_of_reach(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each amount in a max."""
    quotas = given.quotas
    for report in quotas.reports:
        pool = quotas.ledger.pool
        for resource in _bounded(report):
            most, reach = report.quota.most.of(resource), pool.of(resource)
            if most <= reach or resource in quotas.unsound or (reach == 0 and _is_asked(quotas, resource)):
                continue
            alone = len(quotas.reports) == 1
            whole = "the only min" if alone else "the sum of all min"
            yield Finding(
                report.quota.place("max", resource),
                f"max is {figure(resource, most)}, {figure(resource, most - reach)} more than {whole}: it is never "
                "reached",
                Remedy("lower max, or raise min"),
                evidence=(
                    ("max", figure(resource, most)),
                    ("sum of min", figure(resource, reach)),
                    ("quotas", several(len(quotas.reports), "ElasticQuota")),
                ),
                elsewhere=_QUOTA,
            )


def _bounded(report: "QuotaReport") -> Iterator[str]:
    """The resources that a valid max lists."""
    written: Mapping[str, object] = report.quota.written_max
    for resource in report.figures:
        counted = resource != PODS and not resource.startswith("count/")
        if resource in written and counted and is_sound(resource, written[resource]):
            yield resource


def _is_asked(quotas: Quotas, resource: str) -> bool:
    return bool(quotas.requested.get(resource)) or (resource not in FIXED and not quotas.state.nodes)
