"""What an answer says about features that are not modelled."""

from kubectl_fairshare.answers.fidelity import Fidelity, Gap, not_given, unread_gaps
from kubectl_fairshare.model.location import ObjectKey


def test_only_a_gap_that_can_change_the_answer_makes_it_inexact() -> None:
    assert Fidelity("a scheduler", "1", (Gap("Feature", (), touches=False),)).exact
    assert not Fidelity("a scheduler", "1", (Gap("Feature", (), touches=True),)).exact


def test_doubts_are_clauses_each_once_and_an_unknown_feature_has_its_name() -> None:
    gaps = (Gap("A", (), True, "x"), Gap("A", (), True, "x"), Gap("B", (), True), Gap("C", (), False))
    assert Fidelity("a scheduler", "1", gaps, {"A": "the feature of {0}"}).doubts == ("the feature of x", "B")


def test_a_gap_that_two_checks_find_is_there_once() -> None:
    gap = Gap("A", (), touches=True, subject="x")
    assert Fidelity("a scheduler", "1", (gap,)).with_gaps((gap, gap)).gaps == (gap,)


def test_a_kind_that_could_not_be_read_is_a_gap_if_it_decides() -> None:
    (gap,) = unread_gaps(["Pod", "Event"], {"Pod"})
    assert gap.touches
    assert Fidelity("a scheduler", "1").clause(gap) == "not all objects of kind Pod are in the input"


def test_a_missing_object_is_named_with_its_namespace() -> None:
    fidelity = Fidelity("a scheduler", "1")
    gap = not_given(ObjectKey("", "LimitRange", "team", "small"), (), touches=True)
    assert fidelity.clause(gap) == "LimitRange team/small is not in the input"
    gap = not_given(ObjectKey("", "Node", "", "n1"), (), touches=False)
    assert (fidelity.clause(gap), gap.touches) == ("Node n1 is not in the input", False)
