"""Queues below one another, and workloads in them."""

import pytest

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.kai.rules.objects import gpus, job, kai, pod_group, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported

STORED = {"resourceVersion": "7"}


def test_a_missing_parent_is_told_once_with_all_that_is_dropped() -> None:
    texts = queue("a", "gone"), queue("b", "gone"), queue("c", "a")
    (found,) = reported("A002", *texts, complete=True)
    assert (found.severity, str(found.finding.place)) == (Severity.ERROR, "Queue a spec.parentQueue")
    assert "drops 3 queues" in found.finding.message
    assert [r.severity for r in reported("A002", *texts)] == [Severity.WARNING]


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


def test_other_rules_end_on_cycles_and_on_long_chains() -> None:
    chain = [queue(f"q{n}", f"q{n + 1}") for n in range(500)]
    assert reported("A010", *chain, queue("q500", "q500")) == ()


def test_a_name_shown_twice_is_told_once() -> None:
    texts = queue("a", displayName="x"), queue("b", displayName="x"), queue("x"), queue("c", displayName="y")
    (found,) = reported("A018", *texts)
    assert "3 queues" in found.finding.message


def test_siblings_of_one_second_and_priority_have_no_order() -> None:
    born = [{"creationTimestamp": f"2026-03-01T00:00:0{n}Z"} for n in (0, 0, 1)]
    texts = [queue(name, meta=when) for name, when in zip("abc", born, strict=True)]
    assert places("A022", *texts) == ["info Queue a metadata.creationTimestamp"]
    assert reported("A022", queue("a", meta=born[0]), queue("b", meta=born[0], priority=200)) == ()


def test_a_workload_belongs_into_a_leaf() -> None:
    texts = queue("org"), queue("a", "org")
    assert reported("A016", *texts, pod_group("a")) == ()
    assert places("A016", *texts, pod_group("org")) == ["error PodGroup a/train spec.queue"]
    assert places("A016", *texts, job("org")) == ["error Job a/train metadata.labels[kai.scheduler/queue]"]


def test_labels_inside_of_templates_count() -> None:
    texts = queue("a"), job("b", "apps/v1 Deployment", inside=True)
    assert places("A021", *texts, complete=True) == [
        "error Deployment a/train spec.template.metadata.labels[kai.scheduler/queue]"
    ]


def test_a_missing_queue_is_milder_while_no_queue_is_known() -> None:
    assert [r.severity for r in reported("A021", queue("a"), pod_group("b"))] == [Severity.WARNING]
    assert [r.severity for r in reported("A021", pod_group("b"))] == [Severity.INFO]
    assert reported("A021", job("b")) == ()


def test_a_near_name_is_what_was_meant() -> None:
    (found,) = reported("A021", queue("research"), pod_group("reserch"))
    assert found.finding.remedy.text == "write `research`"


def test_a_refused_pod_group_is_told_for_that_alone() -> None:
    broken = pod_group("gone", minMember=1, minSubGroup=1)
    assert places("A034", queue("a"), broken) == ["error PodGroup a/train spec.minSubGroup"]
    assert reported("A021", queue("a"), broken) == ()


@pytest.mark.parametrize(
    ("groups", "place"),
    [
        ([{"name": "x", "minMember": 1}, {"name": "x", "minMember": 1}], "spec.subGroups[1].name"),
        ([{"name": "x", "minMember": 1, "parent": "y"}], "spec.subGroups[0].parent"),
        ([{"name": "x", "minMember": 1, "parent": "x"}], "spec.subGroups[0].parent"),
        ([{"name": "x"}], "spec.subGroups[0].minMember"),
    ],
)
def test_sub_groups_are_told_at_the_field_that_is_wrong(groups: list[dict[str, object]], place: str) -> None:
    assert places("A034", pod_group("a", subGroups=groups)) == [f"error PodGroup a/train {place}"]


def test_the_queues_of_the_chart_and_of_the_documentation_are_in_order() -> None:
    everything = {resource: {"quota": -1, "limit": -1, "overQuotaWeight": 1} for resource in ("cpu", "memory", "gpu")}
    chart = queue("default-parent-queue"), queue("default-queue", "default-parent-queue")
    documented = queue("default", resources=everything), queue("test", "default", everything), pod_group("test")
    ours = [rule.id for rule in known_rules() if rule.id.startswith("A")]
    assert [found for rule in ours for found in reported(rule, *chart, *documented, complete=True)] == []


def test_queues_of_gpus_alone_are_told_for_what_is_missing() -> None:
    only = kai("scheduling.run.ai/v2", "Queue", {"name": "a"}, {"resources": {"gpu": {"quota": 4}}})
    assert places("A011", only) == ["error Queue a spec.resources.gpu"]
    assert reported("A012", only) == ()
    assert reported("A011", gpus("a", limit=0)) == ()
