"""Rules: the LocalQueue called `default`, which jobs without a queue get, and the namespaces that Kueue manages."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, places, reported
from tests.unit.schedulers.kueue.rules.organisation import flavor, job, local_queue, namespace, queue

MANAGE = configuration("manageJobsWithoutQueueName: true\n")


SELECT = configuration("managedJobsNamespaceSelector: {matchLabels: {kueue: managed}}\n")


@pytest.mark.parametrize("name", ["default-queue", "local-queue-default", "defaults", "defalt", "default-lq"])
def test_a_name_like_default_is_a_slip(name: str) -> None:
    assert places("K070", local_queue(name), complete=True) == [f"warning LocalQueue team/{name} metadata.name"]


@pytest.mark.parametrize("name", ["default", "jobs", "default-gpu", "user-queue"])
def test_another_name_is_none(name: str) -> None:
    assert places("K070", local_queue(name)) == []


def test_a_namespace_with_a_default_queue_may_have_others_like_it() -> None:
    assert places("K070", local_queue("default-queue"), local_queue("default")) == []


def test_a_queue_that_jobs_name_is_meant_as_it_is() -> None:
    assert places("K070", flavor(), queue(), local_queue("default-queue"), job(queue="default-queue")) == []


def test_every_managed_namespace_needs_a_default_queue_when_all_jobs_are_managed() -> None:
    texts = (MANAGE, namespace("a"), namespace("b"), namespace("kube-system"), local_queue("default", namespace="b"))
    (found,) = reported("K071", *texts, complete=True)
    assert found.finding.place.path == ("manageJobsWithoutQueueName",)
    assert dict(found.finding.evidence) == {"namespaces": "`a`"}
    assert places("K071", configuration(), namespace("a"), complete=True) == []


@pytest.mark.parametrize(("policy", "count"), [("None", 0), ("Hold", 1), ("HoldAndDrain", 1)])
def test_a_stopped_default_queue_lets_jobs_pass(policy: str, count: int) -> None:
    found = reported("K072", local_queue("default", stopPolicy=policy), local_queue("other", stopPolicy="Hold"))
    assert len(found) == count
    assert all(f.finding.message.endswith("run unmanaged") for f in found)


def test_a_stopped_default_queue_suspends_jobs_that_are_managed_anyway() -> None:
    (found,) = reported("K072", MANAGE, local_queue("default", stopPolicy="Hold"))
    assert found.finding.message.endswith("stay suspended for ever")


def test_a_queue_in_a_namespace_left_out_holds_nothing_back() -> None:
    texts = (SELECT, namespace("in", kueue="managed"), namespace("out"))
    queues = (local_queue(namespace="in"), local_queue(namespace="out"), local_queue("more", namespace="out"))
    assert places("K073", *texts, *queues) == ["warning LocalQueue out/jobs metadata.namespace"]


def test_labels_of_a_namespace_that_is_not_given_are_not_known() -> None:
    assert places("K073", SELECT, local_queue()) == ["info LocalQueue team/jobs metadata.namespace"]
    assert places("K073", SELECT, local_queue(), complete=True) == ["warning LocalQueue team/jobs metadata.namespace"]


def test_without_configuration_system_namespaces_are_left_out() -> None:
    assert places("K073", local_queue(namespace="kube-system")) == [
        "info LocalQueue kube-system/jobs metadata.namespace"
    ]
