"""Questions in the form that all schedulers get."""

import pytest

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.question import Setting, WhyQuestion, Wishes, is_given, unanswered

JOB = ObjectKey("batch", "Job", "a", "j")


@pytest.mark.parametrize(
    ("setting", "given"), [(None, False), ((), False), ("", True), (0, True), (False, True), (("a",), True)]
)
def test_nothing_and_an_empty_list_are_not_given(setting: Setting, given: bool) -> None:
    assert is_given(setting) is given


def test_the_options_of_a_wish_are_named_as_the_user_writes_them() -> None:
    assert Wishes().given() == []
    assert Wishes(queue="", request=("cpu=1",), priority=0).given() == ["--queue", "--request", "--priority"]


def test_a_selector_picks_its_objects_and_none_picks_all() -> None:
    assert WhyQuestion().picks(JOB)
    assert WhyQuestion(picked=frozenset({JOB})).picks(JOB)
    assert not WhyQuestion(picked=frozenset()).picks(JOB)
    assert not WhyQuestion(picked=frozenset({JOB})).picks(None)


def test_a_question_without_an_answer_has_the_reason_and_what_to_ask_instead() -> None:
    error = unanswered("KAI", "cycle", "it draws lots", "ask `plan`")
    assert str(error) == "`cycle` has no answer for KAI: it draws lots"
    assert error.problems[0].help == "ask `plan`"
