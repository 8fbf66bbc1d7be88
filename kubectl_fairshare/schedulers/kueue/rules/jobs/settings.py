"""Labels and annotations of jobs that Kueue's webhook rejects."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.api.label_syntax import is_subdomain
from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import QUEUE_NAME, SERVING, ReadJob, is_enabled, jobs, new_jobs

_MIN_PARALLELISM: Final = f"{GROUP}/job-min-parallelism"
_EQUAL: Final = f"{GROUP}/job-completions-equal-parallelism"
_MOST_SECONDS: Final = f"{GROUP}/max-exec-time-seconds"
_PREBUILT: Final = f"{GROUP}/prebuilt-workload-name"
_POD_GROUP: Final = f"{GROUP}/pod-group-name"
_TOTAL: Final = f"{GROUP}/pod-group-total-count"
_FAST: Final = f"{GROUP}/pod-group-fast-admission"
_TRUE: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_MOST_DIGITS: Final = 18
_SUSPENDED: Final = "Kueue's webhook rejects the job, so it is never created."


def _whole(text: Json) -> int | None:
    """The number that Go reads in a text; None if it is not a number."""
    if not isinstance(text, str) or len(text) > _MOST_DIGITS or not re.fullmatch(r"[+-]?[0-9]+", text):
        return None
    return int(text)


def _is_true(text: Json) -> bool:
    return isinstance(text, str) and text in _TRUE


def _count(spec: Mapping[str, Json], name: str) -> int | None:
    value = spec.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _pods(job: ReadJob) -> int:
    """The pods of a Job that run at the same time."""
    parallelism, completions = _count(job.spec, "parallelism"), _count(job.spec, "completions")
    most = 1 if parallelism is None else parallelism
    return most if completions is None else min(most, completions)


@error_rule("K175")
def min_parallelism_out_of_range(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Job and CronJob that is not stored yet: Kueue may have lowered the parallelism of others."""
    for job in new_jobs(given):
        text = job.annotations.get(_MIN_PARALLELISM) if job.framework == "batch/job" else None
        least, pods = _whole(text), _pods(job)
        if isinstance(text, str) and (least is None or not 0 < least < pods):
            few = "remove it: a Job with one pod cannot use it" if pods < 2 else f"write a number from 1 to {pods - 1}"
            yield Finding(
                job.annotation(_MIN_PARALLELISM),
                f"Kueue rejects {job.title}: a minimum parallelism of `{text}` is not above 0 and below its {pods}",
                Remedy(few),
                evidence=(("least", text), ("pods", str(pods))),
            )


@error_rule("K176")
def job_setting_refused(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    for job in new_jobs(given):
        for name in (QUEUE_NAME, _PREBUILT):
            value = job.labels.get(name)
            if isinstance(value, str) and not is_subdomain(value):
                message = f"Kueue rejects {job.title}: `{value}` is not a valid object name"
                yield Finding(job.label(name), message, Remedy("write a name in lower case, with `-` and `.` inside"))
        seconds = job.labels.get(_MOST_SECONDS)
        if isinstance(seconds, str) and job.framework not in SERVING and (_whole(seconds) or 0) <= 0:
            message = f"Kueue rejects {job.title}: `{seconds}` is not a number of seconds above 0"
            yield Finding(job.label(_MOST_SECONDS), message, Remedy("write whole seconds, in quotes"))
        if job.framework == "batch/job":
            yield from _unequal(job)


def _unequal(job: ReadJob) -> Iterator[Finding]:
    """The mistakes of a Job whose completions should follow its parallelism."""
    text = job.annotations.get(_EQUAL)
    place = job.annotation(_EQUAL)
    if isinstance(text, str) and text not in _TRUE | _FALSE:
        yield Finding(place, f"Kueue rejects {job.title}: `{text}` is neither true nor false", Remedy("write `true`"))
    if not _is_true(text):
        return
    if job.spec.get("completionMode") != "Indexed":
        message = f"Kueue rejects {job.title}: completions follow parallelism only in Indexed jobs"
        yield Finding(place, message, Remedy("write `completionMode: Indexed`, or remove the annotation"))
    parallelism, completions = _count(job.spec, "parallelism"), _count(job.spec, "completions")
    first, second = 1 if parallelism is None else parallelism, 1 if completions is None else completions
    if first != second:
        yield Finding(
            job.at("spec", "completions"),
            f"Kueue rejects {job.title}: its completions, {second}, do not equal its parallelism, {first}",
            Remedy(f"write `completions: {first}`"),
            evidence=(("completions", str(second)), ("parallelism", str(first))),
        )


@error_rule("K177")
def pod_group_incomplete(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each rejected Pod, and for each group with a wrong number of pods."""
    groups: dict[tuple[str, str], list[ReadJob]] = {}
    for pod in jobs(given):
        if pod.framework != "pod" or is_enabled(given, "pod") is False:
            continue
        name, total = pod.labels.get(_POD_GROUP), pod.annotations.get(_TOTAL)
        refusal = None if pod.manifest.stored else _group_refusal(pod, name, total)
        if refusal is not None:
            yield refusal
        elif isinstance(name, str) and name and (_whole(total) or 0) > 0:
            groups.setdefault((pod.manifest.key.namespace, name), []).append(pod)
    for (namespace, name), pods in sorted(groups.items()):
        yield from _short_of(f"{namespace}/{name}", pods)


def _group_refusal(pod: ReadJob, name: Json, total: Json) -> Finding | None:
    if name and total is None:
        message = f"Kueue rejects {pod.title}: its group `{name}` has no total count"
        remedy = Remedy(f"write the annotation `{_TOTAL}`, the number of pods in the group")
        return Finding(pod.label(_POD_GROUP), message, remedy)
    if not name and total is not None:
        message = f"Kueue rejects {pod.title}: it has the total count of a group, but no group name"
        return Finding(pod.annotation(_TOTAL), message, Remedy(f"write the label `{_POD_GROUP}`"))
    if isinstance(total, str) and (_whole(total) or 0) <= 0:
        message = f"Kueue rejects {pod.title}: `{total}` is not a number of pods above 0"
        return Finding(pod.annotation(_TOTAL), message, Remedy("write the number of pods in the group, in quotes"))
    return None


def _short_of(group: str, pods: Sequence[ReadJob]) -> Iterator[Finding]:
    """Why a group has no Workload; a group that is admitted pod by pod needs only its first pod."""
    number: Callable[[ReadJob], int] = lambda pod: _whole(pod.annotations.get(_TOTAL)) or 0  # noqa: E731
    first = pods[0]
    other = next((pod for pod in pods if number(pod) != number(first)), None)
    if other is not None:
        yield Finding(
            other.annotation(_TOTAL),
            f"pod group `{group}` counts {number(other)} pods here and {number(first)} elsewhere: it gets no Workload",
            Remedy("write the same number in all its Pods"),
            related=(Related("another count", first.annotation(_TOTAL)),),
        )
    elif len(pods) < number(first) and not _is_true(first.annotations.get(_FAST)):
        yield Finding(
            first.annotation(_TOTAL),
            f"pod group `{group}` waits for more pods: its count is {number(first)}, and the input has {len(pods)}",
            Remedy("add the other Pods, or write their number"),
            evidence=(("counted", str(number(first))), ("given", str(len(pods)))),
            elsewhere=f"a Pod of group {group}",
            severity=Severity.WARNING,
        )
