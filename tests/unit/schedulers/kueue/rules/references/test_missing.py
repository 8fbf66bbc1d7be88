"""Rules: names that lead nowhere: queues, flavors, topologies, priority classes."""

import json
from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    GROUP,
    ORGANISATION,
    flavor,
    job,
    kueue,
    local_queue,
    manifest,
    node,
    older,
    queue,
)


def limit_range(**item: Any) -> str:
    return manifest("v1", "LimitRange", "defaults", "team", spec={"limits": [{"type": "Container", **item}]})


@pytest.mark.parametrize("spec", [None, {}, {"template": None}, {"template": {"spec": None}}])
def test_a_job_without_pods_does_no_harm(spec: Any) -> None:
    empty = json.dumps(json.loads(job()) | {"spec": spec}) + "\n"
    ranges = limit_range(defaultRequest={"cpu": "500m"})
    words = ("K058", "K061", "K065", "K080", "K098", "K103", "K109")
    assert [places(word, flavor(), queue(), local_queue(), ranges, empty, node("n")) for word in words] == [[]] * 7


CLASS = f"{GROUP}/priority-class"


def test_a_local_queue_without_cluster_queue_is_an_error_whatever_else_there_is() -> None:
    assert places("K050", *ORGANISATION, local_queue("idle", None)) == ["error LocalQueue team/idle spec"]


def test_a_missing_cluster_queue_is_told_once_for_all_its_local_queues() -> None:
    (found,) = reported("K050", *ORGANISATION, local_queue("a", "gone"), local_queue("b", "gone"))
    assert str(found.finding.place) == "LocalQueue team/a spec.clusterQueue"
    assert [str(r.place) for r in found.finding.related] == ["LocalQueue team/b spec.clusterQueue"]


@pytest.mark.parametrize(
    ("others", "complete", "severity"),
    [((), False, "info"), (ORGANISATION, False, "info"), ((), True, "error"), (ORGANISATION, True, "error")],
)
def test_how_bad_a_missing_object_is_depends_on_what_is_given(
    others: tuple[str, ...], complete: bool, severity: str
) -> None:
    found = reported("K050", *others, local_queue("astray", "gone"), complete=complete)
    assert [r.severity for r in found] == [severity]
    assert found[0].doubtful is not complete


def test_a_name_that_is_near_to_one_of_the_input_is_a_slip() -> None:
    (found,) = reported("K050", *ORGANISATION, local_queue("astray", "taem"))
    assert found.severity == "warning"


@pytest.mark.parametrize(("complete", "severity"), [(False, "warning"), (True, "error")])
def test_a_missing_flavor_or_class_is_one_severity_lower_while_it_may_be_elsewhere(
    complete: bool, severity: str
) -> None:
    both = [{"default": {"cpu": 4}, "gone": {"cpu": 4}}]
    named = job(labels={f"{GROUP}/queue-name": "team", CLASS: "gone"})
    found = reported("K051", flavor(), queue("a", quota=both), complete=complete)
    found = (*found, *reported("K058", *ORGANISATION, named, complete=True))
    assert [each.rule.id for each in found] == ["K051", "K058"]
    assert [each.severity for each in found] == [severity, "error"]


@pytest.mark.parametrize(
    ("written", "others", "meant"),
    [
        ("a1oo", ("a100", "h100"), "a100"),
        ("a100", ("al00", "a1oo"), ""),
        ("h10o", ("h100", "a100"), "h100"),
        ("gpu-v2", ("gpu", "cpu"), "gpu"),
        ("gpu", ("gpu-a", "gpu-b"), ""),
    ],
)
def test_a_flavor_that_looks_the_same_or_has_a_part_more_is_named(
    written: str, others: tuple[str, ...], meant: str
) -> None:
    used = () if written == "gpu-v2" else (queue("b", quota=[{name: {"cpu": 4} for name in others}]),)
    asked = queue("a", quota=[{written: {"cpu": 4}}])
    (found,) = reported("K051", *map(flavor, others), *used, asked, complete=True)
    expected = f"write `{meant}` if you mean that; " if meant else ""
    assert found.finding.remedy.text.startswith(f"{expected}{'otherwise ' if meant else ''}add the ResourceFlavor")


def test_an_object_that_the_api_server_refuses_is_not_missing() -> None:
    refused = queue("team", quota=-1)
    assert places("K050", flavor(), refused, local_queue()) == []


def test_a_missing_flavor_takes_every_queue_out_of_service() -> None:
    both = [{"default": {"cpu": 4}, "gone": {"cpu": 4}}]
    (found,) = reported("K051", flavor(), queue("b", quota=both), queue("a", quota=both), complete=True)
    assert str(found.finding.place) == "ClusterQueue a spec.resourceGroups[0].flavors[1].name"
    assert found.finding.message == "ResourceFlavor `gone` does not exist: `a`, `b` cannot admit workloads"


def test_both_spellings_find_the_same() -> None:
    texts = (flavor(), queue(quota=[{"gone": {"cpu": 4}}]), local_queue())
    assert places("K051", *texts) == places("K051", *map(older, texts)) != []


def test_a_topology_is_missing_unless_every_queue_runs_elsewhere() -> None:
    spread = flavor("default", {"pool": "gpu"}, topologyName="rows")
    remote = kueue("AdmissionCheck", "remote", spec={"controllerName": f"{GROUP}/multikueue"})
    checks = {"admissionChecks": [{"name": "remote"}]}
    assert places("K055", spread, queue(), complete=True) == ["error ResourceFlavor default spec.topologyName"]
    assert places("K055", spread, remote, queue(admissionChecksStrategy=checks), complete=True) == []
    assert len(places("K055", spread, remote, queue(admissionChecksStrategy=checks), queue("here"), complete=True)) == 1
    assert len(places("K055", spread, complete=True)) == 1


def test_a_class_of_pods_may_be_one_of_the_system() -> None:
    found = places("K058", *ORGANISATION, job(priorityClassName="system-node-critical"), complete=True)
    assert found == []


@pytest.mark.parametrize(
    ("asking", "place"),
    [
        (job(labels={CLASS: "gone"}), f"Job team/train metadata.labels[{CLASS}]"),
        (job(priorityClassName="gone"), "Job team/train spec.template.spec.priorityClassName"),
    ],
)
def test_a_missing_class_is_told_where_it_is_named(asking: str, place: str) -> None:
    assert places("K058", *ORGANISATION, asking, complete=True) == [f"error {place}"]


def test_jobs_that_have_ended_miss_nothing() -> None:
    ended = job(labels={CLASS: "gone"}).replace(
        '"spec": {"suspend"', '"status": {"conditions": [{"type": "Complete", "status": "True"}]}, "spec": {"suspend"'
    )
    assert places("K058", *ORGANISATION, ended, complete=True) == []


def test_a_local_queue_of_another_namespace_is_none() -> None:
    (found,) = reported("K061", *ORGANISATION, job(namespace="other"), complete=True)
    assert found.severity == "error"
    assert found.finding.remedy.text == "namespace `team` has a LocalQueue of that name; each namespace needs its own"


def test_a_job_that_names_a_cluster_queue_is_told_so() -> None:
    (found,) = reported("K061", *ORGANISATION, job(queue="team"))
    assert found.finding.remedy.text == "`team` is a ClusterQueue; name a LocalQueue that points to it"


def test_a_job_that_kueue_does_not_manage_needs_no_queue() -> None:
    assert places("K061", *ORGANISATION, job(namespace="kube-system", queue="gone"), complete=True) == []


def test_a_workload_of_its_own_needs_its_queue_too() -> None:
    alone = kueue("Workload", "one", "team", spec={"queueName": "gone", "podSets": [_pod_set()]})
    (found,) = reported("K061", *ORGANISATION, alone)
    assert f"{found.severity} {found.finding.place}" == "info Workload team/one spec.queueName"
    assert found.finding.message.endswith("1 workload stays suspended")
    (both,) = reported("K061", *ORGANISATION, alone, job(queue="gone"))
    assert both.finding.message.endswith("2 jobs stay suspended")


def test_a_job_and_its_workload_are_one() -> None:
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "train", "uid": "1", "controller": True}
    body = kueue("Workload", "job-train", "team", spec={"queueName": "gone", "podSets": [_pod_set()]})
    owned = body.replace('"namespace": "team"', f'"namespace": "team", "ownerReferences": [{json.dumps(owner)}]')
    assert places("K061", *ORGANISATION, owned, job(queue="gone")) == [
        f"info Job team/train metadata.labels[{GROUP}/queue-name]"
    ]


def _pod_set() -> dict[str, object]:
    return {"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "c", "image": "x"}]}}}
