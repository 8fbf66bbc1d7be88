"""Sweeps: the cells of a grid over a policy, and what each changes.

An axis is ``arrivals`` (1.2: jobs come 1.2 times as fast), ``option.NAME`` (a scheduler's own option), or a field of
objects: ``KIND/NAME:path`` or ``KIND:path`` for all of a kind, with indices as in ``spec.resourceGroups[0]``.
Tested in ``tests/unit/policy/simulation/test_sweep.py``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import product
from typing import Final, NamedTuple

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace

ARRIVALS: Final = "arrivals"
OPTION: Final = "option."
_OBJECTS: Final = re.compile(r"(?P<kind>[A-Za-z]\w*)(?:/(?P<name>[^:]+))?:(?P<path>.+)")
_PART: Final = re.compile(r"(?P<name>[^.\[\]]+)|\[(?P<index>\d+)\]")
_REMEDY: Final = "write `arrivals=1,1.2`, `option.NAME=A,B` or `ClusterQueue/vision:spec.fairSharing.weight=1,2`"


class Axis(NamedTuple):
    """One dimension of a grid, and its values as texts."""

    key: str
    values: tuple[str, ...]


class Cell(NamedTuple):
    """One point of a grid with one seed."""

    settings: tuple[tuple[str, str], ...]
    seed: int

    @property
    def name(self) -> str:
        """A name that no other cell has, and that is the same whenever the sweep is run again."""
        text = "\n".join(f"{key}={value}" for key, value in self.settings)
        return f"{sha256(text.encode()).hexdigest()[:12]}-{self.seed}"


def axis(text: str) -> Axis:
    """``KEY=A,B`` as an axis; ``|`` separates values that contain commas. Raises ``UsageError``."""
    key, equals, values = text.partition("=")
    divided = [value.strip() for value in values.split("|" if "|" in values else ",")]
    if not equals or not all(divided) or not _is_known(key):
        raise UsageError(Problem(f"`{text}` is not KEY=VALUES", "--vary", _REMEDY))
    if key == ARRIVALS:
        for value in divided:
            arrival_scale(value)
    return Axis(key, tuple(dict.fromkeys(divided)))


def _is_known(key: str) -> bool:
    return key == ARRIVALS or key.startswith(OPTION) or _OBJECTS.fullmatch(key) is not None


def arrival_scale(value: str) -> float:
    """How much faster jobs come. Raises ``UsageError``."""
    try:
        scale = float(value)
    except ValueError:
        scale = 0.0
    if not 0.01 <= scale <= 100:
        raise UsageError(Problem(f"`{value}` is not a scale of arrivals", "--vary", "write a number from 0.01 to 100"))
    return scale


def grid(axes: Sequence[Axis], seeds: Sequence[int]) -> Iterator[Cell]:
    """All cells: every combination of values with every seed; the last axis changes fastest, seeds faster still."""
    for values in product(*(each.values for each in axes)):
        settings = tuple(zip((each.key for each in axes), values, strict=True))
        for seed in seeds:
            yield Cell(settings, seed)


def scaled_arrivals(jobs: Sequence[TracedJob], scale: float) -> Sequence[TracedJob]:
    """The jobs, coming ``scale`` times as fast from the first one on; what each asks for stays."""
    if scale == 1.0 or not jobs:
        return jobs
    start = min(job.created for job in jobs)
    return [replace(job, created=start + round((job.created - start) / scale)) for job in jobs]


def varied(manifests: Iterable[Manifest], settings: Iterable[tuple[str, str]]) -> tuple[Manifest, ...]:
    """The manifests with the fields of objects that ``settings`` name. Raises ``UsageError`` if nothing matches."""
    found = tuple(manifests)
    for key, value in settings:
        if key == ARRIVALS or key.startswith(OPTION):
            continue
        match = _OBJECTS.fullmatch(key)
        assert match is not None
        path, wanted = _path(match["path"]), _value(value)
        changed = [_is_meant(each, match["kind"], match["name"]) for each in found]
        if not any(changed):
            what = f"{match['kind']} `{match['name']}`" if match["name"] else match["kind"]
            raise UsageError(Problem(f"the input has no {what}", "--vary", "name an object of the input"))
        found = tuple(
            _with_field(each, path, wanted, key) if meant else each for each, meant in zip(found, changed, strict=True)
        )
    return found


def _is_meant(manifest: Manifest, kind: str, name: str | None) -> bool:
    return manifest.key.kind == kind and name in (None, manifest.key.name)


def _value(text: str) -> Json:
    """A value as JSON has it, otherwise the text itself."""
    import orjson

    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _path(text: str) -> tuple[str | int, ...]:
    parts = [int(m["index"]) if m["index"] else m["name"] for m in _PART.finditer(text)]
    if "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts).lstrip(".") != text:
        raise UsageError(
            Problem(f"`{text}` is not a path of fields", "--vary", "write `spec.resourceGroups[0].flavors`")
        )
    return tuple(parts)


def _with_field(manifest: Manifest, path: tuple[str | int, ...], value: Json, key: str) -> Manifest:
    """The manifest with another value at a path; mappings on the way are made where they are missing."""
    try:
        data = _changed(manifest.data, path, value)
    except (TypeError, IndexError):
        raise UsageError(Problem(f"{manifest.key} has no field for `{key}`", "--vary", "check the path")) from None
    return Manifest(manifest.key, manifest.version, data, manifest.origin, patched=True)


def _changed(data: Json, path: tuple[str | int, ...], value: Json) -> Json:
    if not path:
        return value
    first, *rest = path
    if isinstance(first, int):
        if not isinstance(data, list):
            raise TypeError("not a list")
        return [*data[:first], _changed(data[first], tuple(rest), value), *data[first + 1 :]]
    if data is not None and not isinstance(data, dict):
        raise TypeError("not a mapping")
    held = data or {}
    return {**held, first: _changed(held.get(first), tuple(rest), value)}
