"""The attempts of one pod set with one flavor for several resource groups, reported as one, as Kueue does.

Example: flavor spot fits the cpu group and not the GPU group. Kueue notes one attempt for it, NoFit, and not two of
which the first says Fit.
Source: ``mergeFlavorAttemptsForResource`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/flavor_assigner_attempts.go;
"flavors" in ``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.flavors.assignment import SEVERITY, FlavorAttempt, Mode, PodSetAssignment, Token
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, ResourceGroup
from kubectl_fairshare.trace import Step

_POSSIBILITIES = (Grade.NO_CANDIDATES, Grade.PREEMPT, Grade.RECLAIM)


def merge_attempts(
    known: dict[str, FlavorAttempt], attempts: Sequence[FlavorAttempt], group: ResourceGroup, resource: str
) -> None:
    """Adds the attempts at a group's flavors, made for ``resource``, to those made for groups before it.

    A flavor of the group that was tried for another one, but not for this, does not serve.
    """
    for attempt in attempts:
        before = known.get(attempt.flavor)
        once = tuple(dict.fromkeys(attempt.reasons))
        known[attempt.flavor] = replace(attempt, reasons=once) if before is None else _merged(before, attempt)
    tried = {attempt.flavor for attempt in attempts}
    for flavor in known.keys() & {*group.flavors} - tried if tried else ():
        missing = Step(Law.RESOURCE_NOT_PROVIDED, (("flavor", flavor), ("resource", resource)), holds=False)
        before = known[flavor]
        reasons = (*before.reasons, missing)
        known[flavor] = replace(before, ruled_out=True, token=Token.NO_MATCHING_FLAVOR, reasons=reasons)


def _merged(a: FlavorAttempt, b: FlavorAttempt) -> FlavorAttempt:
    """The worst mode, the highest level, the least hope of preemption and the most severe token of both."""
    possible = [each.grade for each in (a, b) if each.grade in _POSSIBILITIES]
    tokens = [each.token for each in (a, b) if each.token is not None]
    return FlavorAttempt(
        flavor=a.flavor,
        # The hope of preemption is kept apart from the mode, so a flavor that does not fit may still be said to have
        # candidates.
        grade=min(possible, default=min(a.grade, b.grade)),
        borrow=max(a.borrow, b.borrow),
        level=max(a.level, b.level),
        token=max(tokens, key=SEVERITY.__getitem__, default=None),
        reasons=tuple(dict.fromkeys((*a.reasons, *b.reasons))),
        grades={**a.grades, **b.grades},
        ruled_out=Mode.NO_FIT in (a.mode, b.mode),
    )


def is_chosen(pod_set: PodSetAssignment, attempt: FlavorAttempt) -> bool:
    """Whether the attempt's flavor was assigned to a resource of the pod set."""
    return any(flavor == attempt.flavor for flavor, _ in pod_set.flavors.values())


def not_tried(pod_set: PodSetAssignment, queue: ClusterQueue | None) -> tuple[str, ...]:
    """The flavors that were not tried, because the search had ended; only of groups with an attempt."""
    if queue is None:
        return ()
    tried = {a.flavor for a in pod_set.attempts}
    groups = [g for g in queue.groups if tried.intersection(g.flavors)]
    return tuple(f for g in groups for f in g.flavors if f not in tried)
