"""A plan under ElasticQuotas as the answer that all schedulers share, with the fields that only they have."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import (
    Amount,
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
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import comparison, victim_step
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota
from kubectl_fairshare.schedulers.elasticquota.model.vector import Excess, Vector
from kubectl_fairshare.schedulers.elasticquota.preemption.possible import PossibleEviction
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Fate
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State
from kubectl_fairshare.schedulers.elasticquota.words.plan_blocks import (
    asked_blocks,
    quota_blocks,
    side_blocks,
)
from kubectl_fairshare.schedulers.elasticquota.words.plan_clauses import WORDS
from kubectl_fairshare.schedulers.elasticquota.words.plan_nodes import node_blocks, spread_blocks
from kubectl_fairshare.schedulers.elasticquota.words.sentences import RULES, sentence
from kubectl_fairshare.schedulers.kubescheduler.clauses import useless_blocks
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.plan_answer import CandidateWords, PlanTexts
from kubectl_fairshare.schedulers.shared_words import elsewhere_blocks
from kubectl_fairshare.trace import Step

SCHEDULER: Final = "elasticquota"
_TIES: Final = {Law.CHOICE_TIE: "nodes", Law.ORDER_TIE: "pods"}


class QuotaPlanDetail(Value, frozen=True):
    """What only plans under ElasticQuotas have: the quotas' test, the trials on nodes, what no node alone can give."""

    plan: Plan

    def reasons(self) -> Iterable[Group]:
        """The request, the quotas' test, the outcome of the pod once it is created, and whose pods it can preempt."""
        plan = self.plan
        first = [*asked_blocks(plan), *quota_blocks(plan)]
        return first, WORDS.creation_blocks(plan), side_blocks(plan)

    def findings(self) -> Iterable[Group]:
        """The nodes that the pod does not get, what they could give together, and the changes that did not help."""
        plan = self.plan
        elsewhere = elsewhere_blocks(plan.elsewhere)
        return node_blocks(plan), elsewhere, spread_blocks(plan), useless_blocks(plan)

    def records(self) -> Iterable[Group]:
        """Nothing."""
        return ()

    def document(self, answer: Answer[Any]) -> WrittenAnswer:
        """The fields that only plans under ElasticQuotas have."""
        from kubectl_fairshare.schedulers.elasticquota.documents.plan import PLAN, plan_fields

        return WrittenAnswer(PLAN, plan_fields(self.plan, answer))


def plan_answer(plan: Plan, state: State, cited: Sequence[ObjectKey]) -> Answer[QuotaPlanDetail]:
    """The answer for one pod. ``cited`` are the objects that it rests on."""
    return _TEXTS.answer(plan, state, cited, QuotaPlanDetail(plan))


def _possible_outcome(end: PossibleEviction) -> PossibleOutcome:
    """One of the outcomes that ties allow."""
    if end.trial is None:
        outcome = Outcome.ADMITTED if end.course is CycleEnd.SCHEDULABLE else Outcome.WAITS
        return PossibleOutcome(outcome, outcome.value.lower())
    victims = tuple(fate.pod.key for fate in end.trial.victims)
    verdict = f"scheduled after evicting {count(len(victims), 'pod')}"
    return PossibleOutcome(Outcome.PREEMPTS, verdict, victims, f"node {end.trial.node}")


def amounts_of(vector: Vector) -> tuple[Amount, ...]:
    """The amounts of a vector other than 0."""
    return tuple(amount_of(r, vector.of(r)) for r in vector.listed() if vector.of(r))


def _quota(plan: Plan, state: State) -> ElasticQuota | None:
    return state.source.quotas.get(plan.pod.namespace)


def _stations(plan: Plan, state: State) -> Iterator[Station]:
    quota = _quota(plan, state)
    if quota is not None:
        yield Station(quota.key.kind, f"{quota.namespace}/{quota.key.name}")


def _needs(plan: Plan, state: State) -> list[Need]:
    """What the pod adds to its quota, and how much of that the quota has left."""
    quota, ledger = _quota(plan, state), state.ledger
    needs = []
    for asked in amounts_of(plan.pod.charge):
        free = None
        if quota is not None:
            left, bound = ledger.pool.of(asked.resource) - ledger.total.of(asked.resource), quota.bound(asked.resource)
            own = left if bound is None else bound - ledger.used(quota.namespace).of(asked.resource)
            free = amount_of(asked.resource, max(0, min(left, own)))
        needs.append(Need(asked, free))
    return needs


def _candidate(plan: Plan, fate: Fate) -> CandidateWords:
    """What makes the pod a candidate, and what needs its room."""
    step = victim_step(fate)
    reasons = [sentence(part) for part in step.rests_on if isinstance(part, Step)] + [sentence(step)]
    return CandidateWords(plan.chosen.node, fate.pod.namespace, fate.taken.law, reasons)


def _binding(plan: Plan, state: State, excess: Excess) -> BindingLimit:
    """A bound that the pod exceeds. ``ever``: the pod alone is larger than the bound."""
    gate, namespace = plan.attempt.gate, plan.pod.namespace
    quota = state.source.quotas[namespace]
    text = sentence(Step(gate.law, comparison(namespace, excess), holds=False))
    place = quota.place("max", excess.resource) if gate.law is Law.OVER_MAX else None
    alone = plan.pod.charge.of(excess.resource)
    ever = alone > excess.bound
    needed = alone if ever else excess.wanted
    short = alone - excess.bound if ever else excess.more
    asked, reachable, missing = (amount_of(excess.resource, value) for value in (needed, needed - short, short))
    return BindingLimit(text, place, asked, reachable, missing, ever)


def _tie(step: Step) -> Tie:
    names = str(step.operand(_TIES[Law(step.law)]))
    return Tie(sentence(step), tuple(names.split(", ")))


_TEXTS: Final = PlanTexts(
    scheduler=SCHEDULER,
    held_in=("NODE", "NODE"),
    words=WORDS,
    sentence=sentence,
    rules=RULES,
    charged=lambda pod: amounts_of(pod.charge),
    candidate=_candidate,
    quotas=_stations,
    needs=_needs,
    binding=lambda plan, state: (_binding(plan, state, excess) for excess in plan.attempt.gate.excesses),
    ties=lambda plan: (_tie(step) for step in plan.proof if step.law in _TIES),
    possible=lambda plan: [_possible_outcome(end) for end in plan.possible],
)
