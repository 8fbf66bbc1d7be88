"""Logs with a column for each field (CSV) become traces; a mapping says which column holds what.

Cells are apart by commas, semicolons or tabs. Moments are RFC 3339 texts, ``2026-01-31 12:00:00`` in UTC, or seconds;
durations are seconds, ``HH:MM:SS`` or ``1h30m``. Requests are those of one pod.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from kubectl_fairshare.input.traces.reading import repeated, resource_amount
from kubectl_fairshare.jobs.history import PastWork, in_arrival, lacking_notes
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.phrases import did_you_mean, likely, quoted
from kubectl_fairshare.model.selectors import Toleration

FIELDS: Final = (
    *("name", "namespace", "queue", "created", "reserved", "admitted", "finished", "wait", "duration", "count"),
    *("minCount", "priority", "priorityClass"),
)
"""The fields of a job that a column can hold, and ``request.RESOURCE``."""
_REQUEST: Final = "request."
_CONSTANT: Final = ":"
_SECOND: Final = 10**9
_MOST: Final = 20
_SEPARATORS: Final = (",", ";", "\t")
_FAR: Final = 10**10
_SPACED: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?")
_ZONED: Final = re.compile(r"(?:[Zz]|[+-]\d\d:\d\d)$")
_CLOCK: Final = re.compile(r"(?:(\d+)[- ])?(\d+):(\d\d):(\d\d(?:\.\d+)?)")
_UNITS: Final = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?")
_EVERYWHERE: Final = (Toleration(operator="Exists"),)


class ColumnMapping:
    """Which column, or which constant text, holds each field: ``FIELD=COLUMN`` or ``FIELD=:TEXT``.

    Raises ``UsageError`` for an unknown field, or if no column holds when a job came.
    """

    def __init__(self, mapping: Sequence[str]) -> None:
        self.columns: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        for entry in (each.strip() for text in mapping for each in text.split(",") if each.strip()):
            field, equals, column = entry.partition("=")
            if not equals or not column:
                raise UsageError(Problem(f"`{entry}` is not FIELD=COLUMN", "--column", "write `--column queue=team`"))
            if field not in FIELDS and not field.startswith(_REQUEST):
                remedy = did_you_mean(likely(field, FIELDS, 1)) or f"fields are {quoted((*FIELDS, 'request.RESOURCE'))}"
                raise UsageError(Problem(f"unknown field `{field}`", "--column", remedy))
            if column.startswith(_CONSTANT):
                self.constants[field] = column.removeprefix(_CONSTANT)
            else:
                self.columns[field] = column
        if "created" not in self.columns:
            remedy = "name the column of submission times: `--column created=submit_time`"
            raise UsageError(Problem("no column holds when a job was created", "--column", remedy))
        if not any(field.startswith(_REQUEST) for field in (*self.columns, *self.constants)):
            remedy = "write what a pod requests: `--column request.nvidia.com/gpu=gpus`, or `request.cpu=:1`"
            raise UsageError(Problem("no column holds what a job requests", "--column", remedy))


def read_table(name: str, data: bytes, columns: ColumnMapping, namespace: str = "default") -> PastWork:
    """The jobs of a table whose first line has the names of its columns.

    Raises ``FairshareError`` with the first mistakes, each at its line.
    """
    places, rows = _opened(name, data.decode("utf-8-sig", "replace"), columns)
    jobs: list[tuple[int, TracedJob]] = []
    problems: list[Problem] = []
    for line, row in rows:
        if any(row) and len(problems) < _MOST:
            try:
                jobs.append((line, _job(_row(row, places, columns.constants), len(jobs) + 1, namespace)))
            except ValueError as error:
                problems.append(Problem(str(error), Location(name, line, 1), "fix the line, or leave it out"))
    problems += repeated(name, jobs)
    if problems or not jobs:
        none = Problem("the table has no job", name, "pass a table with a line per job")
        raise FairshareError(*(problems[:_MOST] or [none]))
    until = max((job.finished for _, job in jobs if job.finished is not None), default=None)
    ordered = in_arrival(job for _, job in jobs)
    return PastWork("", "csv", ordered, until, notes=tuple(lacking_notes(ordered)))


def _opened(name: str, text: str, columns: ColumnMapping) -> tuple[dict[str, int], Iterator[tuple[int, list[str]]]]:
    """The place of each field, and the rows below the titles, which say what separates cells.

    Raises ``FairshareError`` if the table lacks a column.
    """
    opened = [_titled(name, text, separator) for separator in _SEPARATORS]
    titles, rows = max(opened, key=lambda each: sum(column in each[0] for column in columns.columns.values()))
    missing = [column for column in columns.columns.values() if column not in titles]
    if missing:
        titles = max((each for each, _ in opened), key=len)
        remedy = did_you_mean(likely(missing[0], titles, 1)) or f"columns are {quoted(titles)}"
        raise FairshareError(Problem(f"there is no column `{missing[0]}`", Location(name, 1, 1), remedy))
    return {field: titles.index(column) for field, column in columns.columns.items()}, rows


def _titled(name: str, text: str, separator: str) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The titles of the columns, and the rows below them."""
    rows = _rows(name, text, separator)
    return [each.strip() for each in next(rows, (0, []))[1]], rows


def _rows(name: str, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows and their lines. Raises ``FairshareError`` at a broken row, such as an endless cell."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        remedy = "pass comma-separated values, with quotes around cells that contain commas, quotes or line ends"
        raise FairshareError(Problem(str(error), Location(name, reader.line_num, 1), remedy)) from None


def _row(row: list[str], places: Mapping[str, int], constants: Mapping[str, str]) -> dict[str, str]:
    short = [field for field, place in places.items() if place >= len(row)]
    if short:
        raise ValueError(f"the line has {len(row)} columns, and none for `{short[0]}`")
    return {**constants, **{field: row[place].strip() for field, place in places.items() if row[place].strip()}}


def _job(row: Mapping[str, str], number: int, namespace: str) -> TracedJob:
    """The job of a row. Raises ``ValueError`` for a wrong cell."""
    if "created" not in row:
        raise ValueError("`created` is empty")
    created = _cell(row, "created", _moment) or 0
    wait, duration = _cell(row, "wait", _duration), _cell(row, "duration", _duration)
    admitted = _cell(row, "admitted", _moment)
    if admitted is None and wait is not None:
        admitted = created + wait
    finished = _cell(row, "finished", _moment)
    if finished is None and admitted is not None and duration is not None:
        finished = admitted + duration
    _check_order({"created": created, "admitted": admitted, "finished": finished})
    if duration is None and finished is not None and admitted is not None:
        duration = finished - admitted
    return TracedJob(
        row.get("name", f"job-{number}"),
        row.get("namespace", namespace),
        row.get("queue", ""),
        created,
        (_pods(row),),
        _cell(row, "priority", _whole) or 0,
        row.get("priorityClass", ""),
        duration,
        _cell(row, "reserved", _moment),
        admitted,
        finished=finished,
        lacks=tuple(_parts(row)),
    )


def _parts(row: Mapping[str, str]) -> Iterator[str]:
    """The resources of nodes' devices of which a pod has a part alone: it is counted as a whole one."""
    for field, text in row.items():
        resource = field.removeprefix(_REQUEST)
        if "/" in resource and quantity.milli(text) % 1000:
            yield f"a part of one {resource}, counted as whole"


def _check_order(moments: Mapping[str, int | None]) -> None:
    """Raises ``ValueError`` if a moment is before one that must come earlier."""
    known = [(name, at) for name, at in moments.items() if at is not None]
    for (first, at), (second, later) in pairwise(known):
        if later < at:
            raise ValueError(f"`{second}` is before `{first}`")


def _pods(row: Mapping[str, str]) -> TracedPods:
    count = _cell(row, "count", _whole)
    requests = dict(_requests(row))
    least = _cell(row, "minCount", _whole)
    return TracedPods("main", 1 if count is None else count, requests, least, tolerations=_EVERYWHERE)


def _requests(row: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    for field, text in row.items():
        if field.startswith(_REQUEST):
            resource = field.removeprefix(_REQUEST)
            amount = resource_amount(resource, text)
            if amount:
                yield resource, amount


def _cell(row: Mapping[str, str], field: str, read: Callable[[str], int]) -> int | None:
    """The value of a cell; None for an empty one. Raises ``ValueError`` that names the field."""
    text = row.get(field)
    if text is None:
        return None
    try:
        return read(text)
    except (ValueError, OverflowError):
        raise ValueError(f"`{field}` cannot be read: `{text[:64]}`") from None


def _whole(text: str) -> int:
    value = float(text)
    if not value.is_integer() or abs(value) >= 1 << 31:
        raise ValueError(text)
    return int(value)


def _moment(text: str) -> int:
    """A moment in nanoseconds: seconds since the epoch, or a date with a time, in UTC if it has no zone."""
    if text[:1].isdigit() and "-" not in text and ":" not in text:
        return _seconds(text)
    if _SPACED.match(text):
        text = text.replace(" ", "T", 1).replace(" ", "")
    return nanoseconds(text if _ZONED.search(text) else f"{text}Z")


def _seconds(text: str) -> int:
    value = float(text)
    if not math.isfinite(value) or not 0 <= value < _FAR:
        raise ValueError(text)
    return round(value * _SECOND)


def _duration(text: str) -> int:
    """A duration in nanoseconds."""
    if (clock := _CLOCK.fullmatch(text)) is not None:
        days, hours, minutes, seconds = (float(each or 0) for each in clock.groups())
    elif text and (units := _UNITS.fullmatch(text)) is not None:
        days, hours, minutes, seconds = (float(each or 0) for each in units.groups())
    else:
        return _seconds(text)
    return round((days * 86400 + hours * 3600 + minutes * 60 + seconds) * _SECOND)
