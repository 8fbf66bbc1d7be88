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
    call = f"plan -f {STATES['kueue']} -f {STATES['kai']} -w {pod}"
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
