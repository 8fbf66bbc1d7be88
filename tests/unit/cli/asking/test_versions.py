"""Versions of a repository whose units come, go and share objects: what is compared, and what the verdict sums."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown
from tests.unit.input.units.folders import write

FLAVOR = "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: any}\n"
LONE = "resources: [q.yaml]\n"
WORK = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: team}
spec: {clusterQueue: a}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: team, creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  queueName: lq
  podSets:
  - name: main
    count: 1
    template: {spec: {containers: [{name: c, resources: {requests: {cpu: "15"}}}]}}
status:
  admission:
    clusterQueue: a
    podSetAssignments: [{name: main, count: 1, flavors: {cpu: any}, resourceUsage: {cpu: "15"}}]
  conditions:
  - {type: QuotaReserved, status: "True", reason: QuotaReserved, lastTransitionTime: "2026-01-01T00:00:01Z"}
  - {type: Admitted, status: "True", reason: Admitted, lastTransitionTime: "2026-01-01T00:00:01Z"}
"""


def queue(name: str, cpu: int, preemption: str = "Never", cohort: str = "all") -> str:
    return f"""apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  cohortName: {cohort}
  preemption: {{reclaimWithinCohort: {preemption}}}
  namespaceSelector: {{}}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{{name: any, resources: [{{name: cpu, nominalQuota: {cpu}}}]}}]
"""


def unit(folder: str, *queues: str) -> None:
    write({f"{folder}/kustomization.yaml": LONE, f"{folder}/q.yaml": "---\n".join(queues) + FLAVOR})


def commit() -> None:
    for words in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm x --allow-empty"):
        subprocess.run(["git", *words.split()], check=True)


def answer(words: str) -> Any:
    return json.loads(shown(f"kubectl-fairshare diff {words} -o json").stdout)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("ends", ["git:HEAD .", "git:HEAD git:HEAD~1"])
def test_a_cluster_that_comes_or_goes_takes_nothing_from_the_units_that_stay(ends: str) -> None:
    """Before, the queues of `eu` and `other` were in one cluster; now each may be in that of `us`."""
    unit("eu", queue("a", 10))
    unit("other", queue("b", 7))
    if ends == "git:HEAD .":
        commit()
    unit("us", queue("a", 20))
    if ends != "git:HEAD .":
        commit()
        subprocess.run(["git", "rm", "-rqf", "us"], check=True)
        commit()
    found = answer(ends)
    for item in found["items"]:
        if "us" not in item["units"]:
            assert item["diff"]["blastRadius"]["queues"] == []
            assert item["diff"]["changed"] == []
    assert found["verdict"].startswith("3 of 3 units: 1 queue gains · 3 not decided")
    assert not any(item["diff"]["fidelity"]["exact"] for item in found["items"])
    said = shown(f"kubectl-fairshare diff {ends}").stderr
    assert "note: the input does not say whether ClusterQueue b belongs to the cluster of `eu`, `us`: it is" in said


def test_a_unit_that_is_not_compared_is_not_said_to_lack_what_another_one_counts() -> None:
    """The queue of the jobs is in `eu`, which counts it; `jobs` and `more` have no quota, and are not shown."""
    unit("eu", queue("a", 10), WORK.partition("---")[0])
    kueue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: c}\n"
    labels = "labels: {kueue.x-k8s.io/queue-name: lq}"
    job = f"---\napiVersion: batch/v1\nkind: Job\nmetadata: {{name: j, namespace: team, {labels}}}\n{FLAVOR}"
    for folder, value in (("jobs", 1), ("more", 2)):
        write({f"{folder}/kustomization.yaml": LONE, f"{folder}/q.yaml": f"{kueue}value: {value}\n{job}"})
    commit()
    unit("eu", queue("a", 11), WORK.partition("---")[0])
    screen = shown("kubectl-fairshare diff git:HEAD .")
    assert "unit eu" in screen.stdout
    assert "lq" not in screen.stderr


def test_shares_are_not_exact_if_a_queue_of_another_unit_may_be_missing() -> None:
    unit("eu", queue("a", 10))
    unit("us", queue("a", 20))
    assert "not exact" not in shown("kubectl-fairshare shares -f .").stdout
    unit("other", queue("b", 7))
    screen = shown("kubectl-fairshare shares -f . --each eu")
    assert "not all objects of kind ClusterQueue are in the input" in screen.stdout
    assert (
        "the input does not say whether ClusterQueue b belongs to the cluster of `eu`, `us`: it is not counted"
        in shown("kubectl-fairshare shares -f .").stderr
    )


def test_what_no_answer_rests_on_leaves_answers_exact() -> None:
    unit("eu", queue("a", 10))
    unit("us", queue("a", 20))
    work = (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: web, labels: {kueue.x-k8s.io/queue-name: x}}"
    )
    space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n"
    write({"web/kustomization.yaml": LONE, "web/q.yaml": f"{work}\n---\n{space}"})
    unit("apart", queue("b", 7, cohort="others"))
    assert "not exact" not in shown("kubectl-fairshare shares -f . --each eu").stdout


def test_a_patch_without_its_object_is_refused_beside_such_queues() -> None:
    unit("eu", queue("a", 10))
    unit("us", queue("a", 20))
    unit("other", queue("b", 7))
    write({"eu/kustomization.yaml": f"{LONE}patches: [{{path: p.yaml}}]\n", "eu/p.yaml": queue("gone", 1)})
    assert "eu/p.yaml:1:1: this patch changes ClusterQueue gone" in shown("kubectl-fairshare shares -f .").stderr


def test_the_work_of_one_state_is_counted_once() -> None:
    write({".state/state.yaml": WORK})
    for preemption in ("Never", "Any"):
        for folder, cpu in (("eu", 10), ("us", 11)):
            unit(folder, queue("a", cpu), queue("b", 20, preemption))
        if preemption == "Never":
            commit()
    screen = shown("kubectl-fairshare diff git:HEAD . --state .state/state.yaml --each eu --each us")
    assert "2 of 2 units: 1 queue loses · 1 gains · 1 running workload may be preempted by" in screen.stdout
    assert "the state is compared in each of 2 answers" in screen.stderr
    one = shown("kubectl-fairshare diff git:HEAD . --state .state/state.yaml --each eu")
    assert "the state is compared" not in one.stderr


def test_units_that_agree_count_once() -> None:
    unit("a", queue("a", 10))
    unit("b", queue("b", 7))
    commit()
    unit("a", queue("a", 8))
    assert answer("git:HEAD . --each *")["verdict"] == "2 of 2 units: 2 queues lose · no work compared"


def test_a_revision_without_manifests_is_compared_as_empty() -> None:
    write({"readme": "nothing yet"})
    commit()
    unit("eu", queue("a", 10))
    screen = shown("kubectl-fairshare diff git:HEAD .")
    assert screen.code == 0, screen
    assert "note: git:HEAD: the revision has no manifests there: it is compared as empty" in screen.stderr
    assert "1 queue gains" in screen.stdout
    assert shown("kubectl-fairshare diff git:HEAD git:HEAD").code == 3


def test_a_second_cluster_beside_the_first_one_is_new() -> None:
    unit("eu", queue("a", 10))
    commit()
    unit("us", queue("a", 20))
    found = answer("git:HEAD .")
    assert [(item["units"], item["found"]) for item in found["items"]] == [(["eu"], "both"), (["us"], "new")]
    assert found["verdict"] == "1 of 2 units: 1 queue gains · 1 new finding · no work compared"
    commit()
    gone = answer("git:HEAD git:HEAD~1")
    assert [(item["units"], item["found"]) for item in gone["items"]] == [(["eu"], "both"), (["us"], "gone")]


def test_a_folder_that_links_lead_to_is_read_at_its_own_path() -> None:
    unit("real/eu", queue("a", 10))
    unit("real/us", queue("a", 20))
    write({"real/us/kustomization.yaml": f"{LONE}patches: [{{path: p.yaml}}]\n", "real/us/p.yaml": queue("a", 30)})
    commit()
    Path("all").symlink_to("real")
    Path("first.yaml").symlink_to("real/eu/q.yaml")
    assert answer("git:HEAD .")["verdict"] == "2 units: no change"


def test_a_kustomization_behind_a_link_to_another_folder_is_read() -> None:
    unit("parts/eu", queue("a", 10))
    write({".git/HEAD": "", "parts/eu/p.yaml": queue("a", 30), "clusters/readme": ""})
    write({"parts/eu/kustomization.yaml": f"{LONE}patches: [{{path: p.yaml}}]\n"})
    Path("clusters/eu").symlink_to("../parts/eu")
    for folder in ("clusters/eu/", "clusters"):
        screen = shown(f"kubectl-fairshare shares -f {folder}")
        assert screen.code == 0, screen
        assert "30" in screen.stdout


def test_where_nothing_is_about_quotas_no_object_is_said_to_occur_twice() -> None:
    for name in ("a", "b"):
        write({f"{name}/job.yaml": f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: j, labels: {{of: {name}}}}}\n"})
    commit()
    screen = shown("kubectl-fairshare diff git:HEAD .")
    assert (screen.code, screen.stdout) == (3, "")
    assert "neither version has a queue or a quota: there is nothing to compare" in screen.stderr
    assert "occurs twice" not in screen.stderr
    assert "`--helm`" not in screen.stderr
    write({"c/Chart.yaml": "name: c\nversion: 1.0.0\n", "c/templates/a.yaml": "kind: {{ .Values.kind }}\n"})
    assert "Charts are rendered with `--helm`" in " ".join(shown("kubectl-fairshare diff git:HEAD .").stderr.split())
