"""A cluster is read in pages and side by side, patiently but not for ever, and what it keeps to itself is told."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import yaml

from kubectl_fairshare.input.cluster import lists
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import Connection, Patience
from kubectl_fairshare.input.cluster.read import Query, read_cluster
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.input.names import RESOURCE, names_of
from kubectl_fairshare.input.parts import Material
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.manifest import by_kind
from kubectl_fairshare.model.packed import Packed
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.reading.running_release import running_release
from tests.unit.input.cluster.served import KUEUE, Fault, Served, in_namespace, organisation, serving

QUICK = Patience(first=0.001, longest=0.01)


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(organisation()) as found:
        yield found


@pytest.fixture
def read(served: Served, tmp_path: Path) -> Any:
    def reading(page: int = 500, max_input: int = 1 << 20, command: str = "shares", **access: Any) -> Reading:
        kubeconfig = served.kubeconfig(tmp_path, token="t")
        return read_cluster(
            Access(kubeconfig=kubeconfig, **access),
            Query(command, max_input, page, QUICK),
            schedulers=known_schedulers(),
        )

    return reading


def names(reading: Reading, kind: str) -> list[str]:
    return [m.key.name for m in reading.manifests if m.key.kind == kind]


def messages(reading: Reading) -> list[str]:
    return [note.message for note in reading.extent.notes] if reading.extent else []


def test_pages_make_one_list(served: Served, read: Any) -> None:
    reading = read(page=2)
    assert names(reading, "Workload") == [f"job-{n}" for n in range(7)]
    pages = [query for _, path, query, _ in served.asked if path.endswith("/workloads")]
    assert [q.get("continue") for q in pages] == [None, "2", "4", "6"]
    assert {q["limit"] for q in pages} == {"2"}


def test_the_next_page_is_asked_for_while_one_is_read(monkeypatch: pytest.MonkeyPatch, read: Any) -> None:
    asked, read_then = Event(), lists._page
    given: list[bool] = []
    get = Connection.get

    def got(connection: Connection, path: str, query: Any = None) -> bytes:
        if path.endswith("/workloads") and (query or {}).get("continue"):
            asked.set()
        return get(connection, path, query)

    def page(connection: Connection, path: str, *rest: Any) -> Any:
        if path.endswith("/workloads") and not given:
            given.append(asked.wait(5))
        return read_then(connection, path, *rest)

    monkeypatch.setattr(Connection, "get", got)
    monkeypatch.setattr(lists, "_page", page)
    read(page=1)
    assert given == [True]


def test_every_object_has_an_origin_of_its_own(read: Any) -> None:
    origins = [m.origin for m in read(page=2).manifests if m.key.kind == "Workload"]
    assert len(set(origins)) == 7


def test_objects_of_a_long_list_stay_text_while_they_are_read_and_named(
    read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded = read()
    monkeypatch.setattr(lists, "_MANY", 0)
    packed = read()
    assert set(names_of(packed.manifests)) == set(names_of(decoded.manifests))
    assert {kind for kind, _, _ in names_of(packed.manifests)} >= {"Workload", RESOURCE}
    assert {type(manifest.held_data) for manifest in packed.manifests if manifest.key.kind == "Workload"} == {Packed}
    assert packed.manifests == decoded.manifests


def test_a_page_with_a_key_twice_is_refused(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Connection.get

    def twice(self: Connection, path: str, query: Any = None) -> bytes:
        data = whole(self, path, query)
        return data.replace(b'"queueName":', b'"queueName": "other", "queueName":') if "/workloads" in path else data

    monkeypatch.setattr(Connection, "get", twice)
    with pytest.raises(FairshareError, match="key `queueName` occurs twice"):
        read()


def test_a_page_whose_numbers_are_odd_reads_as_any_other(
    served: Served, read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.lists[f"{KUEUE}/workloads"][0]["spec"]["priority"] = 7.0
    monkeypatch.setattr(lists, "_MANY", 0)
    (found,) = (m for m in read().manifests if m.key.name == "job-0" and m.key.kind == "Workload")
    assert repr(found.data["spec"]["priority"]) == "7"


def test_items_are_told_what_they_are(read: Any) -> None:
    (flavor,) = (m for m in read().manifests if m.key.kind == "ResourceFlavor")
    assert (flavor.api_version, flavor.data["kind"]) == ("kueue.x-k8s.io/v1beta2", "ResourceFlavor")


def test_an_expired_list_is_begun_anew(served: Served, read: Any) -> None:
    served.faults = [Fault("workloads?limit=2&continue=4", 410)]
    assert names(read(page=2), "Workload") == [f"job-{n}" for n in range(7)]
    continues = [q.get("continue") for _, path, q, _ in served.asked if path.endswith("/workloads")]
    assert continues == [None, "2", "4", None, "2", "4", "6"]


def test_a_list_that_expires_again_and_again_is_asked_for_in_one_piece(served: Served, read: Any) -> None:
    served.faults = [Fault("continue=2", 410, times=2)]
    assert names(read(page=2), "Workload") == [f"job-{n}" for n in range(7)]
    assert [q for _, path, q, _ in served.asked if path.endswith("/workloads")][-1] == {}


def test_a_list_that_always_expires_is_given_up(served: Served, read: Any) -> None:
    served.faults = [Fault("/workloads", 410, times=99)]
    with pytest.raises(FairshareError, match=r"workloads\.kueue\.x-k8s\.io.*expired"):
        read()


@pytest.mark.parametrize(
    "fault",
    [
        Fault("/clusterqueues", 429, headers={"Retry-After": "0"}),
        Fault("/clusterqueues", 503, times=3),
        Fault("/clusterqueues", 500),
        Fault("/clusterqueues", 0),
        Fault("/apis?", 504),
        Fault("/version", 0, times=2),
    ],
)
def test_what_passes_is_waited_for(served: Served, read: Any, fault: Fault) -> None:
    served.faults = [fault]
    assert names(read(), "ClusterQueue") == ["ours", "theirs"]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault("/cohorts", 429, times=99), r"asks for fewer requests \(429\), 5 times.*/cohorts"),
        (Fault("/cohorts", 503, times=99, message="overloaded"), r"cannot answer \(503\).*/cohorts.*overloaded"),
        (Fault("/cohorts", 0, times=99), r"cannot reach.*/cohorts"),
        (Fault("/cohorts", 400, message="bad field"), r"refuses the list of `cohorts.*\(400\): bad field"),
        (Fault("/cohorts", 401), "does not accept the credentials"),
        (Fault("/apis", 302), "redirects to another address"),
    ],
)
def test_what_does_not_pass_is_told(served: Served, read: Any, fault: Fault, told: str) -> None:
    served.faults = [fault]
    with pytest.raises(FairshareError, match=told) as raised:
        read()
    assert all(problem.help for problem in raised.value.problems)
    assert len([p for p in served.paths if p.endswith("/cohorts")]) <= QUICK.attempts


def test_a_conversion_that_fails_is_not_asked_for_again(served: Served, read: Any) -> None:
    served.faults = [Fault("/cohorts", 500, times=99, message="conversion webhook for kueue failed")]
    with pytest.raises(FairshareError, match="conversion webhook"):
        read()
    assert len([p for p in served.paths if p.endswith("/cohorts")]) == 1


def test_a_silent_server_is_given_up(served: Served, read: Any) -> None:
    served.faults = [Fault("/cohorts", silent=3.0, times=99)]
    with pytest.raises(FairshareError, match=r"did not answer in time.*/cohorts"):
        read(request_timeout=0.2)


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    with serving(organisation()) as gone:
        kubeconfig = gone.kubeconfig(tmp_path)
    with pytest.raises(FairshareError, match="cannot reach the API server: connection refused"):
        read_cluster(
            Access(kubeconfig=kubeconfig),
            Query("shares", 1 << 20, patience=QUICK),
            schedulers=known_schedulers(),
        )


def test_something_else_than_an_api_server_is_told(served: Served, read: Any) -> None:
    served.answer = lambda *_: (200, [])  # type: ignore[assignment, method-assign]
    with pytest.raises(FairshareError, match="`/apis` is not an object"):
        read()


def test_more_than_the_limit_is_not_read(read: Any) -> None:
    with pytest.raises(FairshareError, match="limit for all input"):
        read(max_input=300)


@pytest.mark.parametrize("versions", [["v1beta1"], ["v1beta1", "v1"]])
def test_the_older_version_is_read_where_the_newer_is_not(served: Served, read: Any, versions: list[str]) -> None:
    served.groups["kueue.x-k8s.io"] = versions
    served.lists = {path.replace("v1beta2", "v1beta1"): items for path, items in served.lists.items()}
    assert {m.version for m in read().manifests if m.key.group == "kueue.x-k8s.io"} == {"v1beta1"}
    assert not any("v1beta2" in path for path in served.paths)


def test_a_kind_of_the_older_version_alone_is_found(served: Served, read: Any) -> None:
    path = f"{KUEUE}/cohorts"
    served.lists[path.replace("v1beta2", "v1beta1")] = served.lists.pop(path)
    assert names(read(), "Cohort") == ["all"]


def test_a_kind_that_is_not_served_counts_as_none_and_is_named(served: Served, read: Any) -> None:
    del served.lists[f"{KUEUE}/topologies"]
    reading = read()
    assert [m for m in messages(reading) if "topologies.kueue.x-k8s.io" in m]
    assert reading.is_whole


def test_what_may_not_be_read_is_named_with_what_would_help(served: Served, read: Any) -> None:
    served.faults = [Fault("/cohorts", 403, times=99, message="forbidden")]
    reading = read()
    assert reading.extent.unread == (Unread("Cohort"),)
    (note,) = (n for n in reading.extent.notes if n.place == "Cohort")
    assert "parents, quotas and weights" in note.message
    assert note.help == "`kubectl fairshare rbac shares` prints the role that permits it"


def test_kinds_of_jobs_that_may_not_be_read_share_a_note(served: Served, read: Any) -> None:
    served.faults = [Fault(f"/apis/{group}/", 403, times=99, message="forbidden") for group in ("batch", "apps")]
    (note,) = read(command="why").extent.notes
    assert note.place == "CronJob, Deployment, Job, ReplicaSet, StatefulSet"
    assert note.message == "you may not read this, so the owners of some workloads and pods are unknown"


def test_of_what_may_not_be_listed_in_whole_the_own_namespace_is_left(served: Served, read: Any) -> None:
    in_namespace(served, "team")
    served.faults = [Fault(f"{KUEUE}/workloads", 403, 99), Fault(f"{KUEUE}/clusterqueues", 403, 99)]
    served.faults += [Fault(f"{KUEUE}/localqueues", 403, 99), Fault("/api/v1/namespaces?", 403, 99)]
    reading = read()
    assert reading.extent.unread == (
        Unread("ClusterQueue"),
        Unread("LocalQueue", "team"),
        Unread("Namespace", "team"),
        Unread("Workload", "team"),
    )
    assert [m.key.namespace for m in reading.manifests if m.key.kind == "LocalQueue"] == ["team"]
    assert names(reading, "Namespace") == ["team"]


def test_nothing_less_than_all_namespaces_if_so_wished(served: Served, read: Any) -> None:
    in_namespace(served, "team")
    served.faults = [Fault(f"{KUEUE}/workloads", 403, times=99)]
    assert read(everywhere=True).extent.unread == (Unread("Workload"),)


def test_where_nothing_may_be_read_there_is_no_answer(served: Served, read: Any) -> None:
    served.faults = [Fault("/kueue.x-k8s.io/", 403, times=999, message="user me cannot list")]
    with pytest.raises(FairshareError, match=r"anything that the answer needs.*cannot list") as raised:
        read(command="plan")
    assert "rbac plan" in str(raised.value.problems[0].help)


def test_a_cluster_without_any_of_the_schedulers_is_told(served: Served, read: Any) -> None:
    del served.groups["kueue.x-k8s.io"]
    with pytest.raises(
        FairshareError, match="serves no API of a supported scheduler: Kueue, KAI-Scheduler, CapacityScheduling"
    ):
        read()


def test_without_discovery_everything_is_tried(served: Served, read: Any) -> None:
    served.faults = [Fault("/apis", 403)]
    assert names(read(), "ClusterQueue") == ["ours", "theirs"]


def test_kueues_configuration_is_read(read: Any) -> None:
    assert names(read(), "ConfigMap") == ["kueue-manager-config"]


def test_a_configuration_that_may_not_be_read_is_unknown(served: Served, read: Any) -> None:
    served.faults = [Fault("/configmaps/", 403)]
    reading = read()
    assert reading.extent.unread == (Unread("Configuration"),)
    assert reading.unread_kinds == {"Configuration"}


def test_a_configuration_under_another_name_is_found(served: Served, read: Any) -> None:
    path = "/api/v1/namespaces/elsewhere/configmaps"
    served.lists[path] = [{**next(iter(served.single.values())), "metadata": {"name": "x", "namespace": "elsewhere"}}]
    assert names(read(namespaces={"kueue": "elsewhere"}), "ConfigMap") == ["x"]


def test_a_configuration_that_is_nowhere_is_told(served: Served, read: Any) -> None:
    served.single.clear()
    (note,) = messages(read())
    assert "has no ConfigMap with Kueue's Configuration" in note


def test_another_release_than_the_modelled_one_is_told(served: Served, read: Any) -> None:
    image = {"spec": {"template": {"spec": {"containers": [{"image": "registry.k8s.io/kueue/kueue:v0.14.4"}]}}}}
    served.single["/apis/apps/v1/namespaces/kueue-system/deployments/kueue-controller-manager"] = image
    reading = read()
    (note,) = reading.extent.notes
    assert note.message == "the cluster runs Kueue v0.14.4; answers are for v0.16"
    assert "since v0.15" in note.help
    assert "since v0.19" not in note.help
    assert (reading.extent.releases["kueue"], reading.extent.kubernetes) == ("v0.14.4", "v1.35.4")


MANAGER = "/apis/apps/v1/namespaces/kueue-system/deployments/kueue-controller-manager"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}.kueue.x-k8s.io"


def _definition(name: str, **spec: Any) -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"properties": {"spec": spec}, "description": "long"}}
    versions = [{"name": "v1beta2", "served": True, "schema": schema}]
    return {"metadata": {"name": f"{name}.kueue.x-k8s.io"}, "spec": {"versions": versions}}


@pytest.mark.parametrize(("most", "line"), [(8, "v0.17"), (10, "v0.18"), (18, "v0.19")])
def test_crds_name_the_line_where_no_deployment_names_the_release(
    served: Served, read: Any, most: int, line: str
) -> None:
    served.single.pop(MANAGER, None)
    served.single[CRDS.format("workloads")] = _definition("workloads", properties={"podSets": {"maxItems": most}})
    served.single[CRDS.format("resourceflavors")] = _definition("resourceflavors")
    reading = read()
    found = running_release(Material(reading.manifests, by_kind(reading.manifests)), ())
    assert (found.text, found.measured, found.rules_of.startswith(line)) == (line, False, True)
    assert not any("long" in str(manifest.data) for manifest in reading.manifests)


def test_crds_are_not_asked_for_where_the_deployment_names_the_release(served: Served, read: Any) -> None:
    served.single[MANAGER] = {
        "spec": {"template": {"spec": {"containers": [{"image": "registry.k8s.io/kueue/kueue:v0.19.2"}]}}}
    }
    read()
    assert not any("customresourcedefinitions" in path for path in served.paths)


def test_a_release_that_nothing_readable_names_is_told(served: Served, read: Any) -> None:
    served.single.pop(MANAGER, None)
    served.faults.append(Fault("customresourcedefinitions", 403, times=9))
    (note,) = read().extent.notes
    assert "which release of Kueue runs is not known" in note.message
    assert "--release" in note.help


def test_what_changed_while_it_was_read_is_told(served: Served, read: Any) -> None:
    served.lists[f"{KUEUE}/workloads"][3]["metadata"]["resourceVersion"] = "1001"
    assert messages(read()) == ["changed while the lists were read: Workload team/job-3"]


def test_it_asks_as_whom_it_is_told(served: Served, read: Any) -> None:
    read(as_user="ann", as_groups=("ops", "dev"))
    headers = served.asked[-1][3]
    assert headers["authorization"] == "Bearer t"
    assert headers["Impersonate-User"] == "ann"
    assert headers["Impersonate-Group"] in ("ops", "dev")  # the handler keeps one of two equal names


def test_the_proxy_of_the_kubeconfig_is_used(served: Served, tmp_path: Path) -> None:
    path = Path(served.kubeconfig(tmp_path))
    config = yaml.safe_load(path.read_text())
    config["clusters"][0]["cluster"] = {"server": "http://cluster.invalid", "proxy-url": served.address}
    path.write_text(yaml.safe_dump(config))
    access = Access(kubeconfig=str(path))
    assert names(
        read_cluster(access, Query("shares", 1 << 20, patience=QUICK), schedulers=known_schedulers()),
        "Cohort",
    ) == ["all"]


def test_nothing_but_get_is_ever_sent(served: Served, read: Any) -> None:
    for command in ("shares", "plan", "why", "cycle", "lint", "snapshot"):
        read(command=command)
    assert {verb for verb, *_ in served.asked} == {"GET"}


def test_who_wrote_which_field_is_not_kept(served: Served, read: Any) -> None:
    served.lists[f"{KUEUE}/workloads"][0]["metadata"]["managedFields"] = [{"manager": "someone"}]
    assert not any("managedFields" in m.data["metadata"] for m in read().manifests)


def test_nodes_and_all_pods_are_read_only_where_there_is_a_topology(served: Served, read: Any) -> None:
    served.lists["/api/v1/nodes"] = [{"metadata": {"name": "n1"}}]
    served.lists["/api/v1/pods"] = [ROOM]
    assert names(read(command="plan"), "Node") == []
    served.lists[f"{KUEUE}/topologies"] = [{"metadata": {"name": "racks"}, "spec": {"levels": []}}]
    reading = read(command="plan")
    assert (names(reading, "Node"), names(reading, "Pod")) == (["n1"], ["p"])


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_device_classes_are_read_where_the_cluster_serves_them(served: Served, read: Any, version: str) -> None:
    assert names(read(command="plan"), "DeviceClass") == []
    served.groups["resource.k8s.io"] = [version]
    served.lists[f"/apis/resource.k8s.io/{version}/deviceclasses"] = [{"metadata": {"name": "gpu"}}]
    assert [names(read(command=c), "DeviceClass") for c in ("plan", "why", "cycle", "snapshot")] == [["gpu"]] * 4
    assert names(read(command="shares"), "DeviceClass") == []


ROOM = {
    "metadata": {"name": "p", "namespace": "a", "labels": {"secret": "x"}, "annotations": {"b": "c"}},
    "spec": {
        "nodeName": "n1",
        "containers": [{"name": "c", "image": "i", "env": [{"name": "A"}], "resources": {"requests": {"cpu": "1"}}}],
    },
    "status": {"phase": "Running", "podIP": "10.0.0.1"},
}


def test_of_pods_that_only_take_room_nothing_else_is_kept(served: Served, read: Any) -> None:
    served.lists["/api/v1/pods"] = [ROOM]
    served.lists[f"{KUEUE}/topologies"] = [{"metadata": {"name": "racks"}, "spec": {"levels": []}}]
    pod = next(m.data for m in read(command="plan").manifests if m.key.kind == "Pod")
    assert pod["metadata"] == {"name": "p", "namespace": "a", "annotations": {"b": "c"}}
    assert pod["spec"]["containers"] == [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]
    assert pod["status"] == {"phase": "Running"}
