"""The assignment of a workload that holds quota already, and asks for a place alone.

Why not assign anew: the workload holds 8 GPUs in spot, and on-demand has become free. In the second pass it stays in
spot; only its nodes are looked for.
Source: ``assignFlavors``, where it takes what the pod sets have, in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/flavorassigner/flavorassigner.go; "flavors" in
``docs/laws.md``.
Tested in ``tests/unit/schedulers/kueue/topology/test_second_places.py``.
"""

from collections.abc import Sequence

from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment, Mode, PodSetAssignment
from kubectl_fairshare.schedulers.kueue.flavors.requests import held_requests
from kubectl_fairshare.schedulers.kueue.laws import Grade
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, SecondPass


def held_assignment(second: SecondPass, queue: ClusterQueue, counts: Sequence[int]) -> Assignment:
    """The assignment of a workload that holds quota: its flavors are fixed, and fit.

    ``counts`` are pods by pod set; one that has a place already, or no pods, keeps what it has.
    """
    served, usage = [], dict[FlavorResource, int]()
    for pod_set, held_now, count in zip(second.workload.pod_sets, second.admitted, counts, strict=True):
        admitted = held_now.scaled(count)
        requests = held_requests(queue, admitted)
        flavors = {r: (f, Grade.FIT) for r, f in admitted.flavors.items()}
        held = PodSetAssignment(pod_set.name, admitted.count, flavors, requests, (), ())
        served.append(replace(held, topology=admitted.topology, delayed=admitted.delayed))
        for resource, flavor in admitted.flavors.items():
            pair = FlavorResource(flavor, resource)
            usage[pair] = add(usage.get(pair, 0), requests.get(resource, 0))
    # Kueue adds the resource pods to copies of the requests, so the search for victims does not see it.
    bare = {pair: amount for pair, amount in usage.items() if pair.resource != "pods"}
    return Assignment(tuple(served), Mode.FIT, 0, None, usage, bare)
