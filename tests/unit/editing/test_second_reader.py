"""The second reader agrees with what was meant, and with nothing else."""

import pytest

from kubectl_fairshare.editing.second_reader import agrees
from kubectl_fairshare.editing.splice import EditStep, UnspliceableError
from kubectl_fairshare.finding import Remove, Replace
from kubectl_fairshare.model.location import ObjectKey, Place

BEFORE = "a: 1  # first\nb: [x, y]\n"
AT = Place(ObjectKey("", "ConfigMap", "", "m"), ("a",))
STEPS = (EditStep(("a",), Replace(AT, 2)),)


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("a: 2  # first\nb: [x, y]\n", True),
        ("a: 2\nb:\n- x\n- y\n", True),  # the same values in another form are for the splices to refuse
        ("a: '2'\nb: [x, y]\n", False),
        ("a: 2\nb: [x]\n", False),
        ("a: 2\nb: [x, y\n", False),
    ],
)
def test_it_agrees_with_the_intended_value_alone(after: str, found: bool) -> None:
    assert agrees(BEFORE, after, STEPS, {"a": 2, "b": ["x", "y"]}, json=False) is found


def test_json_is_read_as_json() -> None:
    steps = (EditStep(("a",), Remove(AT)),)
    assert agrees('{"a": 1, "b": 2}', '{"b": 2}', steps, {"b": 2}, json=True)
    assert not agrees('{"a": 1, "b": 2}', '{"b": 2,}', steps, {"b": 2}, json=True)


@pytest.mark.parametrize(("after", "found"), [("a: 2\nb: yes\n", True), ("a: 2\nb: no\n", False)])
def test_what_it_reads_differently_may_stay_and_not_change(after: str, found: bool) -> None:
    assert agrees("a: 1\nb: yes\n", after, STEPS, {"a": 2, "b": True}, json=False) is found  # `yes` is a text to it


def test_a_text_that_it_cannot_read_is_left_alone() -> None:
    before = "a: {{ x }}: y\nb: yes\n"
    with pytest.raises(UnspliceableError, match="second reader"):
        agrees(before, "a: 2\nb: yes\n", STEPS, {"a": 2, "b": True}, json=False)
    with pytest.raises(UnspliceableError, match="second reader"):
        agrees(before, "a: {{ 2\n", STEPS, {"a": 2}, json=False)


def test_a_new_text_that_both_readers_read_alike_needs_no_old_one() -> None:
    assert agrees("a: {{ x }}: y\n", "a: 2\n", STEPS, {"a": 2}, json=False)
