"""The labels and annotations from which KAI's pod grouper takes a queue, a priority, preemptibility and a delay.

Source: KAI-Scheduler v0.17, its default pod grouper, and the one that skips the owner of a JobSet.

Tested in ``tests/unit/schedulers/kai/jobs/test_groups.py``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.api.durations import nanoseconds
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, KindDefault

_PROJECT: Final = "project"
_DEFAULT_QUEUE: Final = "default-queue"
_CLASS: Final = "priorityClassName"
_PREEMPTIBILITY: Final = "kai.scheduler/preemptibility"
_PREEMPTIBLE: Final = {"preemptible": True, "non-preemptible": False, "": None}
_DELAY: Final = "kai.scheduler/preemption-delay"
_DEFAULT_CLASSES: Final = {"Deployment": "inference", "Notebook": "build"}
_GROUPED_AS: Final = {
    "PodCliqueSet": ("scheduler.grove.io", "PodGang"),
    "TrainJob": ("jobset.x-k8s.io", "JobSet"),
}
"""The kinds of the objects that KAI groups instead of their owner."""


class JobLabels(Value, frozen=True):
    """The labels and annotations that decide about a job: its owner's, then its pods'.

    ``default_class`` is the PriorityClass that an API server gives to its pods if they name none.
    """

    labels: Mapping[str, str]
    pod_labels: Mapping[str, str]
    annotations: Mapping[str, str]
    pod_annotations: Mapping[str, str]
    default_class: str = ""

    def label(self, name: str) -> str | None:
        """The owner's label, otherwise the pods'."""
        return self.labels.get(name, self.pod_labels.get(name))


def queue_of(owner: JobLabels, state: KaiState) -> str:
    """The queue in the labels: the label for queues comes before the one for projects."""
    queue = owner.label(state.queue_label)
    if queue is not None:
        return queue
    project, pool = owner.label(_PROJECT), owner.pod_labels.get(state.pool_label)
    if not project:
        return _DEFAULT_QUEUE
    return f"{project}-{pool}" if pool is not None else project


def named_class(spec: Field, owner: JobLabels) -> str:
    """The PriorityClass in the labels, otherwise that of the pods; an empty label counts as well."""
    label = owner.label(_CLASS)
    return (spec.at("priorityClassName").text() or owner.default_class) if label is None else label


def priority_class_of(key: ObjectKey, named: str, state: KaiState) -> str:
    """The named PriorityClass, otherwise the existing default of the kind, otherwise KAI's own."""
    default = _default(key, state)
    for name in (named, default.priority_class if default else ""):
        if name in state.priorities.values:
            return name
    return _DEFAULT_CLASSES.get(key.kind, "train")


def preemptible_of(key: ObjectKey, owner: JobLabels, state: KaiState) -> bool | None:
    """The value of the owner's label, else the pods', else the default of the kind; None leaves it to the priority.

    An empty label ends the search; a label with another value is ignored.
    """
    for labels in (owner.labels, owner.pod_labels):
        stated = labels.get(_PREEMPTIBILITY)
        if stated in _PREEMPTIBLE:
            return _PREEMPTIBLE[stated]
    default = _default(key, state)
    return None if default is None else _PREEMPTIBLE.get(default.preemptibility.lower())


def delay_of(owner: JobLabels) -> int:
    """The delay in nanoseconds of the owner, otherwise of the pods; one that is malformed or negative is ignored."""
    for annotations in (owner.annotations, owner.pod_annotations):
        try:
            span = nanoseconds(annotations.get(_DELAY, ""))
        except ValueError:
            continue
        if span >= 0:
            return span
    return 0


def labels_of(state: KaiState, queue: str) -> dict[str, str]:
    """The labels of a made-up job of a queue: the queue, and its node pool, without which its shard sees no job."""
    known = state.queues.get(queue)
    pool = {} if known is None or known.pool is None else {state.pool_label: known.pool}
    return {state.queue_label: queue, **pool}


def default_labels(key: ObjectKey, state: KaiState) -> Mapping[str, str]:
    """The defaults of the kind of an owner that KAI skips, as the labels that it gives to the object below."""
    default = _own_default(key.group, key.kind, state)
    if default is None:
        return {}
    name = default.priority_class if default.priority_class in state.priorities.values else ""
    labels = {_CLASS: name, _PREEMPTIBILITY: default.preemptibility}
    return {label: value for label, value in labels.items() if value}


def _default(key: ObjectKey, state: KaiState) -> KindDefault | None:
    """The defaults of the kind of object that KAI groups."""
    return _own_default(*_GROUPED_AS.get(key.kind, (key.group, key.kind)), state)


def _own_default(group: str, kind: str, state: KaiState) -> KindDefault | None:
    """The defaults of a kind, by its name with group, otherwise without."""
    found = state.defaults.get(f"{kind}.{group}" if group else kind)
    return state.defaults.get(kind) if found is None else found
