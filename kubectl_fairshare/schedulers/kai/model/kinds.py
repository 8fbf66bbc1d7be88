"""KAI-Scheduler: the API groups and kinds that its answers rest on.

Tested in ``tests/unit/schedulers/kai/test_linting.py``.
"""

from typing import Final

QUEUE_GROUP: Final = "scheduling.run.ai"
CONFIG_GROUP: Final = "kai.scheduler"
SLICE_GROUP: Final = "resource.k8s.io"
GROUPS: Final = frozenset({QUEUE_GROUP, CONFIG_GROUP})
RUNTIMES: Final = (("trainer.kubeflow.org", "TrainingRuntime"), ("trainer.kubeflow.org", "ClusterTrainingRuntime"))
"""The objects that define the pods of TrainJobs."""
KINDS: Final = frozenset(
    {
        *((QUEUE_GROUP, kind) for kind in ("Queue", "PodGroup", "BindRequest")),
        *((CONFIG_GROUP, kind) for kind in ("SchedulingShard", "Config")),
        ("", "Pod"),
        ("", "Node"),
        ("", "ConfigMap"),
        ("scheduling.k8s.io", "PriorityClass"),
        (SLICE_GROUP, "ResourceSlice"),
        (SLICE_GROUP, "ResourceClaim"),
        (SLICE_GROUP, "DeviceClass"),
        *RUNTIMES,
    }
)
"""The kinds that answers about KAI rest on."""
RESERVATION: Final = "kai-resource-reservation"
"""The label ``app`` of the pods that reserve shared GPUs, and their namespace."""
HELPERS: Final = (RESERVATION, "scaling-pod")
"""The label ``app`` of KAI's own pods."""
POD_GROUP: Final = "pod-group-name"
"""The annotation with the name of a pod's PodGroup."""
RAY_HEAD: Final = "head"
KUBEFLOW_MASTERS: Final = ("master", "launcher")
LEADERS: Final = (*KUBEFLOW_MASTERS, RAY_HEAD)
"""The roles of pods that come first in their jobs, by Kubeflow's and Ray's labels."""
