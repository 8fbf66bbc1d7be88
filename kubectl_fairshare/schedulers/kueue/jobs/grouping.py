"""A Pod's membership in a group: the group's name, its number of pods, and how Kueue admits them.

Source: Kueue v0.19 integration ``pod``. The annotation comes before the label.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import whole_number
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

GROUP_NAME: Final = f"{GROUP}/pod-group-name"
TOTAL_COUNT: Final = f"{GROUP}/pod-group-total-count"
ROLE_HASH: Final = f"{GROUP}/role-hash"
PARENT: Final = f"{GROUP}/pod-suspending-parent"
FAST: Final = f"{GROUP}/pod-group-fast-admission"


def group_name(pod: Field) -> str:
    """The name of the pod's group; empty without a group, and for a pod that cannot be read."""
    metadata = _mapping(_mapping(pod.value).get("metadata"))
    names = (_mapping(metadata.get(part)).get(GROUP_NAME) for part in ("annotations", "labels"))
    return next((name for name in names if isinstance(name, str) and name), "")


def total_count(pod: Field) -> int | None:
    """The number of pods that the group says it has; None if that is not a number above 0."""
    total = whole_number(pod.at("metadata", "annotations").at(TOTAL_COUNT).text())
    return total if total is not None and total > 0 else None


def is_fast(pod: Field) -> bool:
    """Whether the group is admitted by its first pod, without waiting for the others."""
    return pod.at("metadata", "annotations").at(FAST).text() == "true"


def is_runnable(pod: Field) -> bool:
    """Whether the pod may still run, or has succeeded."""
    leaves = pod.at("metadata", "deletionTimestamp").value is not None and not pod.at("spec", "nodeName").text()
    return not leaves and pod.at("status", "phase").text() != "Failed"


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
