"""Numbers as people read them."""

import pytest

from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.report.text import figures
from kubectl_fairshare.schedulers.kueue.laws import Share


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Share(0, 0.0, None, False), "0"),
        (Share(0, 0.0, None, True), "0"),
        (Share(0, 300.0, "cpu", True), "0.300"),
        (Share(0, 1.0, "cpu", True), "0.001"),
        (Share(0, 0.25, "cpu", True), "2.5e-04"),
        (Share(0, 2_000_000.0, "cpu", True), "2000.000"),
        (Share(1, 300.0, "cpu", True), "∞"),
        (Share(1, 0.0, "cpu", True), "∞"),
    ],
)
def test_a_share_is_never_shown_as_none_that_is_one(share: Share, text: str) -> None:
    assert figures.share(share) == text


@pytest.mark.parametrize(
    ("resource", "value", "text"),
    [("cpu", 1500, "1500m"), ("memory", 3 << 30, "3Gi"), ("a.b/c", 0, "–"), ("cpu", UNLIMITED, "unlimited")],
)
def test_amounts(resource: str, value: int, text: str) -> None:
    assert figures.some(resource, value) == text


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (0.5, "0.5"), (0.0, "0"), (1e300, str(int(1e300)))])
def test_weights(value: float, text: str) -> None:
    assert figures.weight(value) == text


def test_counts() -> None:
    assert [figures.count(n, "queue") for n in (0, 1, 2)] == ["0 queues", "1 queue", "2 queues"]
