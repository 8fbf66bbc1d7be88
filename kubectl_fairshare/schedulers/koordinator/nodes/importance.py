"""The order of pods by importance: higher priority first, then earlier start; a pod that has not started is last.

For equal pods the scheduler's order depends on an order that no object records. Here it starts from the names.
Source: Kubernetes' scheduler, ``MoreImportantPod``; Go's ``sort.Slice``.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from kubectl_fairshare.schedulers.koordinator.model.objects import Pod


def by_key(pods: Iterable[Pod]) -> list[Pod]:
    """By namespace and name."""
    return sorted(pods, key=lambda pod: pod.key)


def most_first(pods: Sequence[Pod]) -> list[Pod]:
    """From most to least important; equal pods keep their order."""
    return sorted(pods, key=lambda pod: (-pod.priority, pod.start))


def least_first(pods: Sequence[Pod]) -> list[Pod]:
    """From least to most important; of equal pods the last comes first."""
    return most_first(pods)[::-1]


def equals(pods: Iterable[Pod]) -> list[tuple[Pod, ...]]:
    """The groups of equally important pods, least important first."""
    ordered = sorted(pods, key=lambda p: (p.priority, -p.start, p.key))
    groups = (tuple(group) for _, group in groupby(ordered, key=lambda p: (p.priority, p.start)))
    return [group for group in groups if len(group) > 1]
