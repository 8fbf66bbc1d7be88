"""The order of pods by importance: higher priority first, then earlier start; a pod that has not started is last.

For equal pods, the scheduler's order depends on an order that no object records. Here it starts from the names, and is
reversed where the scheduler's sort reverses equal pods: the result if the scheduler had started from the names.
Two pods that have not started are compared by the moments of the comparison, so that each seems earlier than the other.
Why not a stable sort by priority and start: of three pods that have not started, each is earlier than the next when the
scheduler compares them, as it takes the time of the comparison for the start, so its sort reverses them.
Source: https://github.com/kubernetes/kubernetes/blob/v1.35.0/pkg/scheduler/util/utils.go, ``MoreImportantPod`` and
``GetPodStartTime``; Go's ``sort.Slice``.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, TypeVar

from kubectl_fairshare.schedulers.kubescheduler.objects import PluginPod

Ranked = TypeVar("Ranked", bound=PluginPod[Any])


def by_key(pods: Iterable[Ranked]) -> list[Ranked]:
    """By namespace and name."""
    return sorted(pods, key=lambda pod: pod.key)


def least_first(pods: Sequence[Ranked]) -> list[Ranked]:
    """From least to most important; of equal pods the last comes first, unless none of them has started."""
    # The sort asks "is not more important", which holds for equal pods in either order: Go's insertion sort, which it
    # uses up to 12 pods, reverses them. It holds for no pods that have not started.
    order = sorted(range(len(pods)), key=lambda i: (pods[i].priority, -pods[i].start, i if _new(pods[i]) else -i))
    return [pods[i] for i in order]


def most_first(pods: Sequence[Ranked]) -> list[Ranked]:
    """From most to least important; equal pods keep their order, unless none of them has started."""
    # The sort asks "is more important", which holds for no equal pods, but for every two that have not started.
    order = sorted(range(len(pods)), key=lambda i: (-pods[i].priority, pods[i].start, -i if _new(pods[i]) else i))
    return [pods[i] for i in order]


def _new(pod: PluginPod[Any]) -> bool:
    return pod.started is None


def equals(pods: Iterable[Ranked]) -> list[tuple[Ranked, ...]]:
    """The groups of equally important pods, least important first."""
    # Names decide no order between equal pods; they only make the groups the same each time.
    ordered = sorted(pods, key=lambda p: (p.priority, -p.start, p.key))
    groups = (tuple(group) for _, group in groupby(ordered, key=lambda p: (p.priority, p.start)))
    return [group for group in groups if len(group) > 1]
