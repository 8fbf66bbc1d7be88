"""Colours of a terminal."""

import io
from typing import get_args

import pytest

from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.report.text.colour import _STYLES, colours, styled


def test_a_file_has_no_colours_unless_they_are_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert colours(io.StringIO()) == ""
    assert colours(io.StringIO(), always=True) != ""


def test_no_color_wins_over_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert colours(io.StringIO()) == ""


def test_a_text_without_a_tone_stays() -> None:
    assert styled("", "a", "standard") == "a"
    assert styled("never", "a", "standard") == "\x1b[31ma\x1b[0m"


def test_every_tone_has_a_style() -> None:
    assert {*get_args(Tone)} == {"", *_STYLES}
    assert all(styled(tone, "x", "standard").endswith("\x1b[0m") for tone in _STYLES)
