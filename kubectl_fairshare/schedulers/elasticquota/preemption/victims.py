"""Whose pods on one node a pod can preempt, and which of them leave; pods without a quota preempt each other only.

All victims are on the node that the pod would use, even if only a quota keeps it out.
Counter-example to "who borrows before the removals is a candidate": ``b`` borrows 2 with two pods of 2. Once the first
is taken, it is within its min, and up to Kubernetes 1.35 the second is not a candidate.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``SelectVictimsOnNode``.
"""

from collections.abc import Iterable

from kubectl_fairshare.jobs.node_demand import DisruptionBudget, NodeDemand
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.elasticquota.laws import Law, VictimSide, may_take, victim_side, why_spared
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import ZERO, Excess, Vector, amounts_over
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate
from kubectl_fairshare.schedulers.elasticquota.quotas.ledger import Ledger
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.importance import most_first
from kubectl_fairshare.schedulers.kubescheduler.victims import TrialOfNode, fate_of, put_back, ties_among


class Taken(Value, frozen=True):
    """A candidate, its law, and, for a borrower, what its namespace used at that point, with its minimum."""

    pod: Pod
    law: Law
    used: Vector = ZERO
    least: Vector = ZERO

    @property
    def borrowed(self) -> tuple[Excess, ...]:
        """The resources in which the pod's namespace borrowed at its turn; empty under other laws."""
        return tuple(amounts_over(self.used, ZERO, self.least, 0))


class Fate(Value, frozen=True):
    """The end of a candidate: evicted because the node or the quotas need it, or put back.

    ``exceeded`` is the test that would fail if it stayed, ``excesses`` in which resources; ``budgets`` are those that
    its eviction breaks.
    """

    taken: Taken
    law: Law
    exceeded: Law | None = None
    excesses: tuple[Excess, ...] = ()
    budgets: tuple[DisruptionBudget, ...] = ()

    @property
    def pod(self) -> Pod:
        """The candidate."""
        return self.taken.pod

    @property
    def leaves(self) -> bool:
        """Whether the pod is a victim."""
        return self.law is not Law.PUT_BACK


class NodeTrial(TrialOfNode[Pod, Fate], frozen=True):
    """The result of preemption on one node.

    ``exceeded`` and ``excesses`` are what the quotas lack with all candidates removed, or at the pod on which the
    scheduler fails.
    """

    taken: tuple[Taken, ...] = ()
    exceeded: Law | None = None
    excesses: tuple[Excess, ...] = ()


class QuotaPreemption(Value, frozen=True):
    """A pod that preempts, and the quotas' verdict on it."""

    state: State
    pod: Pod
    demand: NodeDemand
    gate: Gate

    @property
    def side(self) -> VictimSide:
        """Whose pods the pod can preempt."""
        # With the nominated pods of the namespace, and before any removal: victims do not bring a namespace back within
        # min.
        beyond_min = self.gate.quoted and self.state.ledger.exceeds_min(self.pod.namespace, self.gate.in_quota)
        return victim_side(quoted=self.gate.quoted, beyond_min=beyond_min)


class Scene(Value, frozen=True):
    """The node and the ledger at one point of a trial."""

    load: Load
    ledger: Ledger

    def without(self, pod: Pod) -> "Scene":
        """The scene without the pod."""
        return Scene(self.load.without(pod), self.ledger.without(pod))

    def including(self, pod: Pod) -> "Scene":
        """The scene with the pod."""
        return Scene(self.load.including(pod), self.ledger.including(pod))


def trial(search: QuotaPreemption, node: str) -> NodeTrial:
    """The result of preemption on the node."""
    state = search.state
    taken, bare = take(search, Scene(state.loads[node], state.ledger), state.pods[node])
    found = NodeTrial(node, taken=tuple(taken))
    if not taken:
        # Even if the pod fits and only a quota keeps it out: without a victim on the node the scheduler does not look
        # further.
        return replace(found, rejected=Law.NO_VICTIMS)
    lacking = state.verdict_on(search.pod, search.demand, node, bare.load)
    if not lacking.passed:
        return replace(found, rejected=Law.DOES_NOT_FIT, lacking=lacking)
    exceeded, excesses = excesses_of(search.pod, search.gate, bare.ledger)
    if exceeded is not None:
        return replace(found, rejected=Law.QUOTA_STILL_EXCEEDED, exceeded=exceeded, excesses=excesses)
    return _restored(search, bare, found)


def excesses_of(pod: Pod, gate: Gate, ledger: Ledger) -> tuple[Law | None, tuple[Excess, ...]]:
    """What the quotas lack for the pod alone, and the first failing test."""
    # The pod alone: nominated pods count again only when victims are put back, as in the scheduler.
    return _lacking(pod, gate, ledger, gate.request, gate.request)


def _lacking(
    pod: Pod, gate: Gate, ledger: Ledger, in_quota: Vector, in_pool: Vector
) -> tuple[Law | None, tuple[Excess, ...]]:
    if not gate.quoted:
        return None, ()
    if ledger.exceeds_max(pod.namespace, in_quota):
        return Law.OVER_MAX, ledger.beyond_max(pod.namespace, in_quota)
    if ledger.exceeds_pool(in_pool):
        return Law.OVER_POOL, ledger.beyond_pool(in_pool)
    return None, ()


def take(search: QuotaPreemption, scene: Scene, pods: Iterable[Pod]) -> tuple[list[Taken], Scene]:
    """The candidates, and the scene without them; ``pods`` are visited in their order."""
    state, asking, side = search.state, search.pod, search.side
    if side is not VictimSide.BORROWERS:
        # The cheaper comparison first: most pods of a full node fail it. ``may_take`` compares priorities, too.
        lower = [pod for pod in pods if pod.priority < asking.priority and _may_take(state, side, asking, pod)]
        for pod in lower:
            scene = scene.without(pod)
        return [Taken(pod, side.value) for pod in lower], scene
    taken: list[Taken] = []
    # Whether a namespace borrows changes only with its own removals, so it is asked once until then.
    borrowers: dict[str, bool] = {}
    for pod in pods:
        namespace = pod.key.namespace
        if namespace not in borrowers:
            borrowers[namespace] = state.ledger.has(namespace) and scene.ledger.borrows(namespace)
        if may_take(side, asking, pod, quoted=True, borrower=borrowers[namespace]):
            # From 1.36 on the scheduler compares with what namespaces used before any removal; up to 1.35 each removal
            # counts.
            moment = scene.ledger if state.source.semantics.removes_at_once else state.ledger
            taken.append(Taken(pod, side.value, moment.used(namespace), moment.quotas[namespace].least))
            scene = scene.without(pod)
            if state.source.semantics.removes_at_once:
                del borrowers[namespace]
    return taken, scene


def _may_take(state: State, side: VictimSide, pod: Pod, other: Pod) -> bool:
    return may_take(side, pod, other, quoted=state.ledger.has(other.key.namespace), borrower=False)


def spared_pods(search: QuotaPreemption, trial: NodeTrial) -> tuple[tuple[Pod, Law], ...]:
    """The pods of a node that are not candidates, in the order of the visit, each with its law."""
    state, side = search.state, search.side
    taken = {t.pod.key for t in trial.taken}
    others = [pod for pod in state.pods[trial.node] if pod.key not in taken]
    return tuple((p, why_spared(side, search.pod, p, quoted=state.ledger.has(p.namespace))) for p in others)


def _restored(search: QuotaPreemption, bare: Scene, trial: NodeTrial) -> NodeTrial:
    """The trial once each candidate that is not needed is back."""
    taken = {t.pod.key: t for t in trial.taken}

    def tried_back(scene: Scene, pod: Pod) -> tuple[Fate, Scene]:
        return _fate(search, trial.node, scene, taken[pod.key])

    found = put_back(most_first([t.pod for t in trial.taken]), search.state.budgets, bare, tried_back)
    trial = replace(trial, fates=found.fates, violations=found.violations)
    if found.failed is not None:
        fate = found.failed
        return replace(trial, rejected=fate.law, exceeded=fate.exceeded, excesses=fate.excesses)
    victims = found.victims
    # Otherwise the list is in order already, and another sort could reverse equal pods.
    if found.mixed:
        places = {p.key: i for i, p in enumerate(most_first([f.pod for f in victims]))}
        victims.sort(key=lambda f: places[f.pod.key])
    rejected = None if victims else Law.ALL_SPARED
    return replace(trial, rejected=rejected, victims=tuple(victims), ties=_ties(search.state, trial))


def _fate(search: QuotaPreemption, node: str, scene: Scene, taken: Taken) -> tuple[Fate, Scene]:
    """The end of one candidate that is put back; the scheduler fails if it would remove it twice."""
    back, gate = scene.including(taken.pod), search.gate
    passed = search.state.room_on(search.pod, node, back.load).passed
    # The quotas are tested after the pod was removed again where the node has no room.
    after = back if passed else scene
    exceeded, excesses = _lacking(search.pod, gate, after.ledger, gate.in_quota, gate.in_pool)
    law = fate_of(Law, node_has_room=passed, quotas_exceeded=exceeded is not None)
    return Fate(taken, law, exceeded, excesses), back if law is Law.PUT_BACK else scene


def _ties(state: State, trial: NodeTrial) -> tuple[tuple[Pod, ...], ...]:
    """Equally important pods of which some are evicted and some stay, also borrowers' pods that were no candidates."""
    laws = {t.law for t in trial.taken}
    charged = Law.UNQUOTED_LOWER not in laws
    pods = [p for p in state.pods[trial.node] if state.ledger.has(p.namespace) is charged]
    taken = {t.pod.key for t in trial.taken}
    return ties_among((p for p in pods if p.key in taken or Law.BORROWER in laws), trial.fates)
