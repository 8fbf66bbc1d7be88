"""What Kueue's webhooks for ClusterQueues and Cohorts check of quotas."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kueue.admission.webhooks import cluster_queue, cohort

QUOTA = "spec.resourceGroups[0].flavors[0].resources[0]"


def fields(webhook: Any, **spec: Any) -> list[str]:
    return [cause.field for cause in webhook.causes({"spec": spec}, None)]


def groups(*flavors: str, covered: str = "cpu", **quota: str) -> list[dict[str, Any]]:
    items = [{"name": name, "resources": [{"name": "cpu", "nominalQuota": "4", **quota}]} for name in flavors]
    return [{"coveredResources": [covered], "flavors": items}]


@pytest.mark.parametrize(
    ("group", "complained"),
    [
        (groups("a", "b"), []),
        (groups("a", "a"), ["spec.resourceGroups[0].flavors[1].name"]),
        (groups("a", nominalQuota="-1"), [f"{QUOTA}.nominalQuota"]),
        (groups("a", covered="gpu"), [f"{QUOTA}.name"]),
        (groups("a", covered="g?u"), ["spec.resourceGroups[0].coveredResources[0]", f"{QUOTA}.name"]),
    ],
)
def test_quotas(group: Any, complained: list[str]) -> None:
    assert fields(cluster_queue, resourceGroups=group) == complained
    assert fields(cohort, resourceGroups=group) == complained


def test_a_limit_needs_a_parent() -> None:
    limited = groups("a", lendingLimit="1")
    assert fields(cluster_queue, resourceGroups=limited) == [f"{QUOTA}.lendingLimit"]
    assert fields(cluster_queue, resourceGroups=limited, cohortName="c") == []
    assert fields(cohort, resourceGroups=limited) == [f"{QUOTA}.lendingLimit"]
    assert fields(cohort, resourceGroups=limited, parentName="c") == []


@pytest.mark.parametrize(("weight", "wrong"), [("0", False), ("2n", False), ("1n", True), ("-1", True)])
def test_weights(weight: str, wrong: bool) -> None:
    assert bool(fields(cohort, fairSharing={"weight": weight})) is wrong
    assert bool(fields(cluster_queue, fairSharing={"weight": weight})) is wrong
