"""Documents become manifests: Lists taken apart, every object with its key and place, what is none told."""

import io

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.text.texts import config_map, read_text

KUEUE = "kueue.x-k8s.io"
CONFIG = "config.kueue.x-k8s.io"
KUSTOMIZE = "kustomize.config.k8s.io"
SCHEDULING = "scheduling.k8s.io"


def keys(reading: Reading) -> list[ObjectKey]:
    return [manifest.key for manifest in reading.manifests]


def manifest_text(api_version: str, kind: str, metadata: str) -> str:
    return f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {metadata}\n"


@pytest.mark.parametrize(
    ("api_version", "kind", "metadata", "key"),
    [
        ("v1", "Pod", "{name: a}", ObjectKey("", "Pod", "default", "a")),
        ("v1", "Pod", "{name: a, namespace: ns}", ObjectKey("", "Pod", "ns", "a")),
        ("v1", "Namespace", "{name: a, namespace: ns}", ObjectKey("", "Namespace", "", "a")),
        ("v1", "Node", "{name: a}", ObjectKey("", "Node", "", "a")),
        (f"{KUEUE}/v1beta1", "ClusterQueue", "{name: a}", ObjectKey(KUEUE, "ClusterQueue", "", "a")),
        (f"{KUEUE}/v1beta2", "LocalQueue", "{name: a}", ObjectKey(KUEUE, "LocalQueue", "default", "a")),
        (f"{KUEUE}/v1beta2", "Workload", "{name: a}", ObjectKey(KUEUE, "Workload", "default", "a")),
        (f"{KUEUE}/v1beta2", "Whatever", "{name: a}", ObjectKey(KUEUE, "Whatever", "", "a")),
        (
            "scheduling.k8s.io/v1",
            "PriorityClass",
            "{name: a}",
            ObjectKey("scheduling.k8s.io", "PriorityClass", "", "a"),
        ),
        (
            "config.kueue.x-k8s.io/v1beta2",
            "Configuration",
            "{}",
            ObjectKey("config.kueue.x-k8s.io", "Configuration", "", ""),
        ),
        (
            "kustomize.config.k8s.io/v1",
            "Kustomization",
            "{}",
            ObjectKey("kustomize.config.k8s.io", "Kustomization", "", ""),
        ),
        ("ray.io/v1", "RayJob", "{name: a}", ObjectKey("ray.io", "RayJob", "default", "a")),
    ],
)
def test_an_object_is_known_by_its_key(api_version: str, kind: str, metadata: str, key: ObjectKey) -> None:
    (manifest,) = read_text(manifest_text(api_version, kind, metadata)).manifests
    assert manifest.key == key
    assert manifest.api_version == api_version


def test_the_namespace_of_objects_that_name_none_can_be_given() -> None:
    reading = read(["-"], stdin=io.BytesIO(config_map("a").encode()), namespace="team", schedulers=known_schedulers())
    assert keys(reading) == [ObjectKey("", "ConfigMap", "team", "a")]


LISTS = """\
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: b}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueueList
  items:
  - metadata: {name: q}
  - {kind: ClusterQueue, metadata: {name: r}}
- {apiVersion: v1, kind: List, items: null}
- {apiVersion: v1, kind: List}
---
apiVersion: example.com/v1
kind: AllowList
metadata: {name: l}
"""


def test_lists_are_taken_apart() -> None:
    reading = read_text(LISTS)
    found = [
        (m.key.kind, m.key.name, m.api_version, m.origin, str(reading.texts.locate(m.origin)))
        for m in reading.manifests
    ]
    assert found == [
        ("Pod", "b", "v1", Origin("<stdin>", 0, ("items", 0)), "<stdin>:4:3"),
        ("AllowList", "l", "example.com/v1", Origin("<stdin>", 1), "<stdin>:13:1"),
        ("ClusterQueue", "q", f"{KUEUE}/v1beta2", Origin("<stdin>", 0, ("items", 1, "items", 0)), "<stdin>:8:5"),
        ("ClusterQueue", "r", f"{KUEUE}/v1beta2", Origin("<stdin>", 0, ("items", 1, "items", 1)), "<stdin>:9:5"),
    ]
    assert reading.manifests[2].data["kind"] == "ClusterQueue"


def test_an_empty_list_is_an_answer() -> None:
    assert read_text('{"apiVersion": "v1", "kind": "List", "items": []}').manifests == ()


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: 1\n", "1:1", "`apiVersion` is missing"),
        ("apiVersion: v1\n", "1:1", "`kind` is missing"),
        ("apiVersion: v1\nkind: Pod\n", "1:1", "`metadata.name` is missing"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {name: ''}\n", "1:1", "`metadata.name` is missing"),
        ("apiVersion: 1\nkind: Pod\n", "1:13", "`apiVersion` must be text"),
        ("apiVersion: v1\nkind: on\n", "2:7", "`kind` must be text"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {name: 012}\n", "3:18", "`metadata.name` must be text"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: 1}\n", "3:32", "`metadata.namespace` must be text"),
        ("apiVersion: v1\nkind: Pod\nmetadata: [a]\n", "1:1", "`metadata.name` is missing"),
        ("\n- a\n", "2:1", "this is not a Kubernetes object"),
        ("hello\n", "1:1", "this is not a Kubernetes object"),
        ("kind: List\nitems: 5\n", "2:8", "`items` must be a list"),
        ("kind: List\nitems: [5]\n", "2:9", "this is not a Kubernetes object"),
        ("kind: List\nitems: [{metadata: {name: a}}]\n", "2:9", "`apiVersion` is missing"),
        ("apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n", "3:11", "this object has only a `generateName`"),
    ],
)
def test_what_is_no_object_is_told(text: str, place: str, message: str) -> None:
    with pytest.raises(FairshareError) as caught:
        read_text(text)
    (problem,) = caught.value.problems
    assert (str(problem.place), problem.message) == (f"<stdin>:{place}", message)
    assert problem.help


def test_a_workload_to_plan_may_leave_its_name_to_the_server() -> None:
    text = manifest_text("batch/v1", "Job", "{generateName: train-}")
    reading = read(
        ["-"], stdin=io.BytesIO(f"{text}---\n{text}".encode()), allow_generate_name=True, schedulers=known_schedulers()
    )
    assert [manifest.key.name for manifest in reading.manifests] == ["train-", "train-"]
    assert "name" not in reading.manifests[0].data["metadata"]


def test_a_problem_in_one_long_line_names_the_item() -> None:
    one = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "%s"}}'
    items = ", ".join((one % ("x" * 1000), one % "y", '{"kind": "Pod"}'))
    with pytest.raises(FairshareError) as raised:
        read_text('{"apiVersion": "v1", "kind": "List", "items": [' + items + "]}")
    assert {str(problem.place).partition(" ")[2] for problem in raised.value.problems} == {"items[1]", "items[2]"}
