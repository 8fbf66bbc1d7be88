"""Topology assignments keep their domains, whichever way they are spelt."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.topology_encoding import HOSTNAME, MisfitError, domains, slices


def assigned(*rows: tuple[int, *tuple[str, ...]]) -> list[dict[str, Any]]:
    return [{"values": list(values), "count": count} for count, *values in rows]


@pytest.mark.parametrize(
    ("levels", "given", "parts"),
    [
        (["rack"], [], 0),
        (["rack"], assigned((1, "r1")), 1),
        (["rack", HOSTNAME], assigned((1, "r1", "pool-a-1"), (2, "r1", "pool-a-2"), (1, "r2", "x")), 1),
        ([HOSTNAME], assigned(*((1, f"pool-{pool}-node-{i}") for pool in "abc" for i in range(40))), 3),
        ([HOSTNAME], assigned((1, "ababa"), (1, "aba")), 1),
    ],
)
def test_there_and_back(levels: list[str], given: list[dict[str, Any]], parts: int) -> None:
    spelt = slices(levels, given)
    assert len(spelt) == parts
    assert domains({"levels": levels, "slices": spelt}) == given


def test_common_parts_are_spelt_once() -> None:
    (part,) = slices(["rack"], assigned((2, "rack-1-x"), (2, "rack-22-x")))
    individual = {"prefix": "rack-", "suffix": "-x", "roots": ["1", "22"]}
    assert part == {"domainCount": 2, "valuesPerLevel": [{"individual": individual}], "podCounts": {"universal": 2}}


def test_a_domain_needs_a_value_for_every_level() -> None:
    with pytest.raises(MisfitError):
        slices(["rack", HOSTNAME], assigned((1, "r1")))
