"""What each queue would hold if queues had backlogs of unit workloads of one shape, endless or of some units each.

The engine's own cycles run from an empty cluster until nothing changes. All units have the same shape, priority and
age, and tolerate every taint; the clock does not move. So the number of units of each queue in each flavor identifies
a state, and a state that comes back proves that the cycles never become stable. Trees do not affect each other: each
is simulated alone.
Why not divide the quota by weights: three queues of weights 1, 1 and 2 share 8 GPUs, the first may not borrow, and the
units of the others are of 3 GPUs. What is reached depends on each cycle's order, victims and sizes.
Source: KEP-1714, story 3, in https://github.com/kubernetes-sigs/kueue/tree/v0.19.2/keps/1714-fair-sharing; the cycles
are those of ``schedule`` in https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go;
"saturation" in ``docs/laws.md``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, product, repeat
from math import lcm

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.selectors import Toleration
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.choices import FIRST, Choices, FirstChoices, Possible, over_choices
from kubectl_fairshare.schedulers.kueue.cycle.cycle import HeadStatus, run_nominated
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nominator
from kubectl_fairshare.schedulers.kueue.cycle.play import holder_of
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.gaps import FULL_NODES, deciding_gaps, fidelity_of, reference_gaps
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import HolderIndex, State, state_of

MOST_UNITS = 10**9
"""Units that one tree may have quota for."""

MOST_WAYS = 2000
"""The cycles of one tree that are tried to find all outcomes that ties allow; more for a tree that takes many."""
MOST_OUTCOMES = 1024
"""Outcomes of all trees together that are listed."""

_WAYS_A_CYCLE = 8
_LISTED = 8
_FEW = 1024

_Pairs = tuple[tuple[FlavorResource, int], ...]
_Key = tuple[int, _Pairs]
_Picture = tuple[tuple[_Key, int], ...]


def saturate(
    state: State,
    shape: Mapping[str, int],
    backlog: Mapping[str, int | None] | None = None,
    most_ways: int = MOST_WAYS,
) -> Saturation:
    """The state that cycles lead to if queues have a backlog of units that request ``shape`` each.

    ``shape`` is in the units of ``model.amounts``; its first resource is the one reported. ``backlog`` is the number of
    units of each queue that has any, None for an endless one: by default that of all queues in which units can wait.
    ``most_ways`` bounds the search for outcomes that ties allow; 0 looks for none. Raises ``UsageError`` for a shape
    without requests, and ``FairshareError`` if units are so small that there would be too many.
    """
    if not shape or min(shape.values()) < 0 or not any(shape.values()):
        raise UsageError(Problem("a unit workload must request something", help="name an amount above 0, like `cpu=1`"))
    placing = _placing(state)
    state = _empty_state(state)
    backlog = dict.fromkeys(reached_queues(state)) if backlog is None else backlog
    trees: dict[int, list[int]] = {}
    for name in sorted(backlog):
        queue = state.forest.queue_ids[name]
        trees.setdefault(state.forest.root(queue), []).append(queue)
    ends = {state.forest.queue_ids[name]: units for name, units in backlog.items() if units is not None}
    courses = [_TreeRun(state, tuple(trees[root]), shape, ends) for root in sorted(trees)]
    for root, course in zip(sorted(trees), courses, strict=True):
        course.run(_most(state, root, shape), most_ways)
    return _result(state, shape, courses, backlog, placing)


def _empty_state(state: State) -> State:
    """The state without any workload, in which no topology places pods: trees of queues may share its nodes."""
    configuration = replace(state.configuration, topology=False)
    kueue = replace(state.kueue, holders=(), pending=(), configuration=configuration)
    return state_of(state.snapshot.with_part(kueue))


def _placing(state: State) -> tuple[Gap, ...]:
    """A gap for the flavors of queues whose pods a topology places, in the full cluster as in any other."""
    groups = (group for queue in state.kueue.cluster_queues.values() for group in queue.groups)
    used = {flavor for group in groups for flavor in group.flavors}
    flavors = [state.kueue.flavors[name] for name in sorted(used) if name in state.kueue.flavors]
    places = tuple(Place(each.key, ("spec", "topologyName")) for each in flavors if each.topology is not None)
    return (Gap(FULL_NODES, places, touches=True),) if places and state.configuration.topology else ()


def reached_queues(state: State) -> list[str]:
    """The queues in which units can wait: active ones with a running LocalQueue, or all active ones if none has any."""
    in_service = [name for name in state.forest.queue_ids if name not in state.inactive]
    if not state.kueue.local_queues:
        return in_service
    reached = {q.cluster_queue for q in state.kueue.local_queues.values() if q.stop_policy == "None"}
    return [name for name in in_service if name in reached]


def _most(state: State, root: int, shape: Mapping[str, int]) -> int:
    """The most units that the tree, or a part of it, has quota for. Raises ``FairshareError`` if that is too many.

    A queue or a cohort may have more than all of the tree: it need not lend all.
    """
    forest = state.forest
    # The largest of all nodes and not the root's: what a queue does not lend is not in the root's quota.
    most = max(_fitting(state, node.id, shape) for node in forest.nodes if forest.root(node.id) == root)
    if most > MOST_UNITS:
        kind = "ClusterQueue" if state.forest.nodes[root].is_queue else "Cohort"
        message = f"{kind} `{state.forest.nodes[root].name}` has quota for more than {MOST_UNITS} such unit workloads"
        raise FairshareError(Problem(message, help="use a larger unit workload"))
    return most


def _fitting(state: State, node: int, shape: Mapping[str, int]) -> int:
    """How many units the quota of a node is enough for, in all flavors together."""
    totals: dict[str, int] = {}
    for pair, amount in state.forest.nodes[node].subtree.items():
        totals[pair.resource] = add(totals.get(pair.resource, 0), amount)
    return min(totals.get(resource, 0) // amount for resource, amount in shape.items() if amount)


class _TreeRun(Value):
    """The simulation of one tree. ``held`` is the number of bundles that each queue holds in each assignment.

    ``most`` is the number of units of each queue whose backlog ends.

    The state lists at most ``_LISTED`` equal bundles, while its ledger counts all: a search never takes more, because
    after the first bundle that does not help, equal ones do not help either. ``pictures`` are the states seen with
    bundles of one unit. ``cycles`` is the number of cycles that changed something, ``period`` the number of cycles
    from the first appearance of the last picture back to it.
    """

    state: State
    queues: tuple[int, ...]
    shape: Mapping[str, int]
    most: Mapping[int, int] = field(default_factory=dict)
    held: dict[_Key, int] = field(default_factory=dict)
    pictures: list[_Picture] = field(default_factory=list)
    cycles: int = 0
    period: int = 0
    largest: int = 1
    ends: Possible[_Picture] = Possible(())

    def run(self, most: int, most_ways: int) -> None:
        """Runs cycles until nothing changes; with many units, first in bundles, which become smaller.

        Bundles save cycles; the last cycles move single units. ``ends`` are the stable states that ties allow.
        """
        self.largest = 1 << max(0, (most // _FEW).bit_length() - 1)
        start, probe = replace(self, held={}), FirstChoices()
        self.state = self.state.with_chance(probe)
        for size in self._sizes():
            if size < self.largest:
                self._split()
            self._settle(size)
        self.ends = Possible((self.pictures[-1],), complete=not (probe.asked and self.period))
        if probe.asked and not most_ways:
            self.ends = Possible((self.pictures[-1],), complete=False)
        elif probe.asked and not self.period:
            found = _possible_ends(start, max(most_ways, _WAYS_A_CYCLE * self.cycles))
            own = (self.pictures[-1],)
            self.ends = replace(found, results=(*own, *(each for each in found.results if each != own[0])))

    def _sizes(self) -> list[int]:
        """The sizes of bundles, one after the other."""
        return [1 << power for power in range(self.largest.bit_length() - 1, -1, -1)]

    def _picture(self) -> _Picture:
        return tuple(sorted((key, count) for key, count in self.held.items() if count))

    def after(self, size: int, chance: Choices) -> "_TreeRun":
        """The run after one more cycle, with the choices of ``chance``; equal to this one if nothing changes."""
        run = replace(self, held=dict(self.held), state=self.state.with_chance(chance))
        run._cycle([run._bundle(queue, size) for queue in run.queues])
        run.state = run.state.with_chance(FIRST)
        return run

    def _settle(self, size: int) -> None:
        """Runs cycles with bundles of ``size`` until nothing changes, or until a state comes back."""
        bundles = [self._bundle(queue, size) for queue in self.queues]
        self.pictures, self.period = [], 0
        seen: dict[_Picture, int] = {}
        while True:
            picture = self._picture()
            self.pictures.append(picture)
            if picture in seen:
                self.period = len(self.pictures) - 1 - seen[picture]
                return
            seen[picture] = len(seen)
            if not self._cycle(bundles):
                return
            self.cycles += 1

    def _bundle(self, queue: int, size: int) -> Pending:
        name = self.state.forest.nodes[queue].name
        # Taints are a matter of pods and not of quota, which is what is asked.
        anywhere = (Toleration(operator="Exists"),)
        pods = PodSet("main", size, dict(sorted(self.shape.items())), tolerations=anywhere)
        return Pending(ObjectKey(GROUP, "Workload", "", name), name, "", 0, 0, 0, (pods,))

    def halved(self) -> "_TreeRun":
        """The run with each bundle split into two."""
        run = replace(self)
        run._split()
        return run

    def _split(self) -> None:
        """Splits each bundle into two; no usage changes."""
        halves = {(q, tuple((pair, amount // 2) for pair, amount in usage)): n for (q, usage), n in self.held.items()}
        self.held = {key: 2 * count for key, count in halves.items()}
        self.state = replace(self.state, holders=self._holders())

    def _cycle(self, bundles: list[Pending]) -> bool:
        """Runs one cycle and applies it; returns whether anything changed."""
        heads = [each for each in zip(self.queues, bundles, strict=True) if self._waits(*each)]
        entries = run_nominated(self.state, [Nominator(self.state, q, b).nominate() for q, b in heads]).entries
        ledger, queue_ids = self.state.ledger, self.state.forest.queue_ids
        for entry in entries:
            if entry.status is HeadStatus.ASSUMED:
                holder = holder_of(entry.nomination.workload, entry, 0)
                queue = queue_ids[holder.cluster_queue]
                ledger = ledger.plus(queue, holder.usage)
                key = (queue, tuple(sorted(holder.usage.items())))
                self.held[key] = self.held.get(key, 0) + 1
            elif entry.preempts:
                for target in entry.targets:
                    ledger = ledger.minus(target.queue, target.holder.usage)
                    self.held[target.queue, tuple(sorted(target.holder.usage.items()))] -= 1
        moved = ledger is not self.state.ledger
        self.state = replace(self.state, ledger=ledger, holders=self._holders())
        return moved

    def _waits(self, queue: int, bundle: Pending) -> bool:
        """Whether a queue has so many units that it does not hold."""
        if queue not in self.most:
            return True
        held = sum(count for (holder, _), count in self.held.items() if holder == queue)
        return (held + 1) * bundle.pod_sets[0].count <= self.most[queue]

    def _holders(self) -> HolderIndex:
        """The bundles that searches see, named after their places: equal bundles look the same to every search."""
        found: dict[int, list[Holder]] = {}
        for group, ((queue, usage), count) in enumerate(sorted(self.held.items())):
            name = self.state.forest.nodes[queue].name
            # A search stops at the first equal candidate that it refuses, so more of them change nothing.
            for number in range(min(count, _LISTED)):
                uid = f"{name}/{group:05}/{number}"
                key = ObjectKey(GROUP, "Workload", "", uid)
                found.setdefault(queue, []).append(Holder(key, uid, name, "", 0, 0, 0, 0, False, dict(usage)))
        return HolderIndex(found)


def _possible_ends(start: _TreeRun, most: int) -> Possible[_Picture]:
    """The stable states that ties allow: a search over the states that cycles lead to.

    A state from which no stable one can be reached leaves the list incomplete.
    """
    runs, left, complete = [start], most, True
    for size in start._sizes():
        stable: dict[_Picture, _TreeRun] = {}
        before: dict[_Picture, set[_Picture]] = {run._picture(): set() for run in runs}
        waiting = runs[::-1]
        while waiting and left:
            run = waiting.pop()
            here = run._picture()
            following = over_choices(partial(run.after, size), _TreeRun._picture, left)
            left -= following.ways
            complete = complete and following.complete
            for after in reversed(following.results):
                there = after._picture()
                if there == here:
                    stable[here] = run
                elif there not in before:
                    waiting.append(after)
                before.setdefault(there, set()).add(here)
        complete = complete and not waiting and _all_reach(stable, before)
        runs = [run.halved() if size > 1 else run for run in stable.values()]
    return Possible(tuple(run._picture() for run in runs), complete)


def _all_reach(ends: Iterable[_Picture], before: Mapping[_Picture, set[_Picture]]) -> bool:
    """Whether an end can be reached from every state; ``before`` maps each to those that lead to it."""
    found, waiting = set(ends), list(ends)
    while waiting:
        new = before[waiting.pop()] - found
        found |= new
        waiting += new
    return len(found) == len(before)


def _result(
    state: State,
    shape: Mapping[str, int],
    courses: list[_TreeRun],
    backlog: Mapping[str, int | None],
    placing: tuple[Gap, ...],
) -> Saturation:
    resource = next(iter(shape))
    units = dict.fromkeys(state.forest.queue_ids, 0)
    pairs: dict[str, dict[FlavorResource, int]] = {name: {} for name in units}
    swings: dict[str, tuple[int, int]] = {}
    phases: dict[str, tuple[Mapping[FlavorResource, int], ...]] = {}
    for course in courses:
        for (queue, held), count in course.pictures[-1]:
            name = state.forest.nodes[queue].name
            units[name] += count
            for pair, amount in held:
                pairs[name][pair] = pairs[name].get(pair, 0) + amount * count
        swings |= _swings(course)
        phases |= dict(_phases(course))
    possible = _possible(state, courses, resource)
    bundle = max((c.largest for c in courses), default=1)
    order = (Gap("PrioritizePreemptorWorkloads", (), touches=True),) if state.configuration.preemptors_first else ()
    gaps = (*deciding_gaps(state.kueue), *reference_gaps(state), *placing, *order)
    fidelity = fidelity_of(state.configuration, gaps)
    usage = {name: sum(v for pair, v in of.items() if pair.resource == resource) for name, of in pairs.items()}
    return Saturation(
        resource=resource,
        shape=dict(shape),
        usage=usage,
        cycles=max((c.cycles for c in courses), default=0),
        fidelity=replace(fidelity, outcomes=len(possible.results), all_outcomes=possible.complete and bundle == 1),
        rests=not any(c.period for c in courses),
        units=units,
        pairs=pairs,
        period=lcm(*(c.period for c in courses if c.period)) if any(c.period for c in courses) else 0,
        swings=dict(sorted(swings.items())),
        phases=dict(sorted(phases.items())),
        bundle=bundle,
        without_backlog=tuple(name for name in units if name not in backlog),
        backlog=dict(backlog),
        possible=possible,
    )


def _possible(state: State, courses: list[_TreeRun], resource: str) -> Possible[Mapping[str, int]]:
    """The usage of every queue in each outcome; trees do not influence each other."""
    nothing = dict.fromkeys(state.forest.queue_ids, 0)
    ends = (tuple(dict.fromkeys(map(_usage_of, course.ends.results, repeat(resource)))) for course in courses)
    found: list[Mapping[str, int]] = []
    for chosen in islice(product(*ends), MOST_OUTCOMES + 1):
        usage = dict(nothing)
        for queue, amount in (each for end in chosen for each in end):
            usage[state.forest.nodes[queue].name] += amount
        found.append(usage)
    complete = all(course.ends.complete for course in courses) and len(found) <= MOST_OUTCOMES
    return Possible(tuple(found[:MOST_OUTCOMES]), complete)


def _usage_of(picture: _Picture, resource: str) -> tuple[tuple[int, int], ...]:
    """What each queue holds of the resource."""
    total: Counter[int] = Counter()
    for (queue, held), count in picture:
        total[queue] += count * sum(amount for pair, amount in held if pair.resource == resource)
    return tuple(sorted(total.items()))


def _period(course: _TreeRun) -> list[_Picture]:
    """The states that come back, each once; the last state alone if nothing changes any more."""
    return course.pictures[len(course.pictures) - max(course.period, 1) :]


def _phases(course: _TreeRun) -> Iterator[tuple[str, tuple[Mapping[FlavorResource, int], ...]]]:
    """What each queue that changes holds at each cycle of the period."""
    for queue in course.queues:
        held = tuple(_held_of(picture, queue) for picture in _period(course))
        if any(each != held[0] for each in held):
            yield course.state.forest.nodes[queue].name, held


def _held_of(picture: _Picture, queue: int) -> Mapping[FlavorResource, int]:
    """What a queue holds."""
    held: Counter[FlavorResource] = Counter()
    for (holder, pairs), count in picture:
        if holder == queue:
            held.update({pair: amount * count for pair, amount in pairs})
    return dict(held)


def _swings(course: _TreeRun) -> dict[str, tuple[int, int]]:
    """The smallest and largest number of units of each queue that changes within the period."""
    found = {}
    for queue in course.queues:
        counts = [sum(count for (q, _), count in picture if q == queue) for picture in _period(course)]
        if min(counts) < max(counts):
            found[course.state.forest.nodes[queue].name] = (min(counts), max(counts))
    return found
