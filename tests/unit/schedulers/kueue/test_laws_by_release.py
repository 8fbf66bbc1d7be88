"""The tables of laws by release: complete, in order, and what they say of the laws that patch levels brought."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.model.values import Value, fields
from kubectl_fairshare.schedulers.kueue.admission.feature_gates import enabled_gates
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.model.objects import Fungibility, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.release import KueueRelease, release_named
from kubectl_fairshare.schedulers.kueue.release.decisions import DECISIONS
from kubectl_fairshare.schedulers.kueue.release.law import ReleaseLaw, numbered, values_at
from kubectl_fairshare.schedulers.kueue.release.unreproduced import UNREPRODUCED
from kubectl_fairshare.schedulers.kueue.release.writes import WRITES, WriteLaws, write_laws
from tests.screens import ROOT, shown
from tests.unit.schedulers.kueue.build import cohort, holder, pending, queue, state

_WHAT_IT_IS = {
    *("text", "number", "deduced", "sign", "assumed", "measured", "rules_of", "later", "later_features", "gates"),
    "changed_features",
}


@pytest.mark.parametrize(
    ("table", "value", "others"), [(DECISIONS, KueueRelease, _WHAT_IT_IS), (WRITES, WriteLaws, set())]
)
def test_each_field_is_a_row_with_a_sentence_and_a_source(
    table: tuple[ReleaseLaw, ...], value: type[Value], others: set[str]
) -> None:
    assert sorted(law.field for law in table) == sorted({each.name for each in fields(value)} - others)
    assert all(law.sentence.endswith(".") and law.source for law in table)


@pytest.mark.parametrize("law", [*DECISIONS, *WRITES, *UNREPRODUCED], ids=lambda law: law.field)
def test_each_change_is_one_and_in_order(law: ReleaseLaw) -> None:
    assert [*law.changes] == sorted(law.changes, key=numbered)
    values = [law.before, *law.changes.values()]
    assert all(a != b for a, b in itertools.pairwise(values))


_OF_LINT_ALONE = ("waits_for_pods", "serves_v1beta1")
"""Laws of objects as they are written, which no decision rests on."""


@pytest.mark.parametrize(
    "law", [law for law in DECISIONS if law.field not in _OF_LINT_ALONE], ids=lambda law: law.field
)
def test_each_law_is_read_where_something_is_decided(law: ReleaseLaw) -> None:
    """A law that only a rule of lint reads leaves every plan as it was."""
    house = ROOT / "kubectl_fairshare/schedulers/kueue"
    deciding = (path for path in house.rglob("*.py") if path.relative_to(house).parts[0] not in ("release", "rules"))
    assert any(f".{law.field}" in path.read_text("utf-8") for path in deciding)


def test_defaults_are_those_of_0_19_2() -> None:
    release = release_named("0.19.2")
    assert {law.field: getattr(KueueRelease("x"), law.field) for law in DECISIONS} == values_at(DECISIONS, (0, 19, 2))
    assert write_laws(release, enabled_gates({}, release)) == WriteLaws()


def test_a_line_starts_with_what_the_one_before_it_ended_with() -> None:
    law = ReleaseLaw("x", "It holds.", "#1", False, {"0.17.6": True, "0.18.0": False, "0.18.2": True})
    found = [law.at(number) for number in ((0, 17, 5), (0, 17, 9), (0, 18, 1), (0, 18, 2), (0, 19, 0), (1, 0, 0))]
    assert found == [False, True, False, True, True, True]


@pytest.mark.parametrize(
    ("field", "without", "having"),
    [
        ("submitter_beside_head", ("0.17.6", "0.18.2"), ("0.17.7", "0.17.8", "0.18.3")),
        ("redis_cleanup_counts", ("0.16.9", "0.17.5", "0.18.1"), ("0.17.6", "0.18.2", "0.19.0")),
        ("reclaims_clamped", ("0.17.6", "0.18.0", "0.18.2"), ("0.17.7", "0.18.3")),
        ("transformations_apart", ("0.18.4", "0.19.0"), ("0.18.5", "0.19.1")),
        ("keeps_scan", ("0.18.4", "0.19.0"), ("0.18.5", "0.19.1")),
    ],
)
def test_what_came_with_a_patch_level_of_each_line(
    field: str, without: tuple[str, ...], having: tuple[str, ...]
) -> None:
    assert [getattr(release_named(text), field) for text in (*without, *having)] == [
        *(False for _ in without),
        *(True for _ in having),
    ]


@pytest.mark.parametrize(
    ("field", "without", "having"),
    [
        ("queue_stays_named", ("0.18.4",), ("0.18.5", "0.19.0")),
        ("pods_nowhere", ("0.18.4", "0.19.0"), ("0.18.5", "0.19.1")),
        ("admission_required", ("0.18.4", "0.19.0"), ("0.18.5", "0.19.1")),
        ("source_optional", ("0.16.6", "0.17.1"), ("0.16.7", "0.17.2", "0.18.0")),
    ],
)
def test_what_the_api_server_refuses_came_with_patch_levels_too(
    field: str, without: tuple[str, ...], having: tuple[str, ...]
) -> None:
    releases = [release_named(text) for text in (*without, *having)]
    found = [getattr(write_laws(each, enabled_gates({}, each)), field) for each in releases]
    assert found == [*(False for _ in without), *(True for _ in having)]


QUEUES = """
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}, spec: {}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {namespaceSelector: {},
 resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: f, resources: [
 {name: cpu, nominalQuota: 9}, {name: memory, nominalQuota: 9Gi}]}]}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: l, namespace: default}, spec: {clusterQueue: q}}
"""


def requested(folder: Path, job: dict[str, Any], release: str) -> dict[str, str]:
    """What the first pod set of a job asks for."""
    (folder / "queues.yaml").write_text(QUEUES, "utf-8")
    metadata = {"name": "j", "namespace": "default", "labels": {"kueue.x-k8s.io/queue-name": "l"}}
    (folder / "job.yaml").write_text(yaml.safe_dump({"metadata": metadata, **job}), "utf-8")
    call = f"kubectl-fairshare plan -f {folder / 'queues.yaml'} -w {folder / 'job.yaml'} --release {release} -o json"
    document = json.loads(shown(call).stdout)
    return {each["asked"]["resource"]: each["asked"]["amount"]["quantity"] for each in document["needs"]}


def ray(kind: str, **cluster: Any) -> dict[str, Any]:
    container = {"name": "h", "image": "i", "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}
    head = {"rayStartParams": {}, "template": {"spec": {"containers": [container]}}}
    spec = {"headGroupSpec": head, **cluster}
    own = {"suspend": True, "shutdownAfterJobFinishes": True, "submissionMode": "SidecarMode", "rayClusterSpec": spec}
    return {"apiVersion": "ray.io/v1", "kind": kind, "spec": own if kind == "RayJob" else {"suspend": True, **spec}}


def test_what_ray_asks_for_depends_on_the_patch_level(tmp_path: Path) -> None:
    cpu = {text: requested(tmp_path, ray("RayJob"), text)["cpu"] for text in ("0.17.6", "0.17.8", "0.18.2", "0.18.3")}
    assert cpu == {"0.17.6": "100m", "0.17.8": "600m", "0.18.2": "100m", "0.18.3": "600m"}
    cluster = ray("RayCluster", gcsFaultToleranceOptions={"redisAddress": "r"})
    cleaned = {text: requested(tmp_path, cluster, text)["cpu"] for text in ("0.16.9", "0.17.8", "0.18.1", "0.18.2")}
    assert cleaned == {"0.16.9": "100m", "0.17.8": "200m", "0.18.1": "100m", "0.18.2": "200m"}


def test_a_request_of_memory_beyond_64_bits_counts_nothing_before_it_is_clamped(tmp_path: Path) -> None:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1", "memory": "10E"}}}
    pod = {"restartPolicy": "Never", "containers": [container]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": pod}}}
    found = {text: requested(tmp_path, job, text)["memory"] for text in ("0.18.4", "0.18.5")}
    assert found["0.18.4"] == "0"
    assert found["0.18.5"] != "0"


def test_a_framework_that_a_release_does_not_know_stops_its_manager(tmp_path: Path) -> None:
    head = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    path = tmp_path / "configuration.yaml"
    path.write_text(yaml.safe_dump({**head, "integrations": {"frameworks": ["ray.io/rayservice"]}}), "utf-8")
    calls = [f"kubectl-fairshare lint {path} --release {text}" for text in ("0.16", "0.17")]
    assert [shown(call).code for call in calls] == [1, 0]
    assert "knows no framework `ray.io/rayservice`" in " ".join(shown(calls[0]).stdout.split())


@pytest.mark.parametrize(
    ("release", "preference", "flavor"),
    [
        ("0.16.1", "BorrowingOverPreemption", "preempts"),
        ("0.16.1", "PreemptionOverBorrowing", "borrows"),
        ("0.16.1", None, "borrows"),
        ("0.16.2", "BorrowingOverPreemption", "borrows"),
        ("0.16.2", "PreemptionOverBorrowing", "preempts"),
        ("0.19", "PreemptionOverBorrowing", "preempts"),
    ],
)
def test_the_two_preferences_of_flavors_are_swapped_before_v0_16_2(
    release: str, preference: str | None, flavor: str
) -> None:
    own, lent = FlavorResource("preempts", "gpu"), FlavorResource("borrows", "gpu")
    given = state(
        cohort("co"),
        queue(
            "a",
            "co",
            {own: Quota(1), lent: Quota(0)},
            preemption=Preemption("LowerPriority"),
            fungibility=Fungibility("TryNextFlavor", "TryNextFlavor", preference),
        ),
        queue("b", "co", {own: Quota(0), lent: Quota(1)}),
        holder("low", "a", {own: 1}),
        pending("w", "a", 1, priority=5),
        release=release,
    )
    assignment = nominate(given, given.kueue.pending[0]).assignment
    assert assignment is not None
    assert {served for p in assignment.pod_sets for served, _ in p.flavors.values()} == {flavor}
