"""Admission fair sharing on the command line: heads, victims, and what the manager alone remembers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
FILE = ROOT / "testdata" / "kueue" / "past-usage.yaml"


def document(run: Run, command: str) -> Any:
    return json.loads(run(f"kubectl-fairshare {command} -o json").stdout)


def test_the_victim_is_of_the_local_queue_that_used_more(run: Run) -> None:
    found = document(run, f"cycle -f {FILE}")
    assert [v["workload"]["name"] for v in found["entries"][0]["victims"]] == ["run-heavy"]
    assert found["fidelity"]["exact"] is True


def test_shares_tell_what_was_used_and_who_is_next(run: Run) -> None:
    found = document(run, f"shares -f {FILE} --by localqueue")["admissionFairSharing"]
    assert (found["halfLifeSeconds"], found["samplingSeconds"]) == (604800.0, 300.0)
    assert [(each["localQueue"], round(each["usage"])) for each in found["localQueues"]] == [
        ("team/light", 0),
        ("team/heavy", 100),
    ]
    assert [each["workload"]["name"] for each in found["next"]] == ["new"]
    screen = run(f"kubectl-fairshare shares -f {FILE} --by localqueue").stdout
    assert "half-life 7d" in screen
    assert "PAST USAGE" in screen


def test_an_order_that_the_managers_memory_could_turn_round_is_not_exact(run: Run, tmp_path: Path) -> None:
    close = tmp_path / "close.yaml"
    close.write_text(FILE.read_text(encoding="utf-8").replace('cpu: "100"', 'cpu: "0.0001"'), encoding="utf-8")
    found = document(run, f"cycle -f {close}")
    assert found["fidelity"]["exact"] is False
    assert [gap["feature"] for gap in found["fidelity"]["notModelled"]] == ["AdmissionFairSharing"]
    screen = run(f"kubectl-fairshare cycle -f {close}").stdout
    assert "which workload of cq leaves first" in " ".join(screen.split())


def test_without_the_managers_part_the_scope_orders_nothing(run: Run, tmp_path: Path) -> None:
    off = tmp_path / "off.yaml"
    off.write_text(FILE.read_text(encoding="utf-8").replace('"admissionFairSharing"', '"x"', 1), encoding="utf-8")
    text = off.read_text(encoding="utf-8")
    start = text.index(', "x":')
    off.write_text(text[:start] + text[text.index("}}'") + 1 :], encoding="utf-8")
    found = document(run, f"cycle -f {off}")
    assert [v["workload"]["name"] for v in found["entries"][0]["victims"]] == ["run-light"]
    assert document(run, f"shares -f {off}")["admissionFairSharing"] is None


def test_a_local_queue_that_was_never_sampled_may_have_used_anything(run: Run, tmp_path: Path) -> None:
    """Its workloads were admitted, so the manager charged them; no status says how much."""
    reserved = 'lastTransitionTime: "2026-08-01T11:00:00Z"}'
    admitted = (
        "- {type: Admitted, status: 'True', reason: Admitted, message: '', lastTransitionTime: '2026-08-01T11:00:01Z'}"
    )
    unseen = tmp_path / "unseen.yaml"
    text = FILE.read_text(encoding="utf-8")
    unseen.write_text(text.replace(reserved, f"{reserved}\n    {admitted}", 1), encoding="utf-8")
    found = document(run, f"cycle -f {unseen}")
    assert [gap["feature"] for gap in found["fidelity"]["notModelled"]] == ["AdmissionFairSharing"]


AT = "2026-01-01T00:00:00Z"
LATER = "2026-01-01T01:00:00Z"
KUEUE = "kueue.x-k8s.io/v1beta2"


def cluster_queue(name: str, nominal: int, **spec: Any) -> dict[str, Any]:
    flavors = [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": nominal}]}]
    groups = [{"coveredResources": ["cpu"], "flavors": flavors}]
    whole = {"namespaceSelector": {}, "cohortName": "all", "resourceGroups": groups, **spec}
    return {"apiVersion": KUEUE, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": whole}


def local_queue(name: str, queue: str, used: int, **spec: Any) -> dict[str, Any]:
    past = {"consumedResources": {"cpu": str(used)}, "lastUpdate": LATER}
    status = {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus": past}}
    metadata = {"name": name, "namespace": "team", "uid": name, "creationTimestamp": AT}
    of = {"clusterQueue": queue, **spec}
    return {"apiVersion": KUEUE, "kind": "LocalQueue", "metadata": metadata, "spec": of, "status": status}


def workload(name: str, local: str, cpus: int, priority: int, holds: str = "") -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": str(cpus)}}}
    pod_set = {"name": "main", "count": 1, "template": {"spec": {"containers": [container]}}}
    metadata = {"name": name, "namespace": "team", "uid": name, "creationTimestamp": AT}
    spec = {"queueName": local, "priority": priority, "podSets": [pod_set]}
    given = {"name": "main", "count": 1, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": str(cpus)}}
    told = {"status": "True", "message": "", "lastTransitionTime": AT}
    conditions = [{"type": each, "reason": each, **told} for each in ("QuotaReserved", "Admitted")]
    status = {"admission": {"clusterQueue": holds, "podSetAssignments": [given]}, "conditions": conditions}
    whole = {"apiVersion": KUEUE, "kind": "Workload", "metadata": metadata, "spec": spec}
    return whole | ({"status": status} if holds else {})


def sharing(folder: Path, *objects: dict[str, Any]) -> Path:
    past = {"usageHalfLifeTime": "1h", "usageSamplingInterval": "5m", "resourceWeights": {"cpu": 1}}
    configuration = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    flavor = {"apiVersion": KUEUE, "kind": "ResourceFlavor", "metadata": {"name": "f"}}
    items = [{**configuration, "admissionFairSharing": past}, namespace, flavor, *objects]
    path = folder / "state.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return path


SCOPE = {"admissionScope": {"admissionMode": "UsageBasedAdmissionFairSharing"}}


@pytest.mark.parametrize(("used", "exact"), [(101, False), (100_000, True)])
def test_a_search_in_vain_may_have_found_victims_in_another_order(
    run: Run, tmp_path: Path, used: int, exact: bool
) -> None:
    """With the larger one first, its queue is back within its quota, and the other one stays."""
    state = sharing(
        tmp_path,
        cluster_queue("asks", 9, preemption={"reclaimWithinCohort": "LowerPriority"}),
        cluster_queue("borrows", 5, **SCOPE),
        cluster_queue("rest", 0),
        *(local_queue(name, queue, 0) for name, queue in (("mine", "asks"), ("other", "rest"))),
        *(local_queue("small", "borrows", 100), local_queue("large", "borrows", used)),
        *(workload("three", "small", 3, 0, "borrows"), workload("six", "large", 6, 0, "borrows")),
        *(workload("one", "large", 1, 99, "borrows"), workload("four", "other", 4, 99, "rest")),
    )
    (tmp_path / "w.json").write_text(json.dumps(workload("w", "mine", 9, 10)))
    found = document(run, f"plan -f {state} -w {tmp_path}/w.json --complete")
    assert (found["byWhatIsModelled"], found["fidelity"]["exact"]) == ("Waits", exact)


@pytest.mark.parametrize(("used", "then"), [(101, "Unknown"), (100_000, "Preempts")])
def test_what_would_help_is_as_sure_as_the_plan_after_it(run: Run, tmp_path: Path, used: int, then: str) -> None:
    """A higher priority finds victims, of which past usage says the first."""
    state = sharing(
        tmp_path,
        cluster_queue("asks", 6, preemption={"reclaimWithinCohort": "LowerPriority"}),
        cluster_queue("borrows", 0, **SCOPE),
        local_queue("mine", "asks", 0),
        *(local_queue("small", "borrows", 100), local_queue("large", "borrows", used)),
        *(workload("one", "small", 3, 5, "borrows"), workload("two", "large", 3, 5, "borrows")),
    )
    (tmp_path / "w.json").write_text(json.dumps(workload("w", "mine", 3, 5)))
    found = document(run, f"plan -f {state} -w {tmp_path}/w.json --complete")
    assert found["outcome"] == "Waits"
    (raised,) = (each for each in found["remedies"] if each["change"] == "priority")
    assert raised["outcome"] == then


@pytest.mark.parametrize(("release", "exact"), [("0.16", False), ("0.17", True), ("0.19", True)])
def test_a_local_queue_that_is_gone_stops_older_schedulers(run: Run, tmp_path: Path, release: str, exact: bool) -> None:
    """Kueue v0.16.9 takes no snapshot (`failed to calculate LocalQueue FS usage`); later its weight counts as 1."""
    state = sharing(
        tmp_path,
        cluster_queue("all", 8, **SCOPE),
        *(local_queue("a", "all", 10), workload("of-lost", "lost", 4, 0, "all")),
    )
    (tmp_path / "w.json").write_text(json.dumps(workload("w", "a", 4, 10)))
    for command in (f"plan -f {state} -w {tmp_path}/w.json", f"cycle -f {state} -f {tmp_path}/w.json"):
        assert document(run, f"{command} --complete --release {release}")["fidelity"]["exact"] is exact


@pytest.mark.parametrize(("stop", "exact"), [("None", True), ("Hold", False)])
def test_a_manager_may_have_forgotten_the_usage_of_a_queue_that_is_stopped(
    run: Run, tmp_path: Path, stop: str, exact: bool
) -> None:
    state = sharing(
        tmp_path,
        cluster_queue("all", 8, preemption={"withinClusterQueue": "LowerPriority"}, **SCOPE),
        *(local_queue("a", "all", 1000, stopPolicy=stop), local_queue("b", "all", 10), local_queue("c", "all", 0)),
        *(workload("of-a", "a", 4, 0, "all"), workload("of-b", "b", 4, 0, "all")),
    )
    (tmp_path / "w.json").write_text(json.dumps(workload("w", "c", 4, 10)))
    found = document(run, f"plan -f {state} -w {tmp_path}/w.json --complete")
    assert ([each["object"]["name"] for each in found["victims"]], found["fidelity"]["exact"]) == (["of-a"], exact)
