"""Schemas come from the document types alone, and every document obeys its own."""

import runpy
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypedDict

import pytest

from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.report.documents.conformance import DifferencePart, conformance_document
from kubectl_fairshare.report.documents.meanings import MEANINGS
from kubectl_fairshare.report.documents.schema import schema_of
from kubectl_fairshare.report.documents.structs import written
from kubectl_fairshare.report.shares import SharesReport
from kubectl_fairshare.report.shown import CycleReport
from kubectl_fairshare.schedulers import ALL, known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.documents.shares import (
    DERIVATION,
    SATURATION,
    derivation_document,
    saturation_document,
)
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.house import HOUSE
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.question import SharesQuestion
from tests.schemas import problems
from tests.screens import ROOT

NOWHERE: Mapping[Place, Location] = {}
WRITTEN: list[tuple[str, Any]] = [*runpy.run_path(str(ROOT / ".ci" / "schemas.py"))["documents"]()]
SCHEMAS = dict(WRITTEN)
SNAPSHOT = assemble(
    read([str(ROOT / "testdata" / "plan" / "org.yaml")], schedulers=known_schedulers()).manifests, known_schedulers()
).snapshot


class Leaf(TypedDict):
    """A part."""

    value: int


class Root(TypedDict):
    """A document of every kind of field."""

    kind: Literal["Root"]
    text: str
    maybe: float | None
    leaf: Leaf
    leaves: list[Leaf]
    perhaps: Leaf | None
    named: dict[str, int | str]


def test_a_schema_holds_the_structure_of_its_type() -> None:
    schema = schema_of(Root)
    assert schema["required"] == ["kind", "leaf", "leaves", "maybe", "named", "perhaps", "text"]
    assert schema["additionalProperties"] is False
    assert schema["properties"] == {
        "kind": {"enum": ["Root"]},
        "text": {"type": "string"},
        "maybe": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "leaf": {"$ref": "#/$defs/Leaf"},
        "leaves": {"type": "array", "items": {"$ref": "#/$defs/Leaf"}},
        "perhaps": {"anyOf": [{"$ref": "#/$defs/Leaf"}, {"type": "null"}]},
        "named": {"type": "object", "additionalProperties": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
    }
    assert schema["$defs"]["Leaf"]["properties"] == {"value": {"type": "integer"}}


def test_what_json_lacks_is_refused() -> None:
    with pytest.raises(TypeError):
        schema_of(TypedDict("Odd", {"value": complex}))  # type: ignore[operator]  # made on the fly


def test_every_document_and_every_scheduler_has_schemas() -> None:
    assert {path.partition("/")[0] for path in SCHEMAS} == {*ALL, "fairshare"}
    assert all(path.endswith(".json") for path in SCHEMAS)


def test_every_document_has_a_schema_of_its_own() -> None:
    kinds = {"plan", "planlist", "shares", "cycle", "derivation", "saturation", "conformance"}
    assert {path.removeprefix("fairshare/v1alpha2/").removesuffix(".json") for path in SCHEMAS} >= kinds
    assert len(WRITTEN) == len(SCHEMAS)


def test_a_schema_refuses_what_is_missing_or_unknown() -> None:
    document: dict[str, Any] = {**conformance_document("kueue", 1, 1, {}, [])}
    assert problems(document) == []
    assert problems({**document, "extra": 1}) != []
    del document["cases"]
    assert problems(document) != []


def test_shares_obey_their_schema() -> None:
    document = SharesReport(HOUSE.shares(SNAPSHOT, SharesQuestion())).document(NOWHERE)
    assert problems(document) == []
    queues: Any = document["queues"]
    ours = next(n for n in queues if n["name"] == "ours")
    (old,) = [r for r in ours["figures"] if r["flavor"] == "old"]
    assert old["nominal"] == {"quantity": "8", "value": 8}
    assert old["lendingLimit"] is None
    assert old["place"] is not None
    assert old["place"]["object"] == "ClusterQueue ours"


def test_the_cycle_obeys_its_schema() -> None:
    document: Any = CycleReport(HOUSE.cycle(SNAPSHOT)).document(NOWHERE)
    assert problems(document) == []
    (whale,) = document["entries"]
    assert (whale["workload"]["name"], whale["outcome"], whale["reason"]) == ("whale", "Never", "ExceedsMaxQuota")


def test_a_derivation_writes_a_shared_step_once() -> None:
    engine = KueueEngine()
    derived = derivation_document(engine.explain(SNAPSHOT, "theirs"), engine.fidelity(SNAPSHOT))
    document: Any = written(WrittenAnswer(DERIVATION, derived), NOWHERE)
    assert document["fidelity"]["exact"]
    assert problems(document) == []
    proof = document["proof"]
    assert [step["id"] for step in proof["steps"]] == list(range(len(proof["steps"])))
    assert all(below < step["id"] for step in proof["steps"] for below in step["restsOn"])
    fields = [(fact["place"]["object"], fact["place"]["field"]) for fact in proof["facts"]]
    assert len(fields) == len(set(fields))
    assert ("Workload them/big", "status.admission") in {(o, f[: len("status.admission")]) for o, f in fields}


def test_saturation_obeys_its_schema() -> None:
    pair = FlavorResource("old", "cpu")
    found = Saturation(
        "cpu",
        {"cpu": 1000},
        {"q": 3000},
        7,
        KueueEngine().fidelity(SNAPSHOT),
        units={"q": 3},
        pairs={"q": {pair: 3000}},
        swings={"q": (3, 4)},
    )
    document: Any = written(WrittenAnswer(SATURATION, saturation_document(found)), NOWHERE)
    assert problems(document) == []
    (queue,) = document["clusterQueues"]
    assert (queue["amount"]["quantity"], queue["units"], queue["least"], queue["most"]) == ("3", 3, 3, 4)


def test_conformance_obeys_its_schema() -> None:
    document = conformance_document(
        "kueue", 3, 2, {"nodes": (3, 3), "plans": (2, 3)}, [DifferencePart("c", "plans", "1", "2")]
    )
    assert problems(document) == []
    assert document["fields"][1] == {"name": "plans", "agree": 2, "cases": 3}


def test_plain_fields_of_documents_have_a_meaning_and_each_meaning_a_field() -> None:
    schemas = [schema for path, schema in WRITTEN if path.startswith("fairshare/")]
    parts = [part for schema in schemas for part in (schema, *schema.get("$defs", {}).values())]
    fields = [part["properties"] for part in parts if "apiVersion" in part.get("properties", {})]
    assert all(form["apiVersion"]["description"] and form["kind"]["description"] for form in fields)
    assert set(MEANINGS) <= {name for form in fields for name in form}


def test_every_reference_of_a_schema_is_there_and_lists_have_one_to_their_documents() -> None:
    ours = {path.rpartition("/")[2]: schema for path, schema in WRITTEN if path.startswith("fairshare/v1alpha2/")}
    found = [(name, reference) for name, schema in ours.items() for reference in references(schema)]
    for name, reference in found:
        file, _, pointer = reference.partition("#/$defs/")
        assert not pointer or pointer in ours[file or name]["$defs"], (name, reference)
        assert (file or name) in ours
    assert {("planlist.json", "plan.json"), ("whylist.json", "why.json"), ("difflist.json", "diff.json")} <= {*found}
    own = {name: {each.removeprefix("#/$defs/") for each in references(schema)} for name, schema in ours.items()}
    assert {name: {*schema.get("$defs", ())} - own[name] for name, schema in ours.items()} == {
        name: set() for name in ours
    }


def test_a_part_that_all_schedulers_have_is_in_a_schema_once() -> None:
    for name in ("plan", "why", "cycle", "waitinglist"):
        parts = SCHEMAS[f"fairshare/v1alpha2/{name}.json"]["$defs"]
        prefixed = [each.partition(".")[2] for each in parts if each.partition(".")[0] in ALL]
        assert {"PlacePart", "FidelityPart"} & {*prefixed} == set()
        assert "PlacePart" in parts


def references(of: Any) -> Iterator[str]:
    """Every reference in a schema."""
    if isinstance(of, dict):
        if isinstance(of.get("$ref"), str):
            yield of["$ref"]
        for each in of.values():
            yield from references(each)
    elif isinstance(of, list):
        for each in of:
            yield from references(each)
