"""Rules: how queues stand below one another."""

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.kai.rules.objects import kai, pod_group, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported

STORED = {"resourceVersion": "7"}


def test_a_missing_parent_is_told_once_with_all_that_is_dropped() -> None:
    texts = queue("a", "gone"), queue("b", "gone"), queue("c", "a")
    (found,) = reported("A002", *texts, complete=True)
    assert (found.severity, str(found.finding.place)) == (Severity.ERROR, "Queue a spec.parentQueue")
    assert "ignores 3 queues" in found.finding.message
    assert [r.severity for r in reported("A002", *texts)] == [Severity.INFO]


def test_a_parent_of_another_pool_is_not_there() -> None:
    pool = {"labels": {"kai.scheduler/node-pool": "gold"}}
    texts = queue("org", meta=pool), queue("a", "org"), queue("b", "org", meta=pool)
    assert places("A002", *texts) == ["error Queue a spec.parentQueue"]


def test_a_refused_parent_is_told_for_that_alone() -> None:
    texts = kai("scheduling.run.ai/v2", "Queue", {"name": "org"}, {"displayName": "Org"}), queue("a", "org")
    assert places("A001", *texts) == ["error Queue org spec"]
    assert [*reported("A002", *texts), *reported("A003", *texts), *reported("A011", *texts)] == []


def test_a_parent_that_was_stored_without_resources_is_told_as_one() -> None:
    texts = queue("org", meta=STORED, resources=None).replace('"resources"', '"annotated"'), queue("a", "org")
    assert places("A003", *texts) == ["error Queue org spec"]
    assert reported("A011", *texts) == ()
    assert places("A011", texts[0]) == ["error Queue org spec.resources"]


def test_a_queue_that_goes_away_leaves_its_children() -> None:
    gone = queue("org", meta={**STORED, "deletionTimestamp": "2026-03-01T00:00:00Z", "finalizers": ["example.com/f"]})
    assert reported("A007", gone) == ()
    assert places("A007", gone, queue("a", "org")) == ["error Queue org metadata.deletionTimestamp"]


def test_each_cycle_is_told_once_at_its_first_member() -> None:
    texts = queue("b", "c"), queue("c", "b"), queue("a", "b"), queue("self", "self"), queue("top")
    assert places("A008", *texts) == ["error Queue b spec.parentQueue", "error Queue self spec.parentQueue"]
    assert "`b` → `c` → `b`" in reported("A008", *texts)[0].finding.message


def test_a_name_shown_twice_is_told_once() -> None:
    texts = queue("a", displayName="x"), queue("b", displayName="x"), queue("x"), queue("c", displayName="y")
    (found,) = reported("A018", *texts)
    assert "3 queues" in found.finding.message


def test_siblings_of_one_second_and_priority_have_no_order() -> None:
    born = [{"creationTimestamp": f"2026-03-01T00:00:0{n}Z"} for n in (0, 0, 1)]
    texts = [queue(name, meta=when) for name, when in zip("abc", born, strict=True)]
    assert places("A022", *texts) == ["info Queue a metadata.creationTimestamp"]
    assert reported("A022", queue("a", meta=born[0]), queue("b", meta=born[0], priority=200)) == ()


def test_the_queues_of_the_chart_and_of_the_documentation_are_in_order() -> None:
    everything = {resource: {"quota": -1, "limit": -1, "overQuotaWeight": 1} for resource in ("cpu", "memory", "gpu")}
    chart = queue("default-parent-queue"), queue("default-queue", "default-parent-queue")
    documented = queue("default", resources=everything), queue("test", "default", everything), pod_group("test")
    ours = [rule.id for rule in known_rules() if rule.id.startswith("A")]
    assert [found for rule in ours for found in reported(rule, *chart, *documented, complete=True)] == []
