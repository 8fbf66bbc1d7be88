"""The steps behind a decision, with the fields that were read."""

from collections.abc import Iterator

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST
from kubectl_fairshare.schedulers.elasticquota.model.vector import FIXED, Excess, Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.gate import Gate, Peer, QuotaVerdict
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt
from kubectl_fairshare.schedulers.elasticquota.preemption.spread import Spread
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Fate, NodeTrial
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.fit import Lack
from kubectl_fairshare.trace import Fact, Operand, Step

Operands = tuple[tuple[str, Operand], ...]


def proof(state: State, attempt: Attempt) -> tuple[Step, ...]:
    """The steps from the quotas' test to the chosen node."""
    steps = list(_gate_steps(state, attempt.pod, attempt.gate))
    steps += _fit_steps(attempt)
    if attempt.eligibility is not None:
        leaving = attempt.eligibility.leaving
        operands: Operands = (("pod", attempt.pod.name), ("leaving", None if leaving is None else leaving.name))
        steps.append(Step(attempt.eligibility.law, operands, holds=attempt.eligibility.eligible))
    if attempt.trials:
        steps += _side_steps(state, attempt)
    if attempt.choice is not None:
        steps += (victim_step(f) for f in attempt.trials[attempt.choice.nodes[0]].victims)
        steps += (
            Step(lost.law, (("node", lost.node), ("figure", lost.figure), ("best", lost.best)), holds=False)
            for lost in attempt.choice.lost
        )
        if len(attempt.choice.nodes) > 1:
            steps.append(Step(Law.CHOICE_TIE, (("nodes", ", ".join(attempt.choice.nodes)),), holds=True))
    else:
        steps += (rejection_step(trial) for trial in attempt.trials.values())
    return tuple(steps)


def limit_steps(attempt: Attempt, spread: Spread | None, *, tied: bool) -> Iterator[Step]:
    """What no single node can give, and the choices that the scheduler leaves open; none unless ``tied``."""
    if spread is not None and spread.is_reason:
        operands: Operands = (("nodes", len(spread.rooms)), ("pods", spread.takeable))
        yield Step(Law.SINGLE_NODE, operands, holds=True)
    if tied and attempt.choice is not None:
        for tie in attempt.trials[attempt.choice.nodes[0]].ties:
            yield Step(Law.ORDER_TIE, (("pods", ", ".join(pod.name for pod in tie)),), holds=True)


def _gate_steps(state: State, pod: Pod, gate: Gate) -> Iterator[Step]:
    namespace: Operands = (("namespace", pod.namespace),)
    if not gate.quoted:
        yield Step(Law.NO_QUOTA, namespace, holds=True)
        return
    peers = tuple(_peer_step(peer) for peer in gate.peers)
    if gate.verdict is QuotaVerdict.OVER_MAX:
        yield from (_excess_step(state, Law.OVER_MAX, pod.namespace, e, peers) for e in gate.excesses)
        return
    for resource in _shown(gate.in_quota):
        yield _comparison(state, Law.WITHIN_MAX, pod.namespace, _excess_of_max(state, pod, gate, resource), peers)
    if gate.verdict is QuotaVerdict.OVER_POOL:
        yield from (_excess_step(state, Law.OVER_POOL, pod.namespace, e, peers) for e in gate.excesses)
        return
    for resource in _shown(gate.in_pool):
        ledger = state.ledger
        compared = Excess(resource, gate.in_pool.of(resource), ledger.total.of(resource), ledger.pool.of(resource))
        yield _comparison(state, Law.WITHIN_POOL, pod.namespace, compared, peers)


def _shown(of: Vector) -> list[str]:
    """The requested resources."""
    return [resource for resource in of.listed() if of.of(resource)]


def _excess_of_max(state: State, pod: Pod, gate: Gate, resource: str) -> Excess:
    ledger = state.ledger
    bound = ledger.quotas[pod.namespace].most.of(resource, LARGEST)
    return Excess(resource, gate.in_quota.of(resource), ledger.used(pod.namespace).of(resource), bound)


def _peer_step(peer: Peer) -> Step:
    law = Law.PEER_COUNTS if peer.in_pool else Law.PEER_IGNORED
    operands: Operands = (("pod", peer.pod.name), ("node", peer.pod.nominated), ("in quota", peer.in_quota))
    return Step(law, operands, holds=peer.in_pool, rests_on=(Fact(Place(peer.pod.key), peer.pod.nominated),))


def _excess_step(state: State, law: Law, namespace: str, excess: Excess, peers: tuple[Step, ...]) -> Step:
    return _comparison(state, law, namespace, excess, peers)


def _comparison(state: State, law: Law, namespace: str, compared: Excess, peers: tuple[Step, ...]) -> Step:
    """One inequality; its bound rests on a field of one quota, or on fields of all quotas."""
    holds = law in (Law.WITHIN_MAX, Law.WITHIN_POOL)
    of_pool = law in (Law.OVER_POOL, Law.WITHIN_POOL)
    facts = _pool_facts(state, compared.resource) if of_pool else _max_facts(state, namespace, compared.resource)
    return Step(law, comparison(namespace, compared), holds, (*facts, *peers))


def comparison(namespace: str, compared: Excess) -> Operands:
    """The operands of the inequality ``wanted`` + ``used`` ≤ ``bound``."""
    return (
        ("namespace", namespace),
        ("resource", compared.resource),
        ("wanted", compared.wanted),
        ("used", compared.used),
        ("bound", compared.bound),
        ("more", compared.more),
    )


def _max_facts(state: State, namespace: str, resource: str) -> tuple[Fact, ...]:
    quota = state.ledger.quotas[namespace]
    return (Fact(quota.place("max", resource), quota.bound(resource)),)


def _pool_facts(state: State, resource: str) -> tuple[Fact, ...]:
    quotas = state.ledger.quotas.values()
    return tuple(Fact(q.place("min", resource), q.least.of(resource)) for q in quotas if q.least.of(resource))


def _fit_steps(attempt: Attempt) -> Iterator[Step]:
    """Each node with room for the pod; if there is none, what each node lacks."""
    feasible = attempt.feasible
    yield from (Step(Law.FITS, (("node", name),), holds=True) for name in feasible)
    if not feasible:
        for name, verdict in attempt.filters.items():
            yield from (lack_step(name, lack) for lack in verdict.lacks)


def lack_step(node: str, lack: Lack) -> Step:
    """What a node lacks, as a step."""
    operands: Operands = (
        ("node", node),
        ("resource", lack.resource),
        ("wanted", lack.requested),
        ("used", lack.used),
        ("bound", lack.allocatable),
        ("detail", lack.detail),
    )
    return Step(lack.law, operands, holds=False)


def _side_steps(state: State, attempt: Attempt) -> Iterator[Step]:
    """Whether the pod takes its namespace above the minimum; this decides whose pods it can preempt."""
    pod, gate = attempt.pod, attempt.gate
    if not gate.quoted:
        return
    excesses = state.ledger.beyond_min_with(pod.namespace, gate.in_quota)
    quota = state.ledger.quotas[pod.namespace]
    for excess in excesses:
        fact = Fact(quota.place("min", excess.resource), quota.least.of(excess.resource))
        yield Step(Law.OVER_MIN, comparison(pod.namespace, excess), holds=True, rests_on=(fact,))
    if not excesses:
        named = [r for r in gate.in_quota.listed() if r in FIXED or gate.in_quota.of(r)]
        facts = tuple(Fact(quota.place("min", r), quota.least.of(r)) for r in named if quota.least.of(r))
        yield Step(Law.WITHIN_MIN, (("namespace", pod.namespace),), holds=True, rests_on=facts)


def victim_step(fate: Fate) -> Step:
    """Why a pod is evicted: what makes it a candidate, and what needs its room."""
    pod, taken = fate.pod, fate.taken
    first = taken.borrowed[0] if taken.borrowed else None
    why: Operands = (
        ("pod", pod.name),
        ("namespace", pod.namespace),
        ("priority", pod.priority),
        ("resource", None if first is None else first.resource),
        ("used", None if first is None else first.wanted),
        ("bound", None if first is None else first.bound),
    )
    candidate = Step(taken.law, why, holds=True)
    need = fate.excesses[0] if fate.excesses else None
    operands: Operands = (("pod", pod.name), ("resource", None if need is None else need.resource))
    return Step(fate.law, operands, holds=fate.leaves, rests_on=(candidate,))


def rejection_step(trial: NodeTrial) -> Step:
    """Why preemption rejects a node."""
    law = trial.rejected or Law.NO_VICTIMS
    lack = trial.lacking.lacks[0] if trial.lacking is not None and trial.lacking.lacks else None
    excess = trial.excesses[0] if trial.excesses else None
    operands: Operands = (
        ("node", trial.node),
        ("taken", len(trial.taken)),
        ("resource", lack.resource if lack is not None else excess.resource if excess is not None else None),
    )
    below = () if lack is None else (lack_step(trial.node, lack),)
    return Step(law, operands, holds=False, rests_on=below)
