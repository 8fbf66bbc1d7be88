"""Errors as lines."""

import pytest

from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.report.text.colour import uncoloured
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


LONG = Problem(
    "the API server rejects ClusterQueue speech: spec.resourceGroups[0].flavors[0]: a limit needs a cohort",
    Location("change.yaml", 18, 29),
    help="pass manifests with `-f FILE` or `-k DIRECTORY`, or a cluster; or try `kubectl fairshare demo`",
    related=(("the other queue of the same cohort, which lends nothing", Location("org.yaml", 1, 1)),),
)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_on_a_terminal_no_line_is_wider_and_no_command_is_divided(columns: int) -> None:
    lines = problem_lines([LONG], View(columns, on_terminal=True)).splitlines()
    assert max(map(len, lines)) <= columns
    said = " ".join(" ".join(lines).split())
    assert said == " ".join(problem_lines([LONG], View()).split())
    assert any("`kubectl fairshare demo`" in line for line in lines)
    assert all(line.startswith(("error: ", "  ")) for line in lines)


def test_for_other_programs_a_text_is_one_line() -> None:
    assert len(problem_lines([LONG], View()).splitlines()) == 3


def test_a_credential_is_hidden_before_a_line_is_folded() -> None:
    problem = Problem(f"{'a word ' * 9}https://me:my secret@example.com does not answer")
    login = Problem(f"{'a word ' * 9}https://me:secret@example.com does not answer")
    for each in (problem, login):
        folded = problem_lines([each], View(60, on_terminal=True))
        assert " ".join(folded.split()) == " ".join(problem_lines([each], View()).split())
    assert "secret" not in problem_lines([login], View(60, on_terminal=True))


def test_colours_do_not_change_what_is_said() -> None:
    view = View(80, "standard", on_terminal=True)
    assert uncoloured(problem_lines([LONG], view)) == problem_lines([LONG], View(80, on_terminal=True))
