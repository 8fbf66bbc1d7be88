"""A trace from its text: each mistake at its line, with a remedy."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import BinaryIO, Final

import msgspec

from kubectl_fairshare.input.files import raw_bytes
from kubectl_fairshare.input.files.files import MAX_INPUT
from kubectl_fairshare.input.files.paths import STDIN, shown_path
from kubectl_fairshare.jobs.history import Lost, PastWork, in_arrival
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob, TracedPods
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.report.documents.trace import TolerationPart, TracedJobPart, TraceDocument, TracedPodsPart

_SECOND: Final = 10**9
_MOST: Final = 20
"""Mistakes that one reading reports."""
_LONGEST: Final = 10**9
"""Seconds of the longest duration, some thirty years: beyond it a sum of moments could leave 64 bits."""
_REMEDY: Final = "compare with the schema `fairshare/v1alpha1/trace.json`, or write the trace again"
_OPEN: Final = "none"
_NOT_A_TRACE: Final = "write a trace with `kubectl fairshare trace -o FILE`; it can read other logs, too"


def log_bytes(path: str, *, stdin: BinaryIO | None = None, max_input: int = MAX_INPUT) -> tuple[str, bytes]:
    """The name of a source for people, and its bytes, decompressed. Raises ``FairshareError`` if it is unreadable."""
    budget = raw_bytes.Budget(max_input)
    if path == STDIN:
        return raw_bytes.STDIN_NAME, raw_bytes.of_stdin(stdin, budget)
    return shown_path(path), raw_bytes.of_file(path, budget)


def read_trace(path: str, *, stdin: BinaryIO | None = None, max_input: int = MAX_INPUT) -> PastWork:
    """The jobs of a trace, by creation and name; ``-`` is ``stdin``, gzip is understood.

    Raises ``FairshareError`` with the first mistakes, each at its line.
    """
    return trace_of(*log_bytes(path, stdin=stdin, max_input=max_input))


def trace_of(name: str, data: bytes) -> PastWork:
    """The jobs in the text of a trace. Raises ``FairshareError``."""
    lines = ((number, line) for number, line in enumerate(data.splitlines(), 1) if line.strip())
    header = _header(name, *next(lines, (1, b"")))
    problems: list[Problem] = []
    jobs = list(_jobs(name, lines, problems))
    problems += repeated(name, jobs)
    if problems:
        raise FairshareError(*problems[:_MOST])
    try:
        until, since = _optional(header["until"]), _optional(header["lost"]["since"])
    except ValueError as error:
        raise FairshareError(Problem(str(error), Location(name, 1, 1), _REMEDY)) from None
    lost = Lost(header["lost"]["jobs"], since)
    ordered = in_arrival(job for _, job in jobs)
    redacted = "" if header["redacted"] == _OPEN else header["redacted"]
    return PastWork(header["scheduler"], header["source"], ordered, until, lost, tuple(header["notes"]), redacted)


def _header(name: str, number: int, line: bytes) -> TraceDocument:
    try:
        return msgspec.json.decode(line, type=TraceDocument)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        at = Location(name, number, 1)
        raise FairshareError(
            Problem(f"the first line is not the header of a trace: {_reason(error)}", at, _NOT_A_TRACE)
        ) from None


def _jobs(name: str, lines: Iterable[tuple[int, bytes]], problems: list[Problem]) -> Iterator[tuple[int, TracedJob]]:
    decoder = msgspec.json.Decoder(TracedJobPart)
    for number, line in lines:
        if len(problems) >= _MOST:
            return
        try:
            yield number, _job(decoder.decode(line))
        except (msgspec.DecodeError, ValueError) as error:
            problems.append(Problem(_reason(error), Location(name, number, 1), _REMEDY))


def _reason(error: Exception) -> str:
    text = str(error).rstrip(".")
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _job(line: TracedJobPart) -> TracedJob:
    """The job of a line. Raises ``ValueError`` for a wrong moment, quantity or number."""
    job = TracedJob(
        name=line["name"],
        namespace=line["namespace"],
        queue=line["queue"],
        created=nanoseconds(line["created"]),
        pod_sets=tuple(map(_pods, line["podSets"])),
        priority=line.get("priority", 0),
        priority_class=line.get("priorityClass", ""),
        duration=_duration(line.get("durationSeconds")),
        reserved=_optional(line.get("reserved")),
        admitted=_optional(line.get("admitted")),
        readmitted=tuple(nanoseconds(each) for each in line.get("readmitted", ())),
        evictions=tuple(TracedEviction(nanoseconds(each["at"]), each["reason"]) for each in line.get("evicted", ())),
        finished=_optional(line.get("finished")),
        lacks=tuple(line.get("lacks", ())),
    )
    for field, value in (("name", job.name), ("podSets", job.pod_sets)):
        if not value:
            raise ValueError(f"`{field}` is empty")
    return job


def _optional(text: str | None) -> int | None:
    return None if text is None else nanoseconds(text)


def _duration(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    if not 0 <= seconds <= _LONGEST:
        raise ValueError(f"`durationSeconds` is not a duration: `{seconds:g}`")
    return round(seconds * _SECOND)


def _pods(part: TracedPodsPart) -> TracedPods:
    if not 0 <= part["count"] < 1 << 31:
        raise ValueError(f"`count` is not a number of pods: `{part['count']}`")
    requests = {resource: resource_amount(resource, text) for resource, text in part["requests"].items()}
    tolerations = tuple(map(_toleration, part.get("tolerations", ())))
    selector = part.get("nodeSelector", {})
    return TracedPods(part["name"], part["count"], requests, part.get("minCount"), selector, tolerations)


@lru_cache(maxsize=4096)
def resource_amount(resource: str, text: str) -> int:
    """A quantity of a resource. Raises ``ValueError`` for another text, or a negative one."""
    amount = quantity.amount(resource, text)
    if amount < 0:
        raise ValueError(f"`{resource}` is negative: `{text[:64]}`")
    return amount


def _toleration(part: TolerationPart) -> Toleration:
    key, operator = part.get("key", ""), part.get("operator", "Equal")
    return Toleration(key, operator, part.get("value", ""), part.get("effect", ""))


def repeated(name: str, jobs: Iterable[tuple[int, TracedJob]]) -> Iterator[Problem]:
    """The lines whose job another line has, too. A line comes with its number."""
    first: dict[str, int] = {}
    for number, job in jobs:
        earlier = first.setdefault(job.key, number)
        if earlier != number:
            at, before = Location(name, number, 1), Location(name, earlier, 1)
            yield Problem(f"job `{job.key}` occurs twice", at, "keep one of the two lines", (("first here", before),))
