"""Work beside the units of a repository counts in those that have its queue, and a note says how much of it."""

import json
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.input.units.beside import counting
from kubectl_fairshare.schedulers import known_schedulers
from tests.screens import shown
from tests.unit.input.units.folders import LOCAL, REAL, write

POLICY = REAL.replace("nominalQuota: 8", "nominalQuota: %d")
WORK = """apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: %s, namespace: team}
spec:
  queueName: %s
  podSets: [{name: main, count: 1, template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]
---
"""


@pytest.fixture(autouse=True)
def _repository() -> None:
    """Two clusters, one with a queue of its own, and a dump and a job beside them."""
    for name, quota in (("eu", 8), ("us", 4)):
        write({f"{name}/q.yaml": POLICY % quota, f"{name}/l.yaml": LOCAL % ("all", "team")})
        write({f"{name}/kustomization.yaml": "resources: [q.yaml, l.yaml]\n"})
    write({"eu/l.yaml": f"{LOCAL % ('all', 'team')}---\n{LOCAL % ('only', 'team')}"})
    write({"jobs/w.yaml": WORK % ("a", "all"), "state.yaml": f"{WORK % ('b', 'all')}{WORK % ('c', 'only')}"})


def pending(words: str) -> dict[str, int]:
    return {
        unit: json.loads(shown(f"kubectl-fairshare shares {words} --each {unit} -o json").stdout)["pending"]
        for unit in ("eu", "us")
    }


def test_work_counts_where_its_queue_is() -> None:
    assert pending("-f eu -f us -f jobs -f state.yaml") == {"eu": 3, "us": 2}
    assert pending("-f .") == {"eu": 3, "us": 2}


def test_a_note_says_how_many_objects_went_where() -> None:
    screen = shown("kubectl-fairshare shares -f .")
    assert "objects next to the units, 3 in jobs/w.yaml, state.yaml" in screen.stderr
    assert "count where their queues are: 3 in eu, 2 in us" in screen.stderr
    assert "unit eu" in screen.stdout
    assert "unit state" not in screen.stdout


def test_the_policy_of_a_unit_counts_before_that_of_a_dump() -> None:
    write({"state.yaml": f"{WORK % ('b', 'all')}{POLICY % 1}"})
    screen = shown("kubectl-fairshare shares -f eu -f state.yaml -o json")
    assert screen.code == 0, screen
    found = json.loads(screen.stdout)
    assert found["pending"] == 1
    assert '"1"' not in json.dumps([queue for queue in found["queues"] if queue["name"] == "team"])


def test_a_patch_alone_is_no_policy() -> None:
    Path(".git").mkdir()  # what is above a folder counts in a repository alone
    write({"eu/kustomization.yaml": "resources: [q.yaml, l.yaml]\npatches: [{path: p/hold.yaml}]\n"})
    write({"eu/p/hold.yaml": "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: team}\n"})
    for words in ("shares -f eu/p/hold.yaml", "shares -f eu/p", "diff eu eu/p", "plan -f eu --overlay eu/p/hold.yaml"):
        screen = shown(f"kubectl-fairshare {words}{' --queue team/all --request cpu=1' if 'plan' in words else ''}")
        assert screen.code == 3, screen
        assert "error: eu/p/hold.yaml: this is a patch of `eu`, and not a whole object" in screen.stderr
        assert "`-k eu`" in screen.stderr
    assert shown("kubectl-fairshare shares -f eu").code == 0


NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: %s}\nspec: {}\n"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team}\nspec: {nodeName: %s, containers: []}\n"
QUOTA = "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: ElasticQuota\nmetadata: {name: q, namespace: team}\nspec: {}\n"


KAI_POD = """apiVersion: v1
kind: Pod
metadata: {name: p, namespace: team, labels: {kai.scheduler/queue: team}}
spec: {containers: []}
"""
FOREIGN_POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team}\nspec: {schedulerName: kai-scheduler}\n"
LIMIT = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: r, namespace: team}\nspec: {hard: {pods: 1}}\n"
SHARD = "apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: {}\n"
CLASS = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: c}\nvalue: 5\n"


# Who lists nodes lists all of a cluster; the quotas of another scheduler decide nothing here, nor does what names them.
@pytest.mark.parametrize(
    ("own", "other", "counts"),
    [
        (REAL, NODE % "two", True),
        (f"{REAL}---\n{NODE % 'one'}", NODE % "two", False),
        (f"{REAL}---\n{NODE % 'one'}", POD % "two", False),
        (f"{REAL}---\n{NODE % 'one'}---\n{LOCAL % ('l', 'team')}", POD % "one", True),
        (REAL, QUOTA, False),
        (REAL, KAI_POD, False),
        (REAL, SHARD, False),
        (f"{REAL}---\n{LOCAL % ('l', 'team')}", FOREIGN_POD, False),
        (f"{REAL}---\n{LOCAL % ('l', 'team')}---\n{LIMIT}", FOREIGN_POD, True),
        (REAL, CLASS, False),
        (REAL, f"{CLASS}globalDefault: true\n", True),
        (QUOTA, QUOTA.replace("name: q", "name: r"), True),
    ],
)
def test_what_another_unit_has_counts_if_it_can_be_of_the_same_cluster(own: str, other: str, counts: bool) -> None:
    write({"two/own.yaml": own, "two/other.yaml": other})
    manifests = read_what_can_be(["two"], known_schedulers())[0].manifests
    asked = counting({m.key: m for m in manifests if m.origin.source.endswith("own.yaml")}, known_schedulers())
    assert [asked(m) for m in manifests if m.origin.source.endswith("other.yaml")] == [counts]
