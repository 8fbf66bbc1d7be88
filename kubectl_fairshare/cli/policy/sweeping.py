"""Sweeps: workers run the cells, results go into a folder. Cells without a result are run again."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_fairshare import __version__
from kubectl_fairshare.cli.policy.sweep_results import CELL, Result, SweepResults
from kubectl_fairshare.cli.policy.workers import LOSSES, Workers, lost, worker_losses
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.policy.simulation.sweep import (
    ARRIVALS,
    OPTION,
    Axis,
    Cell,
    arrival_scale,
    scaled_arrivals,
    varied,
)
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.question import Setting
from kubectl_fairshare.schedulers.scheduler import HouseOption, Scheduler, Sources

if TYPE_CHECKING:
    from kubectl_fairshare.jobs.history import PastWork

_FORM: Final = 3
"""The form of a result; older ones do not say which figures are bounds, so a sweep does not continue them."""
PlainCell = tuple[tuple[tuple[str, str], ...], int]


class PortableStudy(NamedTuple):
    """All that a worker needs to run a cell, on any machine.

    ``trace`` is the text of the jobs, ``spans`` the parameters checkpoint, stopping and end of the simulations.
    """

    manifests: tuple[Manifest, ...]
    unread: frozenset[str]
    complete: bool
    deleted: frozenset[ObjectKey]
    scheduler: str
    settings: Mapping[str, Any]
    trace: bytes
    spans: tuple[int | None, int, int | None]


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> "tuple[PortableStudy, PastWork]":
    from kubectl_fairshare.input.traces.reading import trace_of

    study: PortableStudy = pickle.loads(packed)
    return study, trace_of("trace", study.trace)


def cell_result(packed: bytes, plain: PlainCell) -> Result:
    """The result of one cell, in plain values: this runs in a worker."""
    from kubectl_fairshare.input.assemble import assemble
    from kubectl_fairshare.policy.simulation.compare import measures_of
    from kubectl_fairshare.policy.simulation.parameters import Parameters
    from kubectl_fairshare.policy.simulation.run import simulate
    from kubectl_fairshare.policy.simulation.statistics import figures
    from kubectl_fairshare.report.simulation.sweep import BOUNDS, DIVIDER, DOUBTS, bounds_text

    study, work = _unpacked(packed)
    cell = Cell(*plain)
    scheduler = scheduler_named(study.scheduler)
    manifests = varied(study.manifests, cell.settings)
    assembled = assemble(manifests, known_schedulers(), study.unread, complete=study.complete, deleted=study.deleted)
    settings = {**study.settings, **house_settings(scheduler, cell.settings)}
    snapshot = scheduler.adjusted(assembled.snapshot, settings, Sources(None, 1 << 30)).snapshot
    scale = arrival_scale(dict(cell.settings).get(ARRIVALS, "1"))
    checkpoint, stopping, end = study.spans
    parameters = Parameters(cell.seed, checkpoint, stopping, end)
    course = simulate(scheduler, snapshot, scaled_arrivals(work.jobs, scale), parameters)
    measures = measures_of([figures(course)], None)
    return {
        CELL: cell.name,
        DOUBTS: DIVIDER.join(course.fidelity.doubts),
        **dict(cell.settings),
        "seed": cell.seed,
        **{each.name: each.mean for each in measures},
        BOUNDS: bounds_text(measures),
    }


def house_settings(scheduler: Scheduler, settings: Iterable[tuple[str, str]]) -> dict[str, Setting]:
    """The scheduler's own options that a cell sets. Raises ``UsageError`` for an unknown one or a wrong value."""
    known = {option.name: option for option in scheduler.options if option.is_for("simulate", asks=True)}
    found: dict[str, Setting] = {}
    for key, value in settings:
        if not key.startswith(OPTION):
            continue
        name = key.removeprefix(OPTION).replace("-", "_")
        if name not in known:
            from kubectl_fairshare.model.phrases import quoted

            remedy = f"options of {scheduler.title} are {quoted(sorted(known))}"
            raise UsageError(Problem(f"`{key}` is not an option of {scheduler.title}", "--vary", remedy))
        found[name] = _setting(known[name], value, key)
    return found


def _setting(option: HouseOption, value: str, key: str) -> Setting:
    kind = option.kind
    if kind == "flag":
        return _among(("true", "false"), value.lower(), key) == "true"
    if kind == "choice" and option.choices:
        return _among(option.choices, value, key)
    if kind == "choices":
        return tuple(_among(option.choices, each, key) for each in value.split("+"))
    if kind == "texts":
        return tuple(value.split("+"))
    if kind == "number":
        try:
            return float(value)
        except ValueError:
            raise UsageError(Problem(f"`{key}` takes a number, not `{value}`", "--vary", "write 1 or 0.5")) from None
    return value


def _among(choices: Sequence[str], value: str, key: str) -> str:
    """The value, if it is one of the choices. Raises ``UsageError`` for another one."""
    if value not in choices:
        from kubectl_fairshare.model.phrases import quoted

        raise UsageError(Problem(f"`{value}` is not a value of `{key}`", "--vary", f"values are {quoted(choices)}"))
    return value


def check_cells(study: PortableStudy, cells: Sequence[Cell]) -> None:
    """Raises ``UsageError`` if an axis names what is not there, before any worker starts."""
    scheduler = scheduler_named(study.scheduler)
    for settings in dict.fromkeys(cell.settings for cell in cells):
        _check_fields(study.manifests, varied(study.manifests, settings))
        house_settings(scheduler, settings)


def _check_fields(before: Sequence[Manifest], after: Sequence[Manifest]) -> None:
    """Raises ``UsageError`` if an axis adds a field that the kind does not have: a cell with it is one without it."""
    from kubectl_fairshare.api.reading import unknown_paths
    from kubectl_fairshare.schedulers import lint_houses

    houses = lint_houses()
    for old, new in zip(before, after, strict=True):
        if old is new:
            continue
        structs = (struct for house in houses if (struct := house.structure(new)) is not None)
        struct = next(structs, None)
        added = [] if struct is None else set(unknown_paths(struct, new.data)) - set(unknown_paths(struct, old.data))
        for path in sorted(added, key=str):
            message = f"{new.key.kind} has no field `{field_text(path)}`"
            raise UsageError(Problem(message, "--vary", "check the path: the API server ignores such a field"))


def run_sweep(
    study: PortableStudy,
    cells: Sequence[Cell],
    results: SweepResults,
    workers: Workers,
    report_done: Callable[[int, int], None] = lambda *_: None,
) -> None:
    """Runs the cells that have no result yet; each result is kept as it comes. Raises ``UsageError``.

    ``report_done`` is called with how many cells have a result, of how many.
    """
    packed, failures = pickle.dumps(study), 0
    workers.check()
    while left := [cell for cell in cells if not results.has(cell.name)]:
        before = len(results.rows)
        report_done(len(cells) - len(left), len(cells))
        try:
            for result in _outcomes(packed, left, workers):
                results.add(result)
                report_done(len(cells) - len(left) + len(results.rows) - before, len(cells))
        except worker_losses() as error:  # a worker died: its cell is run again
            failures = failures + 1 if len(results.rows) == before else 0
            if failures >= LOSSES:
                raise lost(error) from None
    results.close()


def _outcomes(packed: bytes, cells: Sequence[Cell], workers: Workers) -> Iterator[Result]:
    """The results of cells as they come, in any order."""
    with workers.running(ordered=False) as run:
        yield from run(cell_result, packed, ((cell.settings, cell.seed) for cell in cells))


def study_text(study: PortableStudy, axes: Sequence[Axis], seeds: int) -> dict[str, object]:
    """What makes two sweeps the same: the same program and form of results, objects, jobs, options, axes and seeds."""
    from hashlib import sha256

    import orjson

    objects = orjson.dumps([each.data for each in study.manifests], option=orjson.OPT_SORT_KEYS)
    return {
        "program": f"kubectl-fairshare {__version__}",
        "form": _FORM,
        "objects": sha256(objects).hexdigest(),
        "trace": sha256(study.trace).hexdigest(),
        "scheduler": study.scheduler,
        "options": {name: str(value) for name, value in study.settings.items() if value},
        "spans": study.spans,
        "vary": [f"{each.key}={'|'.join(each.values)}" for each in axes],
        "seeds": seeds,
    }
