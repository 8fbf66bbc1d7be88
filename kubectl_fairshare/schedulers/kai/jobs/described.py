"""The Job of the options ``--queue``, ``--request`` and the like.

Tested in ``tests/unit/cli/test_kai_commands.py``.
"""

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.described import WishReader, check_counts, free_name, pod_spec
from kubectl_fairshare.schedulers.kai.jobs.labels import labels_of
from kubectl_fairshare.schedulers.kai.model.objects import DEFAULT_SCHEDULER, KaiState
from kubectl_fairshare.schedulers.question import Wishes


def described_job(wishes: Wishes, namespace: str, snapshot: Snapshot) -> Manifest:
    """A Job made from options, in the node pool of its queue; all its pods start together.

    Raises ``UsageError`` with all mistakes.
    """
    reader = WishReader()
    count = 1 if wishes.count is None else wishes.count
    check_counts(reader, count, wishes.min_count)
    if wishes.queue is None:
        reader.wrong("--queue", "KAI's jobs need a queue", "add `--queue QUEUE`")
    if wishes.priority is not None:
        reader.wrong("--priority", "KAI takes priorities from PriorityClasses", "write `--priority-class train`")
    pod = pod_spec(reader, wishes)
    reader.check()
    if wishes.priority_class is not None:
        pod["priorityClassName"] = wishes.priority_class
    key = ObjectKey("batch", "Job", namespace, free_name(namespace, snapshot, "batch", "Job"))
    minimum = count if wishes.min_count is None else wishes.min_count
    state = snapshot.part(KaiState)
    metadata = {
        "namespace": namespace,
        "name": key.name,
        "labels": labels_of(state, wishes.queue or ""),
        "annotations": {"kai.scheduler/batch-min-member": str(minimum)},
    }
    spec = {"parallelism": count, "template": {"spec": {**pod, "schedulerName": DEFAULT_SCHEDULER}}}
    data = {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}
    return Manifest(key, "v1", data, Origin("", 0))
