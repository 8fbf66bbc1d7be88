"""The pod templates of Kubernetes' own kinds of jobs, as the pod sets of the Workload that Kueue makes for them.

Source: Kueue v0.19 job integrations. A job is read as if it were submitted now: its status does not count.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.numbers import whole_number
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    MAIN,
    JobKind,
    Known,
    PodTemplate,
    RejectedError,
    named,
    pod_template,
)
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

MIN_PARALLELISM: Final = f"{GROUP}/job-min-parallelism"


def _of_job(job: Field, known: Known) -> tuple[PodTemplate, ...]:
    count = _pods(job.at("spec"))
    template = job.at("spec", "template")
    least = _min_count(job.at("metadata", "annotations"), count, known.stored)
    return (pod_template(MAIN, count, template, min_count=least),)


def _pods(spec: Field) -> int:
    """The pods of a Job that run at the same time: never more than its completions."""
    parallelism = spec.at("parallelism").natural(1)
    return min(parallelism, spec.at("completions").natural(parallelism))


def _min_count(annotations: Field, count: int, stored: bool) -> int | None:
    """The minimum number of pods for partial admission.

    Kueue's webhook accepts a whole number between 0 and ``count``, both excluded. In a ``stored`` job other values are
    ignored: Kueue has lowered the parallelism of a partially admitted job.
    """
    entry = annotations.at(MIN_PARALLELISM)
    text = entry.text()
    if entry.value is None:
        return None
    least = whole_number(text) or 0
    if 0 < least < count:
        return least
    if stored:
        return None
    message = f"annotation `{MIN_PARALLELISM}` is `{text}`, but must be above 0 and below the {count} pods of the job"
    raise RejectedError(
        Problem(message, entry.place, "change or remove the annotation; Kueue rejects the job as it is")
    )


def _of_job_set(job_set: Field, _known: Known) -> tuple[PodTemplate, ...]:
    return tuple(_replicated_template(entry) for entry in job_set.at("spec", "replicatedJobs").entries())


def _replicated_template(entry: Field) -> PodTemplate:
    count = entry.at("replicas").natural(1) * _pods(entry.at("template", "spec"))
    return pod_template(entry.at("name").text().lower(), count, entry.at("template", "spec", "template"))


def _of_pod(pod: Field, _known: Known) -> tuple[PodTemplate, ...]:
    return (pod_template(MAIN, 1, pod),)


POD_KIND: Final = JobKind("", "v1", "Pod", "pod", _of_pod, of_pods=True)
JOB_KINDS: Final = (
    JobKind(*named("batch", "Job"), _of_job),
    JobKind(*named("batch", "CronJob"), _of_job, carrier=("spec", "jobTemplate")),
    POD_KIND,
    JobKind(*named("jobset.x-k8s.io", "JobSet"), _of_job_set, native=False),
)
"""The kinds of which lint reads every object."""
