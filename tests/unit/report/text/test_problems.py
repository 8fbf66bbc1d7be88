"""Errors as lines."""

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.report.text.problems import problem_lines
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key


def test_all_are_told_in_the_order_of_their_places() -> None:
    problems = [
        Problem("third", Location("b.yaml", 2, 1)),
        Problem("second", Location("a.yaml", 10, 1), help="mend it"),
        Problem("first", Location("a.yaml", 9, 1), related=(("and here", Location("c.yaml", 1, 1)),)),
        Problem("before all"),
    ]
    assert problem_lines(problems, View()) == (
        "error: before all\n"
        "error: a.yaml:9:1: first\n"
        "  c.yaml:1:1: and here\n"
        "error: a.yaml:10:1: second\n"
        "  help: mend it\n"
        "error: b.yaml:2:1: third\n"
    )


def test_a_place_without_a_text_is_told_as_object_and_field() -> None:
    place = Place(cluster_key("Cohort", "c"), ("spec", "parentName"))
    assert problem_lines([Problem("gone", place)], View(), "note") == "note: Cohort c spec.parentName: gone\n"
