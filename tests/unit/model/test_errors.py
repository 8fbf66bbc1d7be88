"""Errors carry the problems that they are about."""

import pytest

from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError, misread


def test_the_text_of_an_error_is_that_of_its_problems() -> None:
    error = FairshareError(Problem("first"), Problem("second", help="fix it"))
    assert str(error) == "first; second"
    assert [problem.help for problem in error.problems] == [None, "fix it"]


def test_an_error_without_a_problem_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="at least one problem"):
        FairshareError()


def test_a_wrong_call_is_an_error_too() -> None:
    with pytest.raises(FairshareError):
        raise UsageError(Problem("no queue is called `x`"))


@pytest.mark.parametrize("error", [KeyError("podSets"), AttributeError("'str' object has no attribute"), TypeError()])
def test_what_python_says_of_a_wrong_type_is_left_out(error: Exception) -> None:
    assert misread(error) == "a field is missing or has another type"


def test_what_a_reader_says_of_a_value_stays() -> None:
    assert misread(ValueError("`x` is not a quantity")) == "`x` is not a quantity"
