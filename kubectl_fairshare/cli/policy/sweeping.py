"""Sweeps over all cores here, or over a Dask or Ray cluster: joblib or Ray runs the cells, results go into a folder.

What a worker needs travels as bytes, and each worker reads it once. A worker that dies takes only its cell with it:
cells without a result are run again.
"""

import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, redirect_stdout
from functools import lru_cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kubectl_fairshare.cli.policy.sweep_results import CELL, Result, SweepResults
from kubectl_fairshare.model.errors import Problem, UsageError
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
from kubectl_fairshare.schedulers.scheduler import Scheduler, Sources

if TYPE_CHECKING:
    from kubectl_fairshare.jobs.history import PastWork

_TRIES: Final = 5
"""How often in a row workers may die without a single result."""
_PATIENCE: Final = 10.0
"""Seconds without a result after which a Ray cluster is asked whether it still has a node."""
_LOST_BY_RAY: Final = (
    "LocalRayletDiedError",
    "NodeDiedError",
    "ObjectLostError",
    "RaySystemError",
    "RpcError",
    "WorkerCrashedError",
)
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
    from kubectl_fairshare.policy.simulation.compare import measured
    from kubectl_fairshare.policy.simulation.parameters import Parameters
    from kubectl_fairshare.policy.simulation.run import simulate
    from kubectl_fairshare.policy.simulation.statistics import figures

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
    found = figures(simulate(scheduler, snapshot, scaled_arrivals(work.jobs, scale), parameters))
    return {
        CELL: cell.name,
        **dict(cell.settings),
        "seed": cell.seed,
        **{each.name: each.mean for each in measured([found], None)},
    }


def house_settings(scheduler: Scheduler, settings: Iterable[tuple[str, str]]) -> dict[str, Setting]:
    """The scheduler's own options that a cell sets. Raises ``UsageError`` for an unknown one or a wrong value."""
    known = {option.name: option for option in scheduler.options}
    found: dict[str, Setting] = {}
    for key, value in settings:
        if not key.startswith(OPTION):
            continue
        name = key.removeprefix(OPTION).replace("-", "_")
        if name not in known:
            from kubectl_fairshare.model.phrases import quoted

            remedy = f"options of {scheduler.title} are {quoted(sorted(known))}"
            raise UsageError(Problem(f"`{key}` is not an option of {scheduler.title}", "--vary", remedy))
        found[name] = _setting(known[name].kind, value, key)
    return found


def _setting(kind: str, value: str, key: str) -> Setting:
    if kind == "flag":
        return value.lower() in ("true", "yes", "1")
    if kind in ("texts", "choices"):
        return tuple(value.split("+"))
    if kind == "number":
        try:
            return float(value)
        except ValueError:
            raise UsageError(Problem(f"`{key}` takes a number, not `{value}`", "--vary", "write 1 or 0.5")) from None
    return value


def check_cells(study: PortableStudy, cells: Sequence[Cell]) -> None:
    """Raises ``UsageError`` if an axis names what is not there, before any worker starts."""
    scheduler = scheduler_named(study.scheduler)
    for settings in dict.fromkeys(cell.settings for cell in cells):
        varied(study.manifests, settings)
        house_settings(scheduler, settings)


def run_sweep(
    study: PortableStudy, cells: Sequence[Cell], results: SweepResults, jobs: int, backend: str, address: str
) -> None:
    """Runs the cells that have no result yet; each result is kept as it comes. Raises ``UsageError``.

    What a backend prints goes to standard error: standard output is for the answer.
    """
    packed, failures = pickle.dumps(study), 0
    with redirect_stdout(sys.stderr), ExitStack() as ending:
        entered = _entered(jobs, backend, address, ending)
        while left := [cell for cell in cells if not results.has(cell.name)]:
            before = len(results.rows)
            try:
                for result in _outcomes(packed, left, jobs, backend, entered):
                    results.add(result)
            except _died() as error:  # a worker died: its cell is run again
                failures = failures + 1 if len(results.rows) == before else 0
                if failures >= _TRIES:
                    message = f"workers died {_TRIES} times without a result: {type(error).__name__}"
                    raise UsageError(Problem(message, "--jobs", "use fewer workers: each needs memory")) from None
    results.close()


def _died() -> tuple[type[BaseException], ...]:
    """How backends say that a worker died."""
    found: list[type[BaseException]] = [ConnectionError, EOFError]
    for module, names in (
        ("joblib.externals.loky.process_executor", ("TerminatedWorkerError", "BrokenProcessPool")),
        ("distributed", ("KilledWorker",)),
        ("distributed.client", ("FutureCancelledError",)),
        ("ray.exceptions", _LOST_BY_RAY),
    ):
        loaded = sys.modules.get(module)
        found += [getattr(loaded, name) for name in names if loaded is not None and hasattr(loaded, name)]
    return tuple(found)


def _outcomes(
    packed: bytes, cells: Sequence[Cell], jobs: int, backend: str, entered: Callable[[], AbstractContextManager[object]]
) -> Iterator[Result]:
    """The results of cells as they come, in any order."""
    if jobs == 1 and backend == "loky":
        yield from (cell_result(packed, (cell.settings, cell.seed)) for cell in cells)
        return
    plain = ((cell.settings, cell.seed) for cell in cells)
    with entered(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        if backend == "ray":
            yield from _by_ray(packed, plain, jobs)
        else:
            joblib = import_module("joblib")
            calls = (joblib.delayed(cell_result)(packed, each) for each in plain)
            yield from joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(calls)


def _by_ray(packed: bytes, cells: Iterator[PlainCell], jobs: int) -> Iterator[Result]:
    """The results of cells, ``jobs`` at a time. Raises ``ConnectionError`` if the cluster has no node any more."""
    ray = import_module("ray")
    run, study = ray.remote(max_retries=_TRIES)(cell_result), ray.put(packed)
    running = [run.remote(study, each) for each in islice(cells, jobs)]
    while running:
        done, running = ray.wait(running, timeout=_PATIENCE)
        if not done and not ray.cluster_resources().get("CPU"):
            raise ConnectionError("the Ray cluster has no node any more")
        running += [run.remote(study, each) for each in islice(cells, len(done))]
        yield from ray.get(done)


def _entered(jobs: int, backend: str, address: str, ending: ExitStack) -> Callable[[], AbstractContextManager[object]]:
    """What starts the backend; ``ending`` lets go of it. Raises ``UsageError`` if something is missing."""
    if jobs == 1 and backend == "loky":
        return nullcontext
    try:
        if backend == "ray":
            import_module("ray")
            return lambda: _ray_cluster(jobs, address)
        joblib = import_module("joblib")
        if backend == "dask":
            client = ending.enter_context(import_module("distributed").Client(address or None))
            return lambda: joblib.parallel_config(backend="dask", client=client)
    except ImportError as error:
        extra = "search" if backend == "loky" else backend
        remedy = f"`pip install 'kubectl-fairshare[{extra}]'`; or `--jobs 1`"
        raise UsageError(Problem(f"`{error.name}` is not installed", "--backend", remedy)) from None
    return nullcontext


@contextmanager
def _ray_cluster(jobs: int, address: str) -> Iterator[None]:
    """A Ray cluster: the one at the address, or one on this machine for as long as it is used."""
    ray = import_module("ray")
    if address:
        ray.init(address=address, log_to_driver=False)
    else:
        ray.init(num_cpus=jobs, log_to_driver=False, include_dashboard=False)
    try:
        yield
    finally:
        ray.shutdown()


def cores() -> int:
    """The cores of this machine."""
    return os.cpu_count() or 1


def study_text(study: PortableStudy, axes: Sequence[Axis], seeds: int) -> dict[str, object]:
    """What makes two sweeps the same: the same objects, jobs, options, axes and seeds."""
    from hashlib import sha256

    import orjson

    objects = orjson.dumps([each.data for each in study.manifests], option=orjson.OPT_SORT_KEYS)
    return {
        "objects": sha256(objects).hexdigest(),
        "trace": sha256(study.trace).hexdigest(),
        "scheduler": study.scheduler,
        "options": {name: str(value) for name, value in study.settings.items() if value},
        "spans": study.spans,
        "vary": [f"{each.key}={'|'.join(each.values)}" for each in axes],
        "seeds": seeds,
    }
