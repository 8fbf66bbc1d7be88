"""Texts of others on a screen."""

import pytest

from kubectl_fairshare.report.text.clean import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ü 日本", "plain ü 日本"),
        ("a\tb\nc", "a b c"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("a\u202eb\u200b", "a\ufffdb\ufffd"),
    ],
)
def test_nothing_in_it_moves_the_cursor(text: str, shown: str) -> None:
    assert printable(text) == shown
