"""Calls carried out by workers: processes of this machine, or of a Dask or Ray cluster.

What all calls of a run need travels once as bytes; a worker that dies takes only its own calls with it.
"""

import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TextIO, TypeVar

from kubectl_fairshare.cli.options.worker_options import WorkerOptions
from kubectl_fairshare.input.install_command import install_command
from kubectl_fairshare.model.errors import Problem, UsageError

Argument = TypeVar("Argument")
Result = TypeVar("Result")
Calls = Callable[[Callable[[bytes, Argument], Result], bytes, Iterable[Argument]], Iterator[Result]]
"""Runs a function for each argument, with what all calls share; the results."""
_NEEDED: Final = {"loky": ("joblib",), "dask": ("joblib", "distributed"), "ray": ("ray",)}
_PACKAGES: Final = {"loky": "joblib", "dask": "joblib dask distributed", "ray": "ray"}
"""What installs the backend."""
LOSSES: Final = 5
"""How often in a row workers may die without a single result."""
_RETRIES: Final = 5
"""How often Ray runs a call again whose worker died."""
_AHEAD: Final = 8
"""Calls for each worker that are sent before the first of them is answered, where results come in order."""
_PATIENCE: Final = 10.0
"""Seconds without a result after which a Ray cluster is asked whether it still has a node."""
_RAYS_LOSSES: Final = "LocalRayletDiedError NodeDiedError ObjectLostError RaySystemError RpcError WorkerCrashedError"
_LOSSES: Final = (
    ("joblib.externals.loky.process_executor", ("TerminatedWorkerError", "BrokenProcessPool")),
    ("distributed", ("KilledWorker",)),
    ("distributed.client", ("FutureCancelledError",)),
    ("ray.exceptions", _RAYS_LOSSES.split()),
)


class Workers(NamedTuple):
    """So many workers of a backend; ``address`` is the cluster's, empty for one on this machine."""

    jobs: int
    backend: str
    address: str = ""

    @property
    def are_here(self) -> bool:
        """Whether one process does all, which is this one."""
        return self.jobs == 1 and self.backend == "loky"

    def check(self) -> None:
        """Raises ``UsageError`` if a package that the backend needs is not installed."""
        if self.are_here:
            return
        try:
            for name in _NEEDED[self.backend]:
                import_module(name)
        except ImportError as error:
            remedy = f"`{install_command(*_PACKAGES[self.backend].split())}`; or `--jobs 1`"
            raise UsageError(Problem(f"`{error.name}` is not installed", "--backend", remedy)) from None

    @contextmanager
    def running(self, *, ordered: bool) -> "Iterator[Calls[Any, Any]]":
        """The workers, until the block ends. ``ordered``: results come in the order of their arguments.

        What a backend prints goes to standard error: standard output is for the answer.
        """
        with redirect_stdout(sys.stderr), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # calls that are not needed any more are dropped on purpose
            if self.are_here:
                yield lambda call, shared, arguments: (call(shared, each) for each in arguments)
            elif self.backend == "ray":
                with self._ray_cluster() as ray:
                    yield self._by_ray(ray, ordered=ordered)
            elif self.backend == "dask":
                with import_module("distributed").Client(self.address or None) as client:
                    yield self._by_joblib({"backend": "dask", "client": client}, ordered=ordered)
            else:
                yield self._by_joblib({"backend": "loky"}, ordered=ordered)

    def _by_joblib(self, backend: dict[str, Any], *, ordered: bool) -> "Calls[Any, Any]":
        joblib = import_module("joblib")
        delivery: dict[str, Any] = {"return_as": "generator"}
        if not ordered:
            delivery = {"return_as": "generator_unordered", "batch_size": 1}

        def run(call: Callable[[bytes, Any], Any], shared: bytes, arguments: Iterable[Any]) -> Iterator[Any]:
            calls = (joblib.delayed(call)(shared, each) for each in arguments)
            with joblib.parallel_config(**backend):
                yield from joblib.Parallel(n_jobs=self.jobs, **delivery)(calls)

        return run

    @contextmanager
    def _ray_cluster(self) -> Iterator[Any]:
        """The cluster at the address, or one on this machine for as long as it is used."""
        ray = import_module("ray")
        own = {"address": "local", "num_cpus": self.jobs, "include_dashboard": False}
        ray.init(log_to_driver=False, **({"address": self.address} if self.address else own))
        try:
            yield ray
        finally:
            ray.shutdown()

    def _by_ray(self, ray: Any, *, ordered: bool) -> "Calls[Any, Any]":
        def run(call: Callable[[bytes, Any], Any], shared: bytes, arguments: Iterable[Any]) -> Iterator[Any]:
            remote, common, waiting = ray.remote(max_retries=_RETRIES)(call), ray.put(shared), iter(arguments)
            ahead = self.jobs * (_AHEAD if ordered else 1)
            sent = deque(remote.remote(common, each) for each in islice(waiting, ahead))
            while sent:
                done = _first_done(ray, [sent[0]] if ordered else list(sent))
                sent.remove(done)
                sent.extend(remote.remote(common, each) for each in islice(waiting, 1))
                yield ray.get(done)

        return run


def _first_done(ray: Any, calls: list[Any]) -> Any:
    """The first of the calls that has a result. Raises ``ConnectionError`` if the cluster has no node any more."""
    while True:
        done, _ = ray.wait(calls, timeout=_PATIENCE)
        if done:
            return done[0]
        if not ray.cluster_resources().get("CPU"):
            raise ConnectionError("the Ray cluster has no node any more")


def workers_of(options: WorkerOptions, stderr: TextIO, *, quiet: bool) -> Workers:
    """The workers that options ask for."""
    return Workers(jobs_for(options.jobs, options.backend, stderr, quiet=quiet), options.backend, options.address)


def hiring(options: WorkerOptions, stderr: TextIO, *, quiet: bool) -> Callable[[], Workers]:
    """What makes the workers that options ask for when the first call is long enough for them.

    Raises ``UsageError`` at once if a package is missing that the options themselves need.
    """
    hire = cache(partial(workers_of, options, stderr, quiet=quiet))
    if options.jobs is not None or options.backend != "loky":
        hire().check()
    return hire


class Crew:
    """Workers that ``call`` a function with what is ``shared``: started when the first argument comes.

    They are started again with the arguments that were lost if some die. They run until ``started`` is closed.
    """

    def __init__(self, call: Callable[[bytes, Any], Any], shared: bytes, workers: Workers, started: ExitStack) -> None:
        self._call = call
        self._shared = shared
        self._workers = workers
        self._started = started
        self._calls: Calls[Any, Any] | None = None

    def results(self, arguments: Iterator[Any]) -> Iterator[Any]:
        """The result of each argument, in their order. Raises ``UsageError`` if workers die again and again."""
        sent, failures = deque[Any](), 0
        while True:
            again = tuple(sent)
            sent.clear()
            try:
                for found in self._run(_kept(chain(again, arguments), sent)):
                    sent.popleft()
                    failures = 0
                    yield found
            except worker_losses() as error:
                failures += 1
                if failures >= LOSSES:
                    raise lost(error) from None
                self._started.close()
                self._calls = None
            else:
                return

    def _run(self, arguments: Iterator[Any]) -> Iterator[Any]:
        if self._calls is None:
            self._calls = self._started.enter_context(self._workers.running(ordered=True))
        return self._calls(self._call, self._shared, arguments)


def _kept(arguments: Iterable[Argument], sent: deque[Argument]) -> Iterator[Argument]:
    for each in arguments:
        sent.append(each)
        yield each


def worker_losses() -> tuple[type[BaseException], ...]:
    """How backends say that a worker died."""
    found: list[type[BaseException]] = [ConnectionError, EOFError]
    for module, names in _LOSSES:
        loaded = sys.modules.get(module)
        found += [getattr(loaded, name) for name in names if loaded is not None and hasattr(loaded, name)]
    return tuple(found)


def lost(error: BaseException) -> UsageError:
    """What is said where workers died ``LOSSES`` times without a result."""
    message = f"workers died {LOSSES} times without a result: {type(error).__name__}"
    return UsageError(Problem(message, "--jobs", "use fewer workers: each needs memory"))


def jobs_for(wanted: int | None, backend: str, stderr: TextIO, *, quiet: bool) -> int:
    """The workers to use: as many as are ``wanted``, otherwise one for each core; one and a note without the package.

    Other backends than that of this machine are not left for one process.
    """
    number = wanted if wanted is not None else os.cpu_count() or 1
    if backend != "loky" or number == 1 or all(find_spec(name) is not None for name in _NEEDED[backend]):
        return number
    if not quiet:
        name = _PACKAGES[backend]
        from kubectl_fairshare.cli.streams import error_view
        from kubectl_fairshare.report.text.problems import problem_lines

        missing = Problem(
            f"one process works, as `{name}` is not installed", help=f"`{install_command(name)}`, then all cores work"
        )
        stderr.write(problem_lines([missing], error_view(stderr), "note"))
    return 1
