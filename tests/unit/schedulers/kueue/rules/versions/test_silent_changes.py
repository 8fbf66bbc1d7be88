"""Rules: what Kueue takes and drops, or takes and cannot keep up with."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import KUEUE, configuration, document, places, reported


def workload(spec: str, version: str = KUEUE, annotations: str = "") -> str:
    template = "    template:\n      spec:\n        containers:\n        - name: main\n"
    body = f"{annotations}spec:\n{spec.replace('<template>', template)}"
    return document("Workload", body, version, namespace="team")


def test_a_minimum_without_its_gate_is_found_in_jobs_too() -> None:
    off = configuration("featureGates:\n  PartialAdmission: false\n")
    job = (
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  namespace: team\n  annotations:\n"
        "    kueue.x-k8s.io/job-min-parallelism: '2'\n"
    )
    assert len(reported("K042", off, job)) == 1
    assert reported("K042", job) == ()


@pytest.mark.parametrize(("seconds", "found"), [(-1, 1), (0, 0)])
def test_a_retry_is_not_negative(seconds: int, found: int) -> None:
    strategy = f"  provisioningClassName: a\n  retryStrategy:\n    backoffBaseSeconds: {seconds}\n"
    text = document("ProvisioningRequestConfig", f"spec:\n{strategy}")
    assert len(reported("K047", text)) == found


def test_a_namespace_is_of_no_use_on_what_lies_in_none() -> None:
    assert places("K043", document("Cohort", namespace="team")) == ["info Cohort x metadata.namespace"]
    assert reported("K043", document("LocalQueue", namespace="team")) == ()


def test_a_status_is_dropped_unless_a_server_wrote_it() -> None:
    spec = "  podSets:\n  - name: main\n<template>"
    text = workload(spec) + "status:\n  conditions: []\n"
    assert places("K040", text) == ["info Workload team/x status"]
    assert reported("K040", text.replace("  name: x\n", "  name: x\n  uid: a\n", 1)) == ()


@pytest.mark.parametrize(("flavors", "found"), [(64, 0), (65, 1)])
def test_a_status_lists_sixty_four_flavors(flavors: int, found: int) -> None:
    def many(resource: str, count: int) -> str:
        names = "".join(
            f"    - name: {resource}-{i}\n      resources:\n      - name: {resource}\n        nominalQuota: 1\n"
            for i in range(count)
        )
        return f"  - coveredResources: [{resource}]\n    flavors:\n{names}"

    head = f"apiVersion: {KUEUE}\nkind: ClusterQueue\nmetadata:\n  name: q\nspec:\n  resourceGroups:\n"
    text = head + many("cpu", 40) + many("memory", flavors - 40)
    assert len(reported("K046", text)) == found
