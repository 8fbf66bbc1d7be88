"""What may bring waiting pods forward where each is placed alone: fewer of them, or a higher priority class.

Tested in ``tests/unit/policy/forecast/test_changes.py``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.adoption import Adoption, WorkChange

SYSTEM: Final = "system-"
"""How the names of classes begin that are not for users."""


def pod_changes(
    waiting: Sequence[Any],
    manifests: Mapping[ObjectKey, Manifest],
    taken: Callable[[Mapping[ObjectKey, Any]], Adoption],
) -> Iterator[WorkChange]:
    """The changes for a job of which all pods wait; these are the house's.

    ``taken`` takes the work over with other pods by their keys; None: without that pod.
    """
    if not waiting:
        return
    fewer = -(-len(waiting) // 2)
    if fewer < len(waiting):
        gone = dict.fromkeys((pod.key for pod in waiting[fewer:]), None)
        yield WorkChange(f"count {len(waiting)} → {fewer}", Maker.OWNER, lambda: taken(gone))
    priority = max(pod.priority for pod in waiting)
    for value, name in higher_classes(class_values(manifests), priority)[:1]:
        later = {pod.key: replace(pod, priority=value) for pod in waiting}
        text = f"priority {priority} → {value} (class {name})"
        yield WorkChange(text, Maker.OWNER, lambda: taken(later))  # noqa: B023 -- there is one at most


def class_values(manifests: Mapping[ObjectKey, Manifest]) -> dict[str, int]:
    """The values of the PriorityClasses among the objects."""
    classes = ((key.name, each.data.get("value", 0)) for key, each in manifests.items() if key.kind == "PriorityClass")
    return {name: value for name, value in classes if isinstance(value, int)}


def higher_classes(values: Mapping[str, int], priority: int) -> list[tuple[int, str]]:
    """The classes for users above a priority, the lowest first."""
    return sorted((value, name) for name, value in values.items() if value > priority and not name.startswith(SYSTEM))
