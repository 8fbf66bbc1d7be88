"""The settings of KAI's Config for new pods: its webhook, and the pods that its pod grouper sees.

Tested in ``tests/unit/schedulers/kai/jobs/test_webhook.py``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.location import Moves, ObjectKey, Place, moved
from kubectl_fairshare.model.values import Value, field

DEFAULT_RUNTIME: Final = "nvidia"
HOME: Final = "kai-scheduler"


class PodAdmission(Value, frozen=True):
    """The settings for new pods; the defaults are those without a Config.

    ``sharing``: pods may ask for parts of GPUs; None if that is not known. ``guards_devices``: containers may not set
    NVIDIA_VISIBLE_DEVICES. ``runtime`` is the RuntimeClass of pods with parts of GPUs without one. ``home`` is KAI's
    own namespace. ``namespaces`` and ``pods`` are the labels that namespaces and pods need to be seen;
    ``queue_label`` is one that a namespace needs for the webhook alone, "" without one. ``key`` is the Config, or what
    installs it, None without both; ``written_at`` has the moves of its fields.
    """

    sharing: bool | None = None
    guards_devices: bool = False
    runtime: str = DEFAULT_RUNTIME
    home: str = HOME
    namespaces: Mapping[str, str] = field(default_factory=dict)
    pods: Mapping[str, str] = field(default_factory=dict)
    queue_label: str = ""
    key: ObjectKey | None = None
    written_at: Moves = field(default_factory=dict)

    def place(self, *path: str) -> Place:
        """Where a field of the Config is written. Raises ``ValueError`` without one."""
        if self.key is None:
            raise ValueError("no Config has these settings")
        return moved(Place(self.key, path), self.written_at)
