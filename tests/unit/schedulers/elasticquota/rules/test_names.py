"""Rules: names of resources that the scheduler drops, never charges, or finds on no node."""

import pytest

from kubectl_fairshare.finding import Remove, Rename
from tests.unit.schedulers.elasticquota.rules.objects import node, quota
from tests.unit.schedulers.kueue.rules.asking import places, reported


@pytest.mark.parametrize("name", ["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "nvidia.com/gpu", "pods"])
def test_names_that_the_scheduler_holds_are_not_told(name: str) -> None:
    assert reported("E015", quota("a", {name: 1})) == ()


@pytest.mark.parametrize(
    ("name", "meant", "safe"),
    [
        ("requests.cpu", "cpu", True),
        ("requests.nvidia.com/gpu", "nvidia.com/gpu", True),
        ("storage", "ephemeral-storage", False),
        ("memroy", "memory", False),
        ("gpu", None, False),
    ],
)
def test_a_dropped_name_is_renamed_where_one_can_tell_what_was_meant(name: str, meant: str | None, safe: bool) -> None:
    (found,) = reported("E015", quota("a", {name: 1}))
    edits = () if meant is None else (Rename(found.finding.place, meant),)
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == (edits, safe)


def test_a_bare_name_means_the_one_resource_that_nodes_offer_under_it() -> None:
    (found,) = reported("E015", quota("a", {"gpu": 1}), node("n1", gpus=8))
    assert found.finding.remedy.edits == (Rename(found.finding.place, "nvidia.com/gpu"),)


def test_limits_are_taken_out() -> None:
    (found,) = reported("E015", quota("a", {"cpu": 1, "limits.cpu": 2}))
    assert found.finding.remedy.edits == (Remove(found.finding.place),)


def test_counts_have_no_effect() -> None:
    assert places("E016", quota("a", {"count/pods": 1, "pods": 2})) == [
        "warning ElasticQuota a/a spec.min[count/pods]",
        "warning ElasticQuota a/a spec.min.pods",
    ]


def test_a_resource_of_no_node_is_told_once_for_each_quota() -> None:
    misspelt = quota("a", {"nvidia.com/gpux": 1}, {"nvidia.com/gpux": 2})
    (found,) = reported("E017", misspelt, node("n1", gpus=8))
    assert found.finding.remedy.edits == (Rename(found.finding.place, "nvidia.com/gpu"),)
    assert reported("E017", misspelt) == ()
