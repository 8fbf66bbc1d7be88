"""What a workload requests where chance draws it: releases that transform resources in the order of a Go map.

Kueue reads a Workload anew after each change of it, and draws each time, for each pod set.
Example: a transformation makes one credit of cpu or of memory, whichever the map comes to last. Two reads of one
Workload may request different amounts.
Source: ``totalRequestsFromPodSets`` in https://github.com/kubernetes-sigs/kueue/blob/v0.17.8/pkg/workload/workload.go.
Tested in ``tests/unit/schedulers/kueue/cycle/test_drawing.py``.
"""

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.choices import Choices
from kubectl_fairshare.schedulers.kueue.model.workload import Pending, PodSet


def drawn(workload: Pending, chance: Choices) -> Pending:
    """The workload with the requests that chance draws; as it is if they are given, or chance is fixed."""
    if chance.fixed or not workload.is_drawn:
        return workload
    pod_sets = tuple(_drawn(pod_set, chance) for pod_set in workload.pod_sets)
    chance.note(lambda: tuple(tuple(pod_set.requests.items()) for pod_set in pod_sets))
    return replace(workload, pod_sets=pod_sets)


def _drawn(pod_set: PodSet, chance: Choices) -> PodSet:
    charges = (pod_set.requests, *pod_set.instead)
    number = chance.pick(len(charges), lambda: None) if pod_set.instead else 0
    return replace(pod_set, requests=charges[number], instead=())
