"""What can be stored, by its shape alone."""

import pytest

from kubectl_fairshare.api.fitting import fits
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.admission.kinds import structure


def with_spec(spec: Json) -> Json:
    return {"metadata": {"name": "a", "labels": {"a": "b"}}, "spec": spec}


def with_quota(quota: Json) -> Json:
    return with_spec(
        {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": quota}]}]}
    )


@pytest.mark.parametrize(
    "data",
    [
        with_spec({}),
        with_spec(None),
        with_spec({"stopPolicy": "no such policy", "cohortName": "No Name", "unknown": [1]}),
        with_quota([{"name": "cpu", "nominalQuota": 2}]),
        with_quota([{"name": "cpu", "nominalQuota": "no quantity", "lendingLimit": None}]),
        with_spec({"preemption": {"borrowWithinCohort": {"maxPriorityThreshold": 3}}}),
    ],
)
def test_values_and_bounds_are_not_asked_about(data: Json) -> None:
    assert fits(structure("v1beta2", "ClusterQueue"), data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"metadata": {"labels": {"a": 1}}},
        with_spec(5),
        with_spec({"resourceGroups": {}}),
        with_spec({"resourceGroups": [None]}),
        with_spec({"stopPolicy": {}}),
        with_quota([{"name": "cpu", "nominalQuota": []}]),
        with_quota([{"name": "cpu", "nominalQuota": 0.5}]),
        with_quota([{"name": None, "nominalQuota": 1}]),
        with_quota([{"nominalQuota": 1}]),
        with_quota("cpu"),
        with_spec({"preemption": {"borrowWithinCohort": {"maxPriorityThreshold": True}}}),
    ],
)
def test_another_type_or_a_missing_field_does_not_fit(data: Json) -> None:
    assert not fits(structure("v1beta2", "ClusterQueue"), data)
