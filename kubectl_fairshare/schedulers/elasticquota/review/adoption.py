"""The pods of a snapshot for forecasts: those of namespaces with a quota, and what else takes room on the nodes.

Tested in ``tests/unit/policy/forecast/test_pod_plays.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.gaps import answers_for
from kubectl_fairshare.schedulers.elasticquota.jobs.history import history
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.motion import QuotaMotion
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.elasticquota.why.turns import QuotaTurnRules
from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES
from kubectl_fairshare.schedulers.pod_queue import NewPod


class QuotaPods:
    """CapacityScheduling, as a forecast knows it; ``unjudged`` are schedulers whose pods it does not try."""

    def __init__(self, snapshot: Snapshot, unjudged: Sequence[Gap]) -> None:
        self._snapshot, self._unjudged = snapshot, unjudged
        self._source = snapshot.part(ElasticQuotaState)
        self._state = state_of(self._source)

    def pods(self) -> Sequence[Pod]:
        """All pods that have not ended."""
        return self._source.pods

    def motion(self) -> QuotaMotion:
        """The scheduler, for one replay."""
        motion = QuotaMotion(lambda law: RULES.get(law, str(law)))
        motion.open(self._snapshot)
        return motion

    def is_leaving(self, pod: Pod) -> bool:
        """Whether it is being deleted."""
        return pod.terminating

    def refusal(self, pod: Pod) -> str:
        """Gated pods, and those of other schedulers."""
        if pod.gated:
            return "it has scheduling gates"
        return "" if answers_for(self._source, pod.scheduler) else f"its scheduler is `{pod.scheduler}`"

    def new_pod(self, pod: Pod) -> NewPod[Pod]:
        """The pod as one that waits."""
        waits = replace(pod, uid=pod.name, node="", nominated="", started=None, running=False)
        shape = QuotaTurnRules().shape(self._state, waits)
        return NewPod(pod.name, waits, pod.priority, None, (shape,))

    def history(self) -> Sequence[TracedJob]:
        """The jobs of the snapshot, as a trace has them."""
        return history(self._snapshot).jobs

    def gaps(self) -> Sequence[Gap]:
        """What the snapshot leaves in doubt."""
        return self._unjudged
