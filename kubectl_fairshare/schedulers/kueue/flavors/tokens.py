"""Why nothing fits, in one word: the token of a resource, of a pod set, of a workload.

Why not the worst of all: of two flavors of one group the first can never hold the request, in the second quota is only
used. Waiting helps, so the mildest of a group counts; and of two groups, which must both serve, the worst.
Source: ``resolveNoFitReason`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/flavorassigner.go; "flavors" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_workloads.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.schedulers.kueue.flavors.assignment import SEVERITY, PodSetAssignment, Token
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.trace import Step


def resource_token(reason: Step | None) -> Token:
    """The token of a resource that does not fit."""
    exceeds = reason is not None and reason.law is Law.EXCEEDS_POTENTIAL
    return Token.EXCEEDS_MAX_QUOTA if exceeds else Token.WAITING_FOR_QUOTA


def workload_token(queue: ClusterQueue, served: Iterable[PodSetAssignment]) -> Token | None:
    """The workload's token: the worst over the pod sets without a fitting flavor."""
    tokens = (_pod_set_token(queue, p) for p in served if p.grade is Grade.NO_FIT)
    return max((t for t in tokens if t is not None), key=SEVERITY.__getitem__, default=None)


def _pod_set_token(queue: ClusterQueue, pod_set: PodSetAssignment) -> Token | None:
    """The worst over groups of the mildest over flavors."""
    if not pod_set.attempts:
        return Token.NO_MATCHING_FLAVOR
    mildest: dict[int, Token] = {}
    for attempt in pod_set.attempts:
        if attempt.token is None:
            continue
        for group in (i for i, g in enumerate(queue.groups) if attempt.flavor in g.flavors):
            mildest[group] = min(mildest.get(group, attempt.token), attempt.token, key=SEVERITY.__getitem__)
    return max(mildest.values(), key=SEVERITY.__getitem__, default=None)
