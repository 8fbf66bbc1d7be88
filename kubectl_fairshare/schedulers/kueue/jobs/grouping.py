"""How a Pod says that it belongs to a group: its name, how many there are, how they are admitted.

Source: Kueue v0.19 integration ``pod``. The annotation goes before the label.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

GROUP_NAME: Final = f"{GROUP}/pod-group-name"
TOTAL_COUNT: Final = f"{GROUP}/pod-group-total-count"
ROLE_HASH: Final = f"{GROUP}/role-hash"
PARENT: Final = f"{GROUP}/pod-suspending-parent"
_FAST: Final = f"{GROUP}/pod-group-fast-admission"


def group_name(pod: Field) -> str:
    """The name of the pod's group; empty for a pod in none, and for one that cannot be read."""
    metadata = _mapping(_mapping(pod.value).get("metadata"))
    names = (_mapping(metadata.get(part)).get(GROUP_NAME) for part in ("annotations", "labels"))
    return next((name for name in names if isinstance(name, str) and name), "")


def total_count(pod: Field) -> int | None:
    """How many pods the group has by its own account; None where that is no number above 0."""
    text = pod.at("metadata", "annotations").at(TOTAL_COUNT).text()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0 else None


def is_fast(pod: Field) -> bool:
    """Whether the group is admitted by its first pod, without waiting for the others."""
    return pod.at("metadata", "annotations").at(_FAST).text() == "true"


def is_runnable(pod: Field) -> bool:
    """Whether the pod may still run, or has succeeded."""
    leaves = pod.at("metadata", "deletionTimestamp").value is not None and not pod.at("spec", "nodeName").text()
    return not leaves and pod.at("status", "phase").text() != "Failed"


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
