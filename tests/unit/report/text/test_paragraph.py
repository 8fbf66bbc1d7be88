"""Sentences with their places."""

import shlex

import pytest

from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.report.text.paragraph import cited, command_lines, paragraph, unfolded
from kubectl_fairshare.report.text.view import View

PLACE = Place(ObjectKey("", "Pod", "a", "b"), ("spec", "priority"))


def test_a_sentence_is_folded_and_indented() -> None:
    assert paragraph("aaa bbb ccc", View(9)) == ["  aaa bbb", "    ccc"]
    assert unfolded("a long line that stays one") == "  a long line that stays one"


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("short", 40, ["  short" + " " * 25 + "org.yaml"]),
        ("short", 200, ["  short" + " " * 65 + "org.yaml"]),
        ("word " * 17 + "end", 110, ["  " + "word " * 17 + "end  org.yaml"]),
        ("a sentence of twenty", 24, ["  a sentence of twenty", " " * 16 + "org.yaml"]),
    ],
)
def test_a_place_is_near_the_words_also_on_a_wide_screen(text: str, columns: int, lines: list[str]) -> None:
    assert cited(text, "org.yaml", View(columns)) == lines


def test_a_long_place_is_folded_at_the_right_end() -> None:
    assert cited("short", "Queue team spec.limit", View(16)) == ["  short", "      Queue team", "      spec.limit"]


def test_a_place_that_the_sentence_names_is_not_repeated() -> None:
    assert cited("Pod a/b spec.priority: 7", "Pod a/b spec.priority", View(80)) == ["  Pod a/b spec.priority: 7"]


def test_a_command_that_is_too_long_goes_on_after_a_backslash_and_an_option_stays_with_its_value() -> None:
    assert command_lines("kubectl fairshare why a -n b", View(40), "next: ") == ["next: kubectl fairshare why a -n b"]
    lines = command_lines("kubectl fairshare why job/train -n team -f folder", View(40), "    ")
    assert lines == ["    kubectl fairshare why job/train \\", "      -n team -f folder"]


@pytest.mark.parametrize(
    "words", [["why", "a" * 50, "-n", "b"], ["plan", "-f", "a folder/x y z.yaml", "--brief", "-w", "it's", "--", "-a"]]
)
@pytest.mark.parametrize("columns", [20, 30, 80])
def test_a_shell_reads_the_lines_of_a_command_as_the_command(words: list[str], columns: int) -> None:
    lines = command_lines(shlex.join(words), View(columns), "  ")
    assert shlex.split("".join(line.removesuffix("\\") for line in lines)) == words
    assert all(line.endswith(" \\") for line in lines[:-1])
