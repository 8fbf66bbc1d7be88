"""Numbers as people read them."""

import pytest

from kubectl_fairshare.answers import number_text
from kubectl_fairshare.model.amounts import UNLIMITED


@pytest.mark.parametrize(
    ("resource", "value", "text"),
    [("cpu", 1500, "1500m"), ("memory", 3 << 30, "3Gi"), ("a.b/c", 0, "–"), ("cpu", UNLIMITED, "unlimited")],
)
def test_amounts(resource: str, value: int, text: str) -> None:
    assert number_text.some(resource, value) == text


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (0.5, "0.5"), (0.0, "0"), (1e300, str(int(1e300)))])
def test_weights(value: float, text: str) -> None:
    assert number_text.weight(value) == text


def test_counts() -> None:
    assert [number_text.count(n, "queue") for n in (0, 1, 2)] == ["0 queues", "1 queue", "2 queues"]
