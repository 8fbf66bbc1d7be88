"""States of public reports (``testdata/reports``): what each command says of them, and how sure it is.

What is right was derived from the schedulers' own code; a comment names the function.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import sampled
from tests.screens import shown
from tests.unit.schedulers.kai.inputs import NODES, group, queues, stored_pod

REPORTS = "testdata/reports"


# Kueue's manager reads a ConfigMap that the operator (BuildConfigMap) or the chart (manager-config.yaml) writes.
@pytest.mark.parametrize("name", ["kueue-openshift-configuration", "kueue-helmrelease-configuration"])
def test_what_installs_kueue_says_how_it_is_configured(name: str) -> None:
    screen = shown(f"kubectl-fairshare cycle -f {REPORTS}/{name}/state.yaml -o json")
    (head,) = json.loads(screen.stdout)["entries"]
    assert head["victims"]
    assert "not used" not in screen.stderr


# updateQueueStatus: a ClusterQueue whose flavor or check does not exist is not active.
@pytest.mark.parametrize(
    ("call", "missing"),
    [
        ("shares -f {0}/kueue-flavor-missing/state.yaml", "kubectl get resourceflavor gpu-node-a -o yaml"),
        ("shares -f {0}/kueue-check-missing/state.yaml", "kubectl get admissioncheck prov -o yaml"),
        ("cycle -f {0}/kueue-check-missing/state.yaml", "AdmissionCheck prov"),
        ("capacity -f {0}/kueue-check-missing/state.yaml", "AdmissionCheck prov"),
        ("why -A -f {0}/kueue-check-missing/state.yaml", "AdmissionCheck prov"),
    ],
)
def test_a_queue_with_a_missing_reference_has_no_exact_answer(call: str, missing: str) -> None:
    screen = shown(f"kubectl-fairshare {call.format(REPORTS)}")
    assert "not exact" in screen.stdout, screen.stdout
    assert missing in " ".join(screen.stdout.split())
    assert " exact (" not in screen.stdout.replace("not exact", "")


# KAI's cluster_info snapshotPodGroups: a pod belongs to the job of its PodGroup, and is charged to the queue of that.
@pytest.mark.parametrize(
    "call",
    [
        "shares",
        "shares --explain b",
        "why -A",
        "why wait-0 -n ml",
        "cycle",
        "capacity",
        "plan --queue b --request nvidia.com/gpu=2",
    ],
)
def test_pods_without_their_pod_groups_make_no_exact_answer(call: str) -> None:
    folder = f"{REPORTS}/kai-dump-without-podgroups"
    screen = shown(f"kubectl-fairshare {call} -f {folder}")
    text = " ".join(screen.stdout.split())
    assert "not exact" in text
    if "--explain" not in call:
        assert "`kubectl get podgroup run -n ml -o yaml`" in text


# proportion's reclaimable: b is below its quota of 2, a above; recorded in kai-plan-dev.
def test_the_same_dump_with_pod_groups_is_exact() -> None:
    screen = shown(f"kubectl-fairshare why -A -o wide -f {REPORTS}/kai-dump-complete")
    assert "after reclaiming 2 pods of 1 job" in " ".join(screen.stdout.split())
    assert screen.stdout.rstrip().endswith("exact (KAI v0.17, shard default)")


# actions/allocate: jobs in queue order, each on what the last one left; the older of two jobs of a queue comes first.
def test_of_two_jobs_for_one_gpu_the_older_gets_it() -> None:
    screen = shown(f"kubectl-fairshare why -A -f {REPORTS}/kai-backlog -o json")
    verdicts = {
        each["subject"]: group["verdict"]
        for group in json.loads(screen.stdout)["groups"]
        for each in group["workloads"]
    }
    assert verdicts == {"PodGroup ml/first": "Waiting", "PodGroup ml/second": "NotNow"}
    plan = shown(f"kubectl-fairshare plan -f {REPORTS}/kai-backlog --queue q --request nvidia.com/gpu=1")
    text = " ".join(plan.stdout.split())
    assert plan.code == 4
    assert "ml/first gets in first; if no other job waited, it would be admitted now" in text
    assert " exact (KAI" in text
    assert "not exact" not in text


# QueueWalk ends with the depth of the action: allocate then tries no further job of the queue in this cycle.
def test_a_job_beyond_the_depth_of_its_queue_is_not_tried_in_this_cycle(tmp_path: Path) -> None:
    shard = tmp_path / "shard.yaml"
    shard.write_text(
        "apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: {queueDepthPerAction: "
        "{allocate: 1, reclaim: 1, preempt: 1}, actions: {consolidation: {enabled: false}}}\n"
    )
    waiting = "".join(group(name, "a", "", second) + stored_pod(name, 1) for second, name in enumerate(("one", "two")))
    (tmp_path / "state.yaml").write_text(queues(4) + NODES + waiting)
    text = " ".join(shown(f"kubectl-fairshare why -A -o wide -f {tmp_path}").stdout.split())
    assert "1 not now, 1 waiting" in text
    assert "the cycle tries only 1 job of its queue (queueDepthPerAction), and others come first" in text
    assert "exact (KAI v0.17, shard default)" in text


# FittingNode: a node that is cordoned, or that a pod's affinity does not name, takes the pod after no eviction.
def test_the_headline_is_the_filter_that_refuses() -> None:
    folder = f"{REPORTS}/kai-cordoned-headline"
    screen = shown(f"kubectl-fairshare plan -f {folder}/state.yaml -w {folder}/ask.yaml")
    first = " ".join(screen.stdout.split("\n  ml/")[0].split())
    assert "nodes with room refuse it: 1 node is unschedulable" in first
    assert screen.code == 4


# dedupSharedDRAGpus: a device that several pods use counts once on its node, and for each pod in the queue.
def test_a_device_that_two_pods_share_counts_once_on_its_node(tmp_path: Path) -> None:
    folder = f"{REPORTS}/kai-shared-claim"
    call = f"kubectl-fairshare plan -f {folder}/state.yaml -w {folder}/ask.yaml"
    screen = shown(call)
    assert screen.code == 0
    assert "exact (KAI" in screen.stdout
    operator = tmp_path / "operator.yaml"
    operator.write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: kai-scheduler-default-0, namespace: kai-scheduler}\n"
        "spec: {containers: [{name: main, image: ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.17.0}]}\n"
    )
    assert shown(f"{call} -f {operator}").code == 4  # the release 0.17.0 counts it for each pod


# Grove's operator gives pods claims for resourceSharing and for the group of grove.io/mnnvl-group.
@pytest.mark.parametrize(("ask", "named"), [("ask-mnnvl", "grove.io/mnnvl-group"), ("ask-sharing", "resourceSharing")])
def test_claims_that_grove_adds_are_named(ask: str, named: str) -> None:
    folder = f"{REPORTS}/kai-grove-claims"
    screen = shown(f"kubectl-fairshare plan -f {folder}/state.yaml -w {folder}/{ask}.yaml")
    assert screen.code == 5
    assert f"ResourceClaims that Grove's operator gives to its pods ({named})" in " ".join(screen.stdout.split())


# The CustomResourceDefinition of v0.17 lists two values of preemptibility.
def test_a_value_of_a_newer_release_makes_no_exact_answer(tmp_path: Path) -> None:
    state = Path(f"{REPORTS}/kai-value-of-a-newer-release/state.yaml")
    screen = shown(f"kubectl-fairshare why -A -o wide -f {state}")
    assert screen.stdout.startswith("1 unknown")
    known = state.read_text().replace("semi-preemptible", "preemptible")
    for number, (before, after) in enumerate(
        [
            ("", ""),
            ('"parentQueue": "top"', '"parentQueue": "top", "newThing": 3'),
            ('"minMember": 1', '"minMember": 1, "newThing": 3'),
            ('"annotations": {}', '"annotations": {"kai.scheduler/new-thing": "x"}'),
        ]
    ):
        file = tmp_path / f"{number}.yaml"
        file.write_text(known.replace(before, after) if before else known)
        doubted = "reproduced release has no such field" in " ".join(
            shown(f"kubectl-fairshare shares -f {file}").stdout.split()
        )
        assert doubted is bool(before), after


def test_many_missing_objects_of_a_kind_are_one_line(tmp_path: Path) -> None:
    state = Path(f"{REPORTS}/kai-dump-without-podgroups/state.yaml").read_text()
    for number in range(6):
        state += (
            "---\napiVersion: v1\nkind: Pod\n"
            f"metadata: {{name: p{number}, namespace: ml, annotations: {{pod-group-name: g{number}}}}}\n"
            "spec: {schedulerName: kai-scheduler, containers: [{name: main, image: x}]}\nstatus: {phase: Pending}\n"
        )
    (tmp_path / "state.yaml").write_text(state)
    text = " ".join(shown(f"kubectl-fairshare shares -f {tmp_path}").stdout.split())
    assert "PodGroup ml/g0 and 7 more" in text
    assert "`kubectl get podgroup -A -o yaml`" in text


# The admission plugin ResourceQuota sees every pod; Kueue's pod integration leaves pods without its label alone.
@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        (
            *("unmanaged-resourcequota", 4),
            "ml/rq rejects the pod (requests.cpu)",
        ),
        ("foreign-pod-no-quota", 5, "scheduler kai-scheduler decides that, and none of its quotas is in the input"),
    ],
)
def test_a_pod_outside_of_quota_does_not_start_for_sure(name: str, code: int, words: str) -> None:
    screen = shown(f"kubectl-fairshare plan -f {REPORTS}/{name}/state.yaml -w {REPORTS}/{name}/ask.yaml")
    assert screen.code == code
    assert words in " ".join(screen.stdout.split())


# Kueue's flavorassigner remembers the last flavor that it tried (LastTriedFlavorIdx) and goes on behind it.
@pytest.mark.parametrize("name", ["state", "ended"])
def test_the_scan_over_flavors_is_told_where_a_later_cycle_decides(name: str) -> None:
    folder = f"{REPORTS}/kueue-never-later-cycle"
    for call in (f"plan -w {folder}/ask.yaml", "why workload/job -n q"):
        text = " ".join(shown(f"kubectl-fairshare {call} -f {folder}/{name}.yaml").stdout.split())
        first = "cycle 1 of the scan puts driver in large, and worker fails: needs 6 cpu in large, can never get more"
        assert first in text
        assert "then cycle 2 of the scan puts driver in small, worker in large" in text
        assert ("once others have ended, " in text) is (name == "state")
        assert "another flavor is preferred" not in text


def test_lint_says_that_it_judged_nothing_where_no_rule_looks() -> None:
    assert shown(f"kubectl-fairshare lint {REPORTS}/runai-project").stdout.startswith("– nothing judged")


def test_a_configuration_that_decides_is_not_called_unused() -> None:
    folder = f"{REPORTS}/koordinator-skipped-configmap"
    screen = shown(f"kubectl-fairshare why -A -f {folder}/state.yaml -f {folder}/config.yaml")
    assert "ConfigMap" not in screen.stderr


# Templates make the scheduler's configuration of the chart's values; what the object does not have, they may change.
@pytest.mark.parametrize(
    ("chart", "state"),
    [
        ("kai-scheduler", "testdata/reports/kai-remedy-one-change-enough/state.yaml"),
        ("koordinator", "testdata/reports/koordinator-skipped-configmap/state.yaml"),
        ("scheduler-plugins", "testdata/elasticquota/cluster.yaml"),
    ],
)
@pytest.mark.parametrize(("more", "known"), [("", True), (", valuesFrom: [{kind: Secret, name: v}]", False)])
def test_values_of_a_chart_that_cannot_be_read_are_named(
    tmp_path: Path, chart: str, state: str, more: str, known: bool
) -> None:
    release = tmp_path / "release.yaml"
    release.write_text(
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: x, namespace: flux}\n"
        f"spec: {{chart: {{spec: {{chart: {chart}}}}}, values: {{any: 1}}{more}}}\n"
    )
    screen = shown(f"kubectl-fairshare shares -f {state} -f {release}")
    assert "HelmRelease" not in screen.stderr
    unread = "settings of the scheduler that cannot be read: HelmRelease flux/x spec.valuesFrom"
    assert (unread in " ".join(screen.stdout.split())) is not known


# resolveActions of KAI's operator: spread pods are not consolidated, so the answer hangs on a value of the chart.
def test_a_value_of_a_chart_decides_as_the_object_that_the_chart_makes(tmp_path: Path) -> None:
    state = "testdata/reports/kai-remedy-one-change-enough/state.yaml"
    release, shard = tmp_path / "release.yaml", tmp_path / "shard.yaml"
    release.write_text(
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: x, namespace: kai-scheduler}\n"
        "spec: {chart: {spec: {chart: kai-scheduler}}, values: {scheduler: {placementStrategy: spread}}}\n"
    )
    shard.write_text(
        "apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\n"
        "spec: {placementStrategy: {gpu: spread, cpu: spread}}\n"
    )
    installed, given = (shown(f"kubectl-fairshare why -A -f {state} -f {each}").stdout for each in (release, shard))
    assert installed.replace(str(release), str(shard)) == given


# ClusterQueue's field in the API: borrowWithinCohort is below spec.preemption, and has a policy of its own.
def test_diff_names_a_changed_field_by_its_path() -> None:
    screen = shown(f"kubectl-fairshare diff {REPORTS}/kueue-diff-policy/old {REPORTS}/kueue-diff-policy/new")
    assert "spec.preemption.borrowWithinCohort.policy LowerPriority Never" in " ".join(screen.stdout.split())


# KEP-1714 story 3; the split follows from the share of borrowed quota (dominantResourceShare), cohort by cohort.
@pytest.mark.parametrize(
    ("options", "held"),
    sampled(
        [
            ("--saturated", {"qs": 300, "q1a": 0, "q1b": 0, "q1c": 0, "q2a": 0}),
            ("--demand unlimited --demand qs=0", {"qs": 0, "q1a": 30, "q1b": 30, "q1c": 90, "q2a": 150}),
            ("--saturated --demand cs=0", {"qs": 0, "q1a": 30, "q1b": 30, "q1c": 90, "q2a": 150}),
            ("--demand unlimited --demand qs=240", {"qs": 240, "q1a": 6, "q1b": 6, "q1c": 18, "q2a": 30}),
        ],
        4,
        first=1,
    ),
)
def test_a_split_with_the_backlogs_that_are_asked_about(options: str, held: dict[str, int]) -> None:
    screen = shown(f"kubectl-fairshare shares -f {REPORTS}/saturated-outcomes --fair-sharing {options} -o json")
    found = json.loads(screen.stdout)
    assert {each["name"]: each["amount"]["value"] for each in found["clusterQueues"]} == held
    assert found["fidelity"]["exact"]


# KAI's and Koordinator's answers to the same story: each level divides by weight what the idle queue leaves.
@pytest.mark.parametrize(
    ("options", "held"),
    [
        ("--saturated", {"qs": 300, "q1a": 0, "q1b": 0, "q1c": 0, "q2a": 0}),
        ("--demand unlimited --demand qs=0", {"qs": 0, "q1a": 30, "q1b": 30, "q1c": 90, "q2a": 150}),
        ("--saturated --demand cs=0", {"qs": 0, "q1a": 30, "q1b": 30, "q1c": 90, "q2a": 150}),
        ("--demand unlimited --demand qs=240", {"qs": 240, "q1a": 6, "q1b": 6, "q1c": 18, "q2a": 30}),
    ],
)
@pytest.mark.parametrize("house", ["kai", "koordinator"])
def test_the_same_split_in_another_scheduler(house: str, options: str, held: dict[str, int]) -> None:
    screen = shown(f"kubectl-fairshare shares -f testdata/{house}/proposal.yaml {options} -o json")
    found = json.loads(screen.stdout)
    if house == "kai":
        shares = {each["name"]: _gpus(each["figures"], "fairShare") for each in found["queues"]}
    else:
        shares = {each["name"]: _gpus(each["resources"], "runtime") for each in found["quotas"]}
    assert {name: shares[name] for name in held} == held
    assert found["fidelity"]["exact"]


def _gpus(figures: list[dict[str, Any]], name: str) -> int:
    return next(int(each[name]["value"]) for each in figures if "gpu" in each["resource"])


def test_quotas_without_weights_have_no_split_that_lasts() -> None:
    screen = shown("kubectl-fairshare shares -f testdata/simulate/elasticquota.yaml --demand unlimited --demand ha=0")
    assert (screen.code, "no split lasts" in screen.stderr) == (2, True)


# requeueIfNotPresent and Heads: each cycle takes the first of each queue, and an admitted one holds its quota (assume)
# before the next cycle; while victims leave, the preemptor stays first (preemptorWorkload).
@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("kueue-backlog", {"w1": "Waiting", "w2": "NotNow"}),
        ("kueue-ahead-takes-quota", {"older": "Waiting", "newer": "NotNow"}),
        ("kueue-victim-shared", {"older": "Waiting", "newer": "NotNow"}),
        ("kueue-strict-both-fit", {"older": "Waiting", "newer": "Waiting"}),
    ],
)
def test_a_backlog_is_answered_in_turn(name: str, right: dict[str, str]) -> None:
    screen = shown(f"kubectl-fairshare why -A -f {REPORTS}/{name}/state.yaml -o json")
    document = json.loads(screen.stdout)
    verdicts = {
        each["workload"]["name"]: group["verdict"] for group in document["groups"] for each in group["workloads"]
    }
    assert verdicts == right
    assert document["fidelity"]["exact"]


# The image of scheduler-plugins holds CapacityScheduling (its README lists the images): a static pod runs it as well.
@pytest.mark.parametrize(
    ("state", "image", "release"),
    [
        ("reports/eq-old-static-scheduler/state.yaml", "", "scheduler-plugins v0.29.7"),
        ("elasticquota/cluster.yaml", "registry.k8s.io/scheduler-plugins/kube-scheduler:v0.33.5", "v0.33.5"),
        ("elasticquota/cluster.yaml", "mirror.example.com/kube-scheduler:v0.29.7", "v0.29.7"),
        ("elasticquota/cluster.yaml", "registry.k8s.io/kube-scheduler:v1.29.3", ""),
        ("elasticquota/cluster.yaml", "registry.k8s.io/scheduler-plugins/kube-scheduler:v0.34.7", ""),
        ("koordinator/tree.yaml", "ghcr.io/koordinator-sh/koord-scheduler:v1.5.0", "Koordinator v1.5.0"),
        ("koordinator/tree.yaml", "ghcr.io/koordinator-sh/koord-scheduler:v1.8.0", ""),
        ("reports/unmanaged-resourcequota/state.yaml", "registry.k8s.io/kueue/kueue:v0.21.1", "v0.21.1"),
        ("reports/unmanaged-resourcequota/state.yaml", "registry.k8s.io/kueue/kueue:v0.19.2", ""),
    ],
)
@pytest.mark.parametrize("kind", ["Pod", "DaemonSet"])
def test_the_release_in_a_pod_of_the_scheduler(tmp_path: Path, state: str, image: str, release: str, kind: str) -> None:
    programs = tmp_path / "programs.yaml"
    spec = f"containers: [{{name: c, image: '{image}'}}], nodeName: k1"
    data = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: s, namespace: kube-system}}\nspec: {{{spec}}}\n"
    if kind != "Pod":
        metadata = "metadata: {name: s, namespace: kube-system}"
        data = f"apiVersion: apps/v1\nkind: {kind}\n{metadata}\nspec: {{template: {{spec: {{{spec}}}}}}}\n"
    programs.write_text(data if image else "")
    screen = shown(f"kubectl-fairshare shares -f testdata/{state} -f {programs} --complete")
    text = " ".join(screen.stdout.split())
    assert ("was not measured" in text) is bool(release), text
    assert release in text
    assert kind not in screen.stderr or "/kube-scheduler:v1" in image


# GetResourceRequestsForResourceClaimTemplates: a class that deviceClassMappings lack is a field error, not a quota.
def test_a_device_class_without_a_mapping_is_inadmissible() -> None:
    folder = f"{REPORTS}/kueue-dra-unmapped"
    screen = shown(f"kubectl-fairshare plan -f {folder}/org -f {folder}/cfg.yaml -w {folder}/job.yaml")
    text = " ".join(screen.stdout.split())
    assert (screen.code, "never admitted · exact" in text) == (4, True)
    assert "DeviceClass gpu.example.com is not mapped in DRA configuration for podset main" in text
    without = shown(f"kubectl-fairshare plan -f {folder}/org -w {folder}/job.yaml")
    assert without.code == 5  # no Configuration is in the input: it may map the class


# borrowWithinCohort allowed it: the quota of asker is 0, so that it always borrows (classical_law, spared_by).
def test_diff_names_the_rule_that_allowed_a_preemption() -> None:
    screen = shown(f"kubectl-fairshare diff {REPORTS}/kueue-diff-policy/old {REPORTS}/kueue-diff-policy/new")
    assert "may not be preempted any more by asker (reclaim while borrowing)" in " ".join(screen.stdout.split())


# A queue without quota and without borrowWithinCohort takes nothing: the plans of all four sizes have no victim.
def test_why_names_no_queue_that_can_never_preempt() -> None:
    folder = f"{REPORTS}/kueue-why-cannot-preempt"
    screen = shown(f"kubectl-fairshare why workload/o6 -n other -f {folder}/org").stdout
    assert "no queue could preempt it now" in screen
    assert "exact" in screen.splitlines()[-1]
    for size in ("w1", "w2", "w5", "w14"):
        assert "preempts" not in shown(f"kubectl-fairshare plan -f {folder}/org -w {folder}/{size}.yaml").stdout


# With the policy, and the same quota of 0, it may: Kueue's preemptor then borrows (borrowWithinCohort).
def test_why_names_the_field_by_which_a_queue_without_quota_preempts() -> None:
    folder = f"{REPORTS}/kueue-diff-policy"
    screens = [
        shown(f"kubectl-fairshare why workload/o6 -n other -f {folder}/{each}").stdout for each in ("old", "new")
    ]
    assert "a workload of asker: borrowWithinCohort LowerPriority" in screens[0]
    assert "without it other is 4 cpu in def below its own quota" in " ".join(screens[0].split())
    assert "no queue could preempt it now" in screens[1]
