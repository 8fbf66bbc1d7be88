"""Answers as Markdown: the verdict is first and last, and tables are whole, whichever the scheduler."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from kubectl_fairshare.report.markdown import md_text
from tests.screens import Screen

Run = Callable[[str], Screen]
KUEUE, KAI, KOORDINATOR = (f"-f testdata/demo/{name}" for name in ("org", "kai", "koordinator"))
ELASTIC = "-f testdata/elasticquota/waiting.yaml"
ANSWERS = (
    f"plan {KUEUE} -w testdata/demo/jobs/finetune.yaml",
    f"plan {KUEUE} -w testdata/demo/jobs/reindex.yaml",
    f"plan {KAI} -w testdata/demo/jobs/segment.yaml",
    "plan -f testdata/elasticquota/cluster.yaml -w testdata/elasticquota/web.yaml",
    f"why sweep-3 -n vision {KUEUE}",
    f"why tts -n ml {KAI}",
    f"why train-3 -n lab {KOORDINATOR}",
    f"why sweep-4 -n research {ELASTIC}",
    *(f"why -A {state}" for state in (KUEUE, KAI, KOORDINATOR, ELASTIC)),
    *(f"shares {state}" for state in (KUEUE, KAI, KOORDINATOR, ELASTIC)),
    *(f"cycle {state}" for state in (KUEUE, KAI)),
    f"shares {KUEUE} --release 0.1.0",
    f"shares {KUEUE} --release 0.20.3",
)


def cells(line: str) -> int:
    """How many cells a row has; escaped bars belong to a text."""
    return len(re.split(r"(?<!\\)\|", line)) - 2


@pytest.mark.parametrize("words", ANSWERS)
def test_the_verdict_is_first_and_last_and_tables_are_whole(run: Run, words: str) -> None:
    found = run(f"kubectl-fairshare {words} -o markdown")
    lines = found.stdout.removesuffix("\n").split("\n")
    assert re.fullmatch(r"\*\*.+\*\*", lines[0]), found.stderr
    assert re.fullmatch(r"⇒ .+ · (not exact|exact|by the rules of .+|one of .+) \(.+\)", lines[-1])
    assert ("", "") not in pairwise(lines)
    for before, line in pairwise(["", *lines]):
        if not line.startswith("|"):
            assert not before.startswith("|") or line == ""
        elif before.startswith("|"):
            assert cells(line) == cells(before)
        else:
            assert before == "", "a table that follows a paragraph is a part of it"


def test_an_empty_part_leaves_no_second_blank_line() -> None:
    assert md_text(["", "**a**", "", "", "", "⇒ a"]) == "**a**\n\n⇒ a\n"
