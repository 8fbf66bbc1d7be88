"""What each queue would hold if every queue had an endless backlog of unit workloads of one shape.

The engine's own cycles are run from an empty cluster until nothing moves. All units are alike in shape,
priority and age, tolerate every taint and stand still in time, so a state is told by how many units each
queue holds in which flavors: one that comes back proves that the cycles never rest. Trees do not
influence each other, so each is played by itself. Source: KEP-1714 story 3; "saturation" in ``docs/laws.md``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kubectl_fairshare.engines.fidelity import Fidelity
from kubectl_fairshare.engines.kueue.cycle import Status, run_nominated
from kubectl_fairshare.engines.kueue.gaps import SCHEDULER, VERSION, snapshot_gaps
from kubectl_fairshare.engines.kueue.nominate import Nominator
from kubectl_fairshare.engines.kueue.play import granted
from kubectl_fairshare.engines.kueue.report import Saturation
from kubectl_fairshare.engines.kueue.state import State, state_of
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.kueue import GROUP
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.workload import FlavorResource, Holder, Pending, PodSet

MOST_UNITS = 50_000
"""Units that one tree may hold in the end; a minute or so of cycles."""

_Pairs = tuple[tuple[FlavorResource, int], ...]
_Key = tuple[int, _Pairs]
_Picture = tuple[tuple[_Key, int], ...]


def saturate(state: State, shape: Mapping[str, int], queues: Iterable[str] | None = None) -> Saturation:
    """Where cycles lead when every queue has an endless backlog of units that ask for ``shape`` each.

    ``shape`` is in the units of ``model.amounts``; its first resource is the one reported. ``queues`` are
    those with a backlog: by default all in service to which a running LocalQueue leads, or all in service
    where the state has no LocalQueue at all. Raises ``UsageError`` for a shape that asks for nothing, and
    ``FairshareError`` where units are so small that there would be too many of them.
    """
    if not shape or min(shape.values()) < 0 or not any(shape.values()):
        raise UsageError(Problem("a unit must ask for something", help="name an amount above 0, like `cpu=1`"))
    state = _emptied(state)
    backlog = sorted(_with_backlog(state) if queues is None else queues)
    trees: dict[int, list[int]] = {}
    for name in backlog:
        queue = state.forest.queue_ids[name]
        trees.setdefault(state.forest.root(queue), []).append(queue)
    courses = []
    for root in sorted(trees):
        _check_size(state, root, shape)
        courses.append(_Course(state, {q: _unit(state, q, shape) for q in trees[root]}))
        courses[-1].run()
    return _result(state, shape, courses, backlog)


def _emptied(state: State) -> State:
    """The state as if nobody held anything and nobody waited."""
    kueue = replace(state.kueue, holders=(), pending=())
    return state_of(replace(state.snapshot, kueue=kueue))


def _with_backlog(state: State) -> list[str]:
    """The queues in which units can wait."""
    in_service = [name for name in state.forest.queue_ids if name not in state.inactive]
    if not state.kueue.local_queues:
        return in_service
    reached = {q.cluster_queue for q in state.kueue.local_queues.values() if q.stop_policy == "None"}
    return [name for name in in_service if name in reached]


def _check_size(state: State, root: int, shape: Mapping[str, int]) -> None:
    totals: dict[str, int] = {}
    for pair, amount in state.forest.nodes[root].subtree.items():
        totals[pair.resource] = add(totals.get(pair.resource, 0), amount)
    most = min(totals.get(resource, 0) // amount for resource, amount in shape.items() if amount)
    if most > MOST_UNITS:
        kind = "ClusterQueue" if state.forest.nodes[root].is_queue else "Cohort"
        message = f"{kind} `{state.forest.nodes[root].name}` has room for more than {MOST_UNITS} such units"
        raise FairshareError(Problem(message, help="ask about a larger unit"))


def _unit(state: State, queue: int, shape: Mapping[str, int]) -> Pending:
    name = state.forest.nodes[queue].name
    anywhere = (Toleration(operator="Exists"),)
    pods = PodSet("main", 1, dict(sorted(shape.items())), tolerations=anywhere)
    return Pending(ObjectKey(GROUP, "Workload", "", name), name, "", 0, 0, 0, (pods,))


@dataclass(slots=True)
class _Course:
    """The course of one tree. ``held`` are the units of each queue and assignment, the latest last."""

    state: State
    units: Mapping[int, Pending]
    held: dict[_Key, list[Holder]] = field(default_factory=dict)
    pictures: list[_Picture] = field(default_factory=list)
    period: int = 0

    @property
    def cycles(self) -> int:
        """Cycles in which something moved before the course came to rest, or to its first repetition."""
        return len(self.pictures) - 1 - self.period

    def run(self) -> None:
        """Cycles until nothing moves, or until a state has come back."""
        seen: dict[_Picture, int] = {}
        while True:
            picture = tuple(sorted((key, len(holders)) for key, holders in self.held.items() if holders))
            self.pictures.append(picture)
            if picture in seen:
                self.period = len(self.pictures) - 1 - seen[picture]
                return
            seen[picture] = len(seen)
            if not self._cycle():
                return

    def _cycle(self) -> bool:
        nominations = [Nominator(self.state, queue, unit).nominate() for queue, unit in self.units.items()]
        left: list[Holder] = []
        arrived: list[Holder] = []
        for entry in run_nominated(self.state, nominations).entries:
            if entry.status is Status.ASSUMED and entry.nomination.queue is not None:
                arrived.append(self._admitted(granted(entry.nomination.workload, entry, 0), entry.nomination.queue))
            elif entry.preempts:
                left += [self.held[_key(t.queue, t.holder)].pop() for t in entry.targets]
        self.state = self.state.moved(left, arrived)
        return bool(left or arrived)

    def _admitted(self, holder: Holder, queue: int) -> Holder:
        """One more unit, named after its place: those of one queue and assignment are the same to everybody."""
        known = self.held.setdefault(_key(queue, holder), [])
        flavors = ",".join(sorted({pair.flavor for pair in holder.usage}))
        name = f"{holder.cluster_queue}/{flavors}/{len(known):06}"
        known.append(replace(holder, key=holder.key._replace(name=name), uid=name))
        return known[-1]


def _key(queue: int, holder: Holder) -> _Key:
    return queue, tuple(sorted(holder.usage.items()))


def _result(state: State, shape: Mapping[str, int], courses: list[_Course], backlog: list[str]) -> Saturation:
    resource = next(iter(shape))
    units = dict.fromkeys(state.forest.queue_ids, 0)
    pairs: dict[str, dict[FlavorResource, int]] = {name: {} for name in units}
    swings: dict[str, tuple[int, int]] = {}
    for course in courses:
        for (queue, usage), count in course.pictures[-1]:
            name = state.forest.nodes[queue].name
            units[name] += count
            for pair, amount in usage:
                pairs[name][pair] = pairs[name].get(pair, 0) + amount * count
        swings |= _swings(course)
    usage = {name: sum(v for pair, v in held.items() if pair.resource == resource) for name, held in pairs.items()}
    return Saturation(
        resource=resource,
        shape=dict(shape),
        usage=usage,
        cycles=max((c.cycles for c in courses), default=0),
        fidelity=Fidelity(SCHEDULER, VERSION, snapshot_gaps(state.kueue)),
        rests=not any(c.period for c in courses),
        units=units,
        pairs=pairs,
        period=max((c.period for c in courses), default=0),
        swings=dict(sorted(swings.items())),
        without_backlog=tuple(name for name in units if name not in backlog),
    )


def _swings(course: _Course) -> dict[str, tuple[int, int]]:
    """The least and the most units of each queue that changes within the course's period."""
    last = course.pictures[len(course.pictures) - 1 - course.period :]
    found = {}
    for queue in course.units:
        counts = [sum(count for (q, _), count in picture if q == queue) for picture in last]
        if min(counts) < max(counts):
            found[course.state.forest.nodes[queue].name] = (min(counts), max(counts))
    return found
