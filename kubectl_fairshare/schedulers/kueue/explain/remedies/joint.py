"""Changes of several quotas, where one does not do.

Tested in ``tests/property/test_remedies.py`` and ``tests/unit/schedulers/kueue/explain/remedies/test_joint.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.amounts import UNLIMITED, subtract
from kubectl_fairshare.schedulers.amount_search import smallest
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Limit, Remedy
from kubectl_fairshare.schedulers.kueue.explain.remedies.quota_changes import LimitChange, remedy_of, with_changes
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import Decided, decision, fits_now, gets_in
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State

_SEVERAL: Final = 2
_GIVERS: Final = 3
_MOST_HOLDERS: Final = 1_000
"""The most workloads that hold quota in a tree for which every search for a smallest amount ends in a second."""

Raises = Mapping[FlavorResource, int]
"""What is added to nominal quotas of the workload's queue."""


def raised_together(state: State, queue: int, workload: Pending, bindings: Iterable[Binding]) -> Iterator[Remedy]:
    """The smallest raises of several quotas of the queue with which the workload fits at once."""
    short = {b.pair: subtract(b.needed, state.ledger.available(queue, b.pair)) for b in bindings}
    own = state.forest.nodes[queue].quotas
    most = {pair: missing for pair, missing in sorted(short.items()) if pair in own and 0 < missing < UNLIMITED}
    if len(most) < _SEVERAL:
        return
    least = _least(most, lambda raises: fits_now(_raised(state, queue, raises), queue, workload))
    decided = decision(_raised(state, queue, least), workload) if least else None
    if decided is not None and decided.leaving:  # as for one quota: it preempts in an earlier flavor than it fits in
        victims = len(decided.leaving)
        least = _least(least, lambda raises: _is_as_good(decision(_raised(state, queue, raises), workload), victims))
    yield from _told(state, queue, workload, least)


def _is_as_good(decided: Decided | None, victims: int) -> bool:
    return decided is not None and len(decided.leaving) <= victims


def less_borrowing(state: State, queue: int, nomination: Nomination) -> Iterator[Remedy]:
    """The smallest raises of quotas of the queue with which the workload borrows less, so that it may preempt.

    None where so many run in the tree that the search, with a nomination for each bit of each amount, takes too long.
    """
    if _holders(state, queue) > _MOST_HOLDERS:
        return
    usage = {} if nomination.assignment is None else nomination.assignment.usage
    borrowed = {pair: _over(state, queue, pair, amount) for pair, amount in sorted(usage.items())}
    own = state.forest.nodes[queue].quotas
    most = {pair: over for pair, over in borrowed.items() if pair in own and 0 < over < UNLIMITED}
    least = _least(most, lambda raises: gets_in(_raised(state, queue, raises), nomination.workload)) if most else {}
    for remedy in _told(state, queue, nomination.workload, least, reclaims=True):
        if remedy.outcome is Outcome.PREEMPTS:  # a raise with which it fits at once is there already
            yield remedy


def _holders(state: State, queue: int) -> int:
    queues = state.forest.queues_below(state.forest.root(queue))
    return sum(1 for each in queues for _ in state.holders.in_no_order(each))


def moved_quota(state: State, queue: int, workload: Pending, bindings: Iterable[Binding]) -> Iterator[Remedy]:
    """The least quota that another queue of the tree does not use and that is enough here: the sum stays the same."""
    needed = {b.pair: b.needed for b in bindings if b.kind is not Limit.DOMAIN}
    own = state.forest.nodes[queue].quotas
    for pair, amount in sorted(needed.items()):
        if pair in own:
            most = _over(state, queue, pair, amount)
            moves = (_least_move(state, queue, workload, pair, giver, most) for giver in _givers(state, queue, pair))
            yield from islice((move for move in moves if move is not None), 1)


def _least_move(
    state: State, queue: int, workload: Pending, pair: FlavorResource, giver: int, most: int
) -> Remedy | None:
    def changes(amount: int) -> list[LimitChange]:
        return [LimitChange(queue, pair, Limit.NOMINAL, amount), LimitChange(giver, pair, Limit.NOMINAL, -amount)]

    most = min(most, _spare(state, giver, pair))
    amount = smallest(1, most, lambda m: gets_in(with_changes(state, changes(m)), workload))
    decided = None if amount is None else decision(with_changes(state, changes(amount)), workload)
    if amount is None or decided is None:
        return None
    return remedy_of(state, changes(amount), decided, reclaims=True)


def _givers(state: State, queue: int, pair: FlavorResource) -> list[int]:
    """The queues of the tree with quota that they do not use, the largest amount first."""
    queues = (n for n in state.forest.queues_below(state.forest.root(queue)) if n != queue)
    spare = {n: _spare(state, n, pair) for n in queues if pair in state.forest.nodes[n].quotas}
    return sorted((n for n, amount in spare.items() if 0 < amount < UNLIMITED), key=lambda n: -spare[n])[:_GIVERS]


def _spare(state: State, node: int, pair: FlavorResource) -> int:
    """What a queue could give: it does not use it, and keeps what it lends, as the API server wants."""
    quota, unused = state.forest.quota(node, pair), _unused(state, node, pair)
    return unused if quota.lending_limit is None else min(unused, subtract(quota.nominal, quota.lending_limit))


def _unused(state: State, node: int, pair: FlavorResource) -> int:
    return subtract(state.forest.quota(node, pair).nominal, state.ledger.usage(node, pair))


def _over(state: State, queue: int, pair: FlavorResource, amount: int) -> int:
    """How far the queue would be above its nominal quota."""
    return subtract(amount, _unused(state, queue, pair))


def _raised(state: State, queue: int, raises: Raises) -> State:
    return with_changes(state, _changes(queue, raises))


def _changes(queue: int, raises: Raises) -> list[LimitChange]:
    return [LimitChange(queue, pair, Limit.NOMINAL, amount) for pair, amount in raises.items() if amount]


def _least(most: Raises, holds: Callable[[Raises], bool]) -> Raises:
    """The raises, of which none can be a unit smaller; none if also the largest are not enough.

    Less of one may make less of another enough, so the search goes on until nothing gets smaller.
    """
    known: dict[tuple[int, ...], bool] = {}

    def tried(raises: Raises) -> bool:
        amounts = tuple(raises.values())
        if amounts not in known:
            known[amounts] = holds(raises)
        return known[amounts]

    if not tried(most):
        return {}
    found, before = dict(most), dict[FlavorResource, int]()
    while found != before:
        before = dict(found)
        found = _smaller(found, tried)
    return found


def _smaller(most: Raises, tried: Callable[[Raises], bool]) -> dict[FlavorResource, int]:
    """Each raise in turn as small as the others let it be.

    Most are needed whole or not at all, which a try or two show: a search costs thirty, each a whole nomination.
    """
    found = dict(most)
    for pair, amount in ((pair, amount) for pair, amount in most.items() if amount):
        if tried({**found, pair: 0}):
            found[pair] = 0
            continue
        least = smallest(1, amount, lambda m, p=pair: tried({**found, p: m}), amount)  # type: ignore[misc]
        found[pair] = amount if least is None else least
    return found


def _told(state: State, queue: int, workload: Pending, raises: Raises, *, reclaims: bool = False) -> Iterator[Remedy]:
    changes = _changes(queue, raises)
    decided = decision(with_changes(state, changes), workload) if changes else None
    if decided is not None:
        yield remedy_of(state, changes, decided, reclaims=reclaims)
