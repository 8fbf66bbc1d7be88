"""A plan under Koordinator's quotas as the answer that all schedulers share, with the fields that only it has."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import (
    Answer,
    BindingLimit,
    Need,
    PossibleOutcome,
    Station,
    Tie,
    amount_of,
)
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan, PossibleEnd
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import RULES
from kubectl_fairshare.schedulers.koordinator.explain.proof import comparison, victim_step
from kubectl_fairshare.schedulers.koordinator.laws import Law, candidate_law
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
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
from kubectl_fairshare.schedulers.kubescheduler.clauses import useless_blocks
from kubectl_fairshare.schedulers.kubescheduler.plan_answer import CandidateWords, PlanTexts
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
    return _TEXTS.answer(plan, state, cited, RuntimePlanDetail(plan))


def by_moment(plan: Plan) -> tuple[PossibleOutcome, ...]:
    """The outcomes of moments that the input leaves open; empty if they agree."""
    return tuple(
        PossibleOutcome(outcome, f"{outcome.value.lower()} at some moment") for outcome in dict.fromkeys(plan.moments)
    )


def _possible_outcome(end: PossibleEnd) -> PossibleOutcome:
    """One of the outcomes that ties allow."""
    victims = tuple(pod.key for pod in end.victims)
    return PossibleOutcome(end.outcome, possible_clause(end), victims, f"node {end.node}")


def _stations(plan: Plan, state: State) -> Iterable[Station]:
    quota = plan.attempt.gate.quota
    return (Station("quota", name) for name in state.figures(quota).tree.path(quota)) if quota else ()


def _needs(plan: Plan, state: State) -> list[Need]:
    """What the pod adds to its quota, and how much of that its quota has left."""
    quota, needs = plan.attempt.gate.quota, list[Need]()
    for asked in amounts_of(plan.attempt.gate.request):
        free = None
        limit = state.limit(quota).get(asked.resource) if not plan.half else None
        if limit is not None:
            left = whole(asked.resource, limit - state.sums(quota).used.get(asked.resource, 0))
            free = amount_of(asked.resource, max(0, left))
        needs.append(Need(asked, free))
    return needs


def _candidate(plan: Plan, fate: VictimFate) -> CandidateWords:
    """What needs the pod's room; the rule says what makes it a candidate."""
    quota = plan.attempt.gate.quota
    law, step = candidate_law(quota), victim_step(fate, quota)
    steps = (*(part for part in step.rests_on if isinstance(part, Step)), step)
    return CandidateWords(quota, "", law, [sentence(each) for each in steps if each.law is not law])


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


_TEXTS: Final = PlanTexts(
    scheduler=NAME,
    held_in=("QUOTA", "NODE"),
    words=WORDS,
    sentence=sentence,
    rules=RULES,
    charged=lambda pod: amounts_of(pod.charge),
    candidate=_candidate,
    quotas=_stations,
    needs=_needs,
    binding=_bindings,
    ties=_ties,
    possible=lambda plan: [_possible_outcome(end) for end in plan.possible] or by_moment(plan),
)
