"""Kueue's webhook for ClusterQueues; test_quota has what it shares with the one for Cohorts."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.webhooks.cluster_queue import causes


def fields(spec: Any, old: Any = None) -> list[str]:
    return [cause.field for cause in causes({"spec": spec}, {"spec": old} if old is not None else None)]


def groups(*sizes: int, resources: int = 1) -> list[dict[str, Any]]:
    """Groups of so many flavors, each with so many resources that no other group has."""
    made = []
    for at, size in enumerate(sizes):
        names = [f"r{at}-{number}" for number in range(resources)]
        quotas = [{"name": name, "nominalQuota": "1"} for name in names]
        flavors = [{"name": f"f{at}-{number}", "resources": quotas} for number in range(size)]
        made.append({"coveredResources": names, "flavors": flavors})
    return made


def checks(*flavors: str) -> dict[str, Any]:
    return {"admissionChecksStrategy": {"admissionChecks": [{"name": "check", "onFlavors": list(flavors)}]}}


@pytest.mark.parametrize(
    ("spec", "complained"),
    [
        ({}, []),
        ({"preemption": {"reclaimWithinCohort": "Never", "borrowWithinCohort": {"policy": "Never"}}}, []),
        (
            {"preemption": {"reclaimWithinCohort": "Never", "borrowWithinCohort": {"policy": "LowerPriority"}}},
            ["spec.preemption"],
        ),
        ({"flavorFungibility": {"preference": "x"}}, ["spec.flavorFungibility.preference"]),
        ({"namespaceSelector": {"matchLabels": {"?": "a"}}}, ["spec.namespaceSelector.matchLabels"]),
        ({"resourceGroups": groups(64, 64, 64, 64)}, []),
        ({"resourceGroups": groups(64, 64, 64, 64, 1)}, ["spec.resourceGroups"]),
        ({"resourceGroups": groups(9, resources=57)}, ["spec.resourceGroups[0]"]),
    ],
)
def test_policies_and_totals(spec: Any, complained: list[str]) -> None:
    assert fields(spec) == complained


def test_a_check_on_a_flavor_that_the_queue_does_not_have_is_only_kept() -> None:
    spec = {"resourceGroups": groups(1), **checks("f0-0", "gone")}
    place = "spec.admissionChecksStrategy.admissionChecks[0].onFlavors[1]"
    assert fields(spec) == [place]
    assert fields(spec, spec) == []
    assert fields(spec, {**spec, **checks("f0-0")}) == [place]


def test_the_policy_of_concurrent_admission_is_immutable() -> None:
    policy = {"concurrentAdmissionPolicy": {"migration": {"mode": "RetainFirstAdmission"}}}
    assert fields(policy, policy) == []
    assert fields(policy, {}) == ["spec.concurrentAdmissionPolicy"]
