"""A plan under Koordinator's quotas as the answer that all schedulers share, with the fields that only it has."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from kubectl_fairshare.answers.answer import (
    Answer,
    BindingLimit,
    Need,
    PossibleOutcome,
    Spared,
    Station,
    Subject,
    Tie,
    Victim,
    amount_of,
)
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import ProofSteps, WrittenAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan, PossibleEnd
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import RULES
from kubectl_fairshare.schedulers.koordinator.explain.proof import comparison, victim_step
from kubectl_fairshare.schedulers.koordinator.laws import Law, candidate_law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.preemption.gate import QuotaTest
from kubectl_fairshare.schedulers.koordinator.preemption.victims import VictimFate
from kubectl_fairshare.schedulers.koordinator.quotas.highest import highest_limit
from kubectl_fairshare.schedulers.koordinator.quotas.state import State
from kubectl_fairshare.schedulers.koordinator.release import NAME
from kubectl_fairshare.schedulers.koordinator.words.amounts import amounts_of
from kubectl_fairshare.schedulers.koordinator.words.plan_blocks import (
    asked_blocks,
    later_blocks,
    node_blocks,
    quota_blocks,
    record_blocks,
)
from kubectl_fairshare.schedulers.koordinator.words.plan_clauses import WORDS, possible_clause
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.clauses import any_of, subject_text, tried_change, useless_blocks
from kubectl_fairshare.schedulers.kubescheduler.refusals import refused_bindings
from kubectl_fairshare.schedulers.shared_words import elsewhere_blocks
from kubectl_fairshare.trace import Step


class RuntimePlanDetail(Value, frozen=True):
    """What only plans under Koordinator's quotas have: the quota's test, the trials on nodes, the message."""

    plan: Plan

    def reasons(self) -> Iterable[Group]:
        """The request, the pod's quota and the quotas' tests, and the outcome of the pod once it is created."""
        return [*asked_blocks(self.plan), *quota_blocks(self.plan)], WORDS.creation_blocks(self.plan)

    def findings(self) -> Iterable[Group]:
        """The nodes that the pod does not get, what may happen later, and the changes that did not help."""
        plan = self.plan
        elsewhere = elsewhere_blocks(plan.elsewhere)
        return node_blocks(plan), elsewhere, [*later_blocks(plan)], useless_blocks(plan)

    def records(self) -> Iterable[Group]:
        """The scheduler's own message."""
        return (record_blocks(self.plan),)

    def document(self, answer: Answer[Any]) -> WrittenAnswer:
        """The fields that only plans under Koordinator's quotas have."""
        from kubectl_fairshare.schedulers.koordinator.documents.plan import PLAN, plan_fields

        return WrittenAnswer(PLAN, plan_fields(self.plan, answer))


def plan_answer(plan: Plan, state: State, cited: Sequence[ObjectKey]) -> Answer[RuntimePlanDetail]:
    """The answer for one pod. ``cited`` are the objects that it rests on."""
    source, chosen = plan.origin.place.object, None if plan.refusals else plan.chosen
    return Answer(
        scheduler=NAME,
        outcome=plan.outcome,
        computed=plan.computed,
        verdict=WORDS.verdict(plan),
        computed_verdict=f"ignoring that: {plan.origin.conditional(WORDS.clause(plan))}",
        subject=Subject(plan.pod.key, plan.pod.priority, source if source != plan.pod.key else None),
        route=_route(plan, state),
        context=(),
        assumed=plan.origin.assumed,
        proof=ProofSteps(plan.proof, sentence),
        fidelity=plan.fidelity,
        detail=RuntimePlanDetail(plan),
        needs=_needs(plan, state),
        victims=tuple(_victim(plan, fate) for fate in (chosen.victims if chosen else ())),
        spared=(*_put_back(plan), *(_non_candidate(plan, pod, law) for pod, law in plan.spared)) if chosen else (),
        binding=(*refused_bindings(plan.refusals), *_bindings(plan, state)),
        remedies=tuple(tried_change(remedy, plan.pod.namespace) for remedy in plan.remedies),
        ties=tuple(_ties(plan)),
        possible=tuple(_possible_outcome(end) for end in plan.possible) or by_moment(plan),
        rests_on=tuple(cited),
        held_in=("QUOTA", "NODE"),
    )


def by_moment(plan: Plan) -> tuple[PossibleOutcome, ...]:
    """The outcomes of moments that the input leaves open; empty if they agree."""
    return tuple(
        PossibleOutcome(outcome, f"{outcome.value.lower()} at some moment") for outcome in dict.fromkeys(plan.moments)
    )


def _possible_outcome(end: PossibleEnd) -> PossibleOutcome:
    """One of the outcomes that ties allow."""
    victims = tuple(pod.key for pod in end.victims)
    return PossibleOutcome(end.outcome, possible_clause(end), victims, f"node {end.node}")


def _route(plan: Plan, state: State) -> tuple[Station, ...]:
    """The quotas from the top down to the pod's, then its node."""
    stations = [Station("", subject_text(plan), plan.origin.place)]
    quota = plan.attempt.gate.quota
    if quota:
        stations += (Station("quota", name) for name in state.figures(quota).tree.path(quota))
    nodes = plan.preempted_on or plan.feasible
    if nodes and not plan.refusals:
        stations.append(Station("Node", any_of(nodes)))
    return tuple(stations)


def _needs(plan: Plan, state: State) -> tuple[Need, ...]:
    """What the pod adds to its quota, and how much of that its quota has left."""
    quota, needs = plan.attempt.gate.quota, []
    for asked in amounts_of(plan.attempt.gate.request):
        free = None
        limit = state.limit(quota).get(asked.resource) if not plan.half else None
        if limit is not None:
            left = whole(asked.resource, limit - state.sums(quota).used.get(asked.resource, 0))
            free = amount_of(asked.resource, max(0, left))
        needs.append(Need(asked, free))
    return tuple(needs)


def _victim(plan: Plan, fate: VictimFate) -> Victim:
    law = candidate_law(plan.attempt.gate.quota)
    return Victim(
        fate.pod.key,
        plan.attempt.gate.quota,
        fate.pod.priority,
        amounts_of(fate.pod.charged),
        str(law),
        _why_taken(fate, plan.attempt.gate.quota),
        RULES[law],
    )


def _why_taken(fate: VictimFate, quota: str) -> str:
    """What needs the pod's room, and which budgets its eviction breaks; the rule says what makes it a candidate."""
    step = victim_step(fate, quota)
    steps = (*(part for part in step.rests_on if isinstance(part, Step)), step)
    reasons = [sentence(each) for each in steps if each.law is not candidate_law(quota)]
    if fate.budgets:
        reasons.append(f"breaks PodDisruptionBudget {', '.join(b.key.name for b in fate.budgets)}")
    if fate.pod.terminating:
        reasons.append("already terminating")
    return "; ".join(reasons)


def _put_back(plan: Plan) -> Iterable[Spared]:
    for fate in () if plan.chosen is None else plan.chosen.fates:
        if not fate.leaves:
            of = _victim(plan, fate)
            yield Spared(of.key, of.queue, of.priority, of.frees, of.law, of.because, of.rule, put_back=True)


def _non_candidate(plan: Plan, pod: Pod, law: StrEnum) -> Spared:
    because = sentence(Step(law, (), holds=False))
    node = "" if plan.chosen is None else plan.chosen.node
    return Spared(pod.key, node, pod.priority, amounts_of(pod.charged), str(law), because)


def _bindings(plan: Plan, state: State) -> Iterable[BindingLimit]:
    """The limits that the pod exceeds."""
    test = plan.attempt.gate.refusal
    return [] if test is None else [_binding(state, test, resource) for resource in test.exceeded]


def _binding(state: State, test: QuotaTest, resource: str) -> BindingLimit:
    """One exceeded limit. ``ever``: the pod alone is larger than the limit can be."""
    text = sentence(Step(test.law, comparison(test, resource), holds=False))
    group = state.quotas[test.quota]
    is_min = test.law is Law.OVER_MIN
    field, written = ("min", group.min) if is_min else ("max", group.max)
    bound = group.min if is_min else highest_limit(state, test.quota)
    alone, limit = test.request.get(resource, 0), test.limit.get(resource, 0)
    ever = resource in bound and alone > bound[resource]
    reach = bound[resource] if ever else limit - test.used.get(resource, 0)
    asked, reachable, short = (amount_of(resource, whole(resource, v)) for v in (alone, reach, alone - reach))
    place = group.place(field, resource) if resource in written and not group.assumed else None
    return BindingLimit(text, place, asked, reachable, short, ever)


def _ties(plan: Plan) -> Iterable[Tie]:
    for step in plan.proof:
        if step.law is Law.CHOICE_TIE:
            yield Tie(sentence(step), tuple(str(step.operand("nodes")).split(", ")))
    several = plan.fidelity.outcomes > 1 or not plan.fidelity.all_outcomes
    for tie in plan.chosen.ties if several and plan.chosen is not None else ():
        names = [pod.name for pod in tie]
        yield Tie(f"{', '.join(names)} are equally important: the scheduler may evict any of them", tuple(names))
    if plan.revoked_perhaps:
        drawn = tuple(pod.name for pod in plan.revoked_perhaps)
        yield Tie(f"the over-use revoker may evict or keep each of {', '.join(drawn)}: equal pods have no order", drawn)
