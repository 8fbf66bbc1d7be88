"""Labels and annotations of jobs that Kueue's webhook rejects."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import whole_number
from kubectl_fairshare.schedulers.kueue.jobs.grouping import FAST, GROUP_NAME, TOTAL_COUNT, group_name
from kubectl_fairshare.schedulers.kueue.jobs.kinds.of_manifest import job_kind
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import MIN_PARALLELISM
from kubectl_fairshare.schedulers.kueue.jobs.management import local_queue
from kubectl_fairshare.schedulers.kueue.jobs.rejections import Rejection, nameless_group, setting_rejections
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.jobs.kinds import ReadJob, in_new_jobs, is_enabled, jobs, new_jobs


def _whole(text: Json) -> int | None:
    return whole_number(text) if isinstance(text, str) else None


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
        text = job.annotations.get(MIN_PARALLELISM) if job.framework == "batch/job" else None
        least, pods = _whole(text), _pods(job)
        if isinstance(text, str) and (least is None or not 0 < least < pods):
            few = "remove it: a Job with one pod cannot use it" if pods < 2 else f"write a number from 1 to {pods - 1}"
            yield Finding(
                job.annotation(MIN_PARALLELISM),
                f"Kueue rejects {job.title}: a minimum parallelism of `{text}` is not above 0 and below its {pods}",
                Remedy(few),
                evidence=(("least", text), ("pods", str(pods))),
            )


@error_rule("K176")
def job_setting_refused(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value; a job that cannot be read has none."""
    yield from (_refused(job, each) for job, each in in_new_jobs(given, _rejections))


def _rejections(job: ReadJob, given: KueueGiven) -> Iterator[Rejection]:
    kind = job_kind(job.manifest)
    _, unmanaged = local_queue(job.root, kind, given.context, stored=False)
    return setting_rejections(job.root, kind, given.context.configuration, managed=unmanaged is None)


def _refused(job: ReadJob, rejection: Rejection) -> Finding:
    message = f"Kueue rejects {job.title}: {rejection.why}"
    return Finding(rejection.place, message, Remedy(rejection.remedy), evidence=rejection.evidence)


@error_rule("K177")
def pod_group_incomplete(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each rejected Pod, and for each group with a wrong number of pods."""
    groups: dict[tuple[str, str], list[ReadJob]] = {}
    for pod in jobs(given):
        if pod.framework != "pod" or is_enabled(given, "pod") is False:
            continue
        name, total = group_name(pod.root), pod.annotations.get(TOTAL_COUNT)
        refusal = None if pod.manifest.stored else _group_refusal(pod, name, total)
        if refusal is not None:
            yield refusal
        elif name and (_whole(total) or 0) > 0:
            groups.setdefault((pod.manifest.key.namespace, name), []).append(pod)
    for (namespace, name), pods in sorted(groups.items()):
        yield from _short_of(f"{namespace}/{name}", pods)


def _group_refusal(pod: ReadJob, name: str, total: Json) -> Finding | None:
    if name and total is None:
        where = pod.annotation if name == pod.annotations.get(GROUP_NAME) else pod.label
        message = f"Kueue rejects {pod.title}: its group `{name}` has no total count"
        remedy = Remedy(f"write the annotation `{TOTAL_COUNT}`, the number of pods in the group")
        return Finding(where(GROUP_NAME), message, remedy)
    if not name and total is not None:
        return _refused(pod, nameless_group(pod.annotation(TOTAL_COUNT)))
    if isinstance(total, str) and (_whole(total) or 0) <= 0:
        message = f"Kueue rejects {pod.title}: `{total}` is not a number of pods above 0"
        return Finding(pod.annotation(TOTAL_COUNT), message, Remedy("write the number of pods in the group, in quotes"))
    return None


def _short_of(group: str, pods: Sequence[ReadJob]) -> Iterator[Finding]:
    """Why a group has no Workload; a group that is admitted pod by pod needs only its first pod."""
    number: Callable[[ReadJob], int] = lambda pod: _whole(pod.annotations.get(TOTAL_COUNT)) or 0  # noqa: E731
    first = pods[0]
    other = next((pod for pod in pods if number(pod) != number(first)), None)
    if other is not None:
        yield Finding(
            other.annotation(TOTAL_COUNT),
            f"pod group `{group}` counts {number(other)} pods here and {number(first)} elsewhere: it gets no Workload",
            Remedy("write the same number in all its Pods"),
            related=(Related("another count", first.annotation(TOTAL_COUNT)),),
        )
    elif len(pods) < number(first) and first.annotations.get(FAST) != "true":
        yield Finding(
            first.annotation(TOTAL_COUNT),
            f"pod group `{group}` waits for more pods: its count is {number(first)}, and the input has {len(pods)}",
            Remedy("add the other Pods, or write their number"),
            evidence=(("counted", str(number(first))), ("given", str(len(pods)))),
            elsewhere=f"a Pod of group {group}",
            severity=Severity.WARNING,
        )
