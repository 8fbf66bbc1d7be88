"""Colours of a terminal."""

import io
import re

import pytest

from kubectl_fairshare.report.text.colour import colours, styled
from tests.screens import ROOT


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


def test_every_tone_that_the_code_names_has_a_style() -> None:
    named = re.compile(r"""tone="(\w+)"|paint\("(\w+)"|\btone = (?:.* else )?"(\w+)"$""", re.MULTILINE)
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "kubectl_fairshare").rglob("*.py"))
    tones = {tone for text in texts for groups in named.findall(text) for tone in groups if tone}
    assert {"good", "never", "wait", "dim"} <= tones
    assert all("\x1b[" in styled(tone, "text", "standard") for tone in sorted(tones))
