"""Kueue's webhook for Cohorts; test_quota has what it shares with the one for ClusterQueues."""

from typing import Any

from kubectl_fairshare.schedulers.kueue.admission.webhooks import cluster_queue, cohort


def fields(webhook: Any, spec: dict[str, Any]) -> list[str]:
    return [cause.field for cause in webhook.causes({"spec": spec}, None)]


def test_only_a_cohort_lends_more_than_its_own_quota() -> None:
    quota = {"name": "cpu", "nominalQuota": "4", "lendingLimit": "5"}
    groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": [quota]}]}]
    assert fields(cohort, {"resourceGroups": groups, "parentName": "c"}) == []
    assert fields(cluster_queue, {"resourceGroups": groups, "cohortName": "c"}) == [
        "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit"
    ]
