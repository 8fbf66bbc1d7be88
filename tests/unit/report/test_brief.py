"""A brief answer of ``plan`` keeps its promise, whatever the length of names; that of ``why`` is in ``test_why``."""

import pytest

from kubectl_fairshare.report.brief import MOST_BRIEF, brief_text
from kubectl_fairshare.report.text.view import View

CLOSING = ["⇒ waits · exact"]


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("length", [1, 12, 600])
@pytest.mark.parametrize("number", [1, 2, 4])
def test_each_sentence_has_its_place_and_the_command_is_whole(columns: int, length: int, number: int) -> None:
    said = [f"sentence {n}: {'word ' * length}{'x' * length}" for n in range(number)]
    command = f"kubectl fairshare why {'y' * length}"
    lines = brief_text(said, "wait", [command, "another"], CLOSING, View(columns)).splitlines()
    assert len(lines) <= MOST_BRIEF
    assert [line[:10] for line in lines if line.startswith("sentence")] == [f"sentence {n}" for n in range(number)]
    assert lines[-2:] == [f"next: {command}", *CLOSING]
