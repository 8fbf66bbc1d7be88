"""What controllers add to the pods of a template."""

from typing import Any

import pytest

from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.made_pods import made_spec
from kubectl_fairshare.jobs.pod_surroundings import unmodelled_filters
from kubectl_fairshare.jobs.pod_templates import pod_of
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

CONDITIONS = {
    "not-ready": "NoExecute",
    "unreachable": "NoExecute",
    "disk-pressure": "NoSchedule",
    "memory-pressure": "NoSchedule",
    "pid-pressure": "NoSchedule",
    "unschedulable": "NoSchedule",
}


def manifest(kind: str, template: Any, **spec: Any) -> Manifest:
    data = {"spec": {"template": {"spec": template}, **spec}}
    return Manifest(ObjectKey("apps", kind, "a", "web"), "v1", data, Origin("", 0))


def made(kind: str, template: Any, **spec: Any) -> JsonObject:
    return made_spec(root_of(manifest(kind, template, **spec)), template)


def claims(*names: str) -> list[Any]:
    return [{"metadata": {"name": name}} for name in names]


def test_a_claim_of_a_stateful_set_is_a_volume_of_its_pods_and_replaces_one_of_that_name() -> None:
    own = [{"name": "data", "emptyDir": {}}, {"name": "tmp", "emptyDir": {}}]
    volumes = made("StatefulSet", {"volumes": own}, volumeClaimTemplates=claims("logs", "data"))["volumes"]
    claimed = [(v["name"], v.get("persistentVolumeClaim", {}).get("claimName")) for v in volumes]
    assert claimed == [("tmp", None), ("data", "data-web-xxxxx"), ("logs", "logs-web-xxxxx")]


def test_the_claims_of_a_stateful_set_decide_about_nodes_as_those_of_a_pod_do() -> None:
    given = manifest("StatefulSet", {"containers": []}, volumeClaimTemplates=claims("data"))

    def read(key: ObjectKey, data: JsonObject, *, taken: bool) -> list[str]:
        return [key.kind, str(taken), *unmodelled_filters(data["spec"])]

    assert pod_of(given, read).pod == ["Pod", "False", "Volumes"]


@pytest.mark.parametrize("kind", ["Deployment", "ReplicaSet", "StatefulSet"])
def test_other_pods_are_as_the_template_writes_them(kind: str) -> None:
    template = {"containers": [], "volumes": [{"name": "tmp", "emptyDir": {}}]}
    assert made(kind, template) is template
    if kind != "StatefulSet":
        assert made(kind, template, volumeClaimTemplates=claims("data")) is template


def test_a_claim_of_another_type_is_an_error_at_its_place() -> None:
    with pytest.raises(FairshareError) as caught:
        made("StatefulSet", {}, volumeClaimTemplates=[{"metadata": {"name": 1}}])
    assert str(caught.value.problems[0].place) == "StatefulSet a/web spec.volumeClaimTemplates[0].metadata.name"


def test_pods_of_a_daemon_set_tolerate_the_conditions_of_nodes() -> None:
    own = {"key": "gpu", "operator": "Exists"}
    first, *added = made("DaemonSet", {"tolerations": [own]})["tolerations"]
    assert first == own
    assert {t["key"].removeprefix("node.kubernetes.io/"): t["effect"] for t in added} == CONDITIONS


@pytest.mark.parametrize(("network", "tolerates"), [(True, True), (False, False), (None, False)])
def test_a_daemon_on_the_network_of_its_node_needs_no_other(network: bool | None, tolerates: bool) -> None:
    found = {t["key"] for t in made("DaemonSet", {"hostNetwork": network})["tolerations"]}
    assert ("node.kubernetes.io/network-unavailable" in found) is tolerates


def test_tolerations_of_another_type_are_left_to_the_reader() -> None:
    assert made("DaemonSet", {"tolerations": "all"}) == {"tolerations": "all"}
