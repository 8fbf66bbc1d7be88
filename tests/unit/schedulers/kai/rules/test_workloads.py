"""Rules: workloads and the queues that they name."""

import pytest

from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.kai.rules.objects import job, pod_group, queue
from tests.unit.schedulers.kueue.rules.asking import places, reported


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
    assert [r.severity for r in reported("A021", job("b"))] == [Severity.INFO]


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


def test_pod_groups_of_one_name_are_one_for_kai() -> None:
    other, third = (pod_group("a").replace('"namespace": "a"', f'"namespace": "{name}"') for name in "bc")
    assert places("A041", queue("a"), pod_group("a"), other, third) == ["warning PodGroup b/train metadata.name"]
    (found,) = reported("A041", queue("a"), pod_group("a"), other, third)
    assert found.finding.message.startswith("3 namespaces have a PodGroup `train`")
    assert [each.place.object.namespace for each in found.finding.related] == ["a", "c"]


def test_pod_groups_of_two_node_pools_may_have_one_name() -> None:
    other = pod_group("a").replace('"namespace": "a"', '"namespace": "b", "labels": {"kai.scheduler/node-pool": "x"}')
    assert places("A041", queue("a"), pod_group("a"), other) == []
