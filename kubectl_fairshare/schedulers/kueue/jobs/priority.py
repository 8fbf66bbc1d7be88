"""The priority of a workload, and the class that it comes from.

Source: Kueue v0.19: WorkloadPriorityClass of the job's label, otherwise PriorityClass of the first pod
template that names one, otherwise the PriorityClass that is the global default (of several the lowest), otherwise 0.
"""

from collections.abc import Container
from typing import Final, NamedTuple

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import Refusal, UnknownClass

CLASS_LABEL: Final = f"{GROUP}/priority-class"
WORKLOAD_CLASS: Final = "WorkloadPriorityClass"
POD_CLASS: Final = "PriorityClass"
DEFAULT_CLASS: Final = "default"


class Priority(NamedTuple):
    """A priority; 0 if its class is missing. ``refusal``: the cluster does not have the class.

    ``unknown``: the input lacks the class, and may not be the whole cluster.
    """

    value: int
    refusal: Refusal | None = None
    unknown: UnknownClass | None = None


def job_priority(
    metadata: Field,
    templates: tuple[PodTemplate, ...],
    context: Context,
    own: Field | None = None,
    *,
    stored: bool = False,
) -> Priority:
    """The priority of a job.

    ``own`` is the field by which the job's kind names a PriorityClass for all its pods, if it has one. ``stored``: a
    server has the job, so that Kueue's webhook wrote the label of the default class already, if it does.
    """
    label = metadata.at("labels").at(CLASS_LABEL)
    if label.text():
        return _of_class(WORKLOAD_CLASS, label, context)
    default = None if stored else _written_by_default(context)
    if default is not None:
        return Priority(default)
    if own is not None and own.text():
        return _of_class(POD_CLASS, own, context)
    for template in templates:
        name = template.spec.at("priorityClassName")
        if name.text():
            return _of_class(POD_CLASS, name, context)
    return Priority(context.default_priority or 0)


def submitted_priority(context: Context, named: str, own: int) -> int:
    """The priority that a new job has here, whose class is ``named``, if it has one, and that had ``own`` elsewhere."""
    if named in context.workload_priorities:
        return context.workload_priorities[named]
    default = _written_by_default(context)  # a label, which counts before the class of pods
    if default is not None and (named in context.priority_classes or not (named or own)):
        return default
    return context.submitted_priority(named, own)


def _written_by_default(context: Context) -> int | None:
    """The value of the class whose label Kueue's webhook writes to a job without one, if it does."""
    return context.workload_priorities.get(DEFAULT_CLASS) if context.configuration.default_class else None


def governing_class(named: Json, classes: Container[str]) -> str | None:
    """The WorkloadPriorityClass of ``classes`` that a Workload's ``priorityClassRef`` names.

    Kueue writes its value to ``spec.priority`` whenever the two differ, whether the Workload waits or runs.
    """
    if not isinstance(named, dict) or (named.get("group"), named.get("kind")) != (GROUP, WORKLOAD_CLASS):
        return None
    name = named.get("name")
    return name if isinstance(name, str) and name in classes else None


def workload_priority(root: Field, context: Context) -> Priority:
    """The priority of a Workload: that of its WorkloadPriorityClass, else the one in it, else that of its class."""
    written = root.at("spec", "priority")
    name = root.at("spec", "priorityClassRef", "name")
    governing = governing_class(root.at("spec", "priorityClassRef").value, context.workload_priorities)
    if governing is not None:
        return Priority(context.workload_priorities[governing])
    if written.value is not None or not name.text():
        return Priority(written.integer(0))
    return _of_class(root.at("spec", "priorityClassRef", "kind").text(WORKLOAD_CLASS), name, context)


def _of_class(kind: str, name: Field, context: Context) -> Priority:
    values = context.priority_classes if kind == POD_CLASS else context.workload_priorities
    value = values.get(name.text())
    if value is not None:
        return Priority(value)
    key = class_key(kind, name.text())
    if context.complete or key in context.absent:
        return Priority(0, Refusal(JobLaw.PRIORITY_CLASS_MISSING, (kind, name.text()), places=(name.place,)))
    return Priority(0, unknown=UnknownClass(key, name.place))


def class_key(kind: str, name: str) -> ObjectKey:
    """The key of a priority class of either kind."""
    return ObjectKey("scheduling.k8s.io", kind, "", name) if kind == POD_CLASS else cluster_key(kind, name)
