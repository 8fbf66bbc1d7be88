"""Files in formats of our own: each error at its line, in words, with a remedy."""

import pytest

from kubectl_fairshare.input.own_file import OwnFile

REMEDY = "look it up"


def problems(text: str, schema: str = "settings", *, any_case: bool = False) -> list[tuple[str, str, str | None]]:
    found = OwnFile("x", text.encode(), schema, any_case=any_case).problems(REMEDY)
    return [(str(each.place), each.message, each.help) for each in found]


def test_a_valid_file_has_no_problem() -> None:
    assert problems("fail-on: error\nseverity: {K001: info}\n") == []


def test_a_misspelt_field_is_told_at_its_key_with_what_may_be_meant() -> None:
    assert problems("\nfail_on: error\n") == [("x:2:1", "unknown setting `fail_on`", "did you mean `fail-on`?")]


def test_a_misspelt_word_is_told_with_what_is_allowed_and_what_may_be_meant() -> None:
    allowed = "`error`, `warning`, `info`, `never`"
    message = f"`fail-on` must be one of {allowed}, not `warn`"
    assert problems("fail-on: warn\n") == [("x:1:10", message, "did you mean `warning`?")]


def test_problems_come_in_the_order_of_the_text() -> None:
    text = "per-path:\n- path: 1\nbaseline: []\ncomplete: perhaps\n"
    assert problems(text) == [
        ("x:2:3", "`ignore` is missing", "write `ignore`"),
        ("x:2:9", "`per-path[0].path` must be text: put it in quotes", REMEDY),
        ("x:3:11", "`baseline` must be text", REMEDY),
        ("x:4:11", "`complete` must be `true` or `false`, not `perhaps`", REMEDY),
    ]


def test_fields_in_another_case_are_read_and_found_in_the_text() -> None:
    text = "nodes: [{gpus: -1}]\nQUEUES: [{name: a}]\njobs: {}\n"
    message = "`Nodes[0].GPUs` must be a whole number from 0 to 1,000,000, not `-1`"
    assert problems(text, "scenario", any_case=True) == [("x:1:16", message, REMEDY)]


@pytest.mark.parametrize("text", ["", "---\n---\n", "# nothing\n"])
def test_a_file_may_say_nothing(text: str) -> None:
    file = OwnFile("x", text.encode(), "settings")
    assert (file.data, file.problems(REMEDY)) == (None, [])


def test_several_documents_are_one_problem() -> None:
    assert problems("a: 1\n---\nb: 2\n") == [("x", "contains more than one document", "keep one of them")]
