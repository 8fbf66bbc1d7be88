"""Victims and spared candidates as documents: each with the rule and the shares that decided."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.documents import DocumentPart, Hooks
from kubectl_fairshare.answers.figures import Quantity
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, pair_amounts
from kubectl_fairshare.schedulers.kueue.explain.decision import NotAsked, SparedCandidate
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult, Target, Trial
from kubectl_fairshare.schedulers.kueue.words.sentences import law_step, refused_step, sentence, trial_step


class HolderPart(DocumentPart, frozen=True):
    """A workload that holds quota."""

    namespace: str
    name: str
    uid: str
    cluster_queue: str
    local_queue: str
    priority: int
    evicted: bool
    reserved_nanoseconds: int
    holds: tuple[PairAmountPart, ...]


class CandidatePart(DocumentPart, frozen=True):
    """What only Kueue says of a workload that it may preempt; it ``holds`` more than what is missing."""

    uid: str
    local_queue: str
    evicted: bool
    reserved_nanoseconds: int
    holds: tuple[PairAmountPart, ...]


class ComparisonPart(DocumentPart, frozen=True):
    """The shares of both sides below their lowest common ancestor."""

    side: str | None
    other_side: str | None
    new_share: Share
    old_share: Share
    difference: float | None


class VictimPart(DocumentPart, frozen=True):
    """A workload that is preempted; ``reason`` is the one that Kueue writes into its Preempted condition."""

    because: str
    workload: CandidatePart
    reason: str
    comparison: ComparisonPart | None


class SparedPart(DocumentPart, frozen=True):
    """A candidate that stays; ``reason`` is why Kueue chose it first, null unless it did."""

    workload: CandidatePart
    reason: str | None
    comparison: ComparisonPart | None


class TrialPart(DocumentPart, frozen=True):
    """A candidate that the search examined."""

    workload: ObjectKey
    cluster_queue: str
    taken: bool
    law: str
    because: str
    comparison: ComparisonPart | None


class RefusedPart(DocumentPart, frozen=True):
    """A candidate that was not taken."""

    workload: Holder
    law: str
    because: str
    comparison: ComparisonPart | None


class NotAskedPart(DocumentPart, frozen=True):
    """A queue without candidates; ``cohort`` is the cohort that the law is about, if it is about one."""

    cluster_queue: str
    law: str
    cohort: str | None
    because: str
    workloads: int
    holds: tuple[PairAmountPart, ...]


class PlanNotAskedPart(DocumentPart, frozen=True):
    """A queue without candidates, in a plan; ``cohort`` is the cohort that the law is about, if it is about one."""

    cohort: str | None


class SimulationTarget(DocumentPart, frozen=True):
    """A workload that a simulation would preempt."""

    workload: ObjectKey
    cluster_queue: str
    reason: str


class SimulationPart(DocumentPart, frozen=True):
    """A search for one flavor-resource alone."""

    flavor: str
    resource: str
    needed: Quantity
    looked_at: int
    targets: tuple[Target, ...]


class Judgements:
    """The sentences and shares for the trials of one plan; each trial is worded once, a victim's among them."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self._known: dict[int, tuple[str, ComparisonPart | None]] = {}

    def of(self, trial: Trial) -> tuple[str, ComparisonPart | None]:
        """Why, and the comparison that decided."""
        known = self._known.get(id(trial))
        if known is None:
            at = (None, None) if trial.at is None else (self.names.get(trial.at[0]), self.names.get(trial.at[1]))
            known = sentence(trial_step(trial, self.names)), comparison(at, trial.mine, trial.theirs)
            self._known[id(trial)] = known
        return known

    def victim(self, target: Target) -> VictimPart:
        """What only Kueue says of a victim."""
        because, compared = self.of(target.trial)
        return VictimPart(because, _candidate(target.holder), str(target.reason), compared)

    def put_back(self, target: Target) -> SparedPart:
        """What only Kueue says of a victim that need not be: the new workload fits without its preemption."""
        return SparedPart(_candidate(target.holder), str(target.reason), self.of(target.trial)[1])

    def trial(self, trial: Trial) -> TrialPart:
        """A candidate that was looked at."""
        holder = trial.holder
        return TrialPart(holder.key, holder.cluster_queue, trial.taken, str(trial.law), *self.of(trial))


def simulation(pair: FlavorResource, needed: int, search: SearchResult) -> SimulationPart:
    """A search for one flavor-resource alone, which grades a flavor."""
    return SimulationPart(pair.flavor, pair.resource, needed, len(search.trials), tuple(search.targets))


def comparison(sides: tuple[str | None, str | None], mine: Share | None, theirs: Share | None) -> ComparisonPart | None:
    """The compared shares; the difference is the old share minus the new one, null if one is infinite."""
    if mine is None or theirs is None:
        return None
    difference = None if mine.rank or theirs.rank else theirs.value - mine.value
    return ComparisonPart(*sides, mine, theirs, difference)


def plan_not_asked(of: NotAsked) -> PlanNotAskedPart:
    """What only Kueue says in a plan of a queue without candidates."""
    return PlanNotAskedPart(of.cohort or None)


def spared(of: SparedCandidate) -> SparedPart:
    """What only Kueue says in a plan of a candidate that it does not take."""
    return SparedPart(_candidate(of.holder), None, _compared(of))


def _refused(of: SparedCandidate) -> RefusedPart:
    return RefusedPart(of.holder, str(of.law), sentence(refused_step(of)), _compared(of))


def _compared(of: SparedCandidate) -> ComparisonPart | None:
    return comparison(of.at or (None, None), of.mine, of.theirs)


def _not_asked(of: NotAsked) -> NotAskedPart:
    law, because = str(of.law), sentence(law_step(of))
    return NotAskedPart(of.queue, law, of.cohort or None, because, of.workloads, pair_amounts(of.holds))


def _target(of: Target) -> SimulationTarget:
    return SimulationTarget(of.holder.key, of.holder.cluster_queue, str(of.reason))


def _candidate(of: Holder) -> CandidatePart:
    return CandidatePart(of.uid, of.local_queue, of.evicted, of.reserved, pair_amounts(of.usage.items()))


def _holder(of: Holder) -> HolderPart:
    return HolderPart(
        of.key.namespace,
        of.key.name,
        of.uid,
        of.cluster_queue,
        of.local_queue,
        of.priority,
        of.evicted,
        of.reserved,
        pair_amounts(of.usage.items()),
    )


HOOKS: Final[Hooks] = {SparedCandidate: _refused, NotAsked: _not_asked, Target: _target, Holder: _holder}
