"""The priority of a workload, and the class that it comes from.

Source: Kueue v0.19: WorkloadPriorityClass of the job's label, else PriorityClass of the first pod
template that names one, else the PriorityClass that is the global default (of several the lowest), else 0.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import Refusal

CLASS_LABEL: Final = f"{GROUP}/priority-class"
WORKLOAD_CLASS: Final = "WorkloadPriorityClass"
POD_CLASS: Final = "PriorityClass"


def job_priority(
    metadata: Field, templates: tuple[PodTemplate, ...], context: Context, own: Field | None = None
) -> tuple[int, Refusal | None]:
    """The priority of a job; with a refusal, and 0, when it names a class that does not exist.

    ``own`` is the field by which the job's kind names a PriorityClass for all its pods, if it has one.
    """
    label = metadata.at("labels").at(CLASS_LABEL)
    if label.text():
        return _of_class(WORKLOAD_CLASS, label, context)
    if own is not None and own.text():
        return _of_class(POD_CLASS, own, context)
    for template in templates:
        name = template.spec.at("priorityClassName")
        if name.text():
            return _of_class(POD_CLASS, name, context)
    return context.default_priority or 0, None


def workload_priority(root: Field, context: Context) -> tuple[int, Refusal | None]:
    """The priority that a Workload carries; by its class when it carries none, 0 without either."""
    written = root.at("spec", "priority")
    name = root.at("spec", "priorityClassRef", "name")
    if written.value is not None or not name.text():
        return written.integer(0), None
    return _of_class(root.at("spec", "priorityClassRef", "kind").text(WORKLOAD_CLASS), name, context)


def _of_class(kind: str, name: Field, context: Context) -> tuple[int, Refusal | None]:
    values = context.priority_classes if kind == POD_CLASS else context.workload_priorities
    value = values.get(name.text())
    if value is None:
        return 0, Refusal(JobLaw.PRIORITY_CLASS_MISSING, (kind, name.text()), places=(name.place,))
    return value, None
