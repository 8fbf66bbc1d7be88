"""Why a workload has no quota: the one reason that comes before all others.

First comes what keeps it out of its queue, then what keeps it out for ever, then what delays its turn, then what the
quotas decide. Source: Kueue v0.19; KEP-10852 for the names of the reasons.

Tested in ``tests/unit/cli/test_why_reasons.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Final

from kubectl_fairshare.answers.fidelity import NOT_GIVEN, Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.explain.dead_ends import SKIPPED, failing_steps, no_domain_step
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.explain.rejected_pods import is_rejected
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode, Token
from kubectl_fairshare.schedulers.kueue.jobs.laws import NO_WORKLOAD, is_left_alone
from kubectl_fairshare.schedulers.kueue.jobs.record import CheckState, Record
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.why.turns import CycleTurn
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason
from kubectl_fairshare.trace import Fact, Operand, Step

_SUSPENDED: Final = (Law.QUEUE_INACTIVE, Law.LOCAL_QUEUE_STOPPED)
_ASSIGNING: Final = "couldn't assign flavors"
_BY_QUEUE: Final = (Law.RESOURCE_UNAVAILABLE, Law.NO_TOPOLOGY)
_BY_FLAVOR: Final = (Law.RESOURCE_UNAVAILABLE, Law.FLAVOR_NOT_FOUND, Law.AFFINITY_MISMATCH, Law.UNTOLERATED_TAINT)
_BY_SIZE: Final = (Law.EXCEEDS_POTENTIAL,)
_BY_USAGE: Final = (Law.EXCEEDS_AVAILABLE, Law.EXCEEDS_POTENTIAL)
_DEACTIVATED: Final = "Deactivated"
TAKEN: Final = (Law.TAKEN_FIRST, Law.NO_LONGER_FITS)
"""The laws of workloads whose quota, or whose victims, others get before them."""
_ADMITS: Final = (Outcome.ADMITTED, Outcome.PREEMPTS)


class Circumstances(Value, frozen=True):
    """The rest of the cluster, as far as it may decide; each part is computed when it is needed.

    ``head`` is the workload that its queue takes before all
    others, None if there is none. ``unready`` are admitted workloads whose pods are not ready. ``evicted`` is the
    eviction of another workload. ``turn`` is what the next cycle does with the workload, with the workloads of its
    tree that are admitted before it; None if the cycle considers another workload of its queue.
    """

    head: Callable[[], Pending | None]
    unready: Callable[[], Sequence[Fact]]
    evicted: Callable[[ObjectKey], Iterable[Fact]]
    turn: Callable[[], CycleTurn | None]


class Wait(Value, frozen=True):
    """The dominant reason; ``head``, ``leaving`` and ``until`` are set if it is about them.

    ``turns`` is the number of ways in which the next cycle may end for the workload; ``all_turns``: all are known.
    ``doubts`` are gaps of that cycle.
    """

    verdict: Verdict
    reason: Reason
    because: Step
    head: Pending | None = None
    leaving: tuple[Holder, ...] = ()
    until: int | None = None
    turns: int = 1
    all_turns: bool = True
    doubts: tuple[Gap, ...] = ()


def wait_of(plan: Plan, record: Record, around: Circumstances) -> Wait:
    """Why the planned workload waits, is never admitted, or is left alone."""
    if plan.nomination.refused is not None:
        wait = _refusal_wait(plan, plan.nomination.refused, record)
        return (_not_modelled(plan, record) if _is_doubted(plan, wait) else None) or wait
    return (
        (_never(plan) if plan.outcome is Outcome.NEVER else None)
        or _on_hold(plan, record)
        or _without_domain(plan)
        or (_not_modelled(plan, record) if plan.outcome is Outcome.UNKNOWN else None)
        or _never(plan)
        or _backing_off(plan, record)
        or _stopped(around)
        or _behind(plan, around)
        or _not_modelled(plan, record)
        or _about_to(plan, around)
        or _pods_first(plan, around)
        or _gated(plan)
        or _by_quota(plan)
    )


def _is_doubted(plan: Plan, wait: Wait) -> bool:
    """Whether something decides about a refusal that is not known, other than objects that the input lacks."""
    doubts = any(gap.touches and gap.feature != NOT_GIVEN for gap in plan.fidelity.gaps)
    lasting = wait.verdict is Verdict.NEVER and wait.reason is not Reason.DEACTIVATED
    return doubts and lasting and plan.outcome is Outcome.UNKNOWN


def _refusal_wait(plan: Plan, refused: Step, record: Record) -> Wait:
    if is_left_alone(plan.workload):
        return Wait(Verdict.UNMANAGED, Reason.UNMANAGED, refused)
    if refused.law is Law.ADMISSION_GATED:
        return Wait(Verdict.WAITING, Reason.ADMISSION_GATED, refused)
    if refused.law is Law.CHECKS_FAILED:
        return Wait(Verdict.WAITING, Reason.CHECKS, refused)
    if refused.law is Law.NOT_GIVEN:
        return Wait(Verdict.UNKNOWN, Reason.NOT_GIVEN, refused)
    if refused.law is Law.WORKLOAD_INACTIVE:
        return Wait(Verdict.NEVER, Reason.DEACTIVATED, _deactivation(refused, record))
    later = Verdict.NOT_NOW if is_rejected(plan.workload) else Verdict.WAITING
    verdict = later if plan.computed is Outcome.WAITS else Verdict.NEVER
    return Wait(verdict, Reason.SUSPENDED if refused.law in _SUSPENDED else Reason.MISCONFIGURED, refused)


def start_in_doubt(wait: Wait, fidelity: Fidelity) -> Wait:
    """An unmanaged job as unknown where something that is not modelled decides about its start."""
    if wait.reason is not Reason.UNMANAGED or fidelity.modelled:
        return wait
    operands = (("quota", ""), ("features", "; ".join(fidelity.doubts)))
    return Wait(Verdict.UNKNOWN, Reason.NOT_MODELLED, Step(Law.NOT_MODELLED, operands, False, wait.because.rests_on))


def _deactivation(refused: Step, record: Record) -> Step:
    """The rejection with the cause that Kueue recorded: a word of Kueue's, empty if Kueue was not the cause."""
    evicted = record.condition("Evicted")
    if evicted is None or not evicted.holds or not evicted.reason.startswith(_DEACTIVATED):
        return refused
    cause = evicted.reason.removeprefix(_DEACTIVATED).removeprefix("DueTo")
    checks = [c for c in record.checks if cause == "AdmissionCheck" and _has_rejected(c)]
    names = ", ".join(c.name for c in checks)
    facts = [evicted.message_fact]
    facts += [Fact(Place(cluster_key("AdmissionCheck", c.name)), None) for c in checks]
    operands = (*refused.operands, ("cause", cause), ("checks", names))
    return replace(refused, operands=operands, rests_on=(*refused.rests_on, *facts))


def _has_rejected(check: CheckState) -> bool:
    """Whether the check rejected the workload: the eviction that follows resets the state and records the old one."""
    return check.state == "Rejected" or check.message.endswith("Previously: Rejected")


def is_unmade(plan: Plan) -> bool:
    """Whether Kueue makes no Workload for the job."""
    return plan.workload.refusal is not None and plan.workload.refusal.law in NO_WORKLOAD


def _on_hold(plan: Plan, record: Record) -> Wait | None:
    """A workload that its last record says is kept out of its queue: with its job on hold, or not requeued.

    Whether a gate keeps it out is not of the record: Kueue reads the annotation, and writes the same reason for others.
    """
    reserved = record.condition("QuotaReserved")
    if reserved is not None and reserved.reason == "OnHold" and not reserved.holds:
        because = Step(Law.ON_HOLD, (), False, (reserved.message_fact,))
        return Wait(Verdict.WAITING, Reason.ON_HOLD, because)
    if plan.blocked is not None and plan.blocked.law is Law.NOT_REQUEUED:
        return Wait(Verdict.WAITING, Reason.ON_HOLD, plan.blocked)
    return None


def _never(plan: Plan) -> Wait | None:
    if plan.computed is not Outcome.NEVER:
        return None
    if not plan.nomination.fits:
        return Wait(Verdict.NEVER, Reason.WAITING_FOR_QUOTA, dominant(plan, SKIPPED))
    token = _token(plan)
    uncovered = token is None and any(step.law in _BY_QUEUE for step in failing_steps(plan))
    if _lacks_place(plan, token) and not uncovered:
        return Wait(Verdict.NEVER, Reason.TOPOLOGY_PLACEMENT_FAILED, dominant(plan, tuple(TopologyLaw)))
    if token is not Token.NO_MATCHING_FLAVOR and not uncovered:
        return Wait(Verdict.NEVER, Reason.EXCEEDS_MAX_QUOTA, dominant(plan, (*_BY_SIZE, *_BY_FLAVOR)))
    return Wait(Verdict.NEVER, Reason.NO_MATCHING_FLAVOR, _no_flavor(plan))


def _lacks_place(plan: Plan, token: Token | None) -> bool:
    """Whether a topology keeps the workload out: by Kueue's token, or where it has none, by what was tried."""
    if token is not None or plan.deciding.assignment is None:
        return token is Token.TOPOLOGY_PLACEMENT_FAILED
    pod_sets = plan.deciding.assignment.pod_sets
    tried = {attempt.token for p in pod_sets for attempt in p.attempts}
    errors = (p.error.law for p in pod_sets if p.error is not None)
    return Token.TOPOLOGY_PLACEMENT_FAILED in tried or any(law in tuple(TopologyLaw) for law in errors)


def _no_flavor(plan: Plan) -> Step:
    """The pod set that no flavor matches, with the reason for each; or the resource that no flavor covers."""
    assignment = plan.deciding.assignment
    failed = next((p for p in assignment.pod_sets if p.failed), None) if assignment is not None else None
    first = dominant(plan, (*_BY_QUEUE, *_BY_FLAVOR))
    if failed is None or first.law in _BY_QUEUE:
        return first
    named = tuple(r for r in failed.reasons if "flavor" in dict(r.operands))
    against = tuple(r for r in failed.reasons if r.law in _BY_FLAVOR or r.law in _BY_SIZE) or named
    if not against:
        return failed.reasons[0] if failed.reasons else first
    flavors = ", ".join(dict.fromkeys(str(r.operand("flavor")) for r in against))
    operands = (("pod set", failed.name), ("flavors", flavors))
    return Step(Law.NO_FLAVOR, operands, holds=False, rests_on=against)


def _token(plan: Plan) -> Token | None:
    return None if plan.deciding.assignment is None else plan.deciding.assignment.token


def dominant(plan: Plan, laws: Sequence[StrEnum]) -> Step:
    """The first step that does not hold, in the order of ``laws``; if none of these, any step that does not hold."""
    steps = [*failing_steps(plan)]
    return min(steps, key=lambda s: laws.index(s.law) if s.law in laws else len(laws), default=_nothing_serves())


def _nothing_serves() -> Step:
    return Step(Law.NOT_ENOUGH, (), holds=False)


def _backing_off(plan: Plan, record: Record) -> Wait | None:
    if plan.blocked is None or plan.blocked.law is not Law.BACKOFF:
        return None
    requeued = record.condition("Requeued")
    place = Place(plan.workload.key, ("status", "requeueState", "requeueAt"))
    facts = [Fact(place, None if record.requeue_at is None else moment_text(record.requeue_at))]
    if requeued is not None:
        facts.append(requeued.reason_fact)
    operands = (("until", record.requeue_at), ("evictions", record.requeues))
    because = Step(Law.BACKOFF, operands, holds=False, rests_on=tuple(facts))
    return Wait(Verdict.WAITING, Reason.BACKOFF, because, until=record.requeue_at)


def _stopped(around: Circumstances) -> Wait | None:
    """The reason of a workload that gets nothing before a cycle in which the manager dies."""
    turn = around.turn()
    if turn is None or turn.stops is None or turn.admits:
        return None
    return _of_turn(Wait(Verdict.WAITING, Reason.MISCONFIGURED, turn.stops), turn)


def _behind(plan: Plan, around: Circumstances) -> Wait | None:
    """The reason of a workload behind a StrictFIFO head, or behind a workload whose victims are leaving."""
    head = around.head()
    if head is None or plan.standing is None:
        return None
    turn, strict = around.turn(), plan.standing.strategy == "StrictFIFO"
    operands = (("head", head.name), ("cluster queue", plan.nomination.cluster_queue))
    place = Place(cluster_key("ClusterQueue", plan.nomination.cluster_queue), ("spec", "queueingStrategy"))
    facts = (Fact(place, plan.standing.strategy), Fact(Place(head.key), None))
    preempts = turn is None or turn.blocker_preempts
    law = Law.BEHIND_HEAD if strict else Law.BEHIND_PREEMPTOR if preempts else Law.BEHIND_SKIPPED
    because = Step(law, operands, holds=False, rests_on=facts)
    fits = plan.computed in _ADMITS and (turn is None or turn.later or not turn.blocker_preempts)
    reason = Reason.PENDING_EVALUATION if fits else Reason.WAITING_FOR_QUOTA
    return _of_turn(Wait(Verdict.NOT_NOW, reason, because, head=head), turn)


def _of_turn(wait: Wait, turn: CycleTurn | None) -> Wait:
    """The reason with what ties and gaps leave open of the cycles that it rests on."""
    if turn is None:
        return wait
    return replace(wait, turns=turn.ends, all_turns=turn.all_ends, doubts=turn.doubts)


def _not_modelled(plan: Plan, record: Record) -> Wait | None:
    """What is not modelled, or not in the input, decides: the record's answer, if there is one."""
    doubts = [g for g in plan.fidelity.gaps if g.touches]
    if not doubts or (plan.computed not in _ADMITS and plan.outcome is not Outcome.UNKNOWN):
        return None
    quota = f"quota alone {'admits' if plan.computed in _ADMITS else 'refuses'} it, but "
    operands = (("quota", quota), ("features", "; ".join(sorted(plan.fidelity.doubts))))
    reserved = record.condition("QuotaReserved")
    if reserved is None or reserved.holds or _ASSIGNING not in reserved.message:
        facts = tuple(Fact(p, None) for g in doubts for p in g.places)
        return Wait(Verdict.UNKNOWN, Reason.NOT_MODELLED, Step(Law.NOT_MODELLED, operands, False, facts))
    by_topology = "topology" in reserved.message.lower()
    reason = Reason.TOPOLOGY_PLACEMENT_FAILED if by_topology else Reason.NOT_MODELLED
    because = Step(Law.NOT_MODELLED, operands, holds=False, rests_on=(reserved.message_fact,))
    return Wait(Verdict.NOT_NOW, reason, because)


def _about_to(plan: Plan, around: Circumstances) -> Wait | None:
    """Quota admits it, at once or after its victims have left: the step that comes next."""
    turn = around.turn()
    if plan.computed not in _ADMITS:
        return None if turn is None or not turn.admits else _after_others(plan, turn)
    # Where only one cycle is known, a later one tries further flavors.
    if turn is not None and not turn.admits and (turn.rest is not None or not plan.earlier):
        return _left_out(plan, turn)
    tied = _tied(turn)
    targets = plan.targets if turn is None or not turn.admits else turn.leaving
    leaving = () if turn is None else tuple(t.holder for t in targets if t.holder.evicted)
    if leaving:
        facts = tuple(fact for holder in leaving for fact in around.evicted(holder.key))
        operands = (("leaving", len(leaving)), ("victims", len(targets)), *tied)
        because = Step(Law.PREEMPTION_UNDER_WAY, operands, holds=False, rests_on=facts)
        return _of_turn(Wait(Verdict.WAITING, Reason.WAITING_FOR_PREEMPTED, because, leaving=leaving), turn)
    ahead = 0 if plan.standing is None else len(plan.standing.ahead)
    because = Step(Law.NEXT_CYCLE, (("victims", len(targets)), ("ahead", ahead), *tied), holds=True)
    return _of_turn(Wait(Verdict.WAITING, Reason.PENDING_EVALUATION, because), turn)


def _after_others(plan: Plan, turn: CycleTurn) -> Wait | None:
    """A workload that does not get in now, and does once those before it have: other flavors are then left to it."""
    ahead = 0 if plan.standing is None else len(plan.standing.ahead)
    because = Step(Law.AFTER_OTHERS, (("cycle", turn.cycle), ("ahead", ahead), *_tied(turn)), holds=True)
    return _of_turn(Wait(Verdict.WAITING, Reason.WAITING_FOR_QUOTA, because), turn)


def _tied(turn: CycleTurn | None) -> tuple[tuple[str, Operand], ...]:
    return () if turn is None or (turn.ends == 1 and turn.all_ends) else (("tied", 1),)


def _left_out(plan: Plan, turn: CycleTurn) -> Wait:
    """A workload that gets nothing in the next cycles, because of the workloads that they take before it."""
    tied, entry = _tied(turn), turn.entry
    if entry is not None and entry.law is Law.PODS_READY_FIRST:
        because = Step(Law.PODS_READY_FIRST, (("workloads", len(turn.before)), *tied), False, turn.before)
        verdict, reason = Verdict.WAITING, Reason.WAITING_FOR_PODS_READY
    else:
        law = (entry.law if entry is not None else None) or Law.NO_LONGER_FITS
        law = Law.TAKEN_FIRST if law is Law.NO_LONGER_FITS and not turn.is_of_next_cycle else law
        because = Step(law, (("workload", plan.workload.name), *tied), holds=False, rests_on=turn.before)
        waits = Verdict.WAITING, Reason.WAITING_FOR_PREEMPTED
        deferred = entry is not None and entry.deferred
        verdict, reason = waits if deferred else (Verdict.NOT_NOW, Reason.WAITING_FOR_QUOTA)
    return _of_turn(Wait(verdict, reason, because), turn)


def _pods_first(plan: Plan, around: Circumstances) -> Wait | None:
    """A workload that quota admits once the pods of others are ready."""
    if not plan.unready:
        return None
    unready = tuple(around.unready())
    because = Step(Law.PODS_READY_FIRST, (("workloads", len(unready)),), False, unready)
    return Wait(Verdict.WAITING, Reason.WAITING_FOR_PODS_READY, because)


def _gated(plan: Plan) -> Wait | None:
    """A workload that finds victims, and whose closed preemption gate spares them."""
    search = plan.nomination.search
    if not plan.nomination.gated or search is None:
        return None
    fact = Fact(Place(plan.workload.key, ("spec", "preemptionGates")), None)
    because = Step(Law.PREEMPTION_GATED, (("victims", len(search.targets)),), False, (fact,))
    return Wait(Verdict.WAITING, Reason.BLOCKED_ON_GATES, because)


def _without_domain(plan: Plan) -> Wait | None:
    """A workload whose place has no domain: the API server rejects its admission."""
    verdict = Verdict.NEVER if plan.computed is Outcome.NEVER else Verdict.NOT_NOW
    if plan.nomination.mode is not Mode.FIT or not plan.nomination.without_domain:
        return None
    because = no_domain_step(plan.nomination, plan.nomination.without_domain[0])
    return Wait(verdict, Reason.TOPOLOGY_PLACEMENT_FAILED, because)


def _by_quota(plan: Plan) -> Wait:
    if not plan.nomination.fits:
        return Wait(Verdict.NOT_NOW, Reason.WAITING_FOR_QUOTA, dominant(plan, SKIPPED))
    if _token(plan) is Token.TOPOLOGY_PLACEMENT_FAILED:
        return Wait(Verdict.NOT_NOW, Reason.TOPOLOGY_PLACEMENT_FAILED, dominant(plan, tuple(TopologyLaw)))
    return Wait(Verdict.NOT_NOW, Reason.WAITING_FOR_QUOTA, dominant(plan, _BY_USAGE))
