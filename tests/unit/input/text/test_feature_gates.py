"""The feature gates of a Deployment, and those of them that may decide."""

from typing import Any

import pytest

from kubectl_fairshare.input.text.feature_gates import gates_set, unmodelled_gates
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def deployment(*words: str, name: str = "s") -> Manifest:
    spec: dict[str, Any] = {"template": {"spec": {"containers": [{"name": "c", "args": [*words]}]}}}
    return Manifest(ObjectKey("apps", "Deployment", "n", name), "v1", {"spec": spec}, Origin("", 0))


@pytest.mark.parametrize(
    "words",
    [
        ("--feature-gates=A=true,B=False",),
        ("--feature-gates", "A=true, B=false"),
        ("--v=2", "--feature-gates=A=true,B=false,C"),
    ],
)
def test_gates_are_read_from_one_word_or_two(words: tuple[str, ...]) -> None:
    assert [*gates_set(deployment(*words))] == [("A", True), ("B", False)]


def test_a_gate_counts_unless_it_is_modelled_idle_or_at_its_default() -> None:
    gates = (
        "--feature-gates=Own=true,Other=true,Usual=true,ContextualLogging=true,PodLevelResources=false,Unknown=false"
    )
    found = unmodelled_gates([deployment(gates)], ("Own",), {"Usual": True, "Other": False})
    assert [*found] == ["Other=true", "PodLevelResources=false", "Unknown=false"]
