"""The steps behind a decision, with the fields that were read."""

from collections.abc import Iterator

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.laws import Law, candidate_law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import DEFAULT, QUOTA_NAME
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaGate, QuotaTest
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionTrial, VictimFate
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.kubescheduler.fit import Lack
from kubectl_fairshare.trace import Fact, Operand, Step

Operands = tuple[tuple[str, Operand], ...]


def proof(state: State, attempt: PodAttempt) -> tuple[Step, ...]:
    """The steps from the pod's quota to the chosen node."""
    pod, gate = attempt.pod, attempt.gate
    steps = [membership_step(state, pod, gate), *gate_steps(state, gate), *_unlimited_steps(state, pod, gate)]
    steps += _fit_steps(attempt)
    if attempt.eligibility is not None:
        leaving = attempt.eligibility.leaving
        operands: Operands = (("pod", attempt.pod.name), ("leaving", None if leaving is None else leaving.name))
        steps.append(Step(attempt.eligibility.law, operands, holds=attempt.eligibility.eligible))
    if attempt.choice is None or attempt.chosen is None:
        return (*steps, *(rejection_step(each) for each in attempt.trials.values()))
    steps += (victim_step(fate, attempt.gate.quota) for fate in attempt.chosen.victims)
    steps += (
        Step(lost.law, (("node", lost.node), ("figure", lost.figure), ("best", lost.best)), holds=False)
        for lost in attempt.choice.lost
    )
    if len(attempt.choice.nodes) > 1:
        steps.append(Step(Law.CHOICE_TIE, (("nodes", ", ".join(attempt.choice.nodes)),), holds=True))
    return tuple(steps)


def membership_step(state: State, pod: Pod, gate: QuotaGate) -> Step:
    """Which quota the pod belongs to, and why; the default quota has no runtime, but a max without runtime quotas."""
    member = gate.member
    place = Place(pod.key, ("metadata", "labels", QUOTA_NAME))
    facts = (Fact(place, pod.labels[QUOTA_NAME]),) if pod.labels.get(QUOTA_NAME) else ()
    operands: Operands = (("quota", member.quota), ("namespace", pod.namespace), ("wished", member.wished))
    if member.quota == DEFAULT:
        operands = (*operands, ("limited", not state.source.arguments.uses_runtime))
    return Step(member.law, operands, holds=member.law not in (Law.UNKNOWN_NAME, Law.NO_QUOTA), rests_on=facts)


def gate_steps(state: State, gate: QuotaGate) -> Iterator[Step]:
    """The quotas' tests: each exceeded resource of the failing one, and all compared ones of those that hold."""
    for test in gate.tests:
        if test.law is Law.PARENT_UNKNOWN:
            yield Step(test.law, (("quota", test.quota),), holds=False)
            continue
        compared = test.exceeded or sorted(test.limit.keys() & {*test.request, *test.used})
        if not compared:
            yield Step(Law.UNLIMITED, (("quota", test.quota),), holds=True)
        for resource in compared:
            yield Step(test.law, comparison(test, resource), test.holds, _facts(state, test, resource))


def _unlimited_steps(state: State, pod: Pod, gate: QuotaGate) -> Iterator[Step]:
    """What the pod requests and its quota does not limit, next to what it does limit."""
    limit = gate.tests[0].limit if gate.tests else {}
    for resource in sorted(r for r, amount in pod.charge.items() if amount and limit and r not in limit):
        listed = resource in state.quotas[gate.quota].max
        facts = _facts(state, gate.tests[0], resource) if listed else ()
        operands: Operands = (("quota", gate.quota), ("resource", resource), ("listed", listed))
        yield Step(Law.UNLIMITED, operands, holds=True, rests_on=facts)


def comparison(test: QuotaTest, resource: str) -> Operands:
    """One resource of a test, in inner units."""
    amounts = (("wanted", test.request), ("used", test.used), ("limit", test.limit))
    figures = tuple((name, whole(resource, of.get(resource, 0))) for name, of in amounts)
    return (("quota", test.quota), ("resource", resource), *figures)


def _facts(state: State, test: QuotaTest, resource: str) -> tuple[Fact, ...]:
    group = state.quotas[test.quota]
    field = "min" if test.law in (Law.OVER_MIN, Law.WITHIN_MIN) else "max"
    written = group.written_min if field == "min" else group.written_max
    if group.assumed or resource not in written:
        return ()
    return (Fact(group.place(field, resource), str(written[resource])),)


def _fit_steps(attempt: PodAttempt) -> Iterator[Step]:
    for name, result in attempt.filters.items():
        if result.passed:
            yield Step(Law.FITS, (("node", name),), holds=True)
        else:
            yield from (lack_step(name, lack) for lack in result.lacks)


def lack_step(node: str, lack: Lack) -> Step:
    """What a node lacks."""
    operands: Operands = (
        ("node", node),
        ("resource", lack.resource),
        ("requested", lack.requested),
        ("used", lack.used),
        ("allocatable", lack.allocatable),
        ("detail", lack.detail),
    )
    return Step(lack.law, operands, holds=False)


def victim_step(fate: VictimFate, quota: str) -> Step:
    """Why a candidate leaves, on top of why it is one; ``quota`` is that of both pods."""
    taken = Step(candidate_law(quota), (("pod", fate.pod.name), ("priority", fate.pod.priority)), holds=True)
    exceeded = ", ".join(fate.exceeded)
    return Step(fate.law, (("pod", fate.pod.name), ("exceeded", exceeded)), fate.leaves, (taken,))


def rejection_step(trial: PreemptionTrial) -> Step:
    """Why preemption is not possible on a node."""
    law = trial.rejected or Law.NO_VICTIMS
    lacks = () if trial.lacking is None else tuple(lack_step(trial.node, lack) for lack in trial.lacking.lacks)
    return Step(law, (("node", trial.node),), holds=False, rests_on=lacks)
