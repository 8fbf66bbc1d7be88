"""Pods of schedulers that no house answers for are named, and nothing is said to be exact about their start."""

from pathlib import Path

import pytest

from tests.screens import shown

STATES = {
    "kueue": "testdata/reports/unmanaged-resourcequota/state.yaml",
    "kai": "testdata/kai/org",
    "elasticquota": "testdata/elasticquota/cluster.yaml",
    "koordinator": "testdata/koordinator/tree.yaml",
}
NAMES = ("kai-scheduler", "koord-scheduler", "volcano", "yunikorn")
OWN = {"kai": "kai-scheduler", "koordinator": "koord-scheduler"}
FOREIGN = [(house, name) for house in STATES for name in NAMES if OWN.get(house) != name]


def _pod(folder: Path, scheduler: str) -> Path:
    container = '{name: c, image: x, resources: {requests: {cpu: "1"}}}'
    metadata = "{name: p, namespace: ml, labels: {kai.scheduler/queue: vision}}"
    path = folder / "pod.yaml"
    path.write_text(
        f"apiVersion: v1\nkind: Pod\nmetadata: {metadata}\n"
        f"spec: {{schedulerName: {scheduler}, containers: [{container}]}}\nstatus: {{phase: Pending}}\n"
    )
    return path


# No scheduler looks at a pod whose spec.schedulerName is not its own (kube-scheduler's responsibleForPod).
@pytest.mark.parametrize(("house", "name"), FOREIGN)
def test_a_pod_of_another_scheduler_is_not_judged(house: str, name: str, tmp_path: Path) -> None:
    state, pod = STATES[house], _pod(tmp_path, name)
    sentence = f"scheduler {name} decides that, and none of its quotas is in the input"
    plan = shown(f"kubectl-fairshare plan -f {state} -w {pod}")
    assert plan.code == 5
    for call in (f"shares -f {state} -f {pod}", f"why -A -f {state} -f {pod}", f"why pod/p -n ml -f {state} -f {pod}"):
        assert sentence in " ".join(shown(f"kubectl-fairshare {call}").stdout.split()), call
    assert sentence in " ".join(plan.stdout.split())
    assert sentence in shown(f"kubectl-fairshare lint {state} {pod}").stderr


@pytest.mark.parametrize("house", STATES)
def test_kubernetes_own_scheduler_is_known(house: str, tmp_path: Path) -> None:
    state, pod = STATES[house], _pod(tmp_path, "default-scheduler")
    for call in (f"shares -f {state} -f {pod}", f"plan -f {state} -w {pod}", f"lint {state} {pod}"):
        screen = shown(f"kubectl-fairshare {call}")
        assert "decides that" not in screen.stdout + screen.stderr, call


def test_a_scheduler_whose_quotas_are_there_is_to_be_asked(tmp_path: Path) -> None:
    pod = _pod(tmp_path, "kai-scheduler")
    call = f"plan -f testdata/demo/org -f {STATES['kai']} -w {pod}"
    assert "whose quotas are in the input, too" in " ".join(shown(f"kubectl-fairshare {call}").stdout.split())


@pytest.mark.parametrize(("suspended", "code"), [("", 0), ("suspend: true, ", 4)])
def test_a_job_outside_of_quota_that_starts_ends_with_0(tmp_path: Path, suspended: str, code: int) -> None:
    pod = "{restartPolicy: Never, containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]}"
    path = tmp_path / "job.yaml"
    path.write_text(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: ml}\n"
        f"spec: {{{suspended}template: {{spec: {pod}}}}}\n"
    )
    for call in (f"plan -f {STATES['kueue']} -w {path}", f"plan --together -f {STATES['kueue']} -w {path}"):
        assert shown(f"kubectl-fairshare {call}").code == code, call


POD_SPEC = "{schedulerName: volcano, containers: [{name: c, image: x}]}"
TEMPLATE = f"{{spec: {POD_SPEC}}}"
MAKERS = {
    "JobSet": (
        "jobset.x-k8s.io/v1alpha2",
        f"{{replicatedJobs: [{{name: a, template: {{spec: {{template: {TEMPLATE}}}}}}}]}}",
    ),
    "PyTorchJob": ("kubeflow.org/v1", f"{{pytorchReplicaSpecs: {{Worker: {{template: {TEMPLATE}}}}}}}"),
    "PodCliqueSet": (
        "grove.io/v1alpha1",
        f"{{template: {{cliques: [{{name: a, spec: {{podSpec: {POD_SPEC}}}}}]}}}}",
    ),
    "Job": ("batch.volcano.sh/v1alpha1", "{schedulerName: volcano}"),
    "StatefulSet": ("apps/v1", f"{{template: {TEMPLATE}}}"),
}


# Every controller copies schedulerName of its template into its pods.
@pytest.mark.parametrize("house", STATES)
@pytest.mark.parametrize("kind", MAKERS)
def test_objects_that_make_pods_of_another_scheduler_are_named_and_not_called_unused(
    house: str, kind: str, tmp_path: Path
) -> None:
    version, spec = MAKERS[kind]
    made = tmp_path / "made.yaml"
    made.write_text(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: m, namespace: ml}}\nspec: {spec}\n")
    shares = shown(f"kubectl-fairshare shares -f {STATES[house]} -f {made}")
    lint = shown(f"kubectl-fairshare lint {STATES[house]} {made}")
    sentence = "scheduler volcano decides that, and none of its quotas is in the input"
    assert sentence in " ".join(shares.stdout.split())
    assert sentence in lint.stderr
    assert kind not in shares.stderr


@pytest.mark.parametrize(
    ("kind", "version", "body"),
    [
        ("Job", "batch/v1", "spec: {template: TEMPLATE}\nstatus: {conditions: [{type: Complete, status: 'True'}]}"),
        ("ControllerRevision", "apps/v1", "data: {spec: {template: TEMPLATE}}"),
        ("KubeSchedulerConfiguration", "kubescheduler.config.k8s.io/v1", "profiles: [{schedulerName: volcano}]"),
    ],
)
def test_objects_that_make_no_more_pods_name_no_scheduler(kind: str, version: str, body: str, tmp_path: Path) -> None:
    made = tmp_path / "made.yaml"
    written = body.replace("TEMPLATE", TEMPLATE)
    made.write_text(f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: m, namespace: ml}}\n{written}\n")
    assert "volcano" not in shown(f"kubectl-fairshare shares -f {STATES['kueue']} -f {made}").stdout
