"""Values at paths of decoded JSON."""

import pytest

from kubectl_fairshare.model.json import ColumnPart, Json, LinePart, field_text, inside, listed, mapping, rows

DATA: Json = {"a": {"b": [1, {"c": 2}, "x"]}}


def test_a_path_leads_to_a_value_or_to_none() -> None:
    assert inside(DATA, "a", "b", 1, "c") == 2
    assert inside(DATA) is DATA
    assert [inside(DATA, *path) for path in (("b",), ("a", "b", 9), ("a", "b", "c"), ("a", "b", 2, "y"))] == [None] * 4


@pytest.mark.parametrize("value", [None, "text", 1, True])
def test_another_value_counts_as_an_empty_mapping_or_list(value: Json) -> None:
    assert (mapping(value), listed(value), rows(value)) == ({}, [], [])


def test_rows_keep_their_positions() -> None:
    assert rows(DATA, "a", "b") == [{}, {"c": 2}, {}]


def test_a_path_is_written_as_kube_apiserver_does_without_lines_of_a_text() -> None:
    assert field_text(("spec", "groups", 0, "name")) == "spec.groups[0].name"
    assert field_text(("data", "config.yaml", LinePart(3), ColumnPart(5))) == field_text(("data", "config.yaml"))
