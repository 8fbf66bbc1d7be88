"""Past usage of queues from a file, and a SchedulingShard's settings of it.

A file maps queues to fractions of the cluster's capacity: ``{team: {gpu: 0.3, cpu: 0.1}}``. It is kept as a manifest,
so answers can cite its lines.
"""

from collections.abc import Callable, Mapping
from typing import BinaryIO, Final

from kubectl_fairshare.api.durations import nanoseconds as span
from kubectl_fairshare.input.files.paths import shown_path
from kubectl_fairshare.input.files.raw_bytes import STDIN_NAME, Budget, of_file, of_stdin
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.model.usage import (
    ALLOCATION,
    CAPACITY,
    CRON,
    TUMBLING,
    WINDOWS,
    UsageParams,
    since,
    span_of,
)

_FORM: Final = "write `QUEUE: {gpu: 0.3, cpu: 0.1}`, fractions of the cluster's capacity"


class UsageFile(Value, frozen=True):
    """The contents of a file; ``manifest`` is the whole file as an object, at ``text``."""

    fractions: Mapping[str, Mapping[str, float]]
    manifest: Manifest
    text: Text

    @property
    def places(self) -> dict[tuple[str, str], Place]:
        """The place of each figure, by queue and resource."""
        key = self.manifest.key
        return {(q, r): Place(key, (q, r)) for q, amounts in self.fractions.items() for r in amounts}

    def location(self, *path: str) -> Location:
        """The line of a queue, or of one figure of it."""
        return Texts([self.text]).locate(self.manifest.origin, path)


def read_usage(path: str, stdin: BinaryIO | None, max_input: int) -> UsageFile:
    """The usage in a file, or on standard input for ``-``.

    Raises ``FairshareError`` with all its mistakes, each at its line, and for a file that cannot be read.
    """
    name, budget = (STDIN_NAME if path == "-" else shown_path(path)), Budget(max_input)
    from kubectl_fairshare.input.own_file import OwnFile

    file = OwnFile(name, of_stdin(stdin, budget) if path == "-" else of_file(path, budget), "usage")
    if problems := file.problems(_FORM):
        raise FairshareError(*problems)
    data = file.data or {}
    fractions = {
        queue: {name: float(value) for name, value in (amounts or {}).items() if value is not None}
        for queue, amounts in data.items()
    }
    key = ObjectKey("fairshare.dev", "Usage", "", name)
    return UsageFile(fractions, Manifest(key, "v1alpha1", data, file.origin), file.text)


def params_of(manifest: Manifest | None) -> UsageParams:
    """A SchedulingShard's settings of usage; KAI's defaults for missing ones.

    Raises ``FairshareError`` with every field that keeps KAI's scheduler from starting, or stops it.
    """
    if manifest is None:
        return UsageParams(configured=False)
    config = root_of(manifest).at("spec", "usageDBConfig")
    reader = _Params(config.at("usageParams"))
    params = reader.params(configured=bool(config.mapping()))
    if reader.problems:
        raise FairshareError(*reader.problems)
    return params


class _Params:
    """The fields of ``usageParams``; one that KAI cannot use is a problem."""

    def __init__(self, fields: Field) -> None:
        self.problems: list[Problem] = []
        self._fields = fields

    def params(self, *, configured: bool) -> UsageParams:
        default, extra = UsageParams(), self._fields.at("extraParams").texts()
        kind = self._fields.at("windowType").text() or default.kind
        window = self._value("windowSize", span_of, "write a duration such as `1w` or `12h`")
        found = UsageParams(
            window=default.window if window is None else window,
            kind=kind,
            half_life=max(self._value("halfLifePeriod", span, "write a duration in hours, such as `24h`") or 0, 0),
            start=self._value("tumblingWindowStartTime", nanoseconds, "write `2026-08-01T00:00:00Z`"),
            cron=self._fields.at("cronString").text(),
            resolution=_extra(extra, "queryResolution", default.resolution),
            timeout=_extra(extra, "usageQueryTimeout", default.timeout),
            allocation={r: extra.get(f"{r}AllocationMetric", metric) for r, metric in ALLOCATION.items()},
            capacity={r: extra.get(f"{r}CapacityMetric", metric) for r, metric in CAPACITY.items()},
            configured=configured,
        )
        if not self.problems:
            self._check(found)
        return found

    def _value(self, name: str, reader: Callable[[str], int], remedy: str) -> int | None:
        """The value of a field, None for a missing one."""
        field = self._fields.at(name)
        text = field.text()
        try:
            return reader(text) if text else None
        except ValueError:
            self.problems.append(Problem(f"`{name}` cannot be read: `{text[:64]}`", field.place, remedy))
            return None

    def _check(self, params: UsageParams) -> None:
        """Checks that the window exists, at a moment long after any start."""
        field = {CRON: "cronString", TUMBLING: "tumblingWindowStartTime"}.get(params.kind, "windowType")
        if params.kind == TUMBLING and params.start is not None:
            field = "windowSize"
        try:
            since(params, 4 * 10**18)
        except ValueError as error:
            remedy = f"write `{field}`, or use a sliding window" if params.kind in WINDOWS else "write `sliding`"
            self.problems.append(Problem(str(error), self._fields.at(field).place, remedy))
        if params.timeout <= 0:
            place = self._fields.at("extraParams", "usageQueryTimeout").place
            self.problems.append(Problem("`usageQueryTimeout` leaves no time for the query", place, "write `10s`"))


def _extra(extra: Mapping[str, str], name: str, default: int) -> int:
    """A duration among the extra parameters; KAI uses the default for an unreadable one."""
    try:
        return span(extra[name]) if name in extra else default
    except ValueError:
        return default
