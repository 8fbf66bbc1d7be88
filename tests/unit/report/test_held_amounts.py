"""The column of what workloads hold names flavors where the queue has more than one."""

import pytest

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.held_amounts import held_cells

A, B = (Amount("gpu", 2, "2", pool) for pool in ("a100", "h100"))
CPU = Amount("cpu", 4000, "4", "default")


@pytest.mark.parametrize(
    ("held", "pooled", "title", "cells"),
    [
        ([(A,), (A,)], {"gpu"}, "HOLDS IN a100", ["2 gpu", "2 gpu"]),
        ([(A,), (B,)], {"gpu"}, "HOLDS", ["2 gpu in a100", "2 gpu in h100"]),
        ([(A, CPU)], {"gpu"}, "HOLDS", ["2 gpu in a100, 4 cpu"]),
        ([(A,), (A,)], set(), "HOLDS", ["2 gpu", "2 gpu"]),
        ([(Amount("gpu", 2, "2"),)], {"gpu"}, "HOLDS", ["2 gpu"]),
        ([(), (A,)], {"gpu"}, "HOLDS IN a100", ["", "2 gpu"]),
        ([], {"gpu"}, "HOLDS", []),
    ],
)
def test_a_flavor_is_named_once_if_it_is_that_of_all_and_with_each_amount_otherwise(
    held: list[tuple[Amount, ...]], pooled: set[str], title: str, cells: list[str]
) -> None:
    assert held_cells(held, pooled) == (title, cells)
