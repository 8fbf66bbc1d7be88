"""Screens in ASCII: signs have forms, and columns stay aligned."""

import pytest

from kubectl_fairshare.report.text.ascii import FORMS, ascii_text


def test_every_form_is_ascii() -> None:
    assert all(form.isascii() for form in FORMS.values())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("⇒ not now · exact", "=> not now | exact"),
        ("├─ a\n│  └─ b", "|- a\n|  `- b"),
        ("12 → 20     here", "12 -> 20    here"),
        ("a ≤ b … c        right", "a <= b ... c     right"),
        ("a → b  c", "a -> b  c"),
        ("Zoë → x", "Zoë -> x"),
    ],
)
def test_a_longer_form_takes_its_place_from_the_next_gap(text: str, shown: str) -> None:
    assert ascii_text(text) == shown
