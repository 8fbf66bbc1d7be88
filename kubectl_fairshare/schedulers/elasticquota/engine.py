"""CapacityScheduling as an engine: shares of quotas, plans for pods."""

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.explain.citation import cited
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Origin, Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.gaps import SCHEDULER, state_gaps, version
from kubectl_fairshare.schedulers.elasticquota.model.objects import Demand, ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.quotas.report import QuotaTable
from kubectl_fairshare.schedulers.elasticquota.quotas.semantics import Semantics
from kubectl_fairshare.schedulers.elasticquota.quotas.shares import shares
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of


class ElasticQuotaEngine:
    """Answers questions about a snapshot as CapacityScheduling would decide them.

    ``semantics`` is the version of Kubernetes below the plugin. The state of the snapshot asked about last is kept.
    """

    name = "elasticquota"
    scheduler = SCHEDULER

    def __init__(self, semantics: Semantics = Semantics.K8S_1_35) -> None:
        self.semantics = semantics
        self._last: tuple[Snapshot, State] | None = None

    @property
    def version(self) -> str:
        """What is reproduced: the plugin's version, and that of Kubernetes below it."""
        return version(self.semantics)

    def state(self, snapshot: Snapshot) -> State:
        """The snapshot as the engine sees it."""
        if self._last is None or self._last[0] is not snapshot:
            self._last = snapshot, state_of(snapshot.part(ElasticQuotaState))
        return self._last[1]

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """What in the snapshot is not modelled."""
        return state_gaps(self.state(snapshot), self.semantics)

    def shares(self, snapshot: Snapshot) -> QuotaTable:
        """The figures of all quotas."""
        return shares(self.state(snapshot), snapshot.skipped, self.semantics)

    def plan(self, snapshot: Snapshot, pod: Pod, demand: Demand, origin: Origin | None = None) -> Plan:
        """What becomes of a pod if it is considered now."""
        return plan(self.state(snapshot), pod, demand, self.semantics, origin)

    def cited(self, snapshot: Snapshot, found: Plan) -> tuple[ObjectKey, ...]:
        """The objects of the snapshot that a plan made on it rests on: these alone decide the same."""
        return cited(self.state(snapshot), found)
