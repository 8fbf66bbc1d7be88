"""A file of jobs and changes over time, for ``simulate --scenario``: validated, each mistake at its line.

Tested in ``tests/unit/policy/simulation/test_scenario_file.py``.
"""

import os
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final

from kubectl_fairshare.api import durations
from kubectl_fairshare.input.files.paths import STDIN, shown_path
from kubectl_fairshare.input.files.raw_bytes import STDIN_NAME, Budget, of_file, of_stdin
from kubectl_fairshare.input.files.roots import root_for
from kubectl_fairshare.input.own_file import OwnFile
from kubectl_fairshare.model import moments, quantity
from kubectl_fairshare.model.chance import Chance
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.json import FieldPath, JsonObject, listed, mapping, rows
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.values import Value

_REMEDY: Final = "see docs/simulate.md for the form"
_SPANS: Final = ("until", "checkpoint", "stopping", "sample")
_JOB_SPANS: Final = ("at", "every", "meanGap", "duration", "meanDuration")
_MOST_JOBS: Final = 1_000_000


class FileChange(Value, frozen=True):
    """A change of the policy at a moment: files to overlay, and objects to delete.

    Paths are relative to the folder of the scenario.
    """

    at: int
    name: str
    overlay: tuple[str, ...]
    delete: tuple[str, ...]


class JobScenario:
    """The file at ``path``, or standard input for ``-``. Raises ``FairshareError`` with all that is wrong in it.

    ``spans`` are the durations that the file sets, by name, in nanoseconds; ``start`` is a moment.
    """

    def __init__(self, path: str, stdin: BinaryIO | None, max_input: int) -> None:
        budget = Budget(max_input)
        name = STDIN_NAME if path == STDIN else shown_path(path)
        content = of_stdin(stdin, budget) if path == STDIN else of_file(path, budget)
        self._file = OwnFile(name, content, "job-scenario")
        if problems := self._file.problems(_REMEDY):
            raise FairshareError(*problems)
        self._data: JsonObject = mapping(self._file.data)
        self._folder = "" if path == STDIN else os.path.dirname(path)
        self._problems: list[Problem] = []
        self.start = self._start()
        spans = {name: self._span((name,), self._data) for name in _SPANS}
        self.spans = {name: span for name, span in spans.items() if span is not None}
        self.changes = tuple(self._changes())
        self._check_jobs()
        if self._problems:
            raise FairshareError(*self._problems)

    @property
    def root(self) -> str:
        """The folder that no file leads out of which the scenario names."""
        return root_for(self._folder, (path for change in self.changes for path in change.overlay))

    def _wrong(self, path: FieldPath, message: str, remedy: str = _REMEDY) -> None:
        self._problems.append(Problem(message, self._file.at(path), remedy))

    def _start(self) -> int:
        try:
            return moments.nanoseconds(str(self._data.get("start", "1970-01-01T00:00:00Z")))
        except ValueError as error:
            self._wrong(("start",), str(error), "write it as `2026-01-05T08:00:00Z`")
            return 0

    def _span(self, path: FieldPath, data: JsonObject) -> int | None:
        """A duration of the file; None where it is not set, or wrong."""
        text = data.get(str(path[-1]))
        if text is None:
            return None
        try:
            found = durations.nanoseconds(str(text))
        except ValueError as error:
            self._wrong(path, f"`{text}` is {error}", "write it as `90s`, `5m` or `168h`")
            return None
        if found < 0:
            self._wrong(path, f"`{text}` is below 0", "write a span of time from 0 on")
        return found

    def _changes(self) -> Iterator[FileChange]:
        for number, each in enumerate(rows(self._data, "changes")):
            at = self._span(("changes", number, "at"), each)
            overlay, delete = (tuple(map(str, listed(each, key))) for key in ("overlay", "delete"))
            if not overlay and not delete:
                self._wrong(("changes", number), "a change without `overlay` and `delete` changes nothing")
            paths = tuple(os.path.join(self._folder, path) for path in overlay)  # read within ``root``
            yield FileChange(self.start + (at or 0), str(each.get("name", "")), paths, delete)

    def _check_jobs(self) -> None:
        names: set[tuple[str, str]] = set()
        total = 0
        for number, each in enumerate(rows(self._data, "jobs")):
            at: FieldPath = ("jobs", number)
            self._check_job(at, each)
            name = str(each["namespace"]), str(each["name"])
            if name in names:
                self._wrong((*at, "name"), f"two jobs are called `{name[0]}/{name[1]}`", "give each its own name")
            names.add(name)
            total += each.get("count", 1)
        if total > _MOST_JOBS:
            self._wrong(("jobs",), f"there are {total:,} jobs; the maximum is {_MOST_JOBS:,}", "use smaller counts")

    def _check_job(self, at: FieldPath, job: JsonObject) -> None:
        for name in _JOB_SPANS:
            self._span((*at, name), job)
        for one, other in (("every", "meanGap"), ("duration", "meanDuration")):
            if one in job and other in job:
                self._wrong((*at, other), f"excludes `{one}`", "keep one of the two")
        if job.get("count", 1) > 1 and not {"every", "meanGap"} & job.keys():
            self._wrong((*at, "count"), "several jobs need `every` or `meanGap`", "write `every: 0s` for one burst")
        if job.get("minPods", 0) > job.get("pods", 1):
            self._wrong((*at, "minPods"), "`minPods` is above `pods`", "write at most as many")
        for resource, value in mapping(job, "requests").items():
            try:
                quantity.amount(resource, value)
            except quantity.QuantityError as error:
                self._wrong((*at, "requests", resource), str(error), "write it as `500m`, `4` or `16Gi`")

    def jobs(self, seed: int) -> Iterator[TracedJob]:
        """The jobs; arrivals and durations that are drawn depend on the seed. Each entry has numbers of its own."""
        chance = Chance(seed)
        for entry in rows(self._data, "jobs"):
            yield from self._copies(entry, chance.branch())

    def _copies(self, entry: JsonObject, chance: Chance) -> Iterator[TracedJob]:
        spans = {name: self._span((name,), entry) for name in _JOB_SPANS}
        count = entry.get("count", 1)
        at = self.start + (spans["at"] or 0)
        pods = _pods(entry)
        for number in range(count):
            mean = spans["meanDuration"]
            drawn = None if mean is None else int(chance.exponential(mean))
            yield TracedJob(
                entry["name"] if count == 1 else f"{entry['name']}-{number:0{len(str(count - 1))}}",
                entry["namespace"],
                entry.get("queue", ""),
                at,
                (pods,),
                priority=entry.get("priority", 0),
                priority_class=entry.get("priorityClass", ""),
                duration=spans["duration"] if drawn is None else drawn,
            )
            gap = spans["meanGap"]
            at += (spans["every"] or 0) if gap is None else int(chance.exponential(gap))


def _pods(entry: JsonObject) -> TracedPods:
    """The pods of a job."""
    selector: Mapping[str, str] = mapping(entry, "nodeSelector")
    return TracedPods(
        "main",
        entry.get("pods", 1),
        {resource: quantity.amount(resource, value) for resource, value in mapping(entry, "requests").items()},
        entry.get("minPods"),
        dict(selector),
        tuple(
            Toleration(
                key=each.get("key", ""),
                operator=each.get("operator", "Equal"),
                value=each.get("value", ""),
                effect=each.get("effect", ""),
            )
            for each in rows(entry, "tolerations")
        ),
    )
