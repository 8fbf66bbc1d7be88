"""A plan as the answer that all schedulers share, as far as it is said in the same way for both plugins.

Decides nothing: it has words only.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_planning.py`` and
``tests/unit/schedulers/koordinator/test_words.py``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

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
)
from kubectl_fairshare.answers.documents import ProofSteps
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kubescheduler.clauses import PlanWords, any_of, subject_text, tried_change
from kubectl_fairshare.schedulers.kubescheduler.plan import PluginPlan
from kubectl_fairshare.schedulers.kubescheduler.refusals import refused_bindings
from kubectl_fairshare.trace import Step

AnyDetail = TypeVar("AnyDetail")


class CandidateWords(NamedTuple):
    """Why a pod is a victim: where it holds what it frees, its quota if that is elsewhere, its law, and reasons."""

    queue: str
    quota: str
    law: StrEnum
    reasons: Sequence[str]


class PlanTexts(NamedTuple):
    """How a plugin says a plan: ``rules`` are short names of laws, ``charged`` is what a pod adds to its quota.

    ``quotas`` are those on the way to a node, ``binding`` the limits of quotas that the pod exceeds.
    """

    scheduler: str
    held_in: tuple[str, str]
    words: PlanWords[Any]
    sentence: Callable[[Step], str]
    rules: Mapping[Any, str]
    charged: Callable[[Any], tuple[Amount, ...]]
    candidate: Callable[[Any, Any], CandidateWords]
    quotas: Callable[[Any, Any], Iterable[Station]]
    needs: Callable[[Any, Any], Sequence[Need]]
    binding: Callable[[Any, Any], Iterable[BindingLimit]]
    ties: Callable[[Any], Iterable[Tie]]
    possible: Callable[[Any], Sequence[PossibleOutcome]]

    def answer(self, plan: PluginPlan, state: Any, cited: Sequence[ObjectKey], detail: AnyDetail) -> Answer[AnyDetail]:
        """The answer for one pod. ``cited`` are the objects that it rests on."""
        source, chosen = plan.origin.place.object, None if plan.refusals else plan.chosen
        return Answer(
            scheduler=self.scheduler,
            outcome=plan.outcome,
            computed=plan.computed,
            verdict=self.words.verdict(plan),
            computed_verdict=f"ignoring that: {plan.origin.conditional(self.words.clause(plan))}",
            subject=Subject(plan.pod.key, plan.pod.priority, source if source != plan.pod.key else None),
            route=self._route(plan, state),
            context=(),
            assumed=plan.origin.assumed,
            proof=ProofSteps(plan.proof, self.sentence),
            fidelity=plan.fidelity,
            detail=detail,
            needs=tuple(self.needs(plan, state)),
            victims=tuple(self._victim(plan, fate) for fate in (chosen.victims if chosen else ())),
            spared=self._spared(plan) if chosen else (),
            binding=(*refused_bindings(plan.refusals), *self.binding(plan, state)),
            remedies=tuple(tried_change(remedy, plan.pod.namespace) for remedy in plan.remedies),
            ties=tuple(self.ties(plan)),
            possible=tuple(self.possible(plan)),
            rests_on=tuple(cited),
            held_in=self.held_in,
        )

    def _route(self, plan: PluginPlan, state: Any) -> tuple[Station, ...]:
        """The quotas from the top down to the pod's, then its node."""
        stations = [Station("", subject_text(plan), plan.origin.place), *self.quotas(plan, state)]
        nodes = plan.preempted_on or plan.feasible
        if nodes and not plan.refusals:
            stations.append(Station("Node", any_of(nodes)))
        return tuple(stations)

    def _victim(self, plan: PluginPlan, fate: Any) -> Victim:
        pod, why = fate.pod, self.candidate(plan, fate)
        reasons = list(why.reasons)
        if fate.budgets:
            reasons.append(f"breaks PodDisruptionBudget {', '.join(b.key.name for b in fate.budgets)}")
        if pod.terminating:
            reasons.append("already terminating")
        rule, because = self.rules.get(why.law, ""), "; ".join(reasons)
        return Victim(pod.key, why.queue, pod.priority, self.charged(pod), str(why.law), because, rule, why.quota)

    def _spared(self, plan: PluginPlan) -> tuple[Spared, ...]:
        """The candidates that are put back, then the other pods of the node."""
        back = [self._victim(plan, fate) for fate in plan.chosen.fates if not fate.leaves]
        found = [
            Spared(of.key, of.queue, of.priority, of.frees, of.law, of.because, of.rule, put_back=True) for of in back
        ]
        for pod, law in plan.spared:
            because = self.sentence(Step(law, (), holds=False))
            found.append(Spared(pod.key, plan.chosen.node, pod.priority, self.charged(pod), str(law), because))
        return tuple(found)
