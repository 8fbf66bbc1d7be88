"""Choices of a pod that an API server rejects; a real one answers alike in ``tests/live``."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.manifests.new_pods import choice_clauses

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
POD = ObjectKey("", "Pod", "team", "p")
SPREAD = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
Spec = dict[str, Any]


def clauses(spec: Spec, *path: str) -> list[str]:
    return [*choice_clauses(Field(POD, (*path, "spec"), spec))]


def one(clause: str) -> list[str]:
    return [clause] if clause else []


@pytest.mark.parametrize(
    ("selector", "wrong"),
    [({"a": "b", "c": ""}, 0), ({"a b": "c"}, 1), ({"a": "c d"}, 1), ({"": "-"}, 2)],
)
def test_a_node_selector_is_made_of_labels(selector: dict[str, str], wrong: int) -> None:
    assert len(clauses({"nodeSelector": selector})) == wrong


@pytest.mark.parametrize(
    ("toleration", "clause"),
    [
        ({"operator": "Exists"}, ""),
        ({"key": "a", "effect": ""}, ""),
        ({"key": "a", "value": "b", "effect": "NoExecute", "tolerationSeconds": 5}, ""),
        ({"key": "a b"}, "key is not a label key"),
        ({"value": "b"}, "operator must be Exists where no key is given"),
        ({"key": "a", "operator": "Exists", "value": "b"}, "value must be empty where the operator is Exists"),
        ({"key": "a", "value": "-"}, "value is not a label value"),
        ({"key": "a", "operator": "Lt"}, "operator must be Equal or Exists"),
        ({"key": "a", "effect": "Nope"}, "effect must be NoSchedule or PreferNoSchedule or NoExecute"),
        ({"key": "a", "tolerationSeconds": 5}, "effect must be NoExecute where tolerationSeconds is set"),
    ],
)
def test_tolerations(toleration: Spec, clause: str) -> None:
    found = clauses({"tolerations": [{"operator": "Exists"}, toleration]})
    assert found == [f"spec.tolerations[1].{each}" for each in one(clause)]


@pytest.mark.parametrize(
    ("term", "clause"),
    [
        ({}, ""),
        ({"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}, ""),
        ({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["5"]}]}, ""),
        ({"matchExpressions": [{"key": "a b", "operator": "Exists"}]}, "matchExpressions[0].key is not a label key"),
        ({"matchExpressions": [{"key": "a", "operator": "In"}]}, "matchExpressions[0].values is missing"),
        ({"matchExpressions": [{"key": "a", "operator": "Lt"}]}, "matchExpressions[0].values needs one value"),
        ({"matchExpressions": [{"key": "a", "operator": "Is"}]}, "matchExpressions[0].operator is not an operator"),
        (
            {"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]},
            "matchExpressions[0].values must be empty where the operator is Exists",
        ),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]},
            "matchExpressions[0].values[0] is not a label value",
        ),
        ({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}, ""),
        (
            {"matchFields": [{"key": "spec.x", "operator": "In", "values": ["n"]}]},
            "matchFields[0].key must be metadata.name",
        ),
        (
            {"matchFields": [{"key": "metadata.name", "operator": "Exists"}]},
            "matchFields[0].operator must be In or NotIn",
        ),
        (
            {"matchFields": [{"key": "metadata.name", "operator": "In", "values": []}]},
            "matchFields[0].values needs one value",
        ),
        (
            {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["N_1"]}]},
            "matchFields[0].values[0] is not the name of a node",
        ),
    ],
)
def test_terms_of_node_affinity(term: Spec, clause: str) -> None:
    path = f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms[0]."
    required = {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [term]}}}
    assert clauses({"affinity": required}) == [f"{path}{each}" for each in one(clause)]


def test_node_affinity_has_terms_and_its_wishes_have_weights() -> None:
    assert clauses({"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": []}}}}) == [
        f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms is missing"
    ]
    wish = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]}  # which no node can fulfil
    for weight, count in ((1, 0), (100, 0), (0, 1), (101, 1)):
        preferred = {"nodeAffinity": {PREFERRED: [{"weight": weight, "preference": wish}]}}
        assert len(clauses({"affinity": preferred})) == count
    bad = {"matchExpressions": [{"key": "a b", "operator": "Exists"}]}
    assert clauses({"affinity": {"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": bad}]}}}) == [
        f"spec.affinity.nodeAffinity.{PREFERRED}[0].preference.matchExpressions[0].key is not a label key"
    ]


@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize(
    ("term", "clause"),
    [
        ({"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}, "namespaces": ["n"]}, ""),
        (
            {
                "topologyKey": "zone",
                "labelSelector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]},
            },
            "",
        ),
        ({}, "topologyKey is not a label key"),
        (
            {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "-"}}},
            "labelSelector.matchLabels has `-`, which is not a label value",
        ),
        (
            {"topologyKey": "zone", "namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "Gt"}]}},
            "namespaceSelector.matchExpressions[0].operator is not an operator",
        ),
        (
            {"topologyKey": "zone", "labelSelector": {"matchExpressions": [{"key": "", "operator": "Exists"}]}},
            "labelSelector.matchExpressions[0].key is not a label key",
        ),
        ({"topologyKey": "zone", "namespaces": ["a.b"]}, "namespaces[0] is not the name of a namespace"),
    ],
)
def test_terms_of_neighbours(kind: str, term: Spec, clause: str) -> None:
    path = f"spec.affinity.{kind}."
    assert clauses({"affinity": {kind: {REQUIRED: [term]}}}) == [f"{path}{REQUIRED}[0].{each}" for each in one(clause)]
    light = {"affinity": {kind: {PREFERRED: [{"weight": 0, "podAffinityTerm": {"topologyKey": "zone"}}]}}}
    assert clauses(light) == [f"{path}{PREFERRED}[0].weight must be from 1 to 100"]
    preferred = {"affinity": {kind: {PREFERRED: [{"weight": 5, "podAffinityTerm": term}]}}}
    assert clauses(preferred) == [f"{path}{PREFERRED}[0].podAffinityTerm.{each}" for each in one(clause)]


@pytest.mark.parametrize(
    ("constraint", "clause"),
    [
        ({"minDomains": 2, "nodeAffinityPolicy": "Honor", "nodeTaintsPolicy": "Ignore"}, ""),
        ({"topologyKey": "a b"}, ""),
        ({"maxSkew": 0}, "maxSkew is below 1"),
        ({"topologyKey": ""}, "topologyKey is missing"),
        ({"whenUnsatisfiable": "Never"}, "whenUnsatisfiable must be DoNotSchedule or ScheduleAnyway"),
        ({"minDomains": 0}, "minDomains is below 1"),
        ({"minDomains": 1, "whenUnsatisfiable": "ScheduleAnyway"}, "minDomains needs whenUnsatisfiable DoNotSchedule"),
        ({"nodeTaintsPolicy": "x"}, "nodeTaintsPolicy must be Honor or Ignore"),
        (
            {"labelSelector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["-"]}]}},
            "labelSelector.matchExpressions[0].values[0] is not a label value",
        ),
    ],
)
def test_constraints_that_spread_pods(constraint: Spec, clause: str) -> None:
    found = clauses({"topologySpreadConstraints": [{**SPREAD, **constraint}]})
    assert found == [f"spec.topologySpreadConstraints[0].{each}" for each in one(clause)]


def test_no_constraint_is_there_twice() -> None:
    other = {**SPREAD, "whenUnsatisfiable": "ScheduleAnyway"}
    assert clauses({"topologySpreadConstraints": [SPREAD, other]}) == []
    assert clauses({"topologySpreadConstraints": [SPREAD, {**SPREAD, "maxSkew": 2}]}) == [
        "spec.topologySpreadConstraints[1] occurs twice: zone, DoNotSchedule"
    ]


@pytest.mark.parametrize(
    ("spec", "clause"),
    [
        ({"schedulingGates": [{"name": "a"}, {"name": "a.b/c"}]}, ""),
        ({"schedulingGates": [{"name": "a b"}]}, "schedulingGates[0].name is not a gate's name"),
        ({"schedulingGates": [{"name": "a"}, {"name": "a"}]}, "schedulingGates[1].name occurs twice: a"),
        ({"activeDeadlineSeconds": 1}, ""),
        ({"activeDeadlineSeconds": 0}, "activeDeadlineSeconds is below 1"),
        ({"preemptionPolicy": "Never"}, ""),
        ({"preemptionPolicy": ""}, "preemptionPolicy must be PreemptLowerPriority or Never"),
        ({"priorityClassName": "A_b"}, "priorityClassName is not an object name"),
        ({"nodeName": "n.example.com"}, ""),
        ({"nodeName": "N"}, "nodeName is not an object name"),
    ],
)
def test_gates_turns_and_names(spec: Spec, clause: str) -> None:
    assert clauses(spec) == [f"spec.{each}" for each in one(clause)]


def test_a_pod_with_a_node_has_no_gates_but_a_template_may() -> None:
    both = {"nodeName": "n", "schedulingGates": [{"name": "a"}]}
    assert clauses(both) == ["spec.nodeName must be empty while there are scheduling gates"]
    assert clauses(both, "spec", "template") == []
