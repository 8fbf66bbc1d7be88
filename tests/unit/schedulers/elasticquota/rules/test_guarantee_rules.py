"""Requests without guarantee, and minima held against each other and against nodes."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.elasticquota.rules.objects import deployment, node, pod, quota
from tests.unit.schedulers.kueue.rules.asking import places, reported

ONE = {"cpu": 1}
BOTH = {"cpu": 1, "memory": "1Gi"}


def test_a_request_that_the_own_min_lacks_is_told_where_others_have_it() -> None:
    others = quota("b", {"cpu": 4, "memory": "4Gi"})
    assert places("E004", quota("a", {"cpu": 4}), others, pod("a", requests=BOTH)) == [
        "error ElasticQuota a/a spec.min"
    ]
    assert reported("E005", quota("a", {"cpu": 4}), others, pod("a", requests=BOTH)) == ()


def test_a_request_that_no_min_has_is_told_once_for_all_quotas() -> None:
    texts = quota("a", {"cpu": 4}), quota("b", {"cpu": 4}), pod("a", requests=BOTH), pod("b", requests=BOTH)
    assert reported("E004", *texts) == ()
    assert places("E005", *texts, complete=True) == ["error ElasticQuota a/a spec.min"]
    assert [r.severity for r in reported("E005", *texts)] == [Severity.WARNING]


def test_a_namespace_without_min_may_well_be_meant_to_borrow() -> None:
    texts = quota("a", max={"cpu": 4}), quota("b", {"cpu": 4}), pod("a", requests=ONE)
    assert [r.severity for r in reported("E004", *texts)] == [Severity.INFO]


def test_a_min_of_zero_is_meant() -> None:
    assert reported("E004", quota("a", {"cpu": 0}), quota("b", {"cpu": 4}), pod("a", requests=ONE)) == ()


def test_requests_for_ephemeral_storage_are_a_rule_of_their_own() -> None:
    texts = quota("a", {"cpu": 4}), pod("a", requests={"cpu": 1, "ephemeral-storage": "1Gi"})
    assert reported("E005", *texts) == ()
    assert places("E035", *texts, complete=True) == ["warning ElasticQuota a/a spec.min"]


def test_use_above_all_minima_is_told_at_the_largest_borrower() -> None:
    texts = quota("a", {"cpu": 2}), quota("b", {"cpu": 2})
    exactly = (*texts, pod("b", requests={"cpu": 4}, node="n1"))
    assert reported("E006", *exactly) == ()
    more = (*exactly, pod("a", requests={"cpu": "1m"}, node="n1"))
    (found,) = reported("E006", *more, complete=True)
    assert (found.severity, str(found.finding.place)) == (Severity.ERROR, "ElasticQuota b/b spec.min.cpu")
    assert "1m cpu more than all minima" in found.finding.message


def test_minima_equal_to_capacity_fit_and_one_more_does_not() -> None:
    assert reported("E008", quota("a", {"cpu": 8}), node()) == ()
    (found,) = reported("E008", quota("a", {"cpu": "8001m"}), node(), complete=True)
    assert found.severity is Severity.ERROR
    assert "1m cpu more than the nodes have" in found.finding.message


def test_pods_without_a_quota_leave_less_for_minima() -> None:
    texts = quota("a", {"cpu": 8}), node(), pod("web", requests=ONE, node="n1")
    (found,) = reported("E008", *texts, complete=True)
    assert found.severity is Severity.WARNING
    assert "pods without a quota leave" in found.finding.message


def test_fragmentation_names_the_nodes_with_most_room() -> None:
    nodes = node("n1"), node("n2")
    held = pod("b", "b1", {"cpu": 3}, "n1"), pod("b", "b2", {"cpu": 3}, "n2")
    texts = quota("a", {"cpu": 8}), quota("b", {"cpu": 8}), *nodes, *held
    fits, stuck = pod("a", requests={"cpu": 5}), pod("a", requests={"cpu": 6})
    assert [r.severity for r in reported("E009", *texts, fits, complete=True)] == [Severity.INFO]
    (found,) = reported("E009", *texts, stuck, complete=True)
    assert found.severity is Severity.WARNING
    assert "`n1` has 5 cpu free" in found.finding.message


def test_capacity_beyond_all_minima_is_stranded() -> None:
    (found,) = reported("E010", quota("a", {"cpu": 5}), node(), pod("web", requests=ONE, node="n1"))
    assert dict(found.finding.evidence)["stranded"] == "2 cpu"


def test_a_max_up_to_all_minima_is_within_reach() -> None:
    texts = quota("a", {"cpu": 2}, {"cpu": 4}), quota("b", {"cpu": 2}, {"cpu": 5})
    assert places("E011", *texts, complete=True) == ["warning ElasticQuota b/b spec.max.cpu"]


@pytest.mark.parametrize("amount", [0.5, "x", "1e1.5"])
def test_no_sum_is_spoken_of_while_a_minimum_of_it_is_refused(amount: Any) -> None:
    texts = [node(), quota("a", {"cpu": 5, "memory": "1Gi"}, {"cpu": 7, "memory": "2Gi"}), quota("b", {"cpu": amount})]
    found = [str(each.finding.place) for rule in ("E010", "E011") for each in reported(rule, *texts, complete=True)]
    assert found == ["ElasticQuota a/a spec.min.memory", "ElasticQuota a/a spec.max.memory"]


def test_templates_ask_as_pods_do_unless_another_object_made_them() -> None:
    assert len(reported("E005", quota("a", {"cpu": 4}), deployment("a", BOTH))) == 1
    owned = deployment("a", BOTH).replace('"namespace"', '"ownerReferences": [{"kind": "X"}], "namespace"')
    assert reported("E005", quota("a", {"cpu": 4}), owned) == ()


def test_garbage_among_the_templates_asks_for_nothing() -> None:
    broken = deployment("a", BOTH).replace('"containers"', '"container"')
    assert reported("E005", quota("a", {"cpu": 4}), broken) == ()
    assert reported("E005", quota("a", {"cpu": 4}), deployment("a", {"memory": "x"})) == ()
