"""The cordoned node on which a pod is placed once it is in service again.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.jobs.node_demand import is_only_cordoned
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.explain.decision import ChangeKind, Remedy, RemedyChange
from kubectl_fairshare.schedulers.elasticquota.explain.trying import helps, remedy_of
from kubectl_fairshare.schedulers.elasticquota.nodes.fit import Load, has_room
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, with_node

_MOST_NODES: Final = 16


def uncordoned(state: State, attempt: Attempt) -> Iterator[Remedy]:
    """The node that takes the pod with the fewest victims once in service; how many others do, if all were tried."""
    demand = attempt.asker.demand
    cordoned = (node for node in state.nodes.values() if is_only_cordoned(demand, node, node.uncordoned))
    large = (node for node in cordoned if has_room(attempt.asker, node, Load()))  # while empty
    found: list[Remedy] = []
    for node in islice(large, _MOST_NODES):
        changed = with_node(state, node.uncordoned)
        then = schedule(changed, attempt.asker.pod, demand)
        if helps(changed, then):
            change = RemedyChange(ChangeKind.UNCORDON, Place(node.key, ("spec", "unschedulable")))
            found.append(remedy_of(changed, [change], then))
    if found:
        others = len(found) - 1 if next(large, None) is None else 0  # how many more there are is not known
        yield replace(min(found, key=lambda remedy: remedy.victims), alternatives=others)
