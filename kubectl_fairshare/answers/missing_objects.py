"""Objects that others name and that the input lacks: figures that need them are not exact.

Tested in ``tests/unit/answers/test_missing_objects.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, Protocol

from kubectl_fairshare.answers.fidelity import Gap, not_given
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace

Missing = Mapping[ObjectKey, tuple[Place, ...]]
"""The objects, each with the places that name it."""
_SHOWN: Final = 3
_MOST_NAMED: Final = 5


class NodeNamingPod(Protocol):
    """A pod, with the nodes that it is on and that it is nominated to."""

    @property
    def key(self) -> ObjectKey:
        """The object."""

    @property
    def node(self) -> str:
        """The node; empty while it waits."""

    @property
    def nominated(self) -> str:
        """The node that the scheduler keeps for it; empty without one."""


def missing_objects(absent: Absence | None, named: Iterable[tuple[ObjectKey, Place]]) -> Missing:
    """The ``named`` objects, which the input lacks, as far as they may exist: sorted, each with the first places.

    ``absent`` are those that certainly do not exist; None: all that the input lacks.
    """
    if absent is None:
        return {}
    found: dict[ObjectKey, list[Place]] = {}
    for key, place in named:
        if key not in absent:
            found.setdefault(key, []).append(place)
    return {key: tuple(places[:_SHOWN]) for key, places in sorted(found.items())}


def missing_nodes(pods: Iterable[NodeNamingPod], nodes: Mapping[str, object]) -> Iterator[tuple[ObjectKey, Place]]:
    """The nodes that pods name next to those that are known; nothing where none is."""
    for pod in pods if nodes else ():
        for name, path in ((pod.node, ("spec", "nodeName")), (pod.nominated, ("status", "nominatedNodeName"))):
            if name and name not in nodes:
                yield ObjectKey("", "Node", "", name), Place(pod.key, path)


def missing_without(missing: Missing, gone: Collection[ObjectKey]) -> Missing:
    """What is missing once these objects are gone: what others do not name is not needed."""
    left = {key: tuple(place for place in places if place.object not in gone) for key, places in missing.items()}
    return {key: places for key, places in left.items() if places}


def missing_gaps(missing: Missing, *, figures: bool = False) -> Iterator[Gap]:
    """A gap for each object, which can change the answer. ``figures`` of quotas do not depend on priorities.

    Many of one kind are one gap: a dump without the kind lacks all of them.
    """
    for kind, alike in groupby(missing, key=lambda key: key[:2]):
        keys, touches = [*alike], not (figures and kind[1] == "PriorityClass")
        if len(keys) > _MOST_NAMED:
            gap = not_given(keys[0], tuple(missing[key][0] for key in keys), touches=touches)
            yield replace(gap, subject=f"{gap.subject} and {len(keys) - 1:,} more")
        else:
            yield from (not_given(key, missing[key], touches=touches) for key in keys)
