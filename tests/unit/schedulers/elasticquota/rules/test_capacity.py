"""Rules: minima and maxima compared with what the nodes have, and with the sum that all quotas share."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.elasticquota.rules.objects import node, pod, quota
from tests.unit.schedulers.kueue.rules.asking import places, reported

ONE = {"cpu": 1}


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
