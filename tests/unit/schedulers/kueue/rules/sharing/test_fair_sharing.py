"""Rules: weights of fair sharing that do nothing, or more than is meant, and what else shares decide."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    cohort,
    configuration,
    places,
    priority,
    queue,
)

FAIR = configuration("fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n")


CLASSICAL = configuration()


REFUSED = configuration("fairSharing: {}\n")


ORG = "  cohortName: org\n"


def weight(text: str) -> str:
    return f"  fairSharing: {{weight: {text}}}\n"


BESIDE = queue("peer", ORG)


@pytest.mark.parametrize(
    ("before", "found"), [([FAIR], ["warning"]), ([], ["info"]), ([CLASSICAL], []), ([REFUSED], [])]
)
def test_weight_zero_counts_where_shares_do(before: list[str], found: list[str]) -> None:
    told = places("K152", *before, queue("q", ORG + weight("0")), BESIDE)
    assert [place.partition(" ")[0] for place in told] == found


def test_weight_zero_is_no_matter_where_nothing_can_be_borrowed() -> None:
    text = queue("q", ORG + weight("0"))
    assert (
        places("K152", FAIR, text.replace("nominalQuota: 10", "nominalQuota: 10\n        borrowingLimit: 0"), BESIDE)
        == []
    )
    assert places("K152", FAIR, queue("q", ORG + weight("1m")), BESIDE) == []


@pytest.mark.parametrize(
    ("documents", "found"),
    [
        ([FAIR, queue("q", weight("2"))], ["warning ClusterQueue q spec.fairSharing.weight"]),
        ([FAIR, queue("q", weight("1"))], []),
        ([FAIR, cohort("org", weight("2")), BESIDE], ["warning Cohort org spec.fairSharing.weight"]),
        ([FAIR, queue("q", ORG + weight("2"))], ["info ClusterQueue q spec.fairSharing.weight"]),
        ([FAIR, queue("q", ORG + weight("2")), BESIDE], []),
        (
            [CLASSICAL, queue("q", ORG + weight("2")), queue("r", ORG + weight("3"))],
            ["warning ClusterQueue q spec.fairSharing.weight"],
        ),
        ([queue("q", ORG + weight("2")), BESIDE], []),
    ],
)
def test_weights_that_nothing_compares(documents: list[str], found: list[str]) -> None:
    assert places("K153", *documents) == found


@pytest.mark.parametrize(("light", "count"), [("1m", 0), ("999u", 1), ("0", 0)])
def test_weights_are_far_apart_beyond_a_thousand(light: str, count: int) -> None:
    found = places("K154", FAIR, queue("q", ORG + weight(light)), BESIDE)
    assert found == ["info ClusterQueue peer"] * count


def test_a_cohort_without_weight_among_weighted_ones() -> None:
    def below(first: str, second: str) -> list[str]:
        up = "  parentName: org\n"
        return [FAIR, cohort("a", up + first), cohort("b", up + second), queue("q", "  cohortName: a\n")]

    assert places("K155", *below(weight("2"), "")) == ["info Cohort b"]
    assert places("K155", *below(weight("2"), weight("1"))) == []
    assert places("K155", *below(weight("1"), "")) == []
    assert places("K155", *below(weight("1u"), "")) == []
    assert places("K154", *below(weight("1u"), "")) == ["info Cohort b"]


def test_shares_before_priorities_need_levels_and_priorities() -> None:
    tree = [FAIR, cohort("a", "  parentName: org\n"), queue("q", "  cohortName: a\n"), queue("r", "  cohortName: a\n")]
    assert places("K157", *tree) == []
    assert places("K157", *tree, priority("high", 9)) == ["info Cohort a spec.parentName"]
    assert places("K157", FAIR, queue("q", ORG), BESIDE, priority("high", 9)) == []
