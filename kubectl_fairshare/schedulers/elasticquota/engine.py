"""CapacityScheduling as an engine: shares of quotas, plans for pods."""

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Origin, Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.gaps import state_gaps
from kubectl_fairshare.schedulers.elasticquota.model.objects import Demand, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.report import QuotaTable
from kubectl_fairshare.schedulers.elasticquota.quotas.shares import shares
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of


class ElasticQuotaEngine:
    """Answers questions about a snapshot as CapacityScheduling decides them.

    The state of the snapshot that was asked about last is kept.
    """

    def __init__(self) -> None:
        self._last: tuple[Snapshot, State] | None = None

    def state(self, snapshot: Snapshot) -> State:
        """The snapshot as the engine sees it."""
        if self._last is None or self._last[0] is not snapshot:
            self._last = snapshot, state_of(snapshot.part(ElasticQuotaState))
        return self._last[1]

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """What in the snapshot is not modelled."""
        return state_gaps(self.state(snapshot))

    def shares(self, snapshot: Snapshot) -> QuotaTable:
        """The figures of all quotas."""
        return shares(self.state(snapshot), snapshot.skipped)

    def plan(self, snapshot: Snapshot, pod: Pod, demand: Demand, origin: Origin | None = None) -> Plan:
        """What becomes of a pod if it is considered now."""
        return plan(self.state(snapshot), pod, demand, origin)

    def cited(self, snapshot: Snapshot, of: Plan) -> tuple[ObjectKey, ...]:
        """The objects of the snapshot that a plan rests on: these alone decide the same."""
        return cited(self.state(snapshot), of)
