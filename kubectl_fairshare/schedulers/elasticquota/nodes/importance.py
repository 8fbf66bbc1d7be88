"""The order of pods by importance: higher priority first, then earlier start; a pod that has not started is least.

Where two pods are equal, the scheduler's own order depends on one that no object records. Here it is that of the
names: turned round where the scheduler's sort turns equal pods round, so that equals lie as they would if its
own order were that of the names. Source: Kubernetes' scheduler, ``MoreImportantPod``; Go's ``sort.Slice``.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod


def least_first(pods: Sequence[Pod]) -> list[Pod]:
    """From least to most important; of equals the last comes first, unless none of them has started."""
    order = sorted(range(len(pods)), key=lambda i: (pods[i].priority, -pods[i].start, i if _new(pods[i]) else -i))
    return [pods[i] for i in order]


def most_first(pods: Sequence[Pod]) -> list[Pod]:
    """From most to least important; equals stay as they are, unless none of them has started."""
    order = sorted(range(len(pods)), key=lambda i: (-pods[i].priority, pods[i].start, -i if _new(pods[i]) else i))
    return [pods[i] for i in order]


def _new(pod: Pod) -> bool:
    return pod.started is None


def equals(pods: Iterable[Pod]) -> list[tuple[Pod, ...]]:
    """The groups of equally important pods, least important first."""
    ordered = sorted(pods, key=lambda p: (p.priority, -p.start, p.key))
    groups = (tuple(group) for _, group in groupby(ordered, key=lambda p: (p.priority, p.start)))
    return [group for group in groups if len(group) > 1]
