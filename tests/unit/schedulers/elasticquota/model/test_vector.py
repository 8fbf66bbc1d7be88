"""Vectors of resources: what is held, and the one comparison that decides."""

from typing import Any

import pytest

from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST, LEAST
from kubectl_fairshare.schedulers.elasticquota.model.vector import (
    UNBOUNDED,
    ZERO,
    Vector,
    amounts_over,
    is_held,
    largest,
    minus,
    over,
    plus,
    vector_from,
    vector_of,
)

GPU = "nvidia.com/gpu"


@pytest.mark.parametrize(
    "name",
    ["cpu", "memory", "ephemeral-storage", "pods", GPU, "hugepages-2Mi", "attachable-volumes-x", "count/pods",
     "x.kubernetes.io/y", "kubernetes.io/batch"],
)  # fmt: skip
def test_these_are_held(name: str) -> None:
    assert is_held(name)


@pytest.mark.parametrize(
    "name",
    ["requests.cpu", "limits.memory", f"requests.{GPU}", "storage", "gpu", "a/b/c", "Upper.com/x", "x.com/", "/x",
     f"{'a' * 300}.com/x", f"x.com/{'a' * 64}"],
)  # fmt: skip
def test_these_are_dropped_without_a_word(name: str) -> None:
    assert not is_held(name)
    assert vector_of({name: "4"}) == ZERO


def test_a_list_is_held_in_units_of_the_scheduler() -> None:
    found = vector_of({"cpu": "1500m", "memory": "2Gi", GPU: 3, "pods": "5", "ephemeral-storage": "1k"})
    assert found == Vector(1500, 2 << 30, 1000, 5, {GPU: 3})


def test_the_same_list_read_twice_is_the_same() -> None:
    assert vector_of({"cpu": "2"}) is vector_of({"cpu": "2"})


@pytest.mark.parametrize("value", [True, None, {"a": 1}, "x"])
def test_an_amount_that_is_none_is_an_error(value: Any) -> None:
    vector_of({"cpu": 1})
    with pytest.raises(QuantityError):
        vector_of({"cpu": value})


def test_what_has_become_zero_stays_listed() -> None:
    assert minus(Vector(scalars={GPU: 1}), Vector(scalars={GPU: 1})).scalars == {GPU: 0}
    assert plus(ZERO, Vector(scalars={GPU: 0})).scalars == {GPU: 0}


def test_sums_wrap_around() -> None:
    assert plus(Vector(memory=LARGEST), Vector(memory=1)).memory == LEAST
    assert minus(Vector(cpu=LEAST), Vector(cpu=1)).cpu == LARGEST


def test_the_largest_leaves_pods_alone() -> None:
    assert largest(Vector(1, 5, 0, 2), Vector(3, 4, 0, 9, {GPU: 1})) == Vector(3, 5, 0, 2, {GPU: 1})


@pytest.mark.parametrize("bound", [0, LARGEST])
def test_equality_fits(bound: int) -> None:
    assert not over(Vector(cpu=2), Vector(cpu=3), Vector(cpu=5), bound)
    assert over(Vector(cpu=3), Vector(cpu=3), Vector(cpu=5), bound)


def test_a_fixed_resource_is_compared_though_nobody_asks_for_it() -> None:
    assert over(ZERO, Vector(memory=1), ZERO, LARGEST)


def test_a_scalar_is_compared_where_it_is_wanted_even_as_zero() -> None:
    used = Vector(scalars={GPU: 5})
    assert not over(Vector(cpu=1), used, Vector(cpu=1), 0)
    assert over(Vector(cpu=1, scalars={GPU: 0}), used, Vector(cpu=1), 0)


def test_a_scalar_that_no_bound_lists_has_the_bound_given() -> None:
    wanted = Vector(scalars={GPU: 1})
    assert over(wanted, ZERO, ZERO, 0)
    assert not over(wanted, ZERO, ZERO, LARGEST)


def test_without_a_bound_only_overflow_is_too_much() -> None:
    assert not over(Vector(cpu=LARGEST), ZERO, UNBOUNDED, LARGEST)
    assert not over(Vector(cpu=LARGEST), Vector(cpu=1), UNBOUNDED, LARGEST)  # wraps below zero


def test_what_exceeds_is_told_resource_by_resource() -> None:
    wanted = Vector(2000, 10, scalars={"b.com/x": 2, "a.com/x": 3})
    found = list(amounts_over(wanted, Vector(memory=5), Vector(2000, 14, scalars={"b.com/x": 2}), 0))
    assert [(e.resource, e.more) for e in found] == [("memory", 1), ("a.com/x", 3)]
    assert over(wanted, Vector(memory=5), Vector(2000, 14, scalars={"b.com/x": 2}), 0)


def test_a_vector_tells_one_resource() -> None:
    found = vector_from({"cpu": 1, GPU: 2})
    assert (found.of("cpu"), found.of("pods"), found.of(GPU), found.of("x.com/y", 7)) == (1, 0, 2, 7)
    assert found.listed() == ("cpu", "memory", "ephemeral-storage", "pods", GPU)
