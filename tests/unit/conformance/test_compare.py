"""What counts as the same answer, and where two answers differ."""

from typing import Any

import pytest

from kubectl_fairshare.conformance.compare import AnswerComparison
from kubectl_fairshare.schedulers.recording import SETS, fields_of_causes


def places(wanted: Any, got: Any, **how: Any) -> list[str]:
    """Where two values of the field ``a`` differ."""
    return [d.path for d in AnswerComparison(**how).differences({"a": wanted}, {"a": got}, ["a"])]


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (None, []),
        ({}, None),
        ("", False),
        ({"b": None, "c": 1}, {"c": 1, "d": []}),
        (0.1, 0.1 + 1e-11),
        (9223372036854775807, 9.223372036854775807e18),
        (1, 1.0),
        ([1, 2], [1, 2]),
        ({"nodes": [{"name": "x"}, {"name": "y"}]}, {"nodes": [{"name": "y"}, {"name": "x"}]}),
        ({"flavors": ["x", "y"]}, {"flavors": ["y", "x", "x"]}),
        ({"cycle": [{"name": "w"}, {"name": "w", "b": 1}]}, {"cycle": [{"name": "w", "b": 1}, {"name": "w"}]}),
    ],
)
def test_the_same(wanted: Any, got: Any) -> None:
    assert places(wanted, got) == []
    assert places(got, wanted) == []


@pytest.mark.parametrize(
    ("wanted", "got", "where"),
    [
        (0, None, "a"),
        (0, False, "a"),
        (True, 1, "a"),
        ("1", 1, "a"),
        (1.0, 1.0 + 1e-8, "a"),
        (1, {"b": 1}, "a"),
        ({"b": {"c": 1}}, {"b": {"c": 2}}, "a/b/c"),
        ({"b": 1}, {}, "a/b"),
        ({"targets": ["x", "y"]}, {"targets": ["y", "x"]}, "a/targets/0"),
        ([1], [1, 2], "a/1"),
        ([1, 2], [1], "a/1"),
        ({"nodes": [{"name": "x"}, {"name": "y", "b": 1}]}, {"nodes": [{"name": "y"}, {"name": "x"}]}, "a/nodes/1/b"),
        ({"plans": [{"workload": "v"}]}, {"plans": [{"workload": "w"}]}, "a/plans/0"),
        ({"plans": []}, {"plans": [{"workload": "w"}]}, "a/plans/0"),
        ({"plans": [{"workload": "v"}]}, {"plans": [{"workload": "v"}, {"workload": "w"}]}, "a/plans/1"),
    ],
)
def test_not_the_same(wanted: Any, got: Any, where: str) -> None:
    assert places(wanted, got)[0] == where


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ({"b": None}, {}),
        ({"b": []}, {"b": None}),
        ({"b": 1}, {"b": 1.0}),
        ({"b": 1.0}, {"b": 1.0 + 1e-12}),
        ({"flavors": ["x", "y"]}, {"flavors": ["y", "x"]}),
        ({"b": False}, None),
    ],
)
def test_what_is_stored_is_compared_exactly(wanted: Any, got: Any) -> None:
    def differ(a: Any, b: Any) -> bool:
        return any(AnswerComparison().differences({"stored": a}, {"stored": b}, ["stored"]))

    assert differ(wanted, got)
    assert differ(got, wanted)
    assert not differ(wanted, wanted)


def test_only_the_fields_asked_for_are_compared() -> None:
    assert list(AnswerComparison().differences({"a": 1, "b": 1}, {"a": 1, "b": 2}, ["a"])) == []


def test_victims_are_a_set_only_where_that_is_said() -> None:
    wanted = {"victims": [{"workload": "x"}, {"workload": "y"}]}
    got = {"victims": [{"workload": "y"}, {"workload": "x"}]}
    assert places(wanted, got) != []
    assert places(wanted, got, sets=SETS | {"victims"}) == []


def test_what_is_left_to_chance_is_passed_over() -> None:
    wanted, got = {"b": [{"c": 1, "d": 1}]}, {"b": [{"c": 2, "d": 2}]}
    assert places(wanted, got, passed_over={"a/b/0/c"}) == ["a/b/0/d"]
    assert places(wanted, got, passed_over={"a/b"}) == []


def test_of_causes_the_fields_count() -> None:
    twice = [{"field": "spec.b", "message": "x"}, {"field": "spec.b", "message": "y"}, {"field": "spec.a"}]
    assert fields_of_causes({"accepted": False, "causes": twice}) == {"accepted": False, "causes": ["spec.a", "spec.b"]}
    assert fields_of_causes({"accepted": True}) == {"accepted": True, "causes": []}


@pytest.mark.parametrize(("causes", "compared"), [(5, 5), ("x", "x"), (["x", {"field": "y"}, 3], ["3", "x", "y"])])
def test_causes_that_no_server_gives_are_left_to_differ(causes: Any, compared: Any) -> None:
    assert fields_of_causes({"causes": causes}) == {"causes": compared}
