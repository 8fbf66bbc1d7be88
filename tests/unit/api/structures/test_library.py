"""Structures are read from files as these are written."""

import json
import re

import pytest

from kubectl_fairshare import shipped
from kubectl_fairshare.api.structures.library import Library
from kubectl_fairshare.api.structures.structure import (
    LABEL_KEY,
    NAME,
    STRING,
    Array,
    CelRule,
    Integer,
    Map,
    String,
    StructField,
)
from kubectl_fairshare.schedulers.kueue.admission.cel import RULES
from tests.meta.repository import ROOT

PACKAGE = ROOT / "kubectl_fairshare"
ASKED = re.compile(r'"[\[{]*([-\w]+)[\]}]*(?: [!*kz]+)?"(?!:)')  # a text that is no key: a shape, or rules
RULE = CelRule("never", lambda _new, _old: False)
KIND = {
    "$uses": ["parts", "api/meta"],
    "Queue": {"$like": "Object", "$rules": "whole", "spec": "Spec !k"},
    "Spec": {
        "plain": "String",
        "name": {"is": "Name *z", "default": ""},
        "count": {"is": "Int32", "least": 1, "rules": "whole"},
        "levels": {"is": "[Level]", "most": 3, "keys": ["key", "name"], "law": "L1"},
        "labels": "{String}",
        "lists": "{[LabelKey]}",
        "shared": "Part",
    },
    "Level": {"$is": "String", "most": 9, "choices": ["a", "b"]},
    "Part": {"mine": "String"},
}
PARTS = {"Part": {"theirs": "String"}, "Other": {"part": "Part"}}


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library of two files."""
    content, files = shipped.content, {"here/v1/Queue.json": KIND, "here/parts.json": PARTS}

    def read(name: str) -> bytes:
        return json.dumps(files[name]).encode() if name in files else content(name)

    monkeypatch.setattr(shipped, "content", read)
    return Library("here", lambda: {"whole": (RULE,)})


def spec(library: Library) -> dict[str, StructField]:
    return dict(library.struct("v1/Queue", "Spec").fields)


def test_a_field_has_the_flags_of_its_go_type(library: Library) -> None:
    (field,) = (each for each in library.struct("v1/Queue", "Queue").fields.values() if each.name == "spec")
    assert (field.required, field.pointer, field.kept, field.zeroless) == (True, False, True, False)
    assert spec(library)["name"] == StructField("name", NAME, default="", pointer=True, zeroless=True)


def test_a_kind_begins_with_the_fields_of_every_object(library: Library) -> None:
    queue = library.struct("v1/Queue", "Queue")
    assert (queue.name, *queue.fields) == ("Queue", "kind", "apiVersion", "metadata", "spec")
    assert queue.required == ("spec",)
    assert queue.rules == (RULE,)


def test_shapes_have_bounds_and_rules(library: Library) -> None:
    fields = spec(library)
    assert fields["plain"].shape is STRING
    assert fields["count"].shape == Integer(32, least=1, rules=(RULE,))
    assert fields["labels"].shape == Map(STRING)
    assert fields["lists"].shape == Map(Array(LABEL_KEY))
    level = String(most=9, choices=("a", "b"))
    assert fields["levels"].shape == Array(level, most=3, keys=("key", "name"), law="L1")


def test_a_name_is_looked_up_in_its_own_file_first(library: Library) -> None:
    assert list(library.struct("v1/Queue", "Part").fields) == ["mine"]
    other = library.struct("v1/Queue", "Other")
    assert list(other.fields["part"].shape.fields) == ["theirs"]  # type: ignore[union-attr]


def test_a_structure_is_made_once(library: Library) -> None:
    assert library.struct("v1/Queue", "Queue").fields["spec"].shape is library.struct("v1/Queue", "Spec")
    assert library.struct("v1/Queue", "ObjectMeta") is Library("there", dict).struct("api/meta", "ObjectMeta")


@pytest.mark.parametrize("name", ["Absent", "Level"])
def test_what_is_no_structure_is_not_found(library: Library, name: str) -> None:
    with pytest.raises(KeyError):
        library.struct("v1/Queue", name)


def test_every_definition_and_every_rule_is_used() -> None:
    texts = {path: path.read_text("utf-8") for path in PACKAGE.rglob("structures/**/*.json")}
    used = {name for text in texts.values() for name in ASKED.findall(text)}
    defined = {name: path for path, text in texts.items() for name in json.loads(text) if name != "$uses"}
    stems = ("arguments", "objects", "scheduler")  # asked for by kind, to find what is unknown
    asked = {name for name, path in defined.items() if path.stem in stems}
    assert {name for name, path in defined.items() if name not in used | asked and name != path.stem} == set()
    assert RULES.keys() - used == set()
