"""The result of flavor assignment: flavors per pod set and resource, and why others were passed over.

Decides nothing: the forms of an assignment.
Tested in ``tests/unit/schedulers/kueue/flavors/test_search.py``.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from kubectl_fairshare.model.amounts import subtract
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.topology import TopologyAssignment
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, pair_of
from kubectl_fairshare.trace import Step


class Mode(StrEnum):
    """Kueue's assignment mode."""

    NO_FIT = "NoFit"
    PREEMPT = "Preempt"
    FIT = "Fit"


def mode_of(grade: Grade) -> Mode:
    """The mode that Kueue reports for a grade."""
    if grade is Grade.FIT:
        return Mode.FIT
    return Mode.NO_FIT if grade is Grade.NO_FIT else Mode.PREEMPT


class Token(StrEnum):
    """Why nothing fits, in Kueue's words, as the condition's reason."""

    NO_MATCHING_FLAVOR = "NoMatchingFlavor"
    EXCEEDS_MAX_QUOTA = "ExceedsMaxQuota"
    WAITING_FOR_QUOTA = "WaitingForQuota"
    TOPOLOGY_PLACEMENT_FAILED = "TopologyPlacementFailed"


SEVERITY: Mapping[Token, int] = {
    Token.TOPOLOGY_PLACEMENT_FAILED: 0,
    Token.WAITING_FOR_QUOTA: 1,
    Token.EXCEEDS_MAX_QUOTA: 2,
    Token.NO_MATCHING_FLAVOR: 3,
}


Tried = Mapping[int, Mapping[str, int]]
"""How far a scan of flavors came: by pod set and resource, the index of the last flavor tried, or ``ALL``."""
ALL: Final = -1


class FlavorAttempt(Value, frozen=True, gc=False):
    """One flavor tried for one resource group.

    ``borrow`` is the highest borrowing level over the resources, ``level`` the one that the flavor is
    compared by. ``reasons`` say what is missing; they are empty for a fitting flavor. ``ruled_out``: the flavor cannot
    be used whatever its grade: its nodes have no place for the pods even if empty, or another resource does not fit.
    ``instead`` are other outcomes of the same attempt, where the order of a Go map decides which shortage is named.
    """

    flavor: str
    grade: Grade
    borrow: int
    level: int
    token: Token | None
    reasons: tuple[Step, ...]
    grades: Mapping[str, Grade]
    ruled_out: bool = False
    instead: tuple["FlavorAttempt", ...] = ()

    @property
    def mode(self) -> Mode:
        """The mode that Kueue reports of it."""
        return Mode.NO_FIT if self.ruled_out else mode_of(self.grade)


class GroupTrial(Value, frozen=True):
    """The attempts at the flavors of one resource group, made for ``resource``.

    ``group`` None: no group covers the resource. ``passed`` are the reasons of flavors that were not tried.
    ``best`` is the attempt that serves, None if none does; ``came_to`` the place of the last flavor looked at.
    """

    group: ResourceGroup | None
    resource: str
    attempts: tuple[FlavorAttempt, ...] = ()
    passed: tuple[Step, ...] = ()
    best: FlavorAttempt | None = None
    came_to: int = 0

    @property
    def failed(self) -> bool:
        """Whether no flavor serves."""
        return self.best is None

    @property
    def fits(self) -> bool:
        """Whether a flavor serves and needs no preemption."""
        return self.best is not None and self.best.grade is Grade.FIT

    @property
    def reasons(self) -> tuple[Step, ...]:
        """Why flavors were passed over."""
        return (*self.passed, *(reason for attempt in self.attempts for reason in attempt.reasons))


class PodSetAssignment(Value, frozen=True, gc=False):
    """The flavors of one pod set: ``flavors`` maps resource to flavor and grade; empty if the pod set failed.

    ``requests`` are totals for ``count`` pods. ``topology`` is the placement of the pods, None if no topology
    places them or the placement failed; ``delayed``: after the admission checks. ``error``: why the flavors can never
    place them. ``trials``, where the order of a Go map decides, are those of its groups.
    """

    name: str
    count: int
    flavors: Mapping[str, tuple[str, Grade]]
    requests: Mapping[str, int]
    attempts: tuple[FlavorAttempt, ...]
    reasons: tuple[Step, ...]
    failed: bool = False
    trials: tuple[GroupTrial, ...] = ()
    topology: TopologyAssignment | None = None
    delayed: bool = False
    error: Step | None = None

    @property
    def grade(self) -> Grade:
        """The worst grade over the pod set's resources; without reasons Kueue treats it as fitting.

        With reasons, those of its group, and without resources it does not fit.

        The two differ under PreemptionOverBorrowing, where a flavor with one resource that needs
        preemption and another that borrows higher may count as fitting.
        """
        if self.failed or self.error is not None:
            return Grade.NO_FIT
        # As in Kueue, where a status without reasons is Fit, whatever the flavors' modes are.
        if not self.reasons:
            return Grade.FIT
        # With reasons and without flavors it does not fit: a pod set whose group failed.
        return min((g for _, g in self.flavors.values()), default=Grade.NO_FIT)


class Assignment(Value, frozen=True, gc=False):
    """The whole workload's flavors.

    ``usage`` is what would be added to the queue, pods included; ``usage_without_pods`` leaves out the
    ``pods`` that were added for the count. ``borrowing`` is the highest level of the chosen flavors.
    ``tried`` is how far the scan of flavors came. ``renamed`` are the pod sets if Kueue names another one of those
    without a place: it names the first in the order of a Go map, which is random. ``may_crash``: that order decides
    whether Kueue's manager dies of it. ``measured`` are the amounts whose room was looked at.
    """

    pod_sets: tuple[PodSetAssignment, ...]
    mode: Mode
    borrowing: int
    token: Token | None
    usage: Mapping[FlavorResource, int]
    usage_without_pods: Mapping[FlavorResource, int]
    tried: Tried = field(default_factory=dict)
    renamed: tuple[tuple[PodSetAssignment, ...], ...] = ()
    may_crash: bool = False
    measured: tuple[tuple[FlavorResource, int], ...] = ()

    @property
    def ended_uncounted(self) -> bool:
        """Whether Kueue ended at a pod set none of whose requests counts in its queue: it looks for no place either."""
        return any(p.requests and not p.flavors and not p.failed for p in self.pod_sets)

    @property
    def stopped_early(self) -> bool:
        """Whether the scan stopped before the last flavor of some resource."""
        return any(came_to != ALL for by_resource in self.tried.values() for came_to in by_resource.values())

    @property
    def short(self) -> frozenset[FlavorResource]:
        """The flavor-resources that need preemption."""
        return frozenset(
            pair_of(flavor, resource)
            for pod_set in self.pod_sets
            for resource, (flavor, grade) in pod_set.flavors.items()
            if mode_of(grade) is Mode.PREEMPT
        )


@lru_cache(maxsize=4096)
def operands_of(pair: FlavorResource) -> tuple[tuple[str, str], tuple[str, str]]:
    """The operands that name a flavor-resource, the same for all steps about it."""
    return ("flavor", pair.flavor), ("resource", pair.resource)


@lru_cache(maxsize=4096)
def exceeds_available(pair: FlavorResource, needed: int, free: int) -> Step:
    """What is short, the same for all heads: where little is free, ten thousand need one of a few amounts."""
    operands = (*operands_of(pair), ("needed", needed), ("free", free), ("more", subtract(needed, free)))
    return Step(Law.EXCEEDS_AVAILABLE, operands, holds=False)


@lru_cache(maxsize=4096)
def grades_of(measured: tuple[tuple[str, Grade], ...]) -> Mapping[str, Grade]:
    """The grade of each resource, one mapping for all attempts that come to the same."""
    return dict(measured)
