"""What Kueue 0.17 and 0.18 take and refuse otherwise than 0.19: each law, by gates, and in answers and in lint."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.schedulers.kueue.admission.feature_gates import enabled_gates
from kubectl_fairshare.schedulers.kueue.admission.judge import judge
from kubectl_fairshare.schedulers.kueue.release import release_named
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws, write_laws
from tests.screens import Screen

Manifest = dict[str, Any]
Run = Callable[[str], Screen]


def laws(text: str, **gates: bool) -> WriteLaws:
    release = release_named(text)
    return write_laws(release, enabled_gates(gates, release))


def workload(sets: int = 1, **metadata: Any) -> Manifest:
    template = {"spec": {"containers": [{"name": "c"}]}}
    pods = [{"name": f"p{number}", "count": 1, "template": template} for number in range(sets)]
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload"}
    return {**head, "metadata": {"name": "x", "namespace": "default", **metadata}, "spec": {"podSets": pods}}


@pytest.mark.parametrize("text", ["0.19", "0.19.7"])
def test_later_releases_judge_as_0_19_does(text: str) -> None:
    assert laws(text) == NEWEST


def test_a_release_that_was_not_compared_is_taken_as_0_19() -> None:
    assert laws("0.15") == NEWEST


@pytest.mark.parametrize(("text", "most"), [("0.16", 8), ("0.17", 8), ("0.18", 10), ("0.19", 18), ("0.20", 18)])
def test_a_workload_has_as_many_pod_sets_as_the_release_allows(text: str, most: int) -> None:
    assert [judge(workload(sets), laws=laws(text)).accepted for sets in (most, most + 1)] == [True, False]


GATED = workload(annotations={"kueue.x-k8s.io/admission-gated-by": "x"})


@pytest.mark.parametrize(
    ("text", "gates", "taken"),
    [
        ("0.17", {}, True),
        ("0.18", {}, True),
        ("0.18", {"AdmissionGatedBy": True}, False),
        ("0.19", {}, False),
        ("0.19", {"AdmissionGatedBy": False}, True),
    ],
)
def test_a_gate_turns_the_check_of_admission_gates_on_and_off(text: str, gates: dict[str, bool], taken: bool) -> None:
    assert judge(GATED, laws=laws(text, **gates)).accepted is taken


def test_fields_of_later_releases_are_unknown() -> None:
    data = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "q"},
        "spec": {"concurrentAdmissionPolicy": {"migration": {"mode": "Foo"}}},
    }
    found = {text: judge(data, laws=laws(text)) for text in ("0.17", "0.18")}
    assert [each.accepted for each in found.values()] == [True, False]
    assert [each.unknown_fields for each in found.values()] == [(("spec", "concurrentAdmissionPolicy"),), ()]


QUEUES = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}, spec: {}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {namespaceSelector: {},
 resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 40}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: l, namespace: default}, spec: {clusterQueue: q}}
---
"""


def test_answers_and_lint_follow_the_release(run: Run, tmp_path: Path) -> None:
    asked, state = workload(9), tmp_path / "state.yaml"
    asked["spec"]["queueName"] = "l"
    state.write_text(QUEUES + yaml.safe_dump(asked), "utf-8")
    for release, taken in (("0.17", False), ("0.18", True), ("0.19", True)):
        found = run(f"kubectl-fairshare cycle -f {state} --release {release}")
        assert (found.code == 0) is taken, found.stdout + found.stderr
        assert ("spec.podSets" in found.stderr) is not taken
        report = json.loads(run(f"kubectl-fairshare lint {state} --release {release} -o json").stdout)
        errors = [each for each in report["findings"] if each["severity"] == "error"]
        assert bool(errors) is not taken


def stored(kind: str, spec: Manifest) -> Manifest:
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind}
    return {**head, "metadata": {"name": "x", "resourceVersion": "1"}, "spec": spec}


def levels(*labels: str) -> Manifest:
    return stored("Topology", {"levels": [{"nodeLabel": label} for label in labels]})


def flavor(label: str, topology: str = "t") -> Manifest:
    return stored("ResourceFlavor", {"nodeLabels": {label: "x"}, "topologyName": topology})


def queue_with(on_flavors: list[str], stop: str = "None") -> Manifest:
    quota = {"name": "f", "resources": [{"name": "cpu", "nominalQuota": 1}]}
    checks = {"admissionChecks": [{"name": "c", "onFlavors": on_flavors}]}
    groups = [{"coveredResources": ["cpu"], "flavors": [quota]}]
    spec = {"resourceGroups": groups, "admissionChecksStrategy": checks, "stopPolicy": stop}
    return stored("ClusterQueue", spec)


HOST = "kubernetes.io/hostname"


@pytest.mark.parametrize(
    ("new", "old", "before", "since"),
    [
        (flavor("b"), flavor("a"), False, True),
        (flavor("a", "u"), flavor("a"), False, False),
        (levels("rack", HOST), levels("block", HOST), False, True),
        (levels("rack", HOST), levels("rack"), False, False),
        (levels("rack"), levels("rack", HOST), False, False),
        (levels("rack"), levels("block"), False, False),
        (levels("rack"), levels("rack"), True, True),
        (queue_with(["gone"], "Hold"), queue_with(["gone"]), True, False),
        (queue_with(["f"], "Hold"), queue_with(["gone"]), True, True),
    ],
)
def test_what_0_20_takes_of_changes(new: Manifest, old: Manifest, before: bool, since: bool) -> None:
    assert [judge(new, old, laws=laws(text)).accepted for text in ("0.18", "0.19.7", "0.20")] == [before, before, since]


def with_pod_set(**fields: Any) -> Manifest:
    found = workload()
    found["spec"]["podSets"][0] |= fields
    return found


@pytest.mark.parametrize(
    ("data", "before", "since"),
    [
        (with_pod_set(minCount=0), False, True),
        (with_pod_set(minCount=-1), False, False),
        (with_pod_set(topologyRequest={"required": "rack", "subGroupCount": -1}), True, False),
        (with_pod_set(topologyRequest={"required": "rack", "subGroupCount": 0}), True, True),
    ],
)
def test_what_0_20_takes_of_pod_sets(data: Manifest, before: bool, since: bool) -> None:
    assert [judge(data, laws=laws(text)).accepted for text in ("0.19.7", "0.20")] == [before, since]
