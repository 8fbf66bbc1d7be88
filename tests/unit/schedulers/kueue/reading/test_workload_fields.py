"""A packed Workload, of which few fields are decoded, is read as one that is decoded whole."""

import gzip
from collections.abc import Iterator
from copy import deepcopy

import orjson
import pytest

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed, PackedKind
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.reading.typed import MisreadError
from kubectl_fairshare.schedulers.kueue.reading.workload_fields import PodSetFields, WorkloadFields
from kubectl_fairshare.schedulers.kueue.reading.workloads import Workloads
from tests.screens import ROOT
from tests.unit.schedulers.kueue.jobs.scenario import manifest

RECORDED = ("kueue", "kueue-tas", "kueue-living", "kueue-afs")
PRIORITIES = {"high": 7, "low": 1, "p0": 3, "p1": 5}


def recorded() -> Iterator[dict[str, Json]]:
    """The Workloads of recorded states."""
    for name in RECORDED:
        with gzip.open(ROOT / "testdata" / "conformance" / f"{name}.jsonl.gz") as lines:
            for line in lines:
                for each in orjson.loads(line)["objects"]:
                    if each.get("kind") == "Workload":
                        yield each


def plain(data: dict[str, Json]) -> Manifest:
    metadata = data["metadata"]
    key = ObjectKey("kueue.x-k8s.io", "Workload", metadata.get("namespace", ""), metadata["name"])
    return Manifest(key, "v1beta2", data, Origin("x", 0))


def packed(data: dict[str, Json]) -> Manifest:
    whole = plain(data)
    key = whole.key
    text = Packed(orjson.dumps(data), PackedKind("kueue.x-k8s.io/v1beta2", key.kind, True), key.namespace, key.name)
    return Manifest(key, whole.version, text, whole.origin)


def outcome(manifest: Manifest, **settings: object) -> tuple[object, ...]:
    """What a reader says of a workload, in comparable form."""
    reader = Workloads(Configuration(**settings), PRIORITIES)  # type: ignore[arg-type]
    try:
        found = reader.read(manifest)
    except MisreadError as error:
        return ("misread", str(error))
    return (found[0] if isinstance(found, tuple) else repr(found), reader.lost_nodes)


def test_recorded_workloads_are_read_alike() -> None:
    number = 0
    for data in recorded():
        number += 1
        assert outcome(packed(data)) == outcome(plain(data))
    assert number > 1000


MOMENT = "2026-03-01T00:00:00Z"
HOLDS: dict[str, Json] = {
    "metadata": {"name": "a", "namespace": "team", "uid": "u", "creationTimestamp": MOMENT},
    "spec": {
        "active": True,
        "queueName": "queue",
        "priority": 4,
        "priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"},
        "podSets": [{"name": "main", "count": 4, "template": {"spec": {"containers": [{"name": "main"}]}}}],
    },
    "status": {
        "admission": {
            "clusterQueue": "all",
            "podSetAssignments": [{"name": "main", "count": 4, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "4"}}],
        },
        "conditions": [
            {"type": kind, "status": "True", "lastTransitionTime": MOMENT, "reason": "PodsReadyTimeout", "message": "m"}
            for kind in ("QuotaReserved", "Admitted", "PodsReady")
        ],
        "reclaimablePods": [{"name": "main", "count": 1}],
        "unhealthyNodes": [{"name": "node"}],
    },
}


def changes() -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Every place in it, with another value or none."""
    todo: list[tuple[tuple[str | int, ...], Json]] = [((), HOLDS)]
    while todo:
        path, value = todo.pop()
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        todo.extend(((*path, name), each) for name, each in inside)
        if path:
            yield from ((path, other) for other in (None, "", "x", 5, 1.5, True, [], {}, [None], {"name": "x"}, ...))


def changed(path: tuple[str | int, ...], value: Json) -> dict[str, Json]:
    found = deepcopy(HOLDS)
    at: Json = found
    for part in path[:-1]:
        at = at[part]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return found


def test_one_with_another_value_anywhere_is_read_alike() -> None:
    tried = 0
    for path, value in changes():
        data = changed(path, value)
        metadata = data.get("metadata")
        if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
            continue  # such an object is not packed
        tried += 1
        assert outcome(packed(data)) == outcome(plain(data)), (path, value)
    assert tried > 500


@pytest.mark.parametrize("status", ["True", "False"])
def test_the_moment_of_an_eviction_is_among_what_is_read(status: str) -> None:
    data = deepcopy(HOLDS)
    later = "2026-03-02T00:00:00Z"
    evicted = {"type": "Evicted", "status": status, "lastTransitionTime": later, "reason": "PodsReadyTimeout"}
    data["status"]["conditions"].append(evicted)
    found = outcome(packed(data), requeuing_timestamp="Eviction")
    assert found == outcome(plain(data), requeuing_timestamp="Eviction")
    assert ("queued=1772409600000000000" in str(found[0])) is (status == "True")


def test_no_other_field_is_decoded() -> None:
    read = packed(HOLDS).read_as(WorkloadFields)
    assert read == plain(HOLDS).read_as(WorkloadFields)
    assert read.spec is not None
    assert read.spec.pod_sets == [PodSetFields("main", 4)]


def test_the_newest_workload_is_known_whether_it_holds_quota_or_waits() -> None:
    reader = Workloads(Configuration(), {})
    admission = {"clusterQueue": "q", "podSetAssignments": [{"name": "main", "count": 1}]}
    reserved = {"type": "QuotaReserved", "status": "True", "lastTransitionTime": "1970-01-01T00:00:01Z"}
    status = {"admission": admission, "conditions": [reserved]}
    seen = []
    for second, extra in ((5, {}), (7, {"status": status}), (6, {}), (9, {}), (8, {"status": status})):
        data = {
            "apiVersion": "kueue.x-k8s.io/v1beta2",
            "kind": "Workload",
            "metadata": {"name": f"w{second}", "namespace": "n", "creationTimestamp": f"1970-01-01T00:00:0{second}Z"},
            "spec": {"queueName": "q", "podSets": [{"name": "main", "count": 1}]},
            **extra,
        }
        reader.read(manifest(data))
        seen.append(reader.newest // 10**9)
    assert seen == [5, 7, 7, 9, 9]
