"""Rules: what pods request and no minimum guarantees."""

from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.elasticquota.rules.objects import deployment, pod, quota
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
    assert "1m cpu more than the sum of all min" in found.finding.message


def test_templates_ask_as_pods_do_unless_another_object_made_them() -> None:
    assert len(reported("E005", quota("a", {"cpu": 4}), deployment("a", BOTH))) == 1
    owned = deployment("a", BOTH).replace('"namespace"', '"ownerReferences": [{"kind": "X"}], "namespace"')
    assert reported("E005", quota("a", {"cpu": 4}), owned) == ()


def test_garbage_among_the_templates_asks_for_nothing() -> None:
    broken = deployment("a", BOTH).replace('"containers"', '"container"')
    assert reported("E005", quota("a", {"cpu": 4}), broken) == ()
    assert reported("E005", quota("a", {"cpu": 4}), deployment("a", {"memory": "x"})) == ()
