"""Releases that came after the measured ones: answered by the rules of these, unless they changed what is used."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.schedulers.kueue.release import release_named
from kubectl_fairshare.schedulers.kueue.release.later import LATER
from kubectl_fairshare.schedulers.kueue.release.patch import OFTEN_CHANGED, STOPPING
from tests.screens import shown

PLAIN = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}, spec: {}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {namespaceSelector: {},
 resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: l, namespace: default}, spec: {clusterQueue: q}}
"""
Manifest = dict[str, Any]


def objects() -> dict[str, Manifest]:
    return {each["kind"]: each for each in yaml.safe_load_all(PLAIN)}


def asked(
    folder: Path, of: dict[str, Manifest], release: str, call: str = "plan --queue l --request cpu=1"
) -> Manifest:
    path = folder / "state.yaml"
    path.write_text(yaml.safe_dump_all(of.values()), "utf-8")
    document = json.loads(shown(f"kubectl-fairshare {call} -f {path} --release {release} -o json").stdout)
    return {**document["fidelity"], "exitCode": document.get("exitCode")}


def test_each_later_release_has_an_entry_and_the_rules_of_a_measured_one() -> None:
    assert {f"{minor}.{patch}" for _, minor, patch in LATER} == {
        *(f"19.{patch}" for patch in range(8, 15)),
        *(f"20.{patch}" for patch in range(1, 8)),
    }
    for number in LATER:
        release = release_named(".".join(map(str, number)))
        rules = release_named(release.rules_of)
        assert rules.measured
        assert not rules.rules_of
        assert not release.measured
        assert rules.number < release.number
        assert release.later_features >= OFTEN_CHANGED


def test_what_an_earlier_patch_changed_holds_for_later_ones() -> None:
    assert [STOPPING in release_named(f"0.20.{patch}").later_features for patch in (1, 2, 3, 7)] == [
        *(False, False, True, True)
    ]
    assert len(release_named("0.19.14").later) == 7


@pytest.mark.parametrize("release", ["0.19.8", "0.19.14", "0.20.1", "0.20.7"])
@pytest.mark.parametrize("call", ["plan --queue l --request cpu=1", "shares", "cycle"])
def test_a_plain_state_is_answered_by_rules(tmp_path: Path, release: str, call: str) -> None:
    found = asked(tmp_path, objects(), release, call)
    assert (found["grade"], found["exact"]) == ("by rules", False)
    assert found["exitCode"] in (0, None)
    assert found["rulesOf"] == ("v0.19.7" if "0.19" in release else "v0.20.0")
    assert found["laterChanges"]


@pytest.mark.parametrize("release", ["0.20.8", "0.19.15", "0.21", "0.21.3"])
def test_a_release_without_an_entry_is_not_exact(tmp_path: Path, release: str) -> None:
    found = asked(tmp_path, objects(), release)
    assert (found["grade"], found["rulesOf"], found["exitCode"]) == ("not exact", None, 5)


def with_topology(of: dict[str, Manifest]) -> None:
    of["ResourceFlavor"]["spec"] = {"topologyName": "t", "nodeLabels": {"a": "b"}}
    levels = [{"nodeLabel": "kubernetes.io/hostname"}]
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Topology", "metadata": {"name": "t"}}
    of["Topology"] = {**head, "spec": {"levels": levels}}


def with_check(of: dict[str, Manifest]) -> None:
    of["ClusterQueue"]["spec"]["admissionChecksStrategy"] = {"admissionChecks": [{"name": "c"}]}
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheck", "metadata": {"name": "c"}}
    active = {"conditions": [{"type": "Active", "status": "True", "reason": "Active", "message": ""}]}
    of["AdmissionCheck"] = {**head, "spec": {"controllerName": "example.com/c"}, "status": active}


def with_sharing(of: dict[str, Manifest]) -> None:
    of["ClusterQueue"]["spec"]["admissionScope"] = {"admissionMode": "UsageBasedAdmissionFairSharing"}
    of["Configuration"] = {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "admissionFairSharing": {"usageHalfLifeTime": "1h", "usageSamplingInterval": "5m"},
    }


def with_stop(of: dict[str, Manifest]) -> None:
    of["ClusterQueue"]["spec"]["stopPolicy"] = "Hold"


def with_stopped_local_queue(of: dict[str, Manifest]) -> None:
    of["LocalQueue"]["spec"]["stopPolicy"] = "Hold"


def with_devices(of: dict[str, Manifest]) -> None:
    mappings = [{"name": "gpus", "deviceClassNames": ["gpu.example.com"]}]
    head = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    of["Configuration"] = {**head, "resources": {"deviceClassMappings": mappings}}


def workload(**parts: Any) -> Manifest:
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": 1}}}], **parts.pop("pod", {})}
    pods = [{"name": "main", "count": 1, "template": {"spec": spec}}]
    metadata = {"name": "w", "namespace": "default", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z", **parts}
    head = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload", "metadata": metadata}
    return {**head, "spec": {"queueName": "l", "active": True, "priority": 0, "podSets": pods}}


SLICE = {"annotations": {"kueue.x-k8s.io/workload-slice-replacement-for": "default/old"}}
CLAIM = {"pod": {"resourceClaims": [{"name": "g", "resourceClaimName": "one"}]}}


def with_slice(of: dict[str, Manifest]) -> None:
    of["Workload"] = workload(**SLICE)


def with_claim(of: dict[str, Manifest]) -> None:
    of["Workload"] = workload(**CLAIM)


@pytest.mark.parametrize("parts", [SLICE, CLAIM], ids=["slice", "claim"])
def test_what_is_asked_for_counts_as_what_waits_does(tmp_path: Path, parts: dict[str, Any]) -> None:
    path = tmp_path / "asked.yaml"
    path.write_text(yaml.safe_dump(workload(**parts)), "utf-8")
    found = asked(tmp_path, objects(), "0.20.7", f"plan -w {path}")
    assert any(gap["feature"].startswith("Later") and gap["touches"] for gap in found["notModelled"])


@pytest.mark.parametrize(
    "change",
    [
        *(with_topology, with_check, with_sharing, with_stop, with_stopped_local_queue),
        *(with_devices, with_slice, with_claim),
    ],
)
@pytest.mark.parametrize("call", ["plan --queue l --request cpu=1", "shares", "cycle"])
def test_what_patches_changed_is_never_answered_by_rules(tmp_path: Path, change: Any, call: str) -> None:
    of = objects()
    change(of)
    found = asked(tmp_path, of, "0.20.7", call)
    assert found["grade"] == "not exact"
    assert any(gap["feature"].startswith("Later") and gap["touches"] for gap in found["notModelled"])
    measured = asked(tmp_path, of, "0.20", call)["notModelled"]
    assert not any(gap["feature"].startswith("Later") for gap in measured)


def test_screens_say_by_whose_rules_and_what_changed_since() -> None:
    call = "kubectl-fairshare shares -f testdata/demo/org --release 0.20.3"
    told, wide = (" ".join(shown(text).stdout.split()) for text in (call, f"{call} -o wide"))
    assert "by the rules of v0.20.0 (Kueue v0.20.3)" in told
    assert "`--explain` lists them" in told
    assert "v0.20.1: slices of elastic jobs" in wide
    assert "v0.20.2: its notes were read in part" in wide


EXPLAINED = [
    "shares --explain q",
    "plan --queue l --request cpu=1 --explain",
    "why --explain",
    "cycle --explain",
    "capacity --request cpu=1 --explain",
]


@pytest.mark.parametrize("call", EXPLAINED)
def test_what_changed_since_is_listed_line_by_line(tmp_path: Path, call: str) -> None:
    path = tmp_path / "state.yaml"
    path.write_text(PLAIN, "utf-8")
    screens = {
        release: shown(f"kubectl-fairshare {call} -f {path} --release {release}").stdout.splitlines()
        for release in ("0.20.2", "0.20")
    }
    lines = screens["0.20.2"]
    at = lines.index("since v0.20.0, up to Kueue v0.20.2:")
    assert lines[at + 1].startswith("  v0.20.1: slices of elastic jobs do not exceed the quota of the cohort")
    assert "  v0.20.2: its notes were read in part" in lines[at:]
    assert lines[-1].startswith("⇒ ") or lines[-2].startswith("⇒ ")
    assert not any(line.startswith("since ") for line in screens["0.20"])


def test_a_comparison_lists_it_too_and_is_never_exact_by_rules(tmp_path: Path) -> None:
    """What is undecided was once said to be all that is not exact, whatever the release."""
    before, after = tmp_path / "before.yaml", tmp_path / "after.yaml"
    before.write_text(PLAIN, "utf-8")
    after.write_text(PLAIN.replace("nominalQuota: 4", "nominalQuota: 3"), "utf-8")
    screen = shown(f"kubectl-fairshare diff {before} {after} --release 0.20.2 --explain").stdout
    assert "since v0.20.0, up to Kueue v0.20.2:" in screen
    assert "by the rules of v0.20.0 (Kueue v0.20.2)" in " ".join(screen.split("⇒")[1].split())


def test_an_assumed_release_is_said_with_the_option_that_names_another() -> None:
    call = "kubectl-fairshare shares -f testdata/demo/org"
    assert "(Kueue v0.19, --release assumed)" in " ".join(shown(call).stdout.split())
    assert "assumed" not in shown(f"{call} --release 0.19").stdout
