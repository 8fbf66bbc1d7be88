"""Kueue's figures as people read them."""

import pytest

from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.words.figures import share_text


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
    assert share_text(share) == text
