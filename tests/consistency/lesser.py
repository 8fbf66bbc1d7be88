"""The smaller changes next to a remedy: without one of its changes; with one amount a unit nearer to what it was."""

from collections.abc import Iterator
from typing import Any, Final

Change = dict[str, Any]
_STEPS: Final = {"gpu-fraction": 0.01, "weight": 0.1}
_BOUNDS: Final = {"memory": 1_000_000}
"""The steps of KAI's bounds: memory counts in megabytes."""
_NAMED: Final = ("nodePool", "minRuntime", "preemptibility")
_UNNUMBERED: Final = ("toleration", "nodeSelector", "unschedulable", "preemptible", "preemptionPolicy", "deletion")
_OF_GROUP: Final = ("topologyLevel", "podSetSliceSize")
"""What all pod sets of a group ask for: levels have no amounts, and only some sizes of slices divide the pods."""


def lesser(remedy: Change) -> Iterator[Change]:
    """Each smaller change, in the form of the remedy; none for a change that has no amount."""
    changes = changes_of(remedy)
    if kind_of(changes[0]) in _OF_GROUP:
        return
    if _is_move(changes):
        moved = [each for each in (_nearer(remedy, change) for change in changes) if each is not None]
        if len(moved) == len(changes):
            yield {"changes": moved}
        return
    for number, change in enumerate(changes):
        rest = [*changes[:number], *changes[number + 1 :]]
        if rest:
            yield {"changes": rest}
        nearer = _nearer(remedy, change)
        if nearer is not None:
            yield {"changes": [*changes[:number], nearer, *changes[number + 1 :]]}


def _is_move(changes: list[Change]) -> bool:
    """Whether quota moves from one queue of Kueue to another: a raise alone is another remedy, of more quota."""
    quotas = [change for change in changes if kind_of(change) == "nominalQuota" and change.get("before") is not None]
    moved = [change["after"] - change["before"] for change in quotas]
    return len(moved) == len(changes) > 1 and sum(moved) == 0


def changes_of(remedy: Change) -> list[Change]:
    """The changes of a remedy: those of Kueue are the remedy itself and further ones."""
    return remedy.get("changes") or [remedy, *remedy.get("also", ())]


def kind_of(change: Change) -> str:
    """What a change is of; empty for one of KAI's, of which the remedy has the kind."""
    return str(change.get("change") or change.get("kind") or "")


def _nearer(remedy: Change, change: Change) -> Change | None:
    """The change with one unit less; None where that is no change, or there are no units."""
    before, after = change.get("before"), change.get("after")
    named = remedy.get("kind") in _NAMED or kind_of(change) in _UNNUMBERED or _is_named(change) or _is_worded(change)
    if named or after is None:
        return None
    step = _step(change)
    towards = -step if before is None or after > before else step
    nearer = round(after + towards, 6) if isinstance(after, float) else after + towards
    if before is not None and (nearer - before) * towards >= 0:
        return None
    quantity = {} if change.get("afterQuantity") is None else {"afterQuantity": _quantity(change, nearer)}
    return {**change, "after": nearer, **quantity}


def _is_named(change: Change) -> bool:
    """Whether the value is a name: that of a smaller gang is its sub-group's."""
    return bool(change.get("to")) and change.get("resource") != "minMember"


def _is_worded(change: Change) -> bool:
    """Whether the values are words, of which the amounts are places in a list."""
    text = str(change.get("afterQuantity") or "0")
    return not text[0].isdigit()


def _step(change: Change) -> float:
    name = change.get("resource") or kind_of(change)
    steps = {**_STEPS, **_BOUNDS} if change.get("bound") else _STEPS
    return steps.get(name, steps.get(kind_of(change), 1))


def _quantity(change: Change, value: float) -> str:
    if kind_of(change) == "weight":
        return str(value)
    return f"{int(value)}{'m' if change['resource'] == 'cpu' else ''}"
