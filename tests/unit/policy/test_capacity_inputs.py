"""``capacity`` of small inputs of each scheduler: which taints its pods tolerate, and which quotas it adds up."""

import json
from pathlib import Path

import pytest
import yaml

from tests.unit.policy.test_capacity import Run, rows


def elastic_quota(name: str, parent: str, least: int) -> dict[str, object]:
    labels = {"quota.scheduling.koordinator.sh/parent": parent, "quota.scheduling.koordinator.sh/is-parent": "true"}
    amounts = {"min": {"cpu": least}, "max": {"cpu": 100}}
    metadata = {"name": name, "namespace": "quotas", "labels": labels}
    return {
        "apiVersion": "scheduling.sigs.k8s.io/v1alpha1",
        "kind": "ElasticQuota",
        "metadata": metadata,
        "spec": amounts,
    }


def kai_queue(name: str, parent: str, quota: int) -> dict[str, object]:
    unlimited = {"quota": -1, "limit": -1}
    resources = {
        "cpu": {"quota": 1000 * quota if quota >= 0 else -1, "limit": -1},
        "memory": unlimited,
        "gpu": unlimited,
    }
    spec = {"resources": resources, **({"parentQueue": parent} if parent else {})}
    return {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": name}, "spec": spec}


def kueue_object(kind: str, name: str, cohort: str, quota: int) -> dict[str, object]:
    flavor = {"name": "any", "resources": [{"name": "cpu", "nominalQuota": quota}]}
    groups = [{"coveredResources": ["cpu"], "flavors": [flavor]}]
    parent = {"ClusterQueue": "cohortName", "Cohort": "parentName"}[kind]
    spec = {"resourceGroups": groups, **({parent: cohort} if cohort else {})}
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, "spec": spec}


FLAVOR = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "any"}, "spec": {}}
NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1"},
    "status": {"allocatable": {"cpu": 99, "pods": 9}},
}
ROOT_QUOTA = "koordinator-root-quota"


def test_a_queue_without_a_bound_and_without_queues_below_makes_the_sum_unlimited(run: Run, tmp_path: Path) -> None:
    items = [kai_queue("a", "", 40), kai_queue("open", "", -1), NODE]
    (tmp_path / "state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    screen = run(f"kubectl-fairshare capacity -f {tmp_path} --no-preempting --resource cpu").stdout
    assert "quota of the top queues together: unlimited cpu, more than the nodes have (99)" in " ".join(screen.split())


def test_queues_without_a_bound_have_the_room_of_the_nodes(run: Run, tmp_path: Path) -> None:
    """KAI's default quota is -1, no bound: such a queue was left out, and its resources were refused."""
    bounded, free = kai_queue("bounded", "", 40), kai_queue("free", "", -1)
    for items in ([free], [bounded, free]):
        state = tmp_path / f"{len(items)}.json"
        state.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*items, NODE]}))
        for options in ("", "--resource cpu", "--request cpu=3"):
            call = f"kubectl-fairshare capacity -f {state} --no-preempting --no-copies -o json {options}"
            found = [row for row in json.loads(run(call).stdout)["queues"] if row["resource"] == "cpu"]
            assert len(found) == len(items)
            assert {row["now"]["size"]["value"] for row in found} == {99000}


TAINT = {"key": "team", "value": "a", "effect": "NoSchedule"}
READY = {"allocatable": {"cpu": 99, "pods": 9}, "conditions": [{"type": "Ready", "status": "True"}]}
TAINTED = NODE | {"spec": {"taints": [TAINT]}, "status": READY}
PLUGIN_QUOTA = {
    "apiVersion": "scheduling.x-k8s.io/v1alpha1",
    "kind": "ElasticQuota",
    "metadata": {"name": "a", "namespace": "a"},
    "spec": {"min": {"cpu": 4}, "max": {"cpu": 4}},
}


@pytest.mark.parametrize(
    "objects",
    [
        [kueue_object("ClusterQueue", "a", "", 4), FLAVOR | {"spec": {"nodeTaints": [TAINT]}}],
        [kai_queue("a", "", 4), TAINTED],
        [elastic_quota("a", ROOT_QUOTA, 4), TAINTED],
        [PLUGIN_QUOTA, TAINTED],
    ],
    ids=["kueue", "kai", "koordinator", "elasticquota"],
)
@pytest.mark.parametrize(
    ("options", "room", "note"),
    [
        ("", True, "the pods tolerate every taint"),
        ("--toleration team=a:NoSchedule", True, "the pods tolerate team=a:NoSchedule"),
        ("--toleration team=b --toleration other", False, "the pods tolerate team=b, other"),
        ("--toleration none", False, "the pods tolerate no taint"),
    ],
)
def test_the_pods_tolerate_what_is_asked(
    run: Run, tmp_path: Path, objects: list[object], options: str, room: bool, note: str
) -> None:
    (tmp_path / "state.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    found = json.loads(run(f"kubectl-fairshare capacity -f {tmp_path} --resource cpu -o json {options}").stdout)
    sizes = [(row["now"]["size"]["value"] > 0, row["ever"]["size"]["value"] > 0) for row in found["queues"]]
    assert sizes == [(room, room)]
    assert [each.startswith(note) for each in found["notes"]][-1]


@pytest.mark.parametrize(
    ("objects", "of", "cores"),
    [
        (
            [elastic_quota("org", ROOT_QUOTA, 40), elastic_quota("a", "org", 10), elastic_quota("b", "org", 10)],
            "min of the top quotas",
            40,
        ),
        (
            [kai_queue("org", "", 40), kai_queue("a", "org", 10), kai_queue("open", "", -1), kai_queue("b", "open", 7)],
            "quota of the top queues, or of those below one without a bound",
            47,
        ),
        ([kai_queue("org", "", 40), kai_queue("a", "org", 10)], "quota of the top queues", 40),
        (
            [kueue_object("Cohort", "org", "", 40), kueue_object("ClusterQueue", "a", "org", 10), FLAVOR],
            "nominal quota of all ClusterQueues and Cohorts",
            50,
        ),
    ],
)
def test_a_tree_of_quotas_counts_once(run: Run, tmp_path: Path, objects: list[object], of: str, cores: int) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*objects, NODE]}))
    found = json.loads(run(f"kubectl-fairshare capacity -f {path} --no-preempting -o json").stdout)["promises"]

    sums = [(each["of"], each["quotas"]["value"]) for each in found if each["resource"] == "cpu"]
    assert sums == [(of, 1000 * cores)]


def test_nodes_bind_where_no_quota_does(run: Run, tmp_path: Path) -> None:
    queues = tmp_path / "queues.yaml"
    queues.write_text(yaml.safe_dump_all([kai_queue("top", "", 8), kai_queue("leaf", "top", 8)]))
    elastic = rows(run, "-f testdata/demo/capacity --queue research --resource cpu")
    kai = rows(run, f"-f {queues} --nodes 2xcpu=4,memory=8Gi --resource cpu")

    assert elastic[0]["now"]["binds"] == "all nodes together have room, but no single node does"
    assert {row["ever"]["binds"] for row in kai} == {
        "it has a pod that no node is large enough for: it needs 5 cores, the largest has 4 cores"
    }
