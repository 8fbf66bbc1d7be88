"""The derivation of one quota's figures, term by term."""

from collections.abc import Iterable

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaReport, QuotaResourceFigures, QuotaTable
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State


class Term(Value, frozen=True):
    """A term of a sum: a pod, or a namespace."""

    name: str
    amount: Quantity


Terms = tuple[Term, ...]


class ResourceTerms(Value, frozen=True):
    """One resource, with the terms of what the quota uses, of the sum of all min, and of what all quotas use."""

    figures: QuotaResourceFigures
    pods: Terms = field(name="usedBy")
    minima: Terms = field(name="allMinima")
    uses: Terms = field(name="allUses")

    @property
    def resource(self) -> str:
        """The resource."""
        return self.figures.resource


class QuotaDerivation(Value, frozen=True):
    """Every figure of one quota, term by term."""

    namespace: str
    name: str
    resources: tuple[ResourceTerms, ...]
    fidelity: Fidelity


def derivation(state: State, table: QuotaTable, report: QuotaReport) -> QuotaDerivation:
    """The terms of every figure of one quota."""
    pods = [pod for pod in state.source.pods if pod.node and pod.namespace == report.quota.namespace]
    resources = tuple(
        ResourceTerms(
            report.figures[resource],
            _terms((pod.key.name, pod.charge.of(resource)) for pod in pods),
            _terms((r.quota.namespace, r.figures[resource].min) for r in table.quotas),
            _terms((r.quota.namespace, r.figures[resource].used) for r in table.quotas),
        )
        for resource in table.resources
    )
    return QuotaDerivation(*report.quota.key[2:], resources, table.fidelity)


def _terms(amounts: Iterable[tuple[str, int]]) -> Terms:
    """The amounts other than 0, largest first."""
    found = [Term(name, value) for name, value in amounts if value]
    return tuple(sorted(found, key=lambda term: (-term.amount, term.name)))
