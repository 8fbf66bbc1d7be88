"""The derivation of one quota's figures, term by term."""

from collections.abc import Iterable

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import Figures, QuotaReport, QuotaTable
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State

Terms = tuple[tuple[str, int], ...]
"""Amounts with their names."""


class ResourceTerms(Value, frozen=True):
    """One resource of one quota. ``pods`` add up to what is used; ``minima`` and ``uses`` are those of all quotas."""

    resource: str
    figures: Figures
    pods: Terms
    minima: Terms
    uses: Terms


class QuotaDerivation(Value, frozen=True):
    """One quota, resource by resource."""

    report: QuotaReport
    resources: tuple[ResourceTerms, ...]
    fidelity: Fidelity


def derivation(state: State, table: QuotaTable, report: QuotaReport) -> QuotaDerivation:
    """The terms of every figure of one quota."""
    pods = [pod for pod in state.source.pods if pod.node and pod.namespace == report.quota.namespace]
    resources = tuple(
        ResourceTerms(
            resource,
            report.figures[resource],
            _terms((pod.key.name, pod.charge.of(resource)) for pod in pods),
            _terms((r.quota.namespace, r.figures[resource].min) for r in table.quotas),
            _terms((r.quota.namespace, r.figures[resource].used) for r in table.quotas),
        )
        for resource in table.resources
    )
    return QuotaDerivation(report, resources, table.fidelity)


def _terms(amounts: Iterable[tuple[str, int]]) -> Terms:
    """The amounts other than 0, largest first."""
    return tuple(sorted(((name, value) for name, value in amounts if value), key=lambda term: (-term[1], term[0])))
