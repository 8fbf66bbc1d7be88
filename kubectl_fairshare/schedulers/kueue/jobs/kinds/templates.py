"""The pod templates of each kind of job, as the pod sets of the Workload that Kueue makes for it.

Source: Kueue v0.19 job integrations. A job is read as if it were submitted now: its status does not count.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.errors import Problem, UnsupportedKindError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.numbers import whole_number
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import (
    MAIN,
    ExistingClusterError,
    JobKind,
    Known,
    PodTemplate,
    RejectedError,
    RuntimeMissingError,
    named,
    pod_template,
)
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.topology import AnnotatedPods

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
_ALSO_SERVED: Final = frozenset({("ray.io", "v1alpha1")})
"""Versions that an API server also serves with the fields of the version that Kueue reads."""
_BY_NAME: Final = {(k.group, k.kind): k for k in JOB_KINDS}


def job_kind(manifest: Manifest) -> JobKind:
    """The reader for the manifest. Raises ``UnsupportedKindError`` for an unsupported kind or version."""
    name = (manifest.key.group, manifest.key.kind)
    if name in _BY_NAME and _BY_NAME[name].version == manifest.version:
        return _BY_NAME[name]
    from kubectl_fairshare.schedulers.kueue.jobs.kinds.every_kind import ALL_KINDS

    kind = next((k for k in ALL_KINDS if (k.group, k.kind) == name), None)
    served = (manifest.key.group, manifest.version) in _ALSO_SERVED
    if kind is not None and (served or kind.version == manifest.version):
        return kind
    understood = ", ".join([f"Workload ({GROUP})", *map(str, ALL_KINDS)])
    remedy = f"supported kinds are {understood}" if kind is None else f"write it in `{kind.group}/{kind.version}`"
    raise UnsupportedKindError(
        Problem(
            f"`{manifest.key.kind}` of `{manifest.api_version}` is not a supported kind of job",
            Place(manifest.key),
            remedy,
        )
    )


def pod_templates(manifest: Manifest, runtimes: Mapping[ObjectKey, Field]) -> tuple[PodTemplate, ...]:
    """The pod templates of a job; none where its pods are not known.

    Raises ``FairshareError`` for a job that cannot be read.
    """
    kind = job_kind(manifest)
    try:
        return kind.templates(root_of(manifest).at(*kind.carrier), Known(manifest.stored, runtimes))
    except (RuntimeMissingError, ExistingClusterError):
        return ()


def annotated(template: PodTemplate) -> AnnotatedPods:
    """A pod template with its annotations."""
    place = Place(template.spec.owner, template.spec.path[:-1])
    return AnnotatedPods(template.name, template.count, place, template.annotations)
