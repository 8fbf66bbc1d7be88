"""Options of a cluster."""

import pytest

from kubectl_fairshare.input.cluster.access import Access, seconds
from kubectl_fairshare.model.errors import UsageError


@pytest.mark.parametrize(("text", "found"), [("30", 30), ("0", 0), ("5s", 5), ("1m30s", 90), ("1h", 3600)])
def test_a_duration_is_in_seconds(text: str, found: float) -> None:
    assert seconds(text) == found


@pytest.mark.parametrize("text", ["", "soon", "5x", "-1s", "s"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a duration"):
        seconds(text)


def test_a_token_is_never_shown() -> None:
    assert "secret" not in repr(Access(context="c", token="secret"))
