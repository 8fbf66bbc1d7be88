"""Logs in the Standard Workload Format, as the Parallel Workloads Archive has them, become traces.

A line has 18 numbers, −1 where one is not known; comments at the head begin with ``;`` and have ``Key: Value``.
A processor of the log is a pod with a request of its own. Jobs that never started are left out, because a log does not
say how long they would have run; so are lines of partial runs, which a line for the whole job repeats.
Source: "The Standard Workload Format", version 2.2, of the Parallel Workloads Archive.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from kubectl_fairshare.input.traces.queue_names import QueueNames
from kubectl_fairshare.input.traces.reading import repeated
from kubectl_fairshare.jobs.history import PastWork, in_arrival
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.selectors import Toleration

FIELDS: Final = (
    *("job number", "submit time", "wait time", "run time", "number of allocated processors", "average CPU time used"),
    *("used memory", "requested number of processors", "requested time", "requested memory", "status", "user id"),
    *("group id", "executable number", "queue number", "partition number", "preceding job number"),
    "think time from preceding job",
)
"""The fields of a line, in order."""
QUEUE_FIELDS: Final = ("queue", "partition", "user", "group", "executable")
"""The fields that name the queue of a job."""
_SECOND: Final = 10**9
_KIB: Final = 1024
_MOST: Final = 20
_TOO_LARGE: Final = 1 << 31
_LATEST: Final = 10**10
_LAST_START: Final = 10**11
"""Seconds from 1970 to the year 5138: a job after it still ends before the year 9999, the last of dates."""
_COMMENT: Final = re.compile(r";\s*([A-Za-z]\w*)\s*:\s*(.*)")
_NAMED: Final = re.compile(r"(-?\d+)\s+(\S+)")
_PARTIAL: Final = (2, 3, 4)
_CANCELLED: Final = 5
_EVERYWHERE: Final = (Toleration(operator="Exists"),)
"""A log says nothing of placement, so that every flavor counts."""
_REMEDY: Final = "a line of the Standard Workload Format has 18 numbers, and -1 where one is not known"


class LogEntry(NamedTuple):
    """One line: its 18 fields, in order, −1 for what is not known. Times are seconds, memory KiB for each processor."""

    number: int
    submit: float
    wait: float
    run: float
    allocated: int
    cpu: float
    memory: float
    requested: int
    requested_time: float
    requested_memory: float
    status: int
    user: int
    group: int
    executable: int
    queue: int
    partition: int
    preceding: int
    think: float

    @property
    def is_partial(self) -> bool:
        """Whether it is one of several runs of a job."""
        return self.status in _PARTIAL

    @property
    def ran(self) -> bool:
        """Whether it is the line of a whole job that started."""
        return not self.is_partial and self.run >= 0 and not (self.status == _CANCELLED and self.run == 0)

    @property
    def processors(self) -> int:
        """The processors that it asked for, otherwise those that it got; at least 1."""
        return next((each for each in (self.requested, self.allocated) if each > 0), 1)

    @property
    def memory_each(self) -> float:
        """The memory of each processor that it asked for, otherwise that it used, in KiB; 0 if neither is known."""
        return next((each for each in (self.requested_memory, self.memory) if each > 0), 0.0)


_WHOLE: Final = frozenset({0, 4, 7, 10, 11, 12, 13, 14, 15, 16})


def read_log(name: str, data: bytes, per_processor: Mapping[str, int], queues: QueueNames) -> PastWork:
    """The jobs of a log. ``per_processor`` is what a pod requests besides memory that the log states.

    Raises ``FairshareError`` with the first mistakes, each at its line.
    """
    header: dict[str, list[str]] = {}
    entries: dict[int, LogEntry] = {}
    problems: list[Problem] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        text = line.strip()
        if text.startswith(";"):
            if (comment := _COMMENT.match(text)) is not None:
                header.setdefault(comment[1], []).append(comment[2].strip())
        elif text and len(problems) < _MOST:
            try:
                entries[number] = _entry(text.split())
            except ValueError as error:
                problems.append(Problem(str(error), Location(name, number, 1), _REMEDY))
    problems += [] if entries or problems else [Problem("the log has no job", name, _REMEDY)]
    if problems:
        raise FairshareError(*problems)
    start = _start(header.get("UnixStartTime", [""])[0])
    names = {word: _names(header.get(word.capitalize(), ())) for word in ("queue", "partition")}
    jobs = [(line, _job(each, start or 0, names, per_processor, queues)) for line, each in entries.items() if each.ran]
    if twice := tuple(repeated(name, jobs)):
        raise FairshareError(*twice[:_MOST])
    until = max((job.finished for _, job in jobs if job.finished is not None), default=None)
    notes = tuple(_notes([*entries.values()], start is not None))
    return PastWork("", "swf", in_arrival(job for _, job in jobs), until, notes=notes)


def _entry(words: list[str]) -> LogEntry:
    """The entry of a line. Raises ``ValueError``."""
    if len(words) != len(FIELDS):
        raise ValueError(f"the line has {len(words)} fields, not 18")
    entry = LogEntry(*(_number(word, place) for place, word in enumerate(words)))  # type: ignore[arg-type]
    if entry.submit < 0:
        raise ValueError(f"field 2 (submit time) is not known: `{words[1][:64]}`")
    return entry


def _number(word: str, place: int) -> float:
    """The number of a field. Raises ``ValueError`` for another text, and for more than any machine has."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"field {place + 1} ({FIELDS[place]}) is not a number: `{word[:64]}`")
    if abs(value) >= (_TOO_LARGE if place in _WHOLE else _LATEST):
        raise ValueError(f"field {place + 1} ({FIELDS[place]}) is too large: `{word[:64]}`")
    return int(value) if place in _WHOLE else value


def _start(text: str) -> int | None:
    """The start of the log in seconds since the epoch; None if that is not stated, or no moment."""
    try:
        seconds = int(float(text.split(maxsplit=1)[0]))
    except (ValueError, IndexError, OverflowError):
        return None
    return seconds if 0 <= seconds <= _LAST_START else None


def _names(values: "list[str] | tuple[str, ...]") -> dict[int, str]:
    """What a header calls queues or partitions: ``Queue: 1 batch``."""
    found = (_NAMED.match(value) for value in values)
    return {int(match[1]): match[2] for match in found if match is not None}


def _job(
    entry: LogEntry,
    start: int,
    names: Mapping[str, Mapping[int, str]],
    per_processor: Mapping[str, int],
    queues: QueueNames,
) -> TracedJob:
    words = {
        "queue": names["queue"].get(entry.queue, str(entry.queue)),
        "partition": names["partition"].get(entry.partition, str(entry.partition)),
        **{word: str(getattr(entry, word)) for word in ("user", "group", "executable")},
    }
    namespace, queue = queues.of(words)
    requests = dict(per_processor)
    if entry.memory_each and "memory" not in requests:
        requests["memory"] = round(entry.memory_each * _KIB)
    created = round((start + entry.submit) * _SECOND)
    admitted = None if entry.wait < 0 else created + round(entry.wait * _SECOND)
    duration = round(entry.run * _SECOND)
    return TracedJob(
        f"job-{entry.number}",
        namespace,
        queue,
        created,
        (TracedPods("main", entry.processors, requests, tolerations=_EVERYWHERE),),
        duration=duration,
        admitted=admitted,
        finished=None if admitted is None else admitted + duration,
    )


def _notes(entries: list[LogEntry], dated: bool) -> Iterator[str]:
    whole = [each for each in entries if not each.is_partial]
    ran = [each for each in whole if each.ran]
    if len(whole) < len(entries):
        partial = f"{len(entries) - len(whole)} of {len(entries)} lines"
        yield f"left out, because a line for the whole job repeats them: {partial} of partial runs"
    if len(ran) < len(whole):
        yield f"left out, because they never started: {len(whole) - len(ran)} of {len(whole)} jobs"
    dependent = sum(each.preceding > 0 for each in ran)
    if dependent:
        yield f"arriving when the log says, although they waited for an earlier job: {dependent} of {len(ran)} jobs"
    if not dated:
        yield "the log has no `UnixStartTime` that is a moment: moments count from 1970-01-01"
