"""What the API server says of one write of an ElasticQuota."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge


def quota(spec: Any, **more: Any) -> dict[str, Any]:
    metadata = {"name": "q", "namespace": "team"}
    return {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota", "metadata": metadata} | {
        "spec": spec,
        **more,
    }


@pytest.mark.parametrize("group", ["scheduling.sigs.k8s.io/v1alpha1", "scheduling.x-k8s.io/v1beta1", "v1"])
def test_another_group_or_version_is_not_served(group: str) -> None:
    assert judge(quota({}, apiVersion=group)).stage == "notFound"


@pytest.mark.parametrize("amount", ["-4", 4, "1e3", "+.5", 2.0, "100Ei"])
def test_any_quantity_is_taken_whatever_its_sign_or_size(amount: Any) -> None:
    assert judge(quota({"min": {"cpu": amount}})).accepted


@pytest.mark.parametrize("amount", [0.5, "4 cores", "", True, {}, 2.0**60])
def test_what_is_no_quantity_is_refused_with_its_place(amount: Any) -> None:
    judgement = judge(quota({"max": {"nvidia.com/gpu": amount}}))
    assert (judgement.stage, {c.field for c in judgement.causes}) == ("schema", {"spec.max.nvidia.com/gpu"})


def test_min_is_not_compared_with_max() -> None:
    assert judge(quota({"min": {"cpu": 9}, "max": {"cpu": 1}})).accepted


def test_nulls_count_as_absent_and_an_empty_map_stays() -> None:
    judgement = judge(quota({"min": {"cpu": None}, "max": None}))
    assert judgement.stored is not None
    assert judgement.stored["spec"] == {"min": {}}


def test_fields_beside_the_schema_are_dropped_and_named() -> None:
    judgement = judge(quota({"Min": {"cpu": 1}, "max": {"cpu": 1}}))
    assert judgement.unknown_fields == (("spec", "Min"),)
    assert judgement.stored is not None
    assert judgement.stored["spec"] == {"max": {"cpu": 1}}


def test_a_status_is_kept_by_an_update_and_written_through_its_subresource_alone() -> None:
    used, other = {"used": {"cpu": 1}}, {"used": {"cpu": 2}}
    old = quota({"min": {"cpu": 1}}, status=used)
    new = quota({"min": {"cpu": 2}}, status=other)
    created, updated, through = judge(new).stored, judge(new, old).stored, judge(new, old, "status").stored
    assert created is not None
    assert updated is not None
    assert through is not None
    assert "status" not in created
    assert (updated["spec"], updated["status"]) == (new["spec"], used)
    assert (through["spec"], through["status"]) == (old["spec"], other)


def test_an_update_may_leave_wrong_what_was_wrong() -> None:
    old = quota({"min": {"cpu": "?"}, "max": {"cpu": 1}})
    assert judge(quota({"min": {"cpu": "?"}, "max": {"cpu": 2}}), old).accepted
    assert not judge(quota({"min": {"cpu": "!"}, "max": {"cpu": 1}}), old).accepted
