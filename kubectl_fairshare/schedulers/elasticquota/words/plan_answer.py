"""A plan under ElasticQuotas as the answer that all schedulers share, with the fields that only they have."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

from kubectl_fairshare.answers.answer import (
    Amount,
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
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import comparison, victim_step
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuota, Pod
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
from kubectl_fairshare.schedulers.kubescheduler.clauses import any_of, subject_text, tried_change, useless_blocks
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.kubescheduler.refusals import refused_bindings
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
    source, chosen = plan.origin.place.object, None if plan.refusals else plan.chosen
    return Answer(
        scheduler=SCHEDULER,
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
        detail=QuotaPlanDetail(plan),
        needs=_needs(plan, state),
        victims=tuple(_victim(plan, fate) for fate in (chosen.victims if chosen else ())),
        spared=(*_put_back(plan), *(_non_candidate(plan, pod, law) for pod, law in plan.spared)) if chosen else (),
        binding=(
            *refused_bindings(plan.refusals),
            *(_binding(plan, state, excess) for excess in plan.attempt.gate.excesses),
        ),
        remedies=tuple(tried_change(remedy, plan.pod.namespace) for remedy in plan.remedies),
        ties=tuple(_tie(step) for step in plan.proof if step.law in _TIES),
        possible=tuple(_possible_outcome(end) for end in plan.possible),
        rests_on=tuple(cited),
        held_in=("NODE", "NODE"),
    )


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


def _route(plan: Plan, state: State) -> tuple[Station, ...]:
    """The pod's ElasticQuota, then its node."""
    stations = [Station("", subject_text(plan), plan.origin.place)]
    quota = _quota(plan, state)
    if quota is not None:
        stations.append(Station(quota.key.kind, f"{quota.namespace}/{quota.key.name}"))
    nodes = plan.preempted_on or plan.feasible
    if nodes and not plan.refusals:
        stations.append(Station("Node", any_of(nodes)))
    return tuple(stations)


def _needs(plan: Plan, state: State) -> tuple[Need, ...]:
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
    return tuple(needs)


def _victim(plan: Plan, fate: Fate) -> Victim:
    pod, law = fate.pod, fate.taken.law
    return Victim(
        pod.key,
        _node(plan),
        pod.priority,
        amounts_of(pod.charge),
        str(law),
        _why_taken(fate),
        RULES.get(law, ""),
        pod.namespace,
    )


def _why_taken(fate: Fate) -> str:
    """What makes the pod a candidate, what needs its room, and which budgets its eviction breaks."""
    step = victim_step(fate)
    reasons = [sentence(part) for part in step.rests_on if isinstance(part, Step)] + [sentence(step)]
    if fate.budgets:
        reasons.append(f"breaks PodDisruptionBudget {', '.join(b.key.name for b in fate.budgets)}")
    if fate.pod.terminating:
        reasons.append("already terminating")
    return "; ".join(reasons)


def _node(plan: Plan) -> str:
    return "" if plan.chosen is None else plan.chosen.node


def _put_back(plan: Plan) -> Iterable[Spared]:
    for fate in () if plan.chosen is None else plan.chosen.fates:
        if not fate.leaves:
            of = _victim(plan, fate)
            yield Spared(of.key, of.queue, of.priority, of.frees, of.law, of.because, of.rule, put_back=True)


def _non_candidate(plan: Plan, pod: Pod, law: StrEnum) -> Spared:
    because = sentence(Step(law, (), holds=False))
    return Spared(pod.key, _node(plan), pod.priority, amounts_of(pod.charge), str(law), because)


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
