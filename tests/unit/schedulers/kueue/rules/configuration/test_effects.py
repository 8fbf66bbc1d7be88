"""Rules: settings of a sound Configuration that do nothing, or more than their author may have meant."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, places


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("waitForPodsReady: {blockAdmission: true}", ["warning"]),
        ("waitForPodsReady: {blockAdmission: true, requeuingStrategy: {backoffLimitCount: 3}}", ["info"]),
        ("waitForPodsReady: {blockAdmission: true}\nfeatureGates: {DisableWaitForPodsReady: true}", []),
        ("waitForPodsReady: {}", []),
    ],
)
def test_blocking_is_worse_without_an_end(body: str, found: list[str]) -> None:
    assert [place.partition(" ")[0] for place in places("K135", configuration(body + "\n"))] == found


def test_v1beta1_blocks_by_default() -> None:
    assert len(places("K135", configuration("waitForPodsReady: {enable: true}\n", "v1beta1"))) == 1
    assert places("K135", configuration("waitForPodsReady: {timeout: 1m}\n", "v1beta1")) == []


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("waitForPodsReady: {enable: false, timeout: 1m}\nfairSharing: {preemptionStrategies: []}", 2),
        ("waitForPodsReady: {enable: false}", 0),
        ("waitForPodsReady: {enable: true, timeout: 1m}", 0),
    ],
)
def test_a_block_that_is_off_says_nothing(body: str, count: int) -> None:
    assert len(places("K133", configuration(body + "\n", "v1beta1"))) == count
