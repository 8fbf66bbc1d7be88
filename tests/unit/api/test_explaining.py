"""The causes of the schema and of its rules."""

from typing import Any

import pytest

from kubectl_fairshare.api.explaining import schema_refusal
from kubectl_fairshare.schedulers.kueue.admission.kinds import structure


def refusal(kind: str, spec: Any, old: Any = None) -> tuple[str, list[tuple[str, str]]]:
    stored = {"spec": old} if old is not None else None
    stage, causes = schema_refusal(structure("v1beta2", kind), {"spec": spec}, (), stored)
    return stage, [(cause.field, cause.type.removeprefix("FieldValue")) for cause in causes]


@pytest.mark.parametrize(
    ("kind", "spec", "stage", "causes"),
    [
        ("LocalQueue", {"clusterQueue": "a"}, "", []),
        ("LocalQueue", {"clusterQueue": None}, "schema", [("spec.clusterQueue", "TypeInvalid")]),
        ("LocalQueue", {"clusterQueue": "a" * 254}, "schema", [("spec.clusterQueue", "TooLong")]),
        (
            "LocalQueue",
            {"stopPolicy": 1},
            "schema",
            [("spec.stopPolicy", "TypeInvalid"), ("spec.stopPolicy", "NotSupported")],
        ),
        ("LocalQueue", {"fairSharing": {"weight": "x"}}, "schema", [("spec.fairSharing.weight", "Invalid")]),
        ("Topology", {"levels": []}, "schema", [("spec.levels", "Invalid")]),
        ("Topology", {"levels": [{}]}, "schema", [("spec.levels[0].nodeLabel", "Required")]),
        ("Topology", {"levels": [{"nodeLabel": "a"}] * 2}, "cel", [("spec.levels", "Invalid")]),
        ("MultiKueueConfig", {"clusters": ["a"] * 21}, "schema", [("spec.clusters", "TooMany")]),
    ],
)
def test_causes(kind: str, spec: Any, stage: str, causes: list[tuple[str, str]]) -> None:
    assert refusal(kind, spec) == (stage, causes)


def test_a_blocking_cause_silences_the_rules() -> None:
    levels = [{"nodeLabel": "a"}] * 17
    assert refusal("Topology", {"levels": levels}) == ("schema", [("spec.levels", "TooMany")])


def test_a_rule_on_changes_needs_an_old_value_and_is_never_excused() -> None:
    levels = [{"nodeLabel": "a"}]
    assert refusal("Topology", {"levels": levels}, {"levels": levels}) == ("", [])
    changed = {"levels": [{"nodeLabel": "b"}]}
    assert refusal("Topology", changed, {"levels": levels}) == ("cel", [("spec.levels", "Invalid")])


def test_what_did_not_change_is_excused() -> None:
    twice = {"levels": [{"nodeLabel": "a"}] * 2}
    assert refusal("Topology", twice, twice) == ("", [])
    assert refusal("LocalQueue", {"clusterQueue": "A"}, {"clusterQueue": "A"}) == ("", [])
