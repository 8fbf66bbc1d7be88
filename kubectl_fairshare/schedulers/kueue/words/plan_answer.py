"""Kueue's plan as the answer that all schedulers share, and Kueue's own part of it."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import (
    Amount,
    Answer,
    BindingLimit,
    Check,
    Maker,
    Need,
    PossibleOutcome,
    Spared,
    Station,
    Subject,
    Tie,
    TriedChange,
    Unasked,
    Victim,
)
from kubectl_fairshare.answers.blocks import Group
from kubectl_fairshare.answers.documents import ProofSteps, WrittenAnswer
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import (
    Binding,
    NotAsked,
    Plan,
    Remedy,
    RemedyKind,
    SparedCandidate,
)
from kubectl_fairshare.schedulers.kueue.jobs.laws import starts
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.release import NAME
from kubectl_fairshare.schedulers.kueue.words.figures import amount_of, pooled
from kubectl_fairshare.schedulers.kueue.words.limit_words import limit_clause
from kubectl_fairshare.schedulers.kueue.words.screens.plan import (
    clause,
    condition_blocks,
    possible_clause,
    refusal_blocks,
    single_pod_blocks,
    verdict,
)
from kubectl_fairshare.schedulers.kueue.words.screens.plan_limits import (
    by_holdings,
    by_weight,
    change_clause,
    outcome_clause,
    part_clause,
    place_blocks,
    standing_blocks,
)
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES, law_step, refused_step, sentence, trial_step

_OWNERS = frozenset(
    (
        *(RemedyKind.COUNT, RemedyKind.MINIMUM, RemedyKind.REQUEST, RemedyKind.PRIORITY, RemedyKind.LEVEL),
        *(RemedyKind.SLICE, RemedyKind.TOLERATION, RemedyKind.SELECTOR),
    )
)


class KueuePlanDetail(Value, frozen=True):
    """What only Kueue's plans have: flavors, the place in the queue, the condition that Kueue writes."""

    plan: Plan
    kueue: KueueState

    def reasons(self) -> Iterable[Group]:
        """Why the workload is not considered, or what each pod set gets."""
        from kubectl_fairshare.schedulers.kueue.words.screens.plan_flavors import flavor_blocks
        from kubectl_fairshare.schedulers.kueue.words.screens.plan_topology import ground_blocks

        yield single_pod_blocks(self.plan)
        yield refusal_blocks(self.plan, self.kueue)
        yield flavor_blocks(self.plan)
        yield ground_blocks(self.plan)

    def findings(self) -> Iterable[Group]:
        """The flavors passed over, and the place in the queue."""
        from kubectl_fairshare.schedulers.kueue.words.screens.plan_flavors import passed_over_blocks

        yield [*passed_over_blocks(self.plan, self.kueue)]
        if self.plan.nomination.refused is None:
            yield [*standing_blocks(self.plan), *place_blocks(self.plan)]

    def records(self) -> Iterable[Group]:
        """The condition in Kueue's own words."""
        yield [*condition_blocks(self.plan)]

    def document(self, answer: Answer[Any]) -> WrittenAnswer:
        """The fields of Kueue's plans alone."""
        from kubectl_fairshare.schedulers.kueue.documents.plan import PLAN, plan_fields

        return WrittenAnswer(PLAN, plan_fields(self.plan, self.kueue, answer))


def _computed_verdict(plan: Plan) -> str:
    if plan.computed is Outcome.UNKNOWN:
        return ""
    return f"{'one way' if plan.fidelity.modelled else 'by quota alone'}: {clause(plan, plan.computed)}"


def plan_answer(
    plan: Plan, kueue: KueueState, cited: Sequence[ObjectKey] = (), notes: Sequence[Problem] = ()
) -> Answer[KueuePlanDetail]:
    """The answer for one workload; ``cited`` are the objects that it rests on."""
    short = _short(plan)
    mode = "classical preemption" if kueue.configuration.strategies is None else "fair sharing"
    return Answer(
        scheduler=NAME,
        outcome=plan.outcome,
        computed=plan.computed,
        verdict=verdict(plan),
        computed_verdict=_computed_verdict(plan),
        subject=Subject(plan.workload.key, plan.workload.priority, plan.workload.source),
        route=_route(plan),
        context=(mode,),
        assumed="as if it were first in its queue",
        proof=ProofSteps(plan.proof, sentence),
        fidelity=plan.fidelity,
        detail=KueuePlanDetail(plan, kueue),
        needs=tuple(Need(amount) for amount in requested(plan.workload)),
        victims=tuple(_victim(plan, target, short) for target in plan.targets),
        spared=(
            *(_put_back_entry(plan, target, short) for target in plan.put_back),
            *(_spared_entry(refused, short) for refused in plan.refused),
        ),
        unasked=tuple(_unasked_entry(queue) for queue in by_holdings(plan.not_asked)),
        binding=tuple(binding_limit(binding) for binding in by_weight(plan)),
        remedies=tuple(_remedy(remedy) for remedy in plan.remedies),
        checks=tuple(Check("AdmissionCheck", name) for name in plan.checks),
        ties=tuple(Tie(_TIE.format(*tie), tie) for tie in dict.fromkeys(plan.ties if plan.possible else ())),
        possible=possible_outcomes(plan),
        rests_on=tuple(cited),
        notes=tuple(notes),
        pooled=pooled(kueue.cluster_queues.get(plan.nomination.cluster_queue)),
        starts=plan.outcome is Outcome.UNMANAGED and starts(plan.workload),
    )


def possible_outcomes(plan: Plan) -> tuple[PossibleOutcome, ...]:
    """The outcomes that ties allow; empty if there is one."""
    return tuple(_possible_outcome(outcome, nomination) for outcome, nomination in plan.possible)


def _possible_outcome(outcome: Outcome, nomination: Nomination) -> PossibleOutcome:
    """One of the outcomes that ties allow."""
    if outcome not in (Outcome.ADMITTED, Outcome.PREEMPTS) or nomination.assignment is None:
        return PossibleOutcome(outcome, possible_clause(outcome, nomination))
    targets = () if nomination.search is None else nomination.search.targets
    flavors = sorted({f for p in nomination.assignment.pod_sets for f, _ in p.flavors.values()})
    victims = tuple(target.holder.key for target in targets)
    return PossibleOutcome(outcome, possible_clause(outcome, nomination), victims, ", ".join(flavors))


_TIE = "{} and {} have equal shares, and Kueue does not define which it takes first"


def _route(plan: Plan) -> tuple[Station, ...]:
    """The workload's route: LocalQueue, ClusterQueue, flavors."""
    workload, source, queue = plan.workload, plan.workload.source, plan.nomination.cluster_queue
    stations = [Station("", workload.name if source in (None, workload.key) else str(source))]
    if workload.local_queue:
        stations.append(Station("LocalQueue", workload.local_queue, plan.local_queue))
    if queue:
        stations.append(Station("ClusterQueue", queue))
    assignment = plan.nomination.assignment
    flavors = sorted({f for p in assignment.pod_sets for f, _ in p.flavors.values()}) if assignment is not None else []
    if flavors:
        stations.append(Station("flavor" if len(flavors) == 1 else "flavors", ", ".join(flavors)))
    return tuple(stations)


def requested(workload: Pending) -> tuple[Amount, ...]:
    """The workload's total requests, by resource."""
    totals: dict[str, int] = {}
    for pods in workload.pod_sets:
        for resource, each in pods.requests.items():
            totals[resource] = totals.get(resource, 0) + each * max(0, pods.count - pods.reclaimable)
    return tuple(amount_of(FlavorResource("", resource), value) for resource, value in sorted(totals.items()))


def _short(plan: Plan) -> frozenset[FlavorResource]:
    """The flavor-resources that preemption must free; without preemption, those whose limits bind."""
    assignment = plan.nomination.assignment
    short = frozenset() if assignment is None else assignment.short
    return short or frozenset(b.pair for b in plan.bindings)


def _holds(holder: Holder, pairs: frozenset[FlavorResource]) -> tuple[Amount, ...]:
    """What the workload holds of the missing flavor-resources, or all that it holds if that is nothing."""
    usage = {p: v for p, v in holder.usage.items() if p in pairs} or holder.usage
    return tuple(amount_of(pair, value) for pair, value in sorted(usage.items()))


def _victim(plan: Plan, target: Target, short: frozenset[FlavorResource]) -> Victim:
    holder, law = target.holder, target.trial.law
    leaving = "; its eviction has started" if holder.evicted else ""
    because = f"{target.reason}: {sentence(trial_step(target.trial, plan.names))}{leaving}"
    frees = _holds(holder, short)
    return Victim(holder.key, holder.cluster_queue, holder.priority, frees, str(law), because, RULES.get(law, ""))


def _put_back_entry(plan: Plan, target: Target, short: frozenset[FlavorResource]) -> Spared:
    victim = _victim(plan, target, short)
    return Spared(
        victim.key, victim.queue, victim.priority, victim.frees, victim.law, victim.because, victim.rule, put_back=True
    )


def _spared_entry(of: SparedCandidate, short: frozenset[FlavorResource]) -> Spared:
    rule = next((name for law, name in RULES.items() if law == of.law), "")
    holds = _holds(of.holder, short)
    because = sentence(refused_step(of))
    return Spared(of.holder.key, of.queue, of.holder.priority, holds, str(of.law), because, rule)


def _unasked_entry(of: NotAsked) -> Unasked:
    holds = tuple(amount_of(pair, value) for pair, value in of.holds)
    return Unasked(of.queue, holds, of.workloads, str(of.law), sentence(law_step(of)))


def binding_limit(of: Binding) -> BindingLimit:
    """A limit that binds."""
    needed, reachable, short = (amount_of(of.pair, value) for value in (of.needed, of.reachable, of.short))
    return BindingLimit(limit_clause(of), of.place, needed, reachable, short, of.ever, part_clause(of))


_PODS_FIRST: Final = "waits only for the pods of others to be ready"


def _remedy(of: Remedy) -> TriedChange:
    result = outcome_clause(of.outcome, of.victims, of.leaving, of.pods)
    result = _PODS_FIRST if of.outcome is Outcome.WAITS else result
    result = f"by quota alone: {result}" if of.doubted else result
    return TriedChange(change_clause(of), of.promised, result, of.victims, _maker(of), of.place)


def _maker(of: Remedy) -> Maker:
    """Who can make the change; a priority without a class of the asker's needs a new class."""
    if of.kind is RemedyKind.END:
        return Maker.NAMESPACE_ADMIN
    if of.kind is RemedyKind.PRIORITY and of.named is None:
        return Maker.ADMIN
    return Maker.OWNER if of.kind in _OWNERS else Maker.ADMIN
