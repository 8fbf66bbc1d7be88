"""The trees of queues of two versions, side by side: what each queue has of its own before and after."""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.answers.diff import TreeChange
from kubectl_fairshare.answers.shares import AnyQueue
from kubectl_fairshare.policy.version import Version
from kubectl_fairshare.schedulers.question import SharesQuestion
from kubectl_fairshare.schedulers.scheduler import Scheduler

_Place = tuple[str, str, str]


def tree_changes(scheduler: Scheduler, before: Version, after: Version) -> tuple[TreeChange, ...]:
    """All queues of both versions, parents first; one that moved is in both places."""
    was, now = (dict(_nodes(scheduler, version)) for version in (before, after))
    return tuple(_change(place, was.get(place), now.get(place)) for place in dict.fromkeys((*now, *was)))


def _nodes(scheduler: Scheduler, version: Version) -> Iterator[tuple[_Place, AnyQueue]]:
    for root in scheduler.shares(version.snapshot, SharesQuestion()).trees:
        for node in root:
            yield (root.key.name, node.parent, node.key.namespace or node.key.name), node


def _change(place: _Place, was: AnyQueue | None, now: AnyQueue | None) -> TreeChange:
    tree, parent, name = place
    before, after = _amounts(was), _amounts(now)
    both: Sequence[str] = sorted({*before, *after})
    amounts = tuple((resource, before.get(resource, 0.0), after.get(resource, 0.0)) for resource in both)
    return TreeChange(name, tree, parent, amounts)


def _amounts(node: AnyQueue | None) -> dict[str, float]:
    found: dict[str, float] = {}
    for figures in node.figures if node is not None else ():
        if figures.guaranteed is not None:
            found[figures.resource] = found.get(figures.resource, 0.0) + figures.guaranteed.value
    return found
