"""What a change of policy does: two versions are decided by the scheduler, and what comes out is compared."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Final, TypeVar

from kubectl_fairshare.answers.answer import Answer
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.diff import (
    AT_RISK,
    RIGHTS,
    WHEN_BUSY,
    Decision,
    Diff,
    FigureChange,
    Hindrance,
    OutcomeChange,
    RiskChange,
    RuleFinding,
    Undecided,
    Versions,
)
from kubectl_fairshare.answers.fidelity import NO_QUEUES, Fidelity, merged_fidelity
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import Entitlement, Exposure, PossiblePreemptor
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.policy.diff.fields import Understood, field_changes
from kubectl_fairshare.policy.version import Version
from kubectl_fairshare.schedulers.review import Reviewer
from kubectl_fairshare.schedulers.scheduler import Scheduler

_Key = TypeVar("_Key", bound=tuple[object, ...])
_NAMESPACE: Final = ("", "Namespace")
_BY_CHANCE: Final = "who goes for it is left to chance: one of several possible outcomes is compared"
_VERSIONS: Final = ("before the change", "after the change")
_FEW_STEPS: Final = 10_000
"""Decisions about one queue that take a few seconds."""
_LEFT_OUT: Final = (
    "left out, as it takes long for so many queues; `--saturated` finds it, `--no-saturated` does not ask"
)


class Scope(Value, frozen=True):
    """What is compared next to the policies themselves.

    ``saturated``: what each queue gets when all are busy; None: unless that takes long. ``history`` are workloads that
    ran before, and ``namespace`` is the one of those that set no namespace. ``same``: both versions hold the same, and
    what may hold more is the same in both.
    """

    saturated: bool | None = None
    history: Reading | None = None
    namespace: str = "default"
    same: bool = False


def difference(scheduler: Scheduler, before: Version, after: Version, extent: Scope) -> Diff:
    """What becomes different from ``before`` to ``after``.

    Of two that are the same nothing is undecided: whatever is not known is the same in both, and so is each decision.
    """
    reviewer = scheduler.review
    if extent.same:
        ground = replace(reviewer.fidelity(after.snapshot), gaps=())
        versions = Versions(before.name, after.name, *reviewer.counted(after.snapshot))
        alike = Diff(scheduler.name, ground, versions)
        if before.snapshot is after.snapshot:
            return alike
        rewritten = field_changes(before, after, *_both_understood(reviewer, before, after))[1]
        new, gone = finding_changes(before.findings, after.findings)
        return replace(alike, rewritten=rewritten, new_findings=new, gone_findings=gone)
    understood = _both_understood(reviewer, before, after)
    fields, rewritten = field_changes(before, after, *understood)
    numbers = PreemptorNumbers()
    exposures = [reviewer.exposures(version.snapshot, numbers) for version in (before, after)]
    waiting = tuple(_waiting(reviewer, version) for version in (before, after))
    finished = tuple(_finished(reviewer, version, extent) for version in (before, after))
    outcomes = (*outcome_changes(*waiting), *(replace(each, finished=True) for each in outcome_changes(*finished)))
    same = understood[0] == understood[1] and reviewer.work(before.snapshot) == reviewer.work(after.snapshot)
    doubts = {each.doubt for each in exposures if any(found for found, _ in exposures) and not same}
    unsure = tuple(Undecided(AT_RISK, doubt) for doubt in sorted(doubts) if doubt)
    new, gone = finding_changes(before.findings, after.findings)
    grounds = _grounds(reviewer, before, after)
    ground = merged_fidelity(grounds)
    decisions = [decision for each in (*waiting, *finished) for decision in each.values()]
    rights, left_out = _rights(reviewer, before.snapshot, after.snapshot, extent.saturated)
    return Diff(
        scheduler.name,
        merged_fidelity([ground], (gap for decision in decisions for gap in decision.gaps)),
        Versions(before.name, after.name, len(exposures[1].found), len(waiting[1])),
        fields,
        rewritten,
        figure_changes(*rights),
        risk_changes(*(each.found for each in exposures)),
        outcomes,
        new,
        gone,
        (*_doubted(ground, grounds), *left_out, *unsure, *_undecided((waiting, finished), {e.key for e in outcomes})),
    )


def _grounds(reviewer: Reviewer, before: Version, after: Version) -> Sequence[Fidelity]:
    """What is not modelled in what is compared, of each version that is there.

    Where one version alone has no queue, that is what changes: it leaves no doubt, unless there is work in it.
    """
    known = [(each, reviewer.fidelity(each.snapshot)) for each in (before, after) if each.there]
    empty = [any(gap.feature == NO_QUEUES for gap in fidelity.gaps) for _, fidelity in known]
    if len(known) > 1 and any(empty) and not all(empty):
        known = [
            (each, fidelity if reviewer.work(each.snapshot) else _without_absence(fidelity)) for each, fidelity in known
        ]
    return [fidelity for _, fidelity in known]


def _without_absence(fidelity: Fidelity) -> Fidelity:
    return replace(fidelity, gaps=tuple(gap for gap in fidelity.gaps if gap.feature != NO_QUEUES))


def _rights(
    reviewer: Reviewer, before: Snapshot, after: Snapshot, saturated: bool | None
) -> tuple[Sequence[Sequence[Entitlement]], Sequence[Undecided]]:
    """The rights in both, and what is left out of them because it takes long."""
    pairs = (before, after), (after, before)
    few = saturated is not None or all(reviewer.saturation_steps(*pair) <= _FEW_STEPS for pair in pairs)
    wanted = few if saturated is None else saturated
    rights = [reviewer.entitlements(one, saturated=wanted, unlike=other) for one, other in pairs]
    return rights, () if few else (Undecided(WHEN_BUSY, _LEFT_OUT),)


def _both_understood(reviewer: Reviewer, before: Version, after: Version) -> tuple[Understood, Understood]:
    return _understood(reviewer, before), _understood(reviewer, after)


def _understood(reviewer: Reviewer, version: Version) -> Understood:
    """The policy with the labels of namespaces, which queues select by."""
    labels = {ObjectKey(*_NAMESPACE, "", name): found for name, found in version.snapshot.namespaces.items()}
    return {**reviewer.understood(version.snapshot), **labels}


Decisions = Mapping[ObjectKey, Decision]


def _waiting(reviewer: Reviewer, version: Version) -> Decisions:
    """The outcome of each workload that waits."""
    return _decisions(reviewer.waiting(version.snapshot), version)


def _finished(reviewer: Reviewer, version: Version, extent: Scope) -> Decisions:
    """What would become of each workload of the history with nothing else there."""
    if extent.history is None:
        return {}
    alone = reviewer.idle(version.snapshot)
    return _decisions(reviewer.replayed(alone, extent.history, extent.namespace), version)


def _decisions(answers: Iterable[Answer[PlanDetail]], version: Version) -> Decisions:
    return {answer.subject.key: _decision(answer, version.places.get) for answer in answers}


def _decision(answer: Answer[PlanDetail], locate: Callable[[Place], Location | None]) -> Decision:
    causes = (Hindrance(limit.clause, None if limit.place is None else locate(limit.place)) for limit in answer.binding)
    possible = frozenset((each.outcome, frozenset(each.victims)) for each in answer.possible)
    return Decision(answer.outcome, answer.verdict, answer.victims, tuple(causes), answer.fidelity, possible)


def figure_changes(before: Sequence[Entitlement], after: Sequence[Entitlement]) -> tuple[FigureChange, ...]:
    """The rights that differ, by queue, pool and resource."""
    was, now = ({(each.queue, each.pool, each.resource): each for each in rights} for rights in (before, after))
    pairs = ((was.get(key), now.get(key)) for key in sorted({*was, *now}))
    return tuple(FigureChange(one, other) for one, other in pairs if one != other)


def risk_changes(before: Sequence[Exposure], after: Sequence[Exposure]) -> tuple[RiskChange, ...]:
    """Workloads that run in both versions and may be preempted by others, put together where they are equal."""
    was = {each.key: each for each in before}
    groups: dict[tuple[str, Set[PossiblePreemptor], Set[PossiblePreemptor]], list[Exposure]] = {}
    for now in after:
        then = was.get(now.key)
        if then is not None and then.takers != now.takers:
            work = replace(now, borrows=False, takers=frozenset())
            groups.setdefault((now.queue, then.takers, now.takers), []).append(work)
    changes = (RiskChange(queue, one, other, tuple(found)) for (queue, one, other), found in groups.items())
    return tuple(sorted(changes, key=lambda change: (change.queue, change.workloads[0].key)))


def outcome_changes(before: Decisions, after: Decisions) -> tuple[OutcomeChange, ...]:
    """Workloads that are decided in another way, or for which others have to go."""
    keys = sorted({*before, *after})
    pairs = ((key, before.get(key), after.get(key)) for key in keys)
    return tuple(OutcomeChange(key, one, other) for key, one, other in pairs if not _is_same(one, other))


def _is_same(one: Decision | None, other: Decision | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.same == other.same


def finding_changes(
    before: Sequence[RuleFinding], after: Sequence[RuleFinding]
) -> tuple[tuple[RuleFinding, ...], tuple[RuleFinding, ...]]:
    """The findings that are new, and those that are gone; lines may move."""
    was, now = ({_identity(each): each for each in found} for found in (before, after))
    new = tuple(now[key] for key in sorted(now) if key not in was)
    return new, tuple(was[key] for key in sorted(was) if key not in now)


def _identity(of: RuleFinding) -> tuple[str, ObjectKey, str, str]:
    return of.rule, of.object, of.field, of.message


def _doubted(ground: Fidelity, grounds: Sequence[Fidelity]) -> Iterator[Undecided]:
    """All figures, if a feature that is not modelled can change them."""
    reasons = (_of_version(doubt, [doubt in each.doubts for each in grounds]) for doubt in ground.doubts)
    if ground.doubts:
        yield Undecided(RIGHTS, "; ".join(reasons))


def _of_version(reason: str, where: Sequence[bool]) -> str:
    """A reason, with the version that it is about where there are two and it is about one."""
    return reason if all(where) or not any(where) else f"{reason} ({_VERSIONS[where.index(True)]})"


def _undecided(pairs: Iterable[Sequence[Decisions]], changed: Set[ObjectKey]) -> tuple[Undecided, ...]:
    """What has no exact answer, each once with its reasons; ``changed`` are decided otherwise in the other version."""
    found: dict[Undecided, None] = {}
    for pair in pairs:
        sides = [list(_doubtful(decisions, changed)) for decisions in pair]
        for each in (*sides[0], *sides[1]):
            found[replace(each, why=_of_version(each.why, [each in side for side in sides]))] = None
    return tuple(found)


def _doubtful(decisions: Decisions, changed: Set[ObjectKey]) -> Iterator[Undecided]:
    for key, decision in decisions.items():
        if decision.outcome is Outcome.UNKNOWN:
            yield Undecided(f"{key.namespace}/{key.name}", "; ".join(decision.doubts) or decision.verdict)
        elif decision.is_left_to_chance and (key in changed or not decision.possible):
            yield Undecided(f"{key.namespace}/{key.name}", _BY_CHANCE)
