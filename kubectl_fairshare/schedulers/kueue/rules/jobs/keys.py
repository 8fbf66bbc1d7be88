"""Labels and annotations of jobs that Kueue ignores: misspelt, or in the wrong place."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy, Remove, Rename
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.names import distance
from kubectl_fairshare.model.json import Json, mapping
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import QUEUE_NAME, ReadJob, is_enabled, new_jobs

_LAST_ANNOTATED: Final = Release(0, 14)
"""The last release that also reads the queue's name from an annotation."""
_PREFIX: Final = f"{GROUP}/"
_NEAR: Final = 2
_LABELS: Final = frozenset(
    {
        "job-uid",
        "managed",
        "max-exec-time-seconds",
        "multikueue-origin",
        "pod-group-name",
        "pod-group-pod-index",
        "podset",
        "prebuilt-workload-name",
        "priority-class",
        "queue-name",
        "tas",
    }
)
_OF_PODS: Final = frozenset(
    {
        "podset-group-name",
        "podset-preferred-topology",
        "podset-required-topology",
        "podset-slice-required-topology",
        "podset-slice-required-topology-constraints",
        "podset-slice-size",
        "podset-unconstrained-topology",
    }
)
"""Annotations that Kueue reads from the pod template."""
_ANNOTATIONS: Final = _OF_PODS | frozenset(
    {
        "admission-gated-by",
        "elastic-job",
        "job-completions-equal-parallelism",
        "job-min-parallelism",
        "pod-group-fast-admission",
        "pod-group-pod-index-label",
        "pod-group-serving",
        "pod-group-name",
        "pod-group-total-count",
        "pod-suspending-parent",
        "prebuilt-workload-name",
        "retriable-in-group",
        "role-hash",
        "workload",
        "workload-slice-replacement-for",
    }
)


class _Where(NamedTuple):
    """Labels or annotations: the field of metadata, the keys that Kueue reads there, and those of the other field."""

    field: str
    other: str
    read: frozenset[str]
    elsewhere: frozenset[str]


_PLACES: Final = (
    _Where("labels", "annotations", _LABELS, _ANNOTATIONS),
    _Where("annotations", "labels", _ANNOTATIONS, _LABELS),
)


@warning_rule("K178")
def job_key_ignored(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each key, and one for each queue name in a place that Kueue does not read."""
    for job in new_jobs(given):
        for where in _PLACES:
            metadata = mapping(job.manifest.data, *job.carrier, "metadata")
            for key, value in mapping(metadata, where.field).items():
                was_read = key == QUEUE_NAME and given.release.may_be(_LAST_ANNOTATED)
                if isinstance(key, str) and key.startswith(_PREFIX) and not was_read:
                    yield from _passed_over(job, where, key, value, metadata)
        yield from _queue_name_elsewhere(given, job)
        yield from _topology_of_the_job(job)


def _passed_over(job: ReadJob, where: _Where, key: str, value: Json, metadata: Mapping[str, Json]) -> Iterator[Finding]:
    """The finding for one key of Kueue's, if it has a mistake."""
    name = key.removeprefix(_PREFIX)
    place = job.at("metadata", where.field, key)
    if name in where.elsewhere - where.read and key not in mapping(metadata, where.other):
        edits: tuple[Edit, ...] = ()
        if isinstance(metadata.get(where.other), dict):
            edits = (Remove(place), Insert(job.at("metadata", where.other), key, value))
        singular = where.other.removesuffix("s")
        since = f" since v{_LAST_ANNOTATED.major}.{_LAST_ANNOTATED.minor + 1}" if key == QUEUE_NAME else ""
        message = f"Kueue ignores `{key}` of {job.title}{since}: it reads that key from an {singular}"
        yield Finding(place, message.replace("an label", "a label"), Remedy(f"move it to the {where.other}", edits))
    elif name not in where.read and (near := _near(name, where.read)):
        message = f"Kueue ignores `{key}` of {job.title}; `{_PREFIX}{near}` is nearly the same key"
        edits = (Rename(place, f"{_PREFIX}{near}"),) if f"{_PREFIX}{near}" not in mapping(metadata, where.field) else ()
        yield Finding(place, message, Remedy(f"write `{_PREFIX}{near}`", edits))


def _near(name: str, known: frozenset[str]) -> str:
    """The known key that a name misspells; empty if no key is similar."""
    plain = name.replace("_", "-").lower()
    return next((other for other in sorted(known) if distance(plain, other, _NEAR) <= _NEAR < len(other) - 1), "")


def _queue_name_elsewhere(given: KueueGiven, job: ReadJob) -> Iterator[Finding]:
    """A queue name on a CronJob itself, or only on a Job's pods."""
    if job.framework != "batch/job" or QUEUE_NAME in job.labels:
        return
    if job.carrier and QUEUE_NAME in mapping(job.manifest.data, "metadata", "labels"):
        place = job.at()._replace(path=("metadata", "labels", QUEUE_NAME))
        message = f"{job.title} names a queue, but the Jobs that it creates do not"
        yield Finding(place, message, Remedy("write the label in `spec.jobTemplate.metadata.labels`"))
    elif QUEUE_NAME in mapping(job.spec, "template", "metadata", "labels") and not is_enabled(given, "pod"):
        yield Finding(
            job.at("spec", "template", "metadata", "labels", QUEUE_NAME),
            f"the pods of {job.title} name a queue, but the job itself does not, and Kueue reads the job",
            Remedy("write the label in the job's own `metadata.labels`"),
            elsewhere="" if is_enabled(given, "pod") is False else "the framework `pod` in Kueue's Configuration",
        )


def _topology_of_the_job(job: ReadJob) -> Iterator[Finding]:
    """A topology that is requested on a Job itself, and not on its pods."""
    if job.framework != "batch/job":
        return
    template = mapping(job.spec, "template")
    for key in mapping(job.manifest.data, *job.carrier, "metadata", "annotations"):
        name = key.removeprefix(_PREFIX) if isinstance(key, str) and key.startswith(_PREFIX) else ""
        if name in _OF_PODS and key not in mapping(template, "metadata", "annotations"):
            message = (
                f"Kueue ignores `{key}` of {job.title}: it reads that key from the annotations of the pod template"
            )
            remedy = Remedy("move it to `spec.template.metadata.annotations`")
            yield Finding(job.at("metadata", "annotations", key), message, remedy)
