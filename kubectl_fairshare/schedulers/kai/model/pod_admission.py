"""The settings of KAI's Config for new pods: its webhook, and the pods that its pod grouper sees.

Tested in ``tests/unit/schedulers/kai/jobs/test_webhook.py``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value, field

DEFAULT_RUNTIME: Final = "nvidia"
HOME: Final = "kai-scheduler"


class PodAdmission(Value, frozen=True):
    """The settings for new pods; the defaults are those without a Config.

    ``sharing``: pods may ask for parts of GPUs; None if that is not known. ``guards_devices``: containers may not set
    NVIDIA_VISIBLE_DEVICES. ``runtime`` is the RuntimeClass of pods with parts of GPUs without one. ``home`` is KAI's
    own namespace. ``namespaces`` and ``pods`` are the labels that namespaces and pods need to be seen;
    ``queue_label`` is one that a namespace needs for the webhook alone, "" without one. ``key`` is the Config, None
    without one.
    """

    sharing: bool | None = None
    guards_devices: bool = False
    runtime: str = DEFAULT_RUNTIME
    home: str = HOME
    namespaces: Mapping[str, str] = field(default_factory=dict)
    pods: Mapping[str, str] = field(default_factory=dict)
    queue_label: str = ""
    key: ObjectKey | None = None
