"""A branch shares what never changes and copies the rest; both go on apart from each other."""

import pickle
import threading

import pytest

from kubectl_fairshare.model.branching import branch
from kubectl_fairshare.model.values import Value


class Fixed(Value, frozen=True):
    """Something that never changes."""

    name: str


class Counter:
    """Something that changes."""

    def __init__(self, of: Fixed) -> None:
        self.of = of
        self.seen = [of]
        self.again = self.seen
        self.name = lambda: of.name


def test_what_changes_is_copied_and_frozen_values_are_shared() -> None:
    first = Counter(Fixed("a"))
    then = branch(first)
    then.seen.append(Fixed("b"))
    assert first.seen == [Fixed("a")]
    assert then.again is then.seen
    assert then.of is first.of
    assert then.name is first.name


def test_what_the_caller_names_is_shared() -> None:
    house = Counter(Fixed("house"))
    then = branch({"house": house, "more": Counter(Fixed("a"))}, (house,))
    assert then["house"] is house


def test_what_cannot_be_copied_is_refused() -> None:
    with pytest.raises((TypeError, pickle.PicklingError)):
        branch([threading.Lock()])
