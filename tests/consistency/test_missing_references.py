"""Of states without an object that others name, every answer is the same as with it, or not exact."""

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.consistency.asking import Program, Reply
from tests.consistency.pod_states import node, pod
from tests.consistency.states import HOUSES, Manifest, State, drawn
from tests.sampling import sampled

CALLS: Final = (("shares",), ("why", "-A"), ("capacity", "--request", "cpu=1"))
NAMED: Final = {
    "kueue": ("LocalQueue", "ResourceFlavor"),
    "kai": ("Queue", "PodGroup", "RuntimeClass"),
    "elasticquota": ("RuntimeClass", "PriorityClass"),
    "koordinator": ("RuntimeClass", "PriorityClass"),
}
"""Kinds whose objects are there if another names them; a Cohort need not be, and a quota is not named."""
CLASSES: Final = (
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "lofty"}, "value": 77},
    {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "kata"},
        "handler": "kata",
        "overhead": {"podFixed": {"cpu": "1"}},
    },
)
GROUPS: Final = {
    "elasticquota": ("scheduling.x-k8s.io/v1alpha1", "capacityscheduler"),
    "koordinator": ("scheduling.sigs.k8s.io/v1alpha1", "koord-scheduler"),
}
_APART: Final = frozenset({"notModelled", "fidelity", "skipped", "maxPlace", "minPlace", "place", "next"})


def _with_classes(state: State, dice: Random) -> list[Manifest]:
    """The objects of a state, of which one pod that no API server has completed names two classes."""
    found: list[Manifest] = json.loads(json.dumps(state.objects))
    waiting = [each for each in found if each["kind"] == "Pod" and "nodeName" not in each["spec"]]
    if not waiting:
        return found
    pod = dice.choice(waiting)
    pod["metadata"].pop("resourceVersion", None)
    spec = {name: each for name, each in pod["spec"].items() if name not in ("priority", "overhead")}
    pod["spec"] = {**spec, "priorityClassName": "lofty", "runtimeClassName": "kata"}
    return [*found, *CLASSES]


def _answer(value: Any) -> Any:
    """A document without what it rests on, and without places."""
    if isinstance(value, dict):
        return {name: _answer(each) for name, each in value.items() if name not in _APART}
    return [_answer(each) for each in value] if isinstance(value, list) else value


def _is_exact(reply: Reply) -> bool:
    return '"exact": false' not in json.dumps(reply.document)


@pytest.mark.parametrize("house", ["elasticquota", "koordinator"])
def test_what_is_missing_for_a_pod_alone_is_no_doubt_once_the_pod_is_deleted(house: str, tmp_path: Path) -> None:
    """The quota is full by a pod on a node that the input lacks."""
    dice = Random(house)
    group, scheduler = GROUPS[house]
    limits = {"min": {"cpu": "1"}, "max": {"cpu": "1"}}
    quota = {"apiVersion": group, "kind": "ElasticQuota", "metadata": {"name": "a", "namespace": "a"}, "spec": limits}
    objects = [
        *(node(0, dice, gpus=False) | {"spec": {}}, quota),
        *(pod(name, "a", scheduler, {"cpu": "1"}, place, dice) for name, place in (("old", "gone"), ("new", ""))),
    ]
    program = Program(house, tmp_path)
    plan = program.ask("plan", "-w", program.file("new", objects[-1:]), "-f", program.file("state", objects)).document
    outcomes = {(each["changes"][0]["kind"] == "deletion", each["outcome"]) for each in plan["remedies"]}
    assert (plan["outcome"], outcomes) == ("Unknown", {(True, "Admitted"), (False, "Unknown")})


@pytest.mark.parametrize("house", sampled(HOUSES, 4))
def test_an_object_that_others_name_and_that_is_missing(house: str, tmp_path: Path) -> None:
    program, dice = Program(house, tmp_path), Random(house)
    tried = 0
    for state in drawn(house, "missing", 4):
        objects = _with_classes(state, dice)
        source = program.file("state", objects)
        for kind in NAMED[house]:
            named = [each for each in objects if each["kind"] == kind and _is_named(each, objects)]
            if not named:
                continue
            lacking = dice.choice(named)
            rest = program.file("rest", [each for each in objects if each is not lacking])
            for call in CALLS:
                whole, part = program.ask(*call, "-f", source), program.ask(*call, "-f", rest)
                if whole.document and part.document and _is_exact(part):
                    assert _answer(part.document) == _answer(whole.document), (state.name, kind, lacking, call)
                tried += bool(part.document)
    assert tried >= 10


def _is_named(manifest: Manifest, objects: list[Manifest]) -> bool:
    name = json.dumps(manifest["metadata"]["name"])
    return any(name in json.dumps(each) for each in objects if each is not manifest)
