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
    assert agrees(BEFORE, after, STEPS, json=False) is found


def test_json_is_read_as_json() -> None:
    assert agrees('{"a": 1, "b": 2}', '{"b": 2}', (EditStep(("a",), Remove(AT)),), json=True)
    assert not agrees('{"a": 1, "b": 2}', '{"b": 2,}', (EditStep(("a",), Remove(AT)),), json=True)


def test_a_text_that_it_cannot_read_is_left_alone() -> None:
    with pytest.raises(UnspliceableError, match="second reader"):
        agrees("a: {{ x }}: y\n", "a: 2\n", STEPS, json=False)
