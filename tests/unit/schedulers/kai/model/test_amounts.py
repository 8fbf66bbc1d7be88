"""KAI's comparison of amounts, in which −1 is unlimited."""

from itertools import product

import pytest

from kubectl_fairshare.schedulers.kai.model.amounts import charged, exceeds, minus, plus, within
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Resources


@pytest.mark.parametrize(
    ("amount", "bound", "over"),
    [(1, 2, False), (2, 2, False), (3, 2, True), (3, -1, False), (-1, 3, True), (-1, -1, False), (0, 0, False)],
)
def test_unlimited_exceeds_every_bound_but_an_unlimited_one(amount: float, bound: float, over: bool) -> None:
    assert exceeds(amount, bound) is over


def test_amounts_are_within_bounds_only_if_each_is() -> None:
    bounds = Resources(2.0, 2.0, 2.0)
    for amounts in product((1.0, 3.0), repeat=3):
        assert within(Resources(*amounts), bounds) is (max(amounts) <= 2)


def test_what_is_added_can_be_subtracted() -> None:
    a, b = Resources(1.0, 2.0, 3.0), Resources(4.0, 5.0, 0.5)
    assert plus(a, b) == Resources(5.0, 7.0, 3.5)
    assert minus(plus(a, b), b) == a


def test_charges_are_summed_and_mig_slices_stay_apart_from_gpus() -> None:
    total = charged([Charge(1.0, 2.0, 1.0, 0.0), Charge(1.0, 0.0, 0.0, 2.0)])
    assert total == Charge(2.0, 2.0, 1.0, 2.0)
    assert total.total.gpu == 3.0
