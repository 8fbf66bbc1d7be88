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
    command = f"kubectl fairshare why {'y' * length} -n {'ns' * min(length, 30)} --context {'c' * min(length, 30)}"
    lines = brief_text(said, "wait", [command, "another"], CLOSING, View(columns)).splitlines()
    assert len(lines) <= MOST_BRIEF
    assert [line[:10] for line in lines if line.startswith("sentence")] == [f"sentence {n}" for n in range(number)]
    *said, last = lines
    at = next(number for number, line in enumerate(said) if line.startswith("next: "))
    assert " ".join(line.removesuffix(" \\").strip() for line in said[at:]) == f"next: {command}"
    assert all(line.endswith(" \\") for line in said[at:-1])
    assert [last] == CLOSING
    if length <= 12 and columns >= 80:
        assert max(map(len, lines)) <= columns
