"""The victims of a pod on one node: candidates are removed, the pod is tried, and unneeded victims are put back.

All victims are on the node that the pod would use, even if only a quota keeps it out.
Counter-example to evicting the fewest pods: a full node of 4 cpu holds 2 cpu of priority 5 and twice 1 cpu of priority
1, and a pod needs 2 cpu. That of priority 5 is put back first and has room, so both others leave, where one would do.
Source: https://github.com/kubernetes-sigs/scheduler-plugins/blob/903da7d/pkg/capacityscheduling/capacity_scheduling.go,
``SelectVictimsOnNode``.
"""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.jobs.node_demand import DisruptionBudget
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.elasticquota.laws import (
    Law,
    VictimSide,
    fate_of,
    may_take,
    victim_side,
    why_spared,
)
from kubectl_fairshare.schedulers.elasticquota.model.objects import Node, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import ZERO, Excess, Vector, amounts_over
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Incoming, Load, filter_verdict, has_room
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate
from kubectl_fairshare.schedulers.elasticquota.quotas.ledger import Ledger
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.choice import NodeVictims, broken_budgets
from kubectl_fairshare.schedulers.kubescheduler.fit import FilterResult
from kubectl_fairshare.schedulers.kubescheduler.importance import equals, most_first


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
    def leaves(self) -> bool:
        """Whether the pod is a victim."""
        return self.law is not Law.PUT_BACK


class NodeTrial(Value, frozen=True):
    """The result of preemption on one node: victims, or the law that rejects the node.

    ``fates`` are in the order of the decisions, ``victims`` in the order of the scheduler's list. ``lacking`` is what
    the node lacks with all candidates removed; ``exceeded`` and ``excesses`` are what the quotas lack then, or at the
    pod on which the scheduler fails.
    """

    node: str
    taken: tuple[Taken, ...] = ()
    fates: tuple[Fate, ...] = ()
    victims: tuple[Fate, ...] = ()
    violations: int = 0
    rejected: Law | None = None
    lacking: FilterResult | None = None
    exceeded: Law | None = None
    excesses: tuple[Excess, ...] = ()
    ties: tuple[tuple[Pod, ...], ...] = ()

    @property
    def on_node(self) -> NodeVictims:
        """The victims, as the choice among nodes compares them."""
        return NodeVictims([fate.taken.pod for fate in self.victims], self.violations)

    @property
    def errs(self) -> bool:
        """Whether the scheduler fails on the node, instead of rejecting it."""
        return self.rejected in (Law.DOUBLE_REMOVAL, Law.ALL_SPARED)


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


def attempt(state: State, asker: Incoming, gate: Gate, node: Node) -> NodeTrial:
    """The result of preemption on the node."""
    start = Scene(state.loads[node.name], state.ledger)
    taken, bare = take(state, asker, gate, start, state.pods[node.name])
    trial = NodeTrial(node.name, tuple(taken))
    if not taken:
        # Even if the pod fits and only a quota keeps it out: without a victim on the node the scheduler does not look
        # further.
        return replace(trial, rejected=Law.NO_VICTIMS)
    lacking = filter_verdict(asker, node, bare.load)
    if not lacking.passed:
        return replace(trial, rejected=Law.DOES_NOT_FIT, lacking=lacking)
    exceeded, excesses = excesses_of(asker.pod, gate, bare.ledger)
    if exceeded is not None:
        return replace(trial, rejected=Law.QUOTA_STILL_EXCEEDED, exceeded=exceeded, excesses=excesses)
    return _put_back(state, asker, gate, node, bare, trial)


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


def take(state: State, asker: Incoming, gate: Gate, scene: Scene, pods: Iterable[Pod]) -> tuple[list[Taken], Scene]:
    """The candidates, and the scene without them; ``pods`` are visited in their order."""
    side = side_of(state, asker.pod, gate)
    if side is not VictimSide.BORROWERS:
        # The cheaper comparison first: most pods of a full node fail it. ``may_take`` compares priorities, too.
        lower = [pod for pod in pods if pod.priority < asker.pod.priority and _may_take(state, side, asker.pod, pod)]
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
        if may_take(side, asker.pod, pod, quoted=True, borrower=borrowers[namespace]):
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


def side_of(state: State, pod: Pod, gate: Gate) -> VictimSide:
    """Whose pods the pod can preempt."""
    # With the nominated pods of the namespace, and before any removal: victims do not bring a namespace back within
    # min.
    beyond_min = gate.quoted and state.ledger.exceeds_min(pod.namespace, gate.in_quota)
    return victim_side(quoted=gate.quoted, beyond_min=beyond_min)


def spared_pods(state: State, asker: Incoming, gate: Gate, trial: NodeTrial) -> tuple[tuple[Pod, Law], ...]:
    """The pods of a node that are not candidates, in the order of the visit, each with its law."""
    side = side_of(state, asker.pod, gate)
    taken = {t.pod.key for t in trial.taken}
    others = [pod for pod in state.pods[trial.node] if pod.key not in taken]
    return tuple((p, why_spared(side, asker.pod, p, quoted=state.ledger.has(p.namespace))) for p in others)


def _put_back(state: State, asker: Incoming, gate: Gate, node: Node, scene: Scene, trial: NodeTrial) -> NodeTrial:
    """Puts back each candidate that is not needed, first those whose eviction would break a budget."""
    # Budgets are counted down in this order: of equal pods under one budget, the last are those that break it.
    order = most_first([t.pod for t in trial.taken])
    taken = {t.pod.key: t for t in trial.taken}
    broken = broken_budgets(state.budgets, order)
    breaking = [p for p in order if broken[p.key]]
    others = [p for p in order if not broken[p.key]]
    fates: list[Fate] = []
    violations = 0
    # Those first whose eviction breaks a budget, even if others are more important: they get the room that there is.
    for pod in (*breaking, *others):
        fate, scene = _fate(asker, gate, node, scene, taken[pod.key])
        fates.append(replace(fate, budgets=broken[pod.key]) if broken[pod.key] else fate)
        if fate.law is Law.DOUBLE_REMOVAL:
            failed = replace(trial, rejected=fate.law, fates=tuple(fates), violations=violations)
            return replace(failed, exceeded=fate.exceeded, excesses=fate.excesses)
        # The scheduler counts only pods that the node has no room for: a victim of the quotas breaks a budget
        # uncounted.
        violations += fate.law is Law.NODE_NEEDS and bool(broken[pod.key])
    victims = [f for f in fates if f.leaves]
    # Otherwise the list is in order already, and another sort could reverse equal pods.
    if breaking and others:
        places = {p.key: i for i, p in enumerate(most_first([f.taken.pod for f in victims]))}
        victims.sort(key=lambda f: places[f.taken.pod.key])
    rejected = None if victims else Law.ALL_SPARED
    ties = _ties(state, node, fates)
    return replace(
        trial, rejected=rejected, fates=tuple(fates), victims=tuple(victims), violations=violations, ties=ties
    )


def _fate(asker: Incoming, gate: Gate, node: Node, scene: Scene, taken: Taken) -> tuple[Fate, Scene]:
    """The end of one candidate that is put back; the scheduler fails if it would remove it twice."""
    back = scene.including(taken.pod)
    passed = has_room(asker, node, back.load)
    # The quotas are tested after the pod was removed again where the node has no room.
    after = back if passed else scene
    exceeded, excesses = _lacking(asker.pod, gate, after.ledger, gate.in_quota, gate.in_pool)
    law = fate_of(node_has_room=passed, quotas_exceeded=exceeded is not None)
    return Fate(taken, law, exceeded, excesses), back if law is Law.PUT_BACK else scene


def _ties(state: State, node: Node, fates: Sequence[Fate]) -> tuple[tuple[Pod, ...], ...]:
    """Equally important pods of which some are evicted and some stay: the scheduler's choice is undefined."""
    leaving = {f.taken.pod.key for f in fates if f.leaves}
    kinds = {f.taken.law for f in fates}
    charged = Law.UNQUOTED_LOWER not in kinds
    pods = [p for p in state.pods[node.name] if state.ledger.has(p.namespace) is charged]
    taken = {f.taken.pod.key for f in fates}
    groups = (tuple(p for p in group if p.key in taken or Law.BORROWER in kinds) for group in equals(pods))
    return tuple(g for g in groups if {p.key in leaving for p in g} == {True, False})
