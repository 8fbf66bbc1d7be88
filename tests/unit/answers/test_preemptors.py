from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.review import PossiblePreemptor

MEMBERS = st.sets(st.integers(0, 40))


def preemptors(of: Iterable[int]) -> frozenset[PossiblePreemptor]:
    return frozenset(PossiblePreemptor(f"queue-{number}", "law", "rule") for number in of)


@given(MEMBERS, MEMBERS)
def test_sets_by_numbers_are_the_sets_of_their_members(one: set[int], other: set[int]) -> None:
    numbers = PreemptorNumbers()
    plain, beside = preemptors(one), preemptors(other)
    first, second = numbers.set_of(plain), numbers.set_of(beside)
    assert (set(first), len(first), bool(first)) == (set(plain), len(plain), bool(plain))
    assert (first == second) is (plain == beside)
    assert set(first - second) == plain - beside
    assert set(first.without(second)) == plain - beside
    assert set(first.union((second,))) == plain | beside
    assert [each in first for each in (*plain, *beside)] == [each in plain for each in (*plain, *beside)]


@given(MEMBERS, MEMBERS)
def test_sets_by_other_numbers_and_plain_ones_are_compared_by_their_members(one: set[int], other: set[int]) -> None:
    numbers, plain = PreemptorNumbers(), preemptors(one)
    numbers.set_of(preemptors(other))
    later, alone = numbers.set_of(plain), PreemptorNumbers().set_of(plain)
    assert later == alone == plain
    assert plain == later
    assert hash(later) == hash(alone) == hash(plain)
    assert set(later - preemptors(other)) == set(plain - alone) | (plain - preemptors(other))


def test_equal_sets_by_the_same_numbers_are_one_object() -> None:
    numbers = PreemptorNumbers()
    members = preemptors(range(3))
    assert numbers.set_of(members) is numbers.set_of(sorted(members, reverse=True))
    assert numbers.set_of(members).without(numbers.set_of(members)) is numbers.having(0)


def test_what_was_not_met_is_in_no_set() -> None:
    (member,) = preemptors((1,))
    found = PreemptorNumbers().set_of((member,))
    assert preemptors((2,)).isdisjoint(found)
    assert not found.__contains__("queue-1")
    assert tuple(member) not in found
