"""The pods of a job that Kueue does not manage: it can still manage each of them by itself.

Kueue's pod integration asks each new pod for a queue, whatever made the pod, unless Kueue manages the owner. So a queue
label in a pod template counts although the job itself has none, and a default queue counts although the integration
of the job's own kind is off. Each pod is then a workload of its own.

Source: Kueue v0.19, the defaults that the webhook of pods sets.

Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.grouping import group_name
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind, PodTemplate
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import POD_KIND
from kubectl_fairshare.schedulers.kueue.jobs.laws import UNMANAGED, JobLaw
from kubectl_fairshare.schedulers.kueue.jobs.management import local_queue

__all__ = ["POD_KIND", "are_certain", "managed_pods", "number_of", "value_at"]

_CAUSES: Final = frozenset({JobLaw.NO_QUEUE_NAME, JobLaw.FRAMEWORK_OFF, JobLaw.FRAMEWORK_UNKNOWN})
_BUILT_IN: Final = ("batch", "apps")


def managed_pods(
    root: Field, templates: tuple[PodTemplate, ...], law: str, context: Context, *, stored: bool
) -> tuple[Field, ...]:
    """The pod templates of an unmanaged job whose pods Kueue manages one by one; ``law`` says why it is unmanaged."""
    if law not in _CAUSES:
        return ()
    return tuple(pod for pod in _own(root, templates) if _is_managed(pod, context, stored=stored))


def are_certain(kind: JobKind, pod: Field) -> bool:
    """Whether the controller of the kind creates pods exactly as their template says, and each is alone."""
    return kind.group in _BUILT_IN and not group_name(pod)


def number_of(job: Field, templates: tuple[PodTemplate, ...]) -> int:
    """How many pods the job has at the same time."""
    return job.at("spec", "replicas").natural(sum(template.count for template in templates))


def _is_managed(pod: Field, context: Context, *, stored: bool) -> bool:
    _, refusal = local_queue(pod, POD_KIND, context, stored=stored)
    return refusal is None or refusal.law not in UNMANAGED


def _own(root: Field, templates: tuple[PodTemplate, ...]) -> Iterator[Field]:
    """The pod templates that the job itself contains."""
    for template in templates:
        path = template.spec.path[:-1]
        if template.spec.owner == root.owner and path:
            yield Field(root.owner, path, value_at(root.value, path))


def value_at(value: Json, path: FieldPath) -> Json:
    """The value at the path below ``value``; None if there is none."""
    for name in path:
        if isinstance(value, dict) and isinstance(name, str):
            value = value.get(name)
        elif isinstance(value, list) and isinstance(name, int):
            value = value[name]
        else:
            return None
    return value
