"""The order of pods by importance: higher priority first, then earlier start; a pod that has not started is last.

For equal pods, the scheduler's order depends on an order that no object records. Here it starts from the names, and is
reversed where the scheduler's sort reverses equal pods: the result if the scheduler had started from the names.
Source: Kubernetes' scheduler, ``MoreImportantPod``; Go's ``sort.Slice``.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod


def least_first(pods: Sequence[Pod]) -> list[Pod]:
    """From least to most important; of equal pods the last comes first, unless none of them has started."""
    order = sorted(range(len(pods)), key=lambda i: (pods[i].priority, -pods[i].start, i if _new(pods[i]) else -i))
    return [pods[i] for i in order]


def most_first(pods: Sequence[Pod]) -> list[Pod]:
    """From most to least important; equal pods keep their order, unless none of them has started."""
    order = sorted(range(len(pods)), key=lambda i: (-pods[i].priority, pods[i].start, -i if _new(pods[i]) else i))
    return [pods[i] for i in order]


def _new(pod: Pod) -> bool:
    return pod.started is None


def equals(pods: Iterable[Pod]) -> list[tuple[Pod, ...]]:
    """The groups of equally important pods, least important first."""
    ordered = sorted(pods, key=lambda p: (p.priority, -p.start, p.key))
    groups = (tuple(group) for _, group in groupby(ordered, key=lambda p: (p.priority, p.start)))
    return [group for group in groups if len(group) > 1]
