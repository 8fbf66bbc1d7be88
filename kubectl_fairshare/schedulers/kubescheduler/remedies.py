"""Changes that place a pod, whatever quotas there are: a node in service again, a higher class.

Decides nothing: each change is tried by the plugin's own cycle.
Tested in ``tests/unit/schedulers/elasticquota/explain/test_remedies.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeVar

from kubectl_fairshare.jobs.node_demand import NodeDemand, is_only_cordoned
from kubectl_fairshare.model.values import replace

_MOST_NODES: Final = 16
HIGHEST_OF_USERS: Final = 1_000_000_000
"""The highest priority of a class that users may make."""
AnyRemedy = TypeVar("AnyRemedy")


def uncordoned(
    nodes: Iterable[Any], demand: NodeDemand, is_large: Callable[[Any], bool], tried: Callable[[Any], AnyRemedy | None]
) -> Iterator[AnyRemedy]:
    """The node that takes the pod with the fewest victims once in service; how many others do, if all were tried.

    ``is_large``: an empty node has room for the pod. ``tried`` is the remedy that puts a node in service, if it helps.
    """
    cordoned = (node for node in nodes if is_only_cordoned(demand, node, node.uncordoned))
    # An empty node without room is never a remedy; asking for that is far cheaper than a cycle.
    large = filter(is_large, cordoned)
    found: list[Any] = [remedy for node in islice(large, _MOST_NODES) if (remedy := tried(node)) is not None]
    if found:
        others = len(found) - 1 if next(large, None) is None else 0  # how many more there are is not known
        yield replace(min(found, key=lambda remedy: remedy.victims), alternatives=others)


def class_of(priorities: Mapping[str, int], priority: int) -> str | None:
    """The lowest PriorityClass that is high enough; system classes are left out."""
    classes = sorted((value, name) for name, value in priorities.items() if priority <= value)
    return next((name for value, name in classes if value <= HIGHEST_OF_USERS), None)
