"""Victims and spared candidates as documents: each with the rule and the shares that decided."""

from collections.abc import Mapping
from typing import TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.plan import UnaskedEntry, VictimEntry
from kubectl_fairshare.schedulers.kueue.documents.parts import PairAmountPart, SharePart, pair_amounts, share
from kubectl_fairshare.schedulers.kueue.explain.decision import NotAsked, SparedCandidate
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult, Target, Trial
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES, law_step, refused_step, sentence, trial_step


class HolderPart(TypedDict):
    """A workload that holds quota."""

    namespace: str
    name: str
    uid: str
    clusterQueue: str
    localQueue: str
    priority: int
    evicted: bool
    reservedNanoseconds: int
    holds: list[PairAmountPart]


class ComparisonPart(TypedDict):
    """The shares of both sides below their lowest common ancestor."""

    side: str | None
    otherSide: str | None
    newShare: SharePart
    oldShare: SharePart
    difference: float | None


class VictimPart(VictimEntry):
    """A workload that is preempted; ``reason`` is the one that Kueue writes into its Preempted condition."""

    workload: HolderPart
    reason: str
    comparison: ComparisonPart | None


class PutBackPart(TypedDict):
    """A workload that need not be preempted: the new workload fits without that."""

    workload: HolderPart
    reason: str
    rule: str
    law: str
    because: str
    comparison: ComparisonPart | None


class TrialPart(TypedDict):
    """A candidate that the search examined."""

    workload: parts.WorkloadName
    clusterQueue: str
    taken: bool
    law: str
    because: str
    comparison: ComparisonPart | None


class RefusedPart(TypedDict):
    """A candidate that was not taken."""

    workload: HolderPart
    law: str
    because: str
    comparison: ComparisonPart | None


class NotAskedPart(TypedDict):
    """A queue without candidates; ``cohort`` is the cohort that the law is about, if it is about one."""

    clusterQueue: str
    law: str
    cohort: str | None
    because: str
    workloads: int
    holds: list[PairAmountPart]


class PlanNotAskedPart(UnaskedEntry):
    """A queue without candidates, in a plan; ``cohort`` is the cohort that the law is about, if it is about one."""

    clusterQueue: str
    cohort: str | None


class SimulationTarget(TypedDict):
    """A workload that a simulation would preempt."""

    workload: parts.WorkloadName
    clusterQueue: str
    reason: str


class SimulationPart(TypedDict):
    """A search for one flavor-resource alone."""

    flavor: str
    resource: str
    needed: parts.AmountPart
    lookedAt: int
    targets: list[SimulationTarget]


class Judgements:
    """The sentences and shares for the trials of one plan; each trial is worded once.

    A workload may be a victim, tried, and a target of several simulations: what those have in common is one object.
    """

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self._known: dict[int, tuple[str, ComparisonPart | None]] = {}
        self._names: dict[int, parts.WorkloadName] = {}
        self._targets: dict[tuple[int, str], SimulationTarget] = {}

    def of(self, trial: Trial) -> tuple[str, ComparisonPart | None]:
        """Why, and the comparison that decided."""
        known = self._known.get(id(trial))
        if known is None:
            at = (None, None) if trial.at is None else (self.names.get(trial.at[0]), self.names.get(trial.at[1]))
            known = sentence(trial_step(trial, self.names)), comparison(at, trial.mine, trial.theirs)
            self._known[id(trial)] = known
        return known

    def victim(self, target: Target) -> PutBackPart:
        """A victim."""
        because, compared = self.of(target.trial)
        return {
            "workload": holder(target.holder),
            "reason": str(target.reason),
            "rule": RULES.get(target.trial.law, ""),
            "law": str(target.trial.law),
            "because": because,
            "comparison": compared,
        }

    def trial(self, trial: Trial) -> TrialPart:
        """A candidate that was looked at."""
        because, compared = self.of(trial)
        return {
            "workload": self._name(trial.holder),
            "clusterQueue": trial.holder.cluster_queue,
            "taken": trial.taken,
            "law": str(trial.law),
            "because": because,
            "comparison": compared,
        }

    def simulation(self, pair: FlavorResource, needed: int, search: SearchResult) -> SimulationPart:
        """A search for one flavor-resource alone, which grades a flavor."""
        return {
            "flavor": pair.flavor,
            "resource": pair.resource,
            "needed": parts.amount(pair.resource, needed),
            "lookedAt": len(search.trials),
            "targets": [self._target(target.holder, str(target.reason)) for target in search.targets],
        }

    def _target(self, of: Holder, reason: str) -> SimulationTarget:
        known = self._targets.get((id(of), reason))
        if known is None:
            known = {"workload": self._name(of), "clusterQueue": of.cluster_queue, "reason": reason}
            self._targets[(id(of), reason)] = known
        return known

    def _name(self, of: Holder) -> parts.WorkloadName:
        known = self._names.get(id(of))
        if known is None:
            known = self._names[id(of)] = parts.workload_name(of.key)
        return known


def comparison(sides: tuple[str | None, str | None], mine: Share | None, theirs: Share | None) -> ComparisonPart | None:
    """The compared shares; the difference is the old share minus the new one, null if one is infinite."""
    if mine is None or theirs is None:
        return None
    return {
        "side": sides[0],
        "otherSide": sides[1],
        "newShare": share(mine),
        "oldShare": share(theirs),
        "difference": None if mine.rank or theirs.rank else theirs.value - mine.value,
    }


def refused_part(of: SparedCandidate) -> RefusedPart:
    """A candidate that was not taken."""
    return {
        "workload": holder(of.holder),
        "law": str(of.law),
        "because": sentence(refused_step(of)),
        "comparison": comparison(of.at or (None, None), of.mine, of.theirs),
    }


def not_asked(of: NotAsked) -> NotAskedPart:
    """A queue without candidates."""
    return {
        "clusterQueue": of.queue,
        "law": str(of.law),
        "cohort": of.cohort or None,
        "because": sentence(law_step(of)),
        "workloads": of.workloads,
        "holds": pair_amounts(of.holds),
    }


def holder(of: Holder) -> HolderPart:
    """A workload that holds quota."""
    return {
        "namespace": of.key.namespace,
        "name": of.key.name,
        "uid": of.uid,
        "clusterQueue": of.cluster_queue,
        "localQueue": of.local_queue,
        "priority": of.priority,
        "evicted": of.evicted,
        "reservedNanoseconds": of.reserved,
        "holds": pair_amounts(of.usage.items()),
    }
