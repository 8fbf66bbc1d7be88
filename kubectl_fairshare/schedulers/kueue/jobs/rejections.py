"""What Kueue's webhooks reject in a new job, besides what concerns the requests and the topology of its pods.

Source: Kueue v0.19, the checks of jobs on creation.
Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.api.label_syntax import is_subdomain
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.numbers import whole_number
from kubectl_fairshare.schedulers.kueue.jobs.features import is_elastic
from kubectl_fairshare.schedulers.kueue.jobs.grouping import GROUP_NAME, TOTAL_COUNT, group_name
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import MIN_PARALLELISM
from kubectl_fairshare.schedulers.kueue.jobs.management import QUEUE_LABEL
from kubectl_fairshare.schedulers.kueue.jobs.names import PREBUILT_KEY, naming_field
from kubectl_fairshare.schedulers.kueue.model.gates import GATED_BY, gate_mistakes, gates_in
from kubectl_fairshare.schedulers.kueue.model.objects import ELASTIC_JOB, GROUP, Configuration
from kubectl_fairshare.schedulers.kueue.model.topology import PREFIX

MOST_SECONDS: Final = f"{GROUP}/max-exec-time-seconds"
EQUAL: Final = f"{GROUP}/job-completions-equal-parallelism"
MANAGED: Final = f"{GROUP}/managed"
_SERVING: Final = frozenset({"deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
_ELASTIC: Final = frozenset({"batch/job", "ray.io/raycluster", "ray.io/rayjob", "ray.io/rayservice"})
_NEVER_PREBUILT: Final = frozenset({"kubeflow.org/jaxjob", "sparkoperator.k8s.io/sparkapplication"})
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})
_NAME: Final = "write a name in lower case, with `-` and `.` inside"


class Rejection(NamedTuple):
    """A label or annotation for which a new job is rejected: its place, why, and what to write."""

    place: Place
    why: str
    remedy: str
    evidence: tuple[tuple[str, str], ...] = ()


def rejections(job: Field, kind: JobKind, configuration: Configuration, *, managed: bool) -> Iterator[Problem]:
    """The problems for which the webhook rejects the job, whether Kueue manages it or not."""
    for each in (*setting_rejections(job, kind, configuration, managed=managed), *_of_group(job, kind)):
        yield Problem(f"{each.why}: Kueue's webhook rejects it", each.place, each.remedy)


def setting_rejections(
    job: Field, kind: JobKind, configuration: Configuration, *, managed: bool
) -> Iterator[Rejection]:
    """The labels and annotations for which the webhook rejects the job, without those that count a group of pods."""
    metadata = job.at("metadata")
    labels, annotations = metadata.at("labels"), metadata.at("annotations")
    yield from _bad_names(labels.at(QUEUE_LABEL))
    if is_elastic(annotations, configuration):
        yield from _of_elastic(job, kind, configuration)
    for mistake in gate_mistakes(gates_in(annotations.at(GATED_BY).text())) if configuration.admission_gates else ():
        yield Rejection(annotations.at(GATED_BY).place, mistake.why, "write `example.com/gate`")
    if kind.framework in _SERVING:
        return
    prebuilt, seconds = naming_field(metadata, PREBUILT_KEY), labels.at(MOST_SECONDS)
    yield from _bad_names(prebuilt)
    if prebuilt.text() and kind.framework in _NEVER_PREBUILT:
        yield Rejection(prebuilt.place, f"a {kind.kind} cannot have a prebuilt Workload", "remove the key")
    if seconds.value is not None and (whole_number(seconds.text()) or 0) <= 0:
        why = f"`{seconds.text()}` is not a number of seconds above 0"
        yield Rejection(seconds.place, why, "write whole seconds, in quotes")
    if kind.framework == "batch/job":
        yield from _unequal(job)
    if kind.framework == "pod":
        yield from _of_pod(metadata, managed=managed)
        node = job.at("spec", "nodeName")
        if managed and node.text():
            yield Rejection(node.place, "a pod with a node cannot get a scheduling gate", "remove `nodeName`")


def _of_group(job: Field, kind: JobKind) -> Iterator[Rejection]:
    total = job.at("metadata", "annotations", TOTAL_COUNT)
    if kind.framework == "pod" and total.value is not None and not group_name(job):
        yield nameless_group(total.place)


def nameless_group(total: Place) -> Rejection:
    """Why the webhook rejects a Pod with the number of pods of a group, at ``total``, but not its name."""
    return Rejection(total, "it has the total count of a group, but no group name", f"write the label `{GROUP_NAME}`")


def _bad_names(name: Field) -> Iterator[Rejection]:
    if name.value is not None and not is_subdomain(name.text()):
        why = f"`{name.text()}` is not a valid object name" if name.text() else f"`{name.path[-1]}` is empty"
        yield Rejection(name.place, why, _NAME)


def _of_elastic(job: Field, kind: JobKind, configuration: Configuration) -> Iterator[Rejection]:
    """What an elastic job may not be or have."""
    annotations = job.at("metadata", "annotations")
    if kind.framework not in _ELASTIC:
        why = f"a {kind.kind} cannot be elastic"
        yield Rejection(annotations.at(ELASTIC_JOB).place, why, "remove the annotation")
    if kind.framework != "batch/job":
        return
    least = annotations.at(MIN_PARALLELISM)
    if least.value is not None:
        yield Rejection(least.place, "an elastic job cannot be admitted in part", "remove one of the annotations")
    asked = job.at("spec", "template", "metadata", "annotations")
    for name in ("required-topology", "preferred-topology") if configuration.topology else ():
        topology = asked.at(f"{PREFIX}{name}")
        if topology.value is not None:
            why = f"an elastic job cannot have a {name.replace('-', ' ')}"
            yield Rejection(topology.place, why, f"write `{PREFIX}unconstrained-topology`")


def _of_pod(metadata: Field, *, managed: bool) -> Iterator[Rejection]:
    """The mistakes of a pod; where Kueue manages it, it writes the label for that itself first."""
    label = metadata.at("labels", MANAGED)
    if label.value is not None and label.text() != "true" and not managed:
        yield Rejection(label.place, f"`{MANAGED}` is `{label.text()}`", "write `true`, or remove the label")
    group, prebuilt = naming_field(metadata, GROUP_NAME), naming_field(metadata, PREBUILT_KEY)
    if group.text():
        yield from _bad_names(group)
    if group.text() and prebuilt.text() and group.text() != prebuilt.text():
        why = f"the prebuilt Workload `{prebuilt.text()}` has another name than the group `{group.text()}`"
        yield Rejection(prebuilt.place, why, "write the name of the group")


def _unequal(job: Field) -> Iterator[Rejection]:
    """The mistakes of a Job whose completions follow its parallelism."""
    equal, spec = job.at("metadata", "annotations", EQUAL), job.at("spec")
    if equal.value is not None and equal.text() not in _TRUE | _FALSE:
        yield Rejection(equal.place, f"`{equal.text()}` is neither true nor false", "write `true`")
    if equal.text() not in _TRUE:
        return
    if spec.at("completionMode").text("NonIndexed") == "NonIndexed":
        why = "completions follow parallelism only in Indexed jobs"
        yield Rejection(equal.place, why, "write `completionMode: Indexed`, or remove the annotation")
    parallelism, completions = (spec.at(name).natural(1) for name in ("parallelism", "completions"))
    if parallelism != completions:
        yield Rejection(
            spec.at("completions").place,
            f"its completions, {completions}, do not equal its parallelism, {parallelism}",
            f"write `completions: {parallelism}`",
            (("completions", str(completions)), ("parallelism", str(parallelism))),
        )
