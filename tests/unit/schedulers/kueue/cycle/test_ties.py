"""Whether the order of heads can matter."""

from types import SimpleNamespace
from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.cycle.order import queue_of, quota_usage
from kubectl_fairshare.schedulers.kueue.cycle.ties import proposal, rivalry
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption
from tests.unit.schedulers.kueue.build import GPU, cohort, holder, pending, queue, state


@pytest.mark.parametrize(
    ("pool", "needs", "free"),
    [(4, (2, 2), True), (3, (2, 2), False), (3, (2, 9), True), (1, (9, 9), True)],
    ids=["all fit", "one of two", "what fits nowhere does not count", "nothing fits"],
)
def test_the_order_matters_only_between_heads_that_compete(pool: int, needs: tuple[int, int], free: bool) -> None:
    given = state(
        cohort("all", quotas=pool),
        *(queue(name, "all") for name in "ab"),
        *(pending(name, name, need) for name, need in zip("ab", needs, strict=True)),
    )
    found = rivalry(given.ledger, [nominate(given, w) for w in given.kueue.pending])
    assert (found is None) is free


@pytest.mark.parametrize(
    ("pool", "needs", "known"),
    [(5, (2, 2, 2), [True, True, False]), (5, (1, 3, 4), [True, False, False]), (2, (1, 1, 2), [False, False, False])],
    ids=["the last one still fits alone", "it fits after one of them", "it fits after none"],
)
def test_rivals_are_still_rivals_while_the_last_one_fits_alone(pool: int, needs: Any, known: list[bool]) -> None:
    given = state(
        cohort("all", quotas=pool),
        *(queue(name, "all") for name in "abc"),
        *(pending(name, name, need) for name, need in zip("abc", needs, strict=True)),
    )
    heads = [nominate(given, workload) for workload in given.kueue.pending]
    found, certain = rivalry(given.ledger, heads), []
    assert found is not None
    for first in heads:
        ledger = given.ledger.plus(queue_of(first), quota_usage(first))
        left = [each for each in heads if each is not first]
        certain.append(found.is_certain(ledger, first))
        assert not certain[-1] or rivalry(ledger, left) is not None
    assert certain == known


def test_victims_make_the_order_matter() -> None:
    given = state(
        queue("a", None, 2, preemption=Preemption(within_cluster_queue="LowerPriority")),
        holder("low", "a", 2),
        pending("high", "a", 1, priority=1),
    )
    nomination = nominate(given, given.kueue.pending[0])
    assert rivalry(given.ledger, [nomination]) is not None
    assert quota_usage(nomination) == {GPU: 1}
    low, high = given.kueue.holders[0].key, given.kueue.pending[0].key
    assert proposal(nomination) == (high, ((GPU, 1),), (low,))


def head(mode: Mode) -> Any:
    """A head of its own queue that asks for nothing, so that it always fits."""
    asks = SimpleNamespace(usage={})
    return SimpleNamespace(mode=mode, placements=(), leaving=(), second=None, assignment=asks, queue=0)


class Endless(SimpleNamespace):
    """A ledger with room for all."""

    def plus(self, *_: object) -> "Endless":
        return self


@pytest.mark.parametrize(
    ("modes", "free"),
    [
        ((Mode.FIT, Mode.FIT), True),
        ((Mode.FIT, Mode.PREEMPT), False),  # it keeps room for itself
        ((Mode.PREEMPT, Mode.FIT), False),
        ((Mode.PREEMPT, Mode.NO_FIT), True),
    ],
)
def test_a_head_that_keeps_room_for_itself_matters_to_one_that_fits(modes: tuple[Mode, ...], free: bool) -> None:
    ledger: Any = Endless()
    assert (rivalry(ledger, [head(mode) for mode in modes]) is None) == free
