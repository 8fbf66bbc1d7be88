"""Which running workloads the newcomers of a queue preempt: found by the decisions themselves, on made-up Workloads.

A newcomer asks for one or two flavor-resources, which a node selector and tolerations choose as far as labels and
taints can. The sizes that are tried are those at which a limit or a quota on the way to the root is reached, and those
that just fit once some of the workloads have left that an earlier try took. Under fair sharing shares are compared,
too: between two sizes that are decided differently, others are tried.
Tested in ``tests/property/exact/test_kueue_preemptors.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement, Toleration
from kubectl_fairshare.schedulers.choices import FIRST, Choices, over_choices
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, Nominator
from kubectl_fairshare.schedulers.kueue.explain.preemptors.shortage import ShortPairs, rooms
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Tried
from kubectl_fairshare.schedulers.kueue.flavors.matching import may_run_on
from kubectl_fairshare.schedulers.kueue.flavors.search import NOTHING_TRIED
from kubectl_fairshare.schedulers.kueue.laws import Law, Preemptor, below_threshold, policy_allows, policy_towards
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult
from kubectl_fairshare.schedulers.kueue.tree.state import State

Taking: TypeAlias = tuple[ObjectKey, Law]
"""A running workload, and the law that a newcomer takes it by, one for each field (``law_of``)."""
_Size: TypeAlias = tuple[int, frozenset[ObjectKey]]
"""A size, and the workloads for which it is tried."""
_MOST_SIZES: Final = 64
"""Sizes of one flavor-resource that are tried for one age."""
_FEW_SIZES: Final = 8
"""Sizes of each of two flavor-resources that are tried together."""
_ANY: Final[frozenset[ObjectKey]] = frozenset()
"""A size that is tried for all that is wanted."""
_OLDER: Final = -1
_NEWER: Final = UNLIMITED
_MOST_WAYS: Final = 64
"""Ways through one decision with ties."""
MANY: Final = "there are too many newcomers to try: some of the queues may not get that far"
_NODES: Final = "in flavors with a topology no newcomers are tried: some of the queues may not get that far"
_CHANCE: Final = "what some newcomers take is left to chance: some of the queues may not get that far"
_KEY: Final = ObjectKey(GROUP, "Workload", "", "newcomer")


class _Age(NamedTuple):
    """What else of a newcomer counts: its priority, and its queue timestamp."""

    priority: int
    queued: int


class _Try(NamedTuple):
    """The nominations of one newcomer, cycle after cycle."""

    nominations: tuple[Nomination, ...]

    def course(self) -> object:
        """What of them depends on its size."""
        trials = (t for each in self.nominations for search in each.searches for t in search.trials)
        return _taken(self.nominations), [(trial.holder.key, trial.taken) for trial in trials]


def law_of(law: Law) -> Law:
    """One law for all by which the same field lets a newcomer take a workload."""
    if law in (Law.ENTITLED, Law.S2B):
        return Law.S2A
    return Law.RECLAIM_HIERARCHY if law is Law.RECLAIM_PRIORITY else law


def _taken(nominations: Iterable[Nomination]) -> frozenset[Taking]:
    admitted = (each for each in nominations if each.admits)
    return frozenset((target.holder.key, law_of(target.trial.law)) for each in admitted for target in each.leaving)


def _spared_up_to(left: Sequence[Holder], pair: FlavorResource, free: int) -> Iterator[_Size]:
    """Sizes for which all that left after a workload, but the last, is put back, so that no room is left for it."""
    for later, holder in zip(left[-2:0:-1], left[-3::-1], strict=True):
        free -= later.usage.get(pair, 0)
        yield free, frozenset((holder.key,))


class Newcomers:
    """The newcomers of one queue, tried until they take all that is ``wanted``, or no size is left.

    ``taken`` is what they take, each with the first that does, and what is wanted still, with None, if ``doubts`` say
    why not all were tried.
    """

    def __init__(self, state: State, shortage: ShortPairs, queue: int, wanted: Mapping[Taking, Holder]) -> None:
        self._state = state
        self._shortage = shortage
        self._queue = queue
        self._node = state.forest.nodes[queue].queue
        self._wanted = dict(wanted) if not state.fair else {t: h for t, h in wanted.items() if self._may_take(h)}
        self._sizes: dict[tuple[_Age, FlavorResource], list[int]] = {}
        self._replays: dict[_Age, Replay] = {}
        self._most = 0
        self.taken: dict[Taking, Pending | None] = {}
        self.doubts: set[str] = set()
        self.tries = 0

    @cached_property
    def holders(self) -> Sequence[Holder]:
        """The workloads of the queue's tree: each try goes through them."""
        forest = self._state.forest
        queues = forest.queues_below(forest.root(self._queue))
        return [holder for queue in queues for holder in self._state.holders.in_no_order(queue)]

    def run(self, most: int) -> None:
        """Tries one flavor-resource, then two; at most so many newcomers."""
        self._most = most
        if any(map(self._shortage.has_nodes, self._short)):
            self._most = 0
            self.doubts.add(_NODES)
        else:
            self._try_all()
            self.doubts |= {MANY} if self._wanted and self.tries >= most else set()
        if self._wanted and self.doubts:
            self.taken |= dict.fromkeys(self._wanted)

    @property
    def _short(self) -> frozenset[FlavorResource]:
        return self._shortage.of(self._queue)

    @property
    def _is_over(self) -> bool:
        return not self._wanted or self.tries >= self._most

    def _may_take(self, holder: Holder) -> bool:
        queue = self._state.forest.queue_ids[holder.cluster_queue]
        return queue == self._queue or self._shortage.may_outbid(self._queue, queue)

    def _try_all(self) -> None:
        pairs = [FlavorResource(f, r) for group in self._node.groups for f in group.flavors for r in group.covered]
        ages = [] if self._is_over else self._ages()
        for age, pair in product(ages, pairs):
            if pair in self._short and any(pair in holder.usage for holder in self._possible(age)):
                self._explore(age, pair)
        for age, (one, other) in product(ages, combinations(pairs, 2)):
            if not self._short.isdisjoint((one, other)) and self._may_help(age, one, other):
                self._explore_both(age, one, other)

    def _possible(self, age: _Age) -> Iterator[Holder]:
        """The wanted workloads that a newcomer of that age may take."""
        for (_, law), holder in self._wanted.items():
            allowed, below = self._allowed(age, holder)
            if allowed and (below or law is not Law.RECLAIM_WHILE_BORROWING):
                yield holder

    def _ages(self) -> list[_Age]:
        """One age of all those for which the same workloads of the tree are candidates."""
        known = sorted({holder.priority for holder in self.holders}, reverse=True)
        ages = [_Age(each + 1, _NEWER) for each in known] + [_Age(each, _OLDER) for each in known]
        found: dict[object, _Age] = {}
        for age in (*ages, *(_Age(each - 1, _NEWER) for each in known[-1:])):
            found.setdefault(tuple(self._allowed(age, holder) for holder in self.holders), age)
        return [*found.values()]

    def _allowed(self, age: _Age, holder: Holder) -> tuple[bool, bool]:
        """Whether policies allow a newcomer of that age to take the workload, and whether they do while it borrows."""
        policies, own = self._node.preemption, holder.cluster_queue == self._node.name
        newcomer = Preemptor(self._queue, *age, frozenset(), {})
        allowed = policy_allows(policy_towards(policies, own=own), newcomer, holder)
        return allowed, below_threshold(policies, newcomer, holder)

    def _may_help(self, age: _Age, one: FlavorResource, other: FlavorResource) -> bool:
        """Whether to ask for both may take more than to ask for one of them."""
        queues = {self._state.forest.queue_ids[holder.cluster_queue] for holder in self._possible(age)}
        if one.resource == other.resource and not (self._is_alone(one) and self._is_alone(other)):
            return bool(queues)
        return any(self._lends_differently(queue, one, other) for queue in sorted(queues))

    def _lends_differently(self, queue: int, one: FlavorResource, other: FlavorResource) -> bool:
        """Whether a queue or a cohort above it borrows only one of two: who asks for the other may not take from it."""
        ledger = self._state.ledger
        path = self._state.forest.path(queue)
        return queue != self._queue and any(ledger.is_within(n, (one,)) != ledger.is_within(n, (other,)) for n in path)

    def _explore(self, age: _Age, pair: FlavorResource, before: Mapping[FlavorResource, int] | None = None) -> None:
        """Tries sizes of one flavor-resource, the largest first, until none is new; each next to what comes before."""
        free = self._state.ledger.free(self._queue, pair)
        waiting: dict[int, frozenset[ObjectKey]] = dict.fromkeys((s for s in self._limits(pair) if s > free), _ANY)
        waiting |= {self._state.forest.potential(self._queue, p) - size + 1: _ANY for p, size in (before or {}).items()}
        known: dict[int, object] = {}
        while waiting and len(known) < _MOST_SIZES and not self._is_over:
            size = max(waiting)
            meant_for, wanted = waiting.pop(size), {key for key, _ in self._wanted}
            if not meant_for or not meant_for.isdisjoint(wanted):
                tried = self._decide(age, {**(before or {}), pair: size})
                known[size] = tried.course() if self._state.fair else None
                for each in tried.nominations:
                    for more, keys in self._fitting(each, pair, wanted):
                        if more not in known:
                            known_for = waiting.get(more, keys)
                            waiting[more] = known_for | keys if known_for else _ANY
            if self._state.fair and not waiting:
                between = ((a + b) // 2 for a, b in pairwise(sorted(known)) if known[a] != known[b])
                waiting |= dict.fromkeys((size for size in between if size not in known), _ANY)
        if before is None:
            self._sizes[age, pair] = sorted(known)

    def _explore_both(self, age: _Age, one: FlavorResource, other: FlavorResource) -> None:
        """Tries some sizes of two; of two flavors of one resource, the first pods may leave too little of one."""
        if one.resource == other.resource:
            for first, second in ((one, other), (other, one)):
                self._explore(age, second, {first: max(1, self._state.ledger.free(self._queue, first))})
        for sizes in product(self._few(age, one), self._few(age, other)):
            if self._is_over:
                return
            self._decide(age, dict(zip((one, other), sizes, strict=True)))

    def _few(self, age: _Age, pair: FlavorResource) -> Sequence[int]:
        """Some of the sizes that were tried of one flavor-resource, the largest among them."""
        found = self._sizes.get((age, pair)) or sorted({*self._limits(pair)})
        return found[:: -max(1, -(-len(found) // _FEW_SIZES))]

    def _limits(self, pair: FlavorResource) -> Iterator[int]:
        """The smallest size, those at which a limit or quota is reached, and one more; at most what may ever fit."""
        forest, free = self._state.forest, self._state.ledger.free(self._queue, pair)
        most, nominal = forest.potential(self._queue, pair), forest.quota(self._queue, pair).nominal
        for bound in (0, free, nominal, most, *rooms(self._state, self._queue, pair)):
            yield from (size for size in (bound, bound + 1) if 0 < size <= most < UNLIMITED)

    def _fitting(self, nomination: Nomination, pair: FlavorResource, wanted: Set[ObjectKey]) -> Iterator[_Size]:
        """What fits once wanted workloads have left that its searches took, or the next with which more fits."""
        most = self._state.forest.potential(self._queue, pair)
        for taken, borrowing in product([[*self._left_free(s, pair)] for s in nomination.searches], (True, False)):
            before, left, new = 0, list[Holder](), set[ObjectKey]()
            for holder, lent, own in taken:
                free = lent if borrowing else own
                left.append(holder)
                new |= {holder.key} & wanted
                if free > before:
                    found = [(min(free, most), frozenset(new))] if new else []
                    found += _spared_up_to(left, pair, free)
                    yield from ((size, keys) for size, keys in found if 0 < size <= most and keys <= wanted)
                    before, new = free, set()

    def _left_free(self, search: SearchResult, pair: FlavorResource) -> Iterator[tuple[Holder, int, int]]:
        """Each workload that the search took, and what is free after it: with borrowing, and of own quota."""
        nominal = self._state.forest.quota(self._queue, pair).nominal
        ledger, gone = self._state.ledger, set[ObjectKey]()
        for trial in search.trials:
            if trial.holder.key in gone:  # the second attempt begins
                ledger, gone = self._state.ledger, set()
            if trial.taken:
                gone.add(trial.holder.key)
                ledger = ledger.minus(trial.queue, trial.holder.usage)
                yield trial.holder, ledger.free(self._queue, pair), nominal - ledger.usage(self._queue, pair)

    def _decide(self, age: _Age, sizes: Mapping[FlavorResource, int]) -> _Try:
        """Decides about a newcomer, cycle after cycle, and notes what it takes by any choice that Kueue leaves open."""
        workload = self._workload(age, sizes)
        found = self._scan(workload, FIRST, self._replays.setdefault(age, Replay()))
        taken = _taken(found)
        self._note(taken, workload)
        if any(each.tied for each in found):
            ways = over_choices(lambda chance: self._scan(workload, chance, Replay()), _taken, _MOST_WAYS)
            self.doubts |= set() if ways.complete else {_CHANCE}
            for way in ways.results:
                self._note(_taken(way), workload)
        return _Try(found)

    def _note(self, taken: Set[Taking], workload: Pending) -> None:
        for taking in taken:
            self.taken.setdefault(taking, workload)
            self._wanted.pop(taking, None)

    def _scan(self, workload: Pending, chance: Choices, replay: Replay) -> tuple[Nomination, ...]:
        """The nominations of a newcomer, cycle after cycle, until it is admitted or all its flavors were tried."""
        self.tries += 1
        state = self._state if chance is FIRST else self._state.with_chance(chance)
        found, seen, tried = list[Nomination](), list[Tried](), NOTHING_TRIED
        while tried not in seen:
            seen.append(tried)
            nominator = Nominator(state, self._queue, workload, tried)
            nominator.replay = replay
            found.append(nominator.nominate())
            if not found[-1].goes_on:
                break
            tried = found[-1].tried
        return tuple(found)

    def _workload(self, age: _Age, sizes: Mapping[FlavorResource, int]) -> Pending:
        """A Workload with a pod set for each flavor-resource."""
        pods = tuple(self._pods(pair, size) for pair, size in sizes.items())
        return Pending(_KEY, "", self._node.name, age.priority, age.queued, age.queued, pods)

    def _pods(self, pair: FlavorResource, size: int) -> PodSet:
        count, requests = (size, {}) if pair.resource == "pods" else (1, {pair.resource: size})
        selector, tolerations = self._choosing(pair)
        return PodSet(pair.resource, count, requests, node_selector=selector, tolerations=tolerations)

    def _choosing(self, pair: FlavorResource) -> tuple[tuple[Requirement, ...], tuple[Toleration, ...]]:
        """A node selector and tolerations that let in one flavor, and as few others of its group as can be."""
        flavors = self._state.kueue.flavors
        mine = flavors.get(pair.flavor)
        if mine is None:
            return (), ()
        group = next(each for each in self._node.groups if pair.resource in each.covered)
        keys = sorted({key for name in group.flavors if name in flavors for key in flavors[name].node_labels})
        has = (
            mine.node_labels
        )  # a key that it lacks must not exist: a value that no flavor has refuses it before 0.17.6
        selector = tuple(
            Requirement(key, "In", (has[key],)) if key in has else Requirement(key, "DoesNotExist") for key in keys
        )
        return selector, tuple(Toleration(t.key, "Equal", t.value, t.effect) for t in mine.node_taints)

    def _is_alone(self, pair: FlavorResource) -> bool:
        """Whether a node selector and tolerations can leave that flavor alone of its group."""
        selector, tolerations = self._choosing(pair)
        pods = PodSet("", 1, {}, node_selector=selector, tolerations=tolerations)
        group = next(each for each in self._node.groups if pair.resource in each.covered)
        flavors = self._state.kueue.flavors
        return all(
            name == pair.flavor or name not in flavors or not may_run_on(flavors[name], (pods,))
            for name in group.flavors
        )
