"""The input of KAI's time-based fair-share simulator, with a few more fields.

Keys are read in any case, as in KAI. ``Duration``, ``Start``, ``MinMember`` and ``Preemptible`` of Jobs,
``MinRuntime`` of the scenario and ``Limit`` of a queue are ours; KAI's simulator ignores them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, Final

from kubectl_fairshare.input.chains import MAX_LEVELS, deepest
from kubectl_fairshare.input.files.raw_bytes import STDIN_NAME, Budget, of_file, of_stdin
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.phrases import did_you_mean, likely
from kubectl_fairshare.schedulers.kai.model.objects import Deserved, MaxAllowed, Queue, Resources
from kubectl_fairshare.schedulers.kai.model.scenario import Backlog, SimulationScenario

if TYPE_CHECKING:  # slow to import
    from kubectl_fairshare.input.own_file import OwnFile

_MOST_PODS: Final = 100_000
_FORM: Final = "see `kubectl-fairshare simulate --help` for the form"


def read_scenario(path: str, stdin: BinaryIO | None, max_input: int) -> SimulationScenario:
    """The scenario in a file, or on standard input for ``-``. Raises ``FairshareError`` for anything else."""
    budget = Budget(max_input)
    name = STDIN_NAME if path == "-" else path
    data = of_stdin(stdin, budget) if path == "-" else of_file(path, budget)
    from kubectl_fairshare.input.own_file import OwnFile

    file = OwnFile(name, data, "scenario", any_case=True)
    if not isinstance(file.data, dict):
        raise FairshareError(Problem("a scenario must be a mapping with `Queues`, `Jobs` and `Nodes`", name, _FORM))
    if problems := file.problems(_FORM):
        raise FairshareError(*problems)
    return _scenario(file)


def _scenario(file: "OwnFile") -> SimulationScenario:
    data = file.data
    queues = tuple(_queue(entry, number) for number, entry in enumerate(data["Queues"], 1))
    _check_names(queues, file)
    _check_tree(queues, file)
    backlogs = tuple(_backlogs(data["Jobs"], {queue.name for queue in queues}, file))
    pods = sum(backlog.jobs * backlog.pods for backlog in backlogs)
    if pods > _MOST_PODS:
        raise _wrong(file, ("Jobs",), f"there are {pods:,} pods; the maximum is {_MOST_PODS:,}")
    return SimulationScenario(
        queues=queues,
        nodes=tuple(float(_whole(entry, "GPUs")) for entry in data["Nodes"]),  # as KAI's simulator, without `Count`
        backlogs=backlogs,
        cycles=_whole(data, "Cycles", 100),
        window=_whole(data, "WindowSize", 5),
        half_life=_number(data, "HalfLifePeriod"),
        k=max(_number(data, "KValue", 1.0), 0.0),
        reclaim_min_runtime=_whole(data, "MinRuntime"),
    )


def _check_names(queues: tuple[Queue, ...], file: "OwnFile") -> None:
    """Raises ``FairshareError`` for a repeated name, or one that cannot be printed."""
    for number, queue in enumerate(queues):
        if not (queue.name + queue.parent).isprintable():
            raise _wrong(file, ("Queues", number, "Name"), "a name has characters that cannot be printed")
        if queue.name in {each.name for each in queues[:number]}:
            raise _wrong(file, ("Queues", number, "Name"), f"there are two queues called `{queue.name}`")


def _check_tree(queues: tuple[Queue, ...], file: "OwnFile") -> None:
    """Raises ``FairshareError`` for queues that do not form trees: a missing parent, a cycle, too many levels."""
    parents = {queue.name: queue.parent for queue in queues}
    rooted = {""}
    for number, queue in enumerate(queues):
        place = ("Queues", number, "Parent")
        way, name = dict[str, None](), queue.name
        while name not in rooted and name not in way:
            if name not in parents:
                child = next(reversed(way))
                raise _wrong(file, place, f"queue `{child}` has a parent that does not exist: `{name}`")
            way[name] = None
            name = parents[name]
        if name not in rooted:
            raise _wrong(file, place, f"queues form a cycle through `{name}`")
        rooted.update(way)
    if deepest({name: parent or None for name, parent in parents.items()}) is not None:
        raise _wrong(file, ("Queues",), f"queues have more than {MAX_LEVELS} levels")


def _wrong(file: "OwnFile", path: FieldPath, message: str) -> FairshareError:
    return FairshareError(Problem(message, file.at(path), _FORM))


def _number(entry: JsonObject, name: str, default: float = 0.0) -> float:
    """A number; null is the default."""
    value = entry.get(name)
    return default if value is None else float(value)


def _whole(entry: JsonObject, name: str, default: int = 0) -> int:
    return int(_number(entry, name, default))


def _queue(entry: JsonObject, number: int) -> Queue:
    return Queue(
        name=entry["Name"],
        parent=entry.get("Parent") or "",
        priority=_whole(entry, "Priority", 100),
        created=number,
        quota=Deserved(Resources(0.0, 0.0, _number(entry, "DeservedGPUs"))),
        limit=MaxAllowed(Resources(0.0, 0.0, _number(entry, "Limit", -1.0))),
        weight=Resources(0.0, 0.0, _number(entry, "Weight", 1.0)),
    )


def _backlogs(jobs: JsonObject, queues: set[str], file: "OwnFile") -> Iterator[Backlog]:
    for queue, entries in jobs.items():
        if queue not in queues:
            meant = did_you_mean(likely(queue, sorted(queues), 1))
            message = f"`Jobs` names a queue that does not exist: `{queue}`"
            raise FairshareError(Problem(message, file.at(("Jobs", queue), at_key=True), meant or _FORM))
        for entry in entries if isinstance(entries, list) else [entries]:
            preemptible = entry.get("Preemptible")
            yield Backlog(
                queue,
                _number(entry, "GPUs"),
                pods=_whole(entry, "NumPods"),
                jobs=_whole(entry, "NumJobs"),
                minimum=_whole(entry, "MinMember", 1),
                start=_whole(entry, "Start"),
                duration=_whole(entry, "Duration") or None,
                preemptible=preemptible is None or preemptible,
            )
