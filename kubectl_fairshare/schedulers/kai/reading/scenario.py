"""The input of KAI's time-based fair-share simulator, with a few fields more.

Keys are read in any case, as KAI does. ``Duration``, ``Start``, ``MinMember`` and ``Preemptible`` of Jobs,
``MinRuntime`` of the whole and ``Limit`` of a queue are ours; KAI's simulator passes them over.
"""

import math
from collections.abc import Iterator
from typing import BinaryIO, Final

from kubectl_fairshare.input.files.raw_bytes import STDIN_NAME, Budget, of_file, of_stdin
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.lint.reading.chains import MAX_LEVELS, deepest
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kai.model.objects import Queue, Resources
from kubectl_fairshare.schedulers.kai.simulation.simulation import Backlog, Scenario

_MOST: Final = 1_000_000
_MOST_PODS: Final = 100_000
_KEYS: Final = ("cycles", "windowsize", "halflifeperiod", "kvalue", "nodes", "queues", "jobs", "minruntime")
_FORM: Final = "see `kubectl-fairshare simulate --help` for the form"


def read_scenario(path: str, stdin: BinaryIO | None, max_input: int) -> Scenario:
    """The scenario in a file, or on standard input for ``-``. Raises ``FairshareError`` for anything else."""
    budget = Budget(max_input)
    name = STDIN_NAME if path == "-" else path
    data = of_stdin(stdin, budget) if path == "-" else of_file(path, budget)
    _, documents = decode(name, data)
    found = [document for document in documents if document is not None]
    if len(found) != 1 or not isinstance(found[0], dict):
        raise FairshareError(Problem("a scenario is one mapping, with `Queues`, `Jobs` and `Nodes`", name, _FORM))
    return scenario_of(found[0], name)


def scenario_of(data: Json, name: str) -> Scenario:
    """The scenario that a mapping describes; ``name`` is the source, for problems."""
    top = _Fields(data, name, "the scenario")
    unknown = sorted(set(top.values) - set(_KEYS))
    if unknown:
        raise top.wrong(f"has no field `{unknown[0]}`")
    queues = tuple(_queue(entry, number) for number, entry in enumerate(top.entries("queues")))
    _check_tree(queues, top)
    backlogs = tuple(_backlogs(top, {queue.name for queue in queues}))
    pods = sum(backlog.jobs * backlog.pods for backlog in backlogs)
    if pods > _MOST_PODS:
        raise top.wrong(f"has {pods:,} pods, and {_MOST_PODS:,} are the most")
    return Scenario(
        queues=queues,
        nodes=tuple(_nodes(top)),
        backlogs=backlogs,
        cycles=top.whole("cycles", 100),
        window=top.whole("windowsize", 5),
        half_life=top.number("halflifeperiod", 0.0),
        k=max(top.number("kvalue", 1.0), 0.0),
        reclaim_min_runtime=top.whole("minruntime", 0),
    )


def _check_tree(queues: tuple[Queue, ...], top: "_Fields") -> None:
    """Raises ``FairshareError`` for queues that are no tree: a name twice, a parent that is missing, a circle."""
    parents: dict[str, str] = {}
    for queue in queues:
        if queue.name in parents:
            raise top.wrong(f"has two queues called `{queue.name}`")
        parents[queue.name] = queue.parent
    rooted = {""}
    for queue in queues:
        way, name = dict[str, None](), queue.name
        while name not in rooted and name not in way:
            if name not in parents:
                raise top.wrong(f"queue `{next(reversed(way))}` has a parent that does not exist: `{name}`")
            way[name] = None
            name = parents[name]
        if name not in rooted:
            raise top.wrong(f"has queues in a circle: `{name}` stands above itself")
        rooted.update(way)
    if deepest({name: parent or None for name, parent in parents.items()}) is not None:
        raise top.wrong(f"has more than {MAX_LEVELS} queues above one another")


class _Fields:
    """The fields of a mapping, by names in small letters. Readers raise ``FairshareError`` for another type."""

    def __init__(self, data: Json, source: str, what: str) -> None:
        self._source, self._what = source, what
        if not isinstance(data, dict):
            raise FairshareError(Problem(f"{what} must be a mapping", source, _FORM))
        self.values: dict[str, Json] = {str(key).lower(): value for key, value in data.items()}

    def wrong(self, message: str) -> FairshareError:
        """A problem with the mapping."""
        return FairshareError(Problem(f"{self._what} {message}", self._source, _FORM))

    def entries(self, name: str) -> Iterator["_Fields"]:
        """The mappings of a list."""
        value = self.values.get(name)
        if not isinstance(value, list) or not value:
            raise self.wrong(f"has no `{name}`")
        for number, entry in enumerate(value, 1):
            yield _Fields(entry, self._source, f"entry {number} of `{name}`")

    def mapping(self, name: str) -> Iterator[tuple[str, "_Fields"]]:
        """The mappings of a mapping, with their names; a list of them counts each."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self.wrong(f"has no `{name}`")
        for key, entry in value.items():
            for one in entry if isinstance(entry, list) else [entry]:
                yield str(key), _Fields(one, self._source, f"`{name}` of `{key}`")

    def text(self, name: str) -> str:
        """A text; missing is empty."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise self.wrong(f"has a `{name}` that is no text")
        if value is not None and not value.isprintable():
            raise self.wrong(f"has a `{name}` with characters that cannot be printed")
        return value or ""

    def amount(self, name: str) -> float:
        """A number from 0 up; missing is 0."""
        value = self.number(name, 0.0)
        if not 0 <= value <= _MOST:
            raise self.wrong(f"has a `{name}` that is no number from 0 to {_MOST:,}")
        return value

    def number(self, name: str, default: float) -> float:
        """A number; null is the default."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, (int, float)) or isinstance(value, bool) or math.isnan(value):
            raise self.wrong(f"has a `{name}` that is no number")
        return float(value)

    def whole(self, name: str, default: int) -> int:
        """A whole number from 0 up to a million."""
        value = self.number(name, float(default))
        if not 0 <= value <= _MOST or value != int(value):
            raise self.wrong(f"has a `{name}` that is no whole number from 0 to {_MOST:,}")
        return int(value)

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(f"has a `{name}` that is neither true nor false")
        return default if value is None else value


def _queue(entry: _Fields, number: int) -> Queue:
    name = entry.text("name")
    if not name:
        raise entry.wrong("has no `name`")
    return Queue(
        name=name,
        parent=entry.text("parent"),
        priority=entry.whole("priority", 100),
        created=number,
        quota=Resources(0.0, 0.0, entry.number("deservedgpus", 0.0)),
        limit=Resources(0.0, 0.0, entry.number("limit", -1.0)),
        weight=Resources(0.0, 0.0, entry.number("weight", 1.0)),
    )


def _nodes(top: _Fields) -> Iterator[float]:
    """A node for each entry: KAI's simulator passes over ``Count``, and so does this."""
    for entry in top.entries("nodes"):
        yield float(entry.whole("gpus", 0))


def _backlogs(top: _Fields, queues: set[str]) -> Iterator[Backlog]:
    for queue, entry in top.mapping("jobs"):
        if queue not in queues:
            raise top.wrong(f"has `jobs` for a queue that does not exist: `{queue}`")
        duration = entry.whole("duration", 0)
        yield Backlog(
            queue,
            entry.amount("gpus"),
            pods=entry.whole("numpods", 0),
            jobs=entry.whole("numjobs", 0),
            minimum=entry.whole("minmember", 1),
            start=entry.whole("start", 0),
            duration=duration or None,
            preemptible=entry.flag("preemptible", True),
        )
