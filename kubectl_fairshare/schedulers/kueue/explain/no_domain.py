"""What keeps a pod set out whose place has no domain: it has fewer pods than one slice.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.trace import Step


def no_domain_step(nomination: Nomination, index: int) -> Step:
    """The step that says of a pod set that its place has no domain."""
    pod_set = nomination.workload.pod_sets[index]
    count = 0 if nomination.assignment is None else nomination.assignment.pod_sets[index].count
    layers = () if pod_set.topology is None else pod_set.topology.layers
    operands = (("pod set", pod_set.name), ("pods", count), ("size", layers[0].size if layers else 1))
    return Step(TopologyLaw.NO_DOMAIN, operands, holds=False)
