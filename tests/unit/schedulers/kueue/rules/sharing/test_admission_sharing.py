"""Rules: admission fair sharing: LocalQueues of one ClusterQueue ordered by what they used of late."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    configuration,
    local_queue,
    places,
    priority,
    queue,
)

USAGE = configuration("admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {cpu: 1}}\n")


OFF = configuration()


SCOPE = "  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n"


def test_a_scope_needs_the_configuration_and_the_other_way_round() -> None:
    assert len(places("K166", OFF, queue("q", SCOPE), queue("r", SCOPE))) == 1
    assert places("K166", USAGE, queue("q", SCOPE)) == []
    assert places("K166", queue("q", SCOPE)) == []
    assert len(places("K166", queue("q", SCOPE), complete=True)) == 1
    assert places("K167", USAGE, queue("q")) == ["info Configuration  admissionFairSharing"]
    assert places("K167", USAGE, queue("q"), complete=True) == ["warning Configuration  admissionFairSharing"]
    assert places("K167", USAGE, queue("q"), queue("r", SCOPE)) == []
    refused = queue("r", SCOPE + "  queueingStrategy: None\n")
    assert places("K167", USAGE, refused, complete=True) == []


def weight(text: str) -> str:
    return f"  fairSharing: {{weight: {text}}}\n"


@pytest.mark.parametrize(
    ("before", "scope", "weightless", "last"),
    [
        ([USAGE, queue("other", SCOPE)], SCOPE, [], ["warning"]),
        ([USAGE, queue("other", SCOPE)], "", ["warning"], []),
        ([USAGE], "", [], []),
        ([OFF], "", ["warning"], []),
        ([OFF], SCOPE, [], []),
        ([], SCOPE, [], ["info"]),
        ([], "", ["warning"], []),
    ],
)
def test_weights_of_local_queues(before: list[str], scope: str, weightless: list[str], last: list[str]) -> None:
    documents = [*before, queue("q", scope), local_queue("lq", "q", weight('"-1"'))]
    assert [place.partition(" ")[0] for place in places("K168", *documents)] == weightless
    assert [place.partition(" ")[0] for place in places("K172", *documents)] == last


@pytest.mark.parametrize(("text", "count"), [("1n", 0), ("0", 1), ("-1", 1), ("1", 0), ("1e1.5", 0)])
def test_a_weight_of_a_local_queue_is_above_zero(text: str, count: int) -> None:
    documents = [USAGE, queue("q", SCOPE), local_queue("lq", "q", weight(f'"{text}"'))]
    assert len(places("K172", *documents)) == count


@pytest.mark.parametrize(
    ("body", "half_life", "weights"),
    [
        ("{}", 1, 1),
        ("{usageHalfLifeTime: 0s, resourceWeights: {}}", 1, 1),
        ("{usageHalfLifeTime: 1ns, resourceWeights: {cpu: 0}}", 0, 0),
    ],
)
def test_what_admission_fair_sharing_forgets(body: str, half_life: int, weights: int) -> None:
    text = configuration(f"admissionFairSharing: {body}\n")
    assert (len(places("K169", text)), len(places("K170", text))) == (half_life, weights)
    off = configuration(f"admissionFairSharing: {body}\nfeatureGates: {{AdmissionFairSharing: false}}\n")
    assert (places("K169", off), places("K170", off)) == ([], [])


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("{usageHalfLifeTime: 4m}", 1),
        ("{usageHalfLifeTime: 5m}", 1),
        ("{usageHalfLifeTime: 6m}", 0),
        ("{usageHalfLifeTime: 6m, usageSamplingInterval: 7m}", 1),
        ("{usageHalfLifeTime: 0s}", 0),
    ],
)
def test_samples_are_more_frequent_than_the_half_life(body: str, count: int) -> None:
    assert len(places("K181", configuration(f"admissionFairSharing: {body}\n"))) == count


def test_usage_goes_before_priorities_that_differ() -> None:
    assert places("K171", USAGE, queue("q", SCOPE)) == []
    assert len(places("K171", USAGE, queue("q", SCOPE), priority("high", 3))) == 1
    assert places("K171", OFF, queue("q", SCOPE), priority("high", 3)) == []


def test_a_strict_queue_that_orders_by_usage_blocks() -> None:
    strict = queue("q", SCOPE + "  queueingStrategy: StrictFIFO\n")
    assert places("K182", USAGE, strict) == ["warning ClusterQueue q spec.queueingStrategy"]
    assert places("K182", USAGE, queue("q", SCOPE)) == places("K182", OFF, strict) == []
