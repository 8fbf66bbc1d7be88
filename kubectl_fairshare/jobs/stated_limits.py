"""How long objects say that their work runs at most: deadlines, a maximum execution time, a wall time.

Source: Kubernetes API (``activeDeadlineSeconds`` of Jobs and Pods), Kueue v0.19 API (``maximumExecutionTimeSeconds``),
Kubeflow's training operators (``runPolicy``), KubeRay (``activeDeadlineSeconds`` of a RayJob).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.model.json import FieldPath, inside, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest

_SECOND: Final = 10**9
_DEADLINES: Final[tuple[FieldPath, ...]] = (
    ("spec", "maximumExecutionTimeSeconds"),
    ("spec", "activeDeadlineSeconds"),
    ("spec", "runPolicy", "activeDeadlineSeconds"),
    ("spec", "template", "spec", "activeDeadlineSeconds"),
)
_SPENT: Final[FieldPath] = ("status", "accumulatedPastExecutionTimeSeconds")
"""What earlier runs of a Workload have used of its maximum execution time."""
_WALL_TIMES: Final = frozenset({"walltime", "wall-time", "timelimit", "time-limit"})
"""The last part of the key of an annotation or label that has a wall time."""
_LABELLED: Final = frozenset({"max-exec-time-seconds"})
_CLOCK: Final = r"(?:(\d{1,4})-)?(\d{1,5}):(\d\d)(?::(\d\d))?"
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST: Final = 10**9
"""Seconds of the longest limit that counts, some thirty years."""


class StatedLimit(NamedTuple):
    """The longest time that work runs, in nanoseconds, and the field that says so."""

    span: int
    place: Place


def stated_limits(manifests: Iterable[Manifest]) -> tuple[StatedLimit, ...]:
    """The limits that the objects of one job state, the shortest first; without values that are no time."""
    found = {limit for manifest in manifests for limit in (*_deadlines(manifest), *_wall_times(manifest))}
    return tuple(sorted(found, key=lambda limit: (limit.span, str(limit.place))))


def _deadlines(manifest: Manifest) -> Iterator[StatedLimit]:
    data = manifest.data
    spent = inside(data, *_SPENT)
    for path in _DEADLINES:
        seconds = inside(data, *path)
        if isinstance(seconds, int) and not isinstance(seconds, bool) and 0 < seconds <= _LONGEST:
            used = spent if path == _DEADLINES[0] and isinstance(spent, int) else 0
            yield StatedLimit(max(seconds - used, 0) * _SECOND, Place(manifest.key, path))
    for number, pods in enumerate(rows(data, "spec", "podSets")):
        seconds = inside(pods, "template", "spec", "activeDeadlineSeconds")
        if isinstance(seconds, int) and not isinstance(seconds, bool) and 0 < seconds <= _LONGEST:
            path = ("spec", "podSets", number, "template", "spec", "activeDeadlineSeconds")
            yield StatedLimit(seconds * _SECOND, Place(manifest.key, path))


def _wall_times(manifest: Manifest) -> Iterator[StatedLimit]:
    for where in ("annotations", "labels"):
        texts = inside(manifest.data, "metadata", where)
        for key, text in texts.items() if isinstance(texts, dict) else ():
            name = key.rpartition("/")[2].lower()
            seconds = wall_time(text) if isinstance(text, str) and name in _WALL_TIMES | _LABELLED else None
            if seconds is not None:
                yield StatedLimit(seconds * _SECOND, Place(manifest.key, ("metadata", where, key)))


def wall_time(text: str) -> int | None:
    """Seconds of a wall time: ``7200``, ``2h30m``, ``02:30:00``, ``1-00:00:00``; None for any other text."""
    text = text.strip()
    clock = re.fullmatch(_CLOCK, text, re.ASCII)
    if re.fullmatch(r"\d{1,10}", text, re.ASCII):
        seconds = int(text)
    elif clock is not None:
        days, hours, minutes, rest = (int(part or 0) for part in clock.groups())
        seconds = days * 86400 + hours * 3600 + minutes * 60 + rest
    elif re.fullmatch(r"(?:\d{1,9}[smhd])+", text, re.ASCII):
        parts = re.findall(r"(\d+)([smhd])", text, re.ASCII)
        seconds = sum(int(number) * _UNITS[unit] for number, unit in parts)
    else:
        return None
    return seconds if 0 < seconds <= _LONGEST else None
