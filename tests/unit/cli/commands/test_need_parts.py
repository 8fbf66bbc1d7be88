"""Where the requests of a workload come from, and what makes it borrow, as the commands print it."""

import json
import re
from typing import Any

import pytest

from tests.screens import shown

CAUSE = "testdata/reports/kueue-limitrange-cause"
PARTS = "testdata/reports/request-parts"


def _flat(text: str) -> str:
    return " ".join(re.sub(r"exit \d", "", text).split())


# Kueue v0.19.2, AdjustResources: handlePodLimitRange runs before the limits become requests; v0.19.3 has them first.
@pytest.mark.parametrize("command", ["plan -w {0}/job.yaml -f {0}/org", "why job/j -n main -f {0}/org -f {0}/job.yaml"])
def test_a_limit_range_that_gives_a_request_above_the_limit_is_the_cause(command: str) -> None:
    screen = shown(f"kubectl-fairshare {command.format(CAUSE)} --release 0.19.2")
    text = _flat(screen.stdout)
    assert "LimitRange main/lr gives containers[1] a request of 4 cpu, and its limit is 750m" in text
    assert f"LimitRange main/lr spec.limits[0].max.cpu: 4 {CAUSE}/org/state.yaml:56" in text
    assert "resources.requests.cpu" not in text
    assert "· exact (" in text


def test_from_the_next_release_on_the_same_job_is_admitted() -> None:
    screen = shown(f"kubectl-fairshare plan -w {CAUSE}/job.yaml -f {CAUSE}/org --release 0.19.3")
    assert screen.code == 0
    text = _flat(screen.stdout)
    assert f"cpu: 2 pods with 3250m each 3 init container i1 {CAUSE}/job.yaml:21" in text
    assert f"250m overhead of RuntimeClass kata {CAUSE}/org/state.yaml:44" in text
    assert f"256Mi sidecar side: default of LimitRange main/lr {CAUSE}/org/state.yaml:60" in text


@pytest.mark.parametrize("scheduler", ["kueue", "kai", "elasticquota", "koordinator"])
def test_every_scheduler_names_the_parts_of_its_requests(scheduler: str) -> None:
    call = f"plan -f {PARTS}/state.yaml -w {PARTS}/job.yaml --scheduler {scheduler}"
    document = json.loads(shown(f"kubectl-fairshare {call} -o json").stdout)
    needs: list[dict[str, Any]] = document["needs"]
    (cpu,) = (need for need in needs if need["asked"]["resource"] == "cpu")
    found = {(part["kind"], part["name"], part["source"], part["perPod"]) for part in cpu["parts"]}
    assert found == {("init container", "prepare", "written", "3"), ("overhead", "kata", "added", "250m")}
    (memory,) = (need for need in needs if need["asked"]["resource"] == "memory")
    assert {(part["source"], part["perPod"]) for part in memory["parts"]} >= {("LimitRange", "256Mi")}
    screen = _flat(shown(f"kubectl-fairshare {call}").stdout)
    assert f"3 init container prepare {PARTS}/job.yaml:" in screen
    assert f"256Mi container main: default of LimitRange team/lr {PARTS}/state.yaml:" in screen


# FlavorAssigner, findHeightOfLowestSubtreeThatFits, resource by resource: cpu alone is above the queue's own quota.
def test_the_resource_that_makes_it_borrow_is_named() -> None:
    call = f"kubectl-fairshare plan -f {PARTS}/borrowing.yaml -w {PARTS}/borrower.yaml"
    text = _flat(shown(call).stdout)
    assert "borrows from cohort org (level 1): cpu in f: 3 on top of 0 used is above the quota of 2" in text
    borrowing = json.loads(shown(f"{call} -o json").stdout)["borrowing"]
    assert [(r["flavor"], r["resource"], r["quota"]["quantity"]) for r in borrowing["requests"]] == [("f", "cpu", "2")]


def test_a_request_that_containers_write_has_no_parts_on_the_screen() -> None:
    text = shown(f"kubectl-fairshare plan -f {PARTS}/borrowing.yaml -w {PARTS}/borrower.yaml").stdout
    assert "where the requests come from" not in text
