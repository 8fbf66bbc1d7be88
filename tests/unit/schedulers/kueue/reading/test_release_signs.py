"""A vendor's operator and CRDs name a line of releases, which is answered by the rules of its measured patch level."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
Manifest = dict[str, Any]
ORG = ROOT / "testdata" / "demo" / "org"


def definition(kind: str, plural: str, *, pod_sets: int = 0, rule: str = "", served: bool = True) -> Manifest:
    spec: Manifest = {"properties": {"podSets": {"maxItems": pod_sets}}} if pod_sets else {}
    spec |= {"x-kubernetes-validations": [{"rule": rule}]} if rule else {}
    schema = {"openAPIV3Schema": {"properties": {"spec": spec}}}
    versions = [{"name": "v1beta1", "served": served}, {"name": "v1beta2", "served": True, "schema": schema}]
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    named = {"metadata": {"name": f"{plural}.kueue.x-k8s.io"}}
    return {**head, **named, "spec": {"group": "kueue.x-k8s.io", "names": {"kind": kind}, "versions": versions}}


def workloads(most: int, *, served: bool = True) -> Manifest:
    return definition("Workload", "workloads", pod_sets=most, served=served)


def flavors(rule: str) -> Manifest:
    return definition("ResourceFlavor", "resourceflavors", rule=rule)


def operator(kind: str, name: str, **content: Any) -> Manifest:
    head = {"apiVersion": "operators.coreos.com/v1alpha1", "kind": kind}
    return {**head, "metadata": {"name": name, "namespace": "openshift-kueue-operator"}, **content}


def fidelity(run: Run, folder: Path, objects: list[Manifest]) -> Manifest:
    path = folder / "signs.yaml"
    path.write_text(yaml.safe_dump_all(objects), "utf-8")
    found: Manifest = json.loads(run(f"kubectl-fairshare shares -f {ORG} -f {path} -o json").stdout)["fidelity"]
    return found


@pytest.mark.parametrize(
    ("objects", "version", "rules"),
    [
        ([workloads(8), flavors("self == oldSelf")], "v0.16", "v0.16.9"),
        ([workloads(8), flavors("self.x == oldSelf.x")], "v0.17", "v0.17.8"),
        ([workloads(10)], "v0.18", "v0.18.6"),
        ([workloads(18)], "v0.19", "v0.19.2"),
        ([workloads(18, served=False)], "v0.20", "v0.20.0"),
        ([operator("ClusterServiceVersion", "kueue-operator.v1.3.1")], "v0.16", "v0.16.9"),
        (
            [operator("Subscription", "kueue", spec={"name": "kueue-operator", "channel": "stable-v1.3"})],
            *("v0.16", "v0.16.9"),
        ),
        ([workloads(10), operator("ClusterServiceVersion", "kueue-operator.v1.3.0")], "v0.16", "v0.16.9"),
    ],
)
def test_signs_name_a_line(run: Run, tmp_path: Path, objects: list[Manifest], version: str, rules: str) -> None:
    found = fidelity(run, tmp_path, objects)
    assert (found["version"], found["rulesOf"], found["releaseAssumed"]) == (version, rules, False)
    assert "its patch level is not known" in found["laterChanges"][-1]


@pytest.mark.parametrize(
    "objects",
    [
        [workloads(7)],
        [flavors("self.x == oldSelf.x")],
        [operator("Subscription", "other", spec={"name": "other-operator", "channel": "stable-v1.3"})],
        [operator("Subscription", "kueue", spec={"name": "kueue-operator", "channel": "stable"})],
    ],
)
def test_what_names_no_line_leaves_the_release_assumed(run: Run, tmp_path: Path, objects: list[Manifest]) -> None:
    assert fidelity(run, tmp_path, objects)["releaseAssumed"]


@pytest.mark.parametrize(
    ("objects", "version", "words"),
    [
        ([workloads(8)], "v0.16 or v0.17", "0.16 or 0.17, by CustomResourceDefinition workloads.kueue.x-k8s.io"),
        ([operator("ClusterServiceVersion", "kueue-operator.v1.2.0")], "v0.16", "build 1.2 is an older release than"),
        ([operator("ClusterServiceVersion", "kueue-operator.v1.9.0")], "v0.19", "build 1.9 is a later release than"),
        ([operator("ClusterServiceVersion", "kueue-operator.v1.0.2")], "v0.11", "ReleaseNotMeasured"),
    ],
)
def test_a_sign_of_several_releases_makes_no_answer_exact(
    run: Run, tmp_path: Path, objects: list[Manifest], version: str, words: str
) -> None:
    found = fidelity(run, tmp_path, objects)
    assert (found["version"], found["grade"]) == (version, "not exact")
    assert words in json.dumps(found)


def test_the_rule_of_flavors_that_ended_with_0_17_is_enough(run: Run, tmp_path: Path) -> None:
    found = fidelity(run, tmp_path, [flavors("self == oldSelf")])
    assert (found["version"], found["rulesOf"]) == ("v0.16", "v0.16.9")


def test_the_vendors_own_object_is_the_newest_build_of_which_the_release_is_known(run: Run, tmp_path: Path) -> None:
    settings = {"apiVersion": "kueue.openshift.io/v1", "kind": "Kueue", "metadata": {"name": "cluster"}, "spec": {}}
    found = fidelity(run, tmp_path, [settings])
    assert (found["version"], found["rulesOf"], found["releaseAssumed"]) == ("v0.16", "v0.16.9", True)


def test_an_option_and_a_manager_come_before_signs(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "signs.yaml"
    path.write_text(yaml.safe_dump(workloads(10)), "utf-8")
    screen = run(f"kubectl-fairshare shares -f {ORG} -f {path} --release 0.19 -o json")
    assert json.loads(screen.stdout)["fidelity"]["grade"] == "exact"
