"""Decay, penalties and usage, digit by digit. The numbers are those of Kueue's own functions."""

import math

import pytest

from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import (
    BEFORE_ALL,
    alpha,
    decayed,
    entry_penalty,
    sampled,
    scaled,
    total,
    usage,
)
from kubectl_fairshare.schedulers.kueue.model.consumption import ExactQuantity, quantity_of
from kubectl_fairshare.schedulers.kueue.model.objects import AdmissionSharing
from kubectl_fairshare.schedulers.kueue.release import release_named

WEEK = AdmissionSharing(half_life=168 * 3600, sampling=300)
TEN_MINUTES = AdmissionSharing(half_life=600, sampling=60, weights={"cpu": 1.0, "memory": 1e-9})
IN_MILLI = AdmissionSharing(half_life=168 * 3600, sampling=300, release=release_named("0.17"))
NEVER = AdmissionSharing(half_life=0, sampling=300)
SECOND = 10**9


def quantities(**amounts: str) -> dict[str, ExactQuantity]:
    return {resource: quantity_of(amount) for resource, amount in amounts.items()}


def nano(amount: int) -> ExactQuantity:
    return ExactQuantity(amount, 9)


def milli(amount: int) -> ExactQuantity:
    return ExactQuantity(amount, 3)


def test_alpha_is_what_a_half_life_leaves() -> None:
    assert alpha(300, 168 * 3600) == 0.00034376390587387284
    assert alpha(300, 300) == 0.5
    assert alpha(300, 0) == 0.0


def test_a_penalty_is_cut_after_nine_decimals() -> None:
    asked = quantities(cpu="2", memory="4Gi", gpu="3")
    assert entry_penalty(asked, WEEK) == {"cpu": nano(687527), "memory": nano(1476454733273506), "gpu": nano(1031291)}
    assert entry_penalty(asked, NEVER) == {"cpu": nano(0), "memory": nano(0), "gpu": nano(0)}


def test_older_releases_cut_after_three_decimals() -> None:
    """Kueue v0.17.8: `int64(float64(q.MilliValue()) * factor)`."""
    asked = quantities(cpu="2", gpu="3", long="1234567891n")
    assert entry_penalty(asked, IN_MILLI) == {"cpu": milli(0), "gpu": milli(1), "long": milli(0)}
    assert scaled(asked, 0.5, IN_MILLI) == {"cpu": milli(1000), "gpu": milli(1500), "long": milli(617)}
    assert scaled({"memory": ExactQuantity(2**54)}, 0.5, IN_MILLI) == {"memory": milli(0)}
    assert scaled({"cpu": ExactQuantity(-3, 3)}, 0.5, IN_MILLI) == {"cpu": milli(-1)}


@pytest.mark.parametrize(("used", "older", "later"), [("0", BEFORE_ALL, math.inf), ("1", math.inf, math.inf)])
def test_a_weight_of_0_divides_in_older_releases(used: str, older: float, later: float) -> None:
    assert usage(quantities(cpu=used), {}, 0, IN_MILLI) == older
    assert usage(quantities(cpu=used), {}, 0, WEEK) == later


def test_the_past_fades_and_the_present_comes_in() -> None:
    found = decayed(quantities(cpu="10", memory="8Gi"), quantities(cpu="4"), 60 * SECOND, TEN_MINUTES)
    assert found == {"cpu": nano(9598197948), "memory": nano(8014692369479265126)}
    charged = total((found, quantities(cpu="500m")))
    assert usage(charged, {}, 2.0, TEN_MINUTES) == 9.0564451587396348
    assert usage(found, quantities(cpu="500m"), 2.0, TEN_MINUTES) == 9.0564451587396348


def test_time_does_not_run_backwards() -> None:
    assert decayed(quantities(cpu="10"), {}, -SECOND, WEEK) == {"cpu": nano(10 * SECOND)}


def test_a_sample_without_a_half_life_empties_the_past() -> None:
    assert sampled(quantities(cpu="10"), quantities(cpu="4"), SECOND, NEVER) == {}
    assert sampled(quantities(cpu="10"), {}, 0, WEEK) == {"cpu": nano(10 * SECOND)}


def test_an_unlisted_resource_weighs_one_and_a_weightless_queue_uses_infinitely_much() -> None:
    assert usage(quantities(cpu="3", memory="1Gi"), {}, 1.0, WEEK) == 1073741827
    assert usage({}, {}, 0.0, WEEK) == math.inf
    assert usage({}, {}, 0.5, WEEK) == 0.0


@pytest.mark.parametrize(
    ("text", "quantity"),
    [("100", (100, 0)), ("1500m", (1500, 3)), ("687527n", (687527, 9)), ("8Gi", (8 << 30, 0)), ("0", (0, 0))],
)
def test_a_quantity_keeps_the_digits_that_it_needs(text: str, quantity: tuple[int, int]) -> None:
    assert quantity_of(text) == quantity


def test_scaling_rounds_towards_nothing() -> None:
    assert scaled(quantities(cpu="1n"), 0.9, WEEK) == {"cpu": nano(0)}
    assert scaled({"cpu": nano(-10)}, 0.19, WEEK) == {"cpu": nano(-1)}
    assert scaled(quantities(cpu="1"), 1e-10, WEEK) == {"cpu": nano(0)}
    with pytest.raises(ValueError, match="not a finite factor"):
        scaled({}, math.inf, WEEK)
