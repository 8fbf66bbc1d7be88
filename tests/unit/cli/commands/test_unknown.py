"""An unknown outcome names what is not known, and the outcomes that are possible."""

import json
from pathlib import Path

import pytest

from tests.screens import shown
from tests.unit.schedulers.kai.inputs import NODES, queues, running, stored_pod, waiting
from tests.unit.schedulers.kai.inputs import group as pod_group

OLD = (
    "\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: scheduler, namespace: kube-system}\n"
    "spec: {containers: [{name: c, image: 'IMAGE'}], nodeName: NODE}\n"
)
LEAVING = waiting(1, "a", name="w") + running(8).replace(
    "uid: r1-pod,", "uid: r1-pod, deletionTimestamp: '2026-03-01T00:00:00Z',"
)


@pytest.mark.parametrize(
    ("state", "image", "node"),
    [
        ("reports/eq-backlog/state.yaml", "registry.k8s.io/scheduler-plugins/kube-scheduler:v0.29.7", "k1"),
        ("koordinator/tree.yaml", "ghcr.io/koordinator-sh/koord-scheduler:v1.5.0", "n1"),
        ("reports/kai-backlog/state.yaml", "ghcr.io/kai-scheduler/kai-scheduler/scheduler:v0.99.0", "n1"),
        ("reports/kueue-backlog/state.yaml", "registry.k8s.io/kueue/kueue:v0.21.1", "k1"),
    ],
)
def test_the_list_of_what_waits_names_what_is_not_known(tmp_path: Path, state: str, image: str, node: str) -> None:
    (tmp_path / "old.yaml").write_text(OLD.replace("IMAGE", image).replace("NODE", node))
    call = f"kubectl-fairshare why -A -f testdata/{state} -f {tmp_path}"
    release = image.rpartition(":v")[2]
    found = json.loads(shown(f"{call} -o json").stdout)["groups"]
    assert {group["verdict"] for group in found} == {"Unknown"}
    for group in found:
        assert release in group["binds"], group
        assert any(word in group["binds"] for word in ("gets in", "admits it", "waits")), group


# stuckInReleasing: KAI places jobs on what terminating pods leave, for two minutes; then it evicts others instead.
def test_an_outcome_that_the_moment_decides_is_listed_for_each(tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(queues(4) + NODES + LEAVING)
    state = f"-f {tmp_path / 'state.yaml'}"
    why = f"kubectl-fairshare why podgroup/w -n ml {state}"
    found = json.loads(shown(f"{why} -o json").stdout)
    outcomes = [(each["outcome"], bool(each["victims"])) for each in found["possible"]]
    assert (found["verdict"], outcomes) == ("Unknown", [("Admitted", False), ("Preempts", True)])
    end = "2026-03-01T00:02:00Z"
    text = " ".join(shown(why).stdout.split())
    assert f"until {end}: admitted: its pods get their nodes after the evictions under way" in text
    assert f"after {end}: admitted after reclaiming 1 pod of 1 job" in text
    for now, outcome in ((end, "Admitted"), ("2026-03-01T00:02:01Z", "Preempts")):
        at = json.loads(shown(f"{why} --now {now} -o json").stdout)
        assert (at["byWhatIsModelled"], at["fidelity"]["exact"]) == (outcome, True)


def test_a_moment_that_is_not_needed_makes_an_answer_no_less_exact(tmp_path: Path) -> None:
    """All moments are after the two minutes, as the latest event is: whatever the moment, it evicts the same pod."""
    late = pod_group("late", "b", "", 0).replace("2026-02-01T00:00:00Z", "2026-03-01T00:10:00Z")
    state = queues(4) + NODES + LEAVING + late + stored_pod("late", 4)
    (tmp_path / "state.yaml").write_text(state)
    found = json.loads(shown(f"kubectl-fairshare why podgroup/w -n ml -f {tmp_path} -o json").stdout)
    assert (found["byWhatIsModelled"], found.get("possible", [])) == ("Preempts", [])
    assert found["fidelity"]["exact"]


def test_a_job_whose_last_pods_terminate_does_not_wait_for_gates(tmp_path: Path) -> None:
    (tmp_path / "state.yaml").write_text(queues(4) + NODES + LEAVING)
    found = json.loads(shown(f"kubectl-fairshare why podgroup/r1 -n ml -f {tmp_path} -o json").stdout)
    assert (found["verdict"], found["reason"]) == ("Waiting", "Evict")
    assert "its pods are terminating" in shown(f"kubectl-fairshare why podgroup/r1 -n ml -f {tmp_path}").stdout
