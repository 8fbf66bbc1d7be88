"""A trace as its text: a header, then a line for each job."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

import orjson

from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.report.documents.parts import FILE_VERSION
from kubectl_fairshare.report.documents.trace import TolerationPart, TracedJobPart, TraceDocument, TracedPodsPart

_SECOND: Final = 10**9
Aliases: TypeAlias = Mapping[str, str]
"""Pseudonyms by name; a name that is not in it stays."""


def trace_text(work: PastWork, aliases: Aliases, redacted: str, hide: Callable[[str], str]) -> bytes:
    """The lines of a trace. ``aliases`` replace names, ``hide`` does so inside of the sentences of notes."""
    lines: Iterator[TraceDocument | TracedJobPart] = iter((_header(work, redacted, hide), *_jobs(work, aliases)))
    return b"".join(orjson.dumps(line) + b"\n" for line in lines)


def _header(work: PastWork, redacted: str, hide: Callable[[str], str]) -> TraceDocument:
    start = min((job.created for job in work.jobs), default=None)
    return {
        "apiVersion": FILE_VERSION,
        "kind": "Trace",
        "scheduler": work.scheduler,
        "source": work.source,
        "redacted": redacted,
        "jobs": len(work.jobs),
        "from": _optional(start),
        "until": _optional(work.until),
        "lost": {"jobs": work.lost.jobs, "since": _optional(work.lost.since)},
        "notes": [hide(note) for note in work.notes],
    }


def _jobs(work: PastWork, aliases: Aliases) -> Iterator[TracedJobPart]:
    return (job_line(job, aliases) for job in work.jobs)


def job_line(job: TracedJob, aliases: Aliases) -> TracedJobPart:
    """The line of one job; optional fields that say nothing are left out."""
    line: TracedJobPart = {
        "name": aliases.get(job.name, job.name),
        "namespace": aliases.get(job.namespace, job.namespace),
        "queue": aliases.get(job.queue, job.queue),
        "created": exact_moment(job.created),
        "podSets": [_pods(pods, aliases) for pods in job.pod_sets],
    }
    if job.priority:
        line["priority"] = job.priority
    if job.priority_class:
        line["priorityClass"] = aliases.get(job.priority_class, job.priority_class)
    if job.duration is not None:
        line["durationSeconds"] = job.duration / _SECOND
    if job.reserved is not None:
        line["reserved"] = exact_moment(job.reserved)
    if job.admitted is not None:
        line["admitted"] = exact_moment(job.admitted)
    if job.readmitted:
        line["readmitted"] = [exact_moment(each) for each in job.readmitted]
    if job.finished is not None:
        line["finished"] = exact_moment(job.finished)
    if job.evictions:
        line["evicted"] = [{"at": exact_moment(each.at), "reason": each.reason} for each in job.evictions]
    if job.lacks:
        line["lacks"] = list(job.lacks)
    return line


def _pods(pods: TracedPods, aliases: Aliases) -> TracedPodsPart:
    requests = {resource: quantity.text(resource, amount) for resource, amount in pods.requests.items()}
    part: TracedPodsPart = {"name": pods.name, "count": pods.count, "requests": requests}
    if pods.min_count is not None:
        part["minCount"] = pods.min_count
    if pods.node_selector:
        part["nodeSelector"] = {label: aliases.get(text, text) for label, text in pods.node_selector.items()}
    if pods.tolerations:
        part["tolerations"] = [_toleration(each, aliases) for each in pods.tolerations]
    return part


def _toleration(toleration: Toleration, aliases: Aliases) -> TolerationPart:
    part: TolerationPart = {"operator": toleration.operator}
    if toleration.key:
        part["key"] = toleration.key
    if toleration.value:
        part["value"] = aliases.get(toleration.value, toleration.value)
    if toleration.effect:
        part["effect"] = toleration.effect
    return part


def exact_moment(moment: int) -> str:
    """The RFC 3339 text of nanoseconds since the epoch, with as many digits of a second as it has."""
    text, rest = moment_text(moment), moment % _SECOND
    return f"{text[:-1]}.{rest:09d}".rstrip("0") + "Z" if rest else text


def _optional(moment: int | None) -> str | None:
    return None if moment is None else exact_moment(moment)
