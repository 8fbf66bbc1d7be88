"""Rules: AdmissionChecks: whether a queue's checks exist, can run, and go together."""

from typing import Any

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import GROUP, flavor, kueue, local_queue, older, queue

MULTIKUEUE, PROVISIONING = f"{GROUP}/multikueue", f"{GROUP}/provisioning-request"


def check(name: str, controller: str, kind: str = "", target: str = "", group: str = GROUP) -> str:
    spec: dict[str, Any] = {"controllerName": controller}
    if kind:
        spec["parameters"] = {"apiGroup": group, "kind": kind, "name": target}
    return kueue("AdmissionCheck", name, spec=spec)


def using(*checks: Any, name: str = "team") -> tuple[str, ...]:
    """A queue with such checks: names, or names with flavors."""
    uses = [{"name": c} if isinstance(c, str) else {"name": c[0], "onFlavors": list(c[1])} for c in checks]
    both = [{"default": {"cpu": 4}, "spot": {"cpu": 4}}]
    strategy = {"admissionChecks": uses}
    return (
        *(flavor("default", {"pool": "default"}), flavor("spot", {"pool": "spot"})),
        *(queue(name, quota=both, admissionChecksStrategy=strategy), local_queue(target=name)),
    )


def config(*clusters: str) -> str:
    return kueue("MultiKueueConfig", "workers", spec={"clusters": list(clusters)})


def cluster(name: str) -> str:
    source = {"kubeConfig": {"location": name, "locationType": "Secret"}}
    return kueue("MultiKueueCluster", name, spec={"clusterSource": source})


REMOTE = (cluster("east"), config("east"), check("remote", MULTIKUEUE, "MultiKueueConfig", "workers"))


REQUESTS = kueue("ProvisioningRequestConfig", "nodes", spec={"provisioningClassName": "check-capacity"})


CAPACITY = (REQUESTS, check("capacity", PROVISIONING, "ProvisioningRequestConfig", "nodes"))


def test_a_missing_check_is_told_where_it_is_asked_for() -> None:
    assert places("K052", *using("gone"), complete=True) == [
        "error ClusterQueue team spec.admissionChecksStrategy.admissionChecks[0].name"
    ]


@pytest.mark.parametrize("controller", [f"{GROUP}/provisioning", f"{GROUP}/multi-kueue", "kueue.k8s.io/multikueue"])
def test_a_name_like_those_of_kueues_controllers_is_run_by_nobody(controller: str) -> None:
    assert places("K053", check("c", controller), *using("c")) == ["error AdmissionCheck c spec.controllerName"]


@pytest.mark.parametrize("controller", [MULTIKUEUE, PROVISIONING, "example.com/budget"])
def test_known_and_foreign_controllers_may_run(controller: str) -> None:
    assert places("K053", check("c", controller), *using("c")) == []


@pytest.mark.parametrize(("status", "count"), [("False", 1), ("True", 0)])
def test_a_check_says_itself_whether_it_is_active(status: str, count: int) -> None:
    active = {"type": "Active", "status": status, "reason": "x", "message": "x"}
    time = {"lastTransitionTime": "2026-01-01T00:00:00Z"}
    spec = {"controllerName": "example.com/budget"}
    told = kueue("AdmissionCheck", "c", spec=spec, status={"conditions": [active | time]})
    assert len(places("K053", told, *using("c"))) == count


def test_a_check_that_nobody_asks_for_may_be_inactive() -> None:
    assert places("K053", check("c", f"{GROUP}/provisioning"), *using()[:-2], queue()) == []


def test_two_multikueue_checks_are_one_too_many() -> None:
    second = check("again", MULTIKUEUE, "MultiKueueConfig", "workers")
    assert places("K054", *REMOTE, second, *using("remote", "again")) == [
        "error ClusterQueue team spec.admissionChecksStrategy.admissionChecks[1]"
    ]


@pytest.mark.parametrize(("flavors", "count"), [(["default"], 1), (["default", "spot"], 0), ([], 0)])
def test_a_multikueue_check_is_on_all_flavors(flavors: list[str], count: int) -> None:
    assert len(places("K054", *REMOTE, *using(("remote", flavors)))) == count


def test_multikueue_and_provisioning_exclude_each_other() -> None:
    assert len(places("K054", *REMOTE, *CAPACITY, *using("remote", "capacity"))) == 1
    assert places("K054", *REMOTE, *CAPACITY, *using("remote"), using("capacity", name="other")[2]) == []


@pytest.mark.parametrize(
    ("wrong", "severity"),
    [
        (check("capacity", PROVISIONING), "error"),
        (check("capacity", PROVISIONING, "MultiKueueConfig", "nodes"), "error"),
        (check("capacity", PROVISIONING, "ProvisioningRequestConfig", "nodes", "example.com"), "error"),
        (check("capacity", PROVISIONING, "ProvisioningRequestConfig", "gone"), "info"),
    ],
)
def test_parameters_are_of_one_kind_and_exist(wrong: str, severity: str) -> None:
    assert [r.severity for r in reported("K056", REQUESTS, wrong)] == [severity]
    assert places("K053", REQUESTS, wrong, *using("capacity")) == []


def test_foreign_checks_may_have_any_parameters() -> None:
    assert places("K056", check("budget", "example.com/budget", "Budget", "gone", "example.com")) == []


@pytest.mark.parametrize(("known", "severities"), [(("east", "west"), []), (("east",), ["warning"]), ((), ["error"])])
def test_one_cluster_is_enough_to_go_on(known: tuple[str, ...], severities: list[str]) -> None:
    found = reported("K057", *map(cluster, known), config("east", "west"), REMOTE[2], complete=True)
    assert [r.severity for r in found] == severities


def test_a_flat_list_of_checks_is_told_at_its_name() -> None:
    flat = older(queue(admissionChecks=["gone"]))
    assert places("K052", flavor(), flat, complete=True) == ["error ClusterQueue team spec.admissionChecks[0]"]
