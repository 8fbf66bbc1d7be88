"""What the manager remembers of a LocalQueue, found again from its status and from conditions of workloads."""

import math
from typing import Any

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.text.decoding import decode
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.admission_sharing.past_usage import Entry, by_local_queue
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from kubectl_fairshare.schedulers.recording import manifests_of
from tests.screens import ROOT

HEAVY, LIGHT = ("team", "heavy"), ("team", "light")
ADMITTED = {"type": "Admitted", "status": "True", "reason": "Admitted", "message": ""}


def objects() -> dict[str, Any]:
    _, (document,) = decode("past-usage.yaml", (ROOT / "testdata/kueue/past-usage.yaml").read_bytes())
    return {f"{o['kind']}/{o['metadata']['name']}": o for o in document["items"]}


def restored(given: dict[str, Any], name: tuple[str, str], release: str = "0.19") -> Entry:
    manifests = manifests_of(list(given.values()), "test")
    snapshot = assemble(manifests, known_schedulers(), releases={"kueue": release}).snapshot
    past = state_of(snapshot).past
    assert past is not None
    return past.of(name)


def test_quota_without_admission_is_a_penalty_that_the_manager_may_have_forgotten() -> None:
    found = restored(objects(), HEAVY)
    assert found.usage == pytest.approx(100.000687527)
    assert found.low < 100 < found.high


def test_an_admission_after_the_last_sample_is_settled() -> None:
    given = objects()
    moment = "2026-08-01T12:00:00Z"
    given["Workload/run-heavy"]["status"]["conditions"].append({**ADMITTED, "lastTransitionTime": moment})
    found = restored(given, HEAVY)
    alpha = 1 - 0.5 ** (60 / (168 * 3600))
    assert found.usage == pytest.approx(100 * (1 - alpha) + 2 * alpha + 0.000687527, rel=1e-9)
    assert found.penalties == {}


def test_an_admission_before_the_last_sample_is_in_it() -> None:
    given = objects()
    moment = "2026-08-01T11:58:00Z"
    given["Workload/run-heavy"]["status"]["conditions"].append({**ADMITTED, "lastTransitionTime": moment})
    assert restored(given, HEAVY).usage == 100.0


def test_a_manager_that_starts_may_take_what_is_admitted_for_the_past() -> None:
    """Kueue v0.16.9 (`initializeAfsIfNeeded`); from v0.17.7 on it reads the status."""
    given = objects()
    moment = "2026-08-01T11:58:00Z"
    given["Workload/run-heavy"]["status"]["conditions"].append({**ADMITTED, "lastTransitionTime": moment})
    assert restored(given, HEAVY, "0.16").low == 2.0
    assert restored(given, HEAVY, "0.17").low > 99


def test_penalties_of_workloads_that_wait_for_checks_are_left_in_older_releases() -> None:
    """Kueue v0.17.8 settles a penalty only where a workload is admitted as soon as it gets quota."""
    given = objects()
    spec = given["ClusterQueue/cq"]["spec"]
    spec["admissionChecksStrategy"] = {"admissionChecks": [{"name": "capacity"}]}
    assert (restored(given, LIGHT, "0.17").low, restored(given, LIGHT, "0.17").high) == (-math.inf, math.inf)
    assert restored(given, LIGHT, "0.19").high < math.inf


def test_manifests_without_any_status_tell_no_history() -> None:
    given = objects()
    del given["LocalQueue/heavy"]["status"]
    assert [restored(given, name).high for name in (HEAVY, LIGHT)] == [math.inf, math.inf]
    given["LocalQueue/heavy"]["metadata"]["resourceVersion"] = "1"
    assert restored(given, HEAVY).high < 1


def test_a_manager_may_have_forgotten_a_local_queue_that_is_stopped() -> None:
    given = objects()
    running = restored(given, HEAVY)
    given["LocalQueue/heavy"]["spec"]["stopPolicy"] = "Hold"
    stopped = restored(given, HEAVY)
    assert (stopped.usage, stopped.low, stopped.high) == (running.usage, 0.0, running.high)
    assert running.low > 0


# The LocalQueue controller looks at the condition Active, which a cycle of cohorts leaves True.
def test_a_manager_knows_local_queues_of_a_cycle_of_cohorts() -> None:
    given = objects()
    running = restored(given, HEAVY)
    for name, parent in (("a", "b"), ("b", "a")):
        given[f"Cohort/{name}"] = {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Cohort",
            "metadata": {"name": name},
            "spec": {"parentName": parent},
        }
    for key in (key for key in given if key.startswith("ClusterQueue/")):
        given[key]["spec"]["cohortName"] = "a"
    assert restored(given, HEAVY).low == running.low


def test_without_a_half_life_nothing_is_charged() -> None:
    given = objects()
    text = given["ConfigMap/kueue-manager-config"]["data"]
    text["controller_manager_config.yaml"] = text["controller_manager_config.yaml"].replace("168h", "0s")
    found = restored(given, LIGHT)
    assert (found.usage, found.low, found.high) == (0.0, 0.0, 0.0)


def test_an_evicted_workload_may_still_have_its_penalty() -> None:
    given = objects()
    before = restored(given, LIGHT)
    evicted = {**ADMITTED, "type": "Evicted", "lastTransitionTime": "2026-08-01T11:40:00Z"}
    given["Workload/new"]["status"] = {"conditions": [{**evicted, "status": "False"}]}
    after = restored(given, LIGHT)
    assert (before.low, before.usage) == (after.low, after.usage)
    assert before.high < after.high


def test_work_of_an_earlier_namesake_in_another_queue_does_not_count() -> None:
    """Kueue's ``updateWorkloadUsage`` looks for the LocalQueue in the ClusterQueue that holds the quota."""
    path = "testdata/reports/kueue-afs-remade-localqueue/state.yaml"
    documents = decode(path, (ROOT / path).read_bytes())[1]
    state = state_of(assemble(manifests_of(list(documents), "test"), known_schedulers()).snapshot)
    assert [holder.key.name for holder in state.kueue.holders] == ["run"]
    assert by_local_queue(state.kueue) == {}
