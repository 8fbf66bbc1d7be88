"""A large list in JSON is read object by object, and reads as any other list does."""

import copy
import json
import pickle
import tracemalloc
from pathlib import Path
from typing import TypedDict

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.text import decoding, json_list, json_text
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed, PackedKind
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from tests.unit.input.kubectl import exactly

_FIELDS = st.recursive(
    st.sampled_from([None, True, 0, 7, 2**53, 2**63, 2**70, 1.0, 1.5, 1e17, "", "x:y", "ü", "\\u003a", "\u2028", "{["]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab:"), inner, max_size=3),
    max_leaves=6,
)
_OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "apiVersion": st.sampled_from(["v1", "kueue.x-k8s.io/v1beta2", "", 5]),
        "kind": st.sampled_from(["Pod", "Node", "PodList", "List", "", None]),
        "metadata": st.sampled_from([{"name": "a"}, {"name": "b", "namespace": "n"}, {"name": ""}, {}, None])
        | st.just({"name": "c", "namespace": 5, "resourceVersion": "7"}),
        "spec": _FIELDS,
        "items": st.just([]),
    },
)
_LISTS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["List", "PodList", "Pod", "SnapshotList"]), "items": st.lists(_OBJECTS, max_size=4)},
    optional={"apiVersion": st.just("v1"), "metadata": st.just({"a:b": [1.0]}), "at:all": st.just({"x": 1})},
)


def unpacked(found: json_list.PackedList | None) -> object:
    """A list with all objects decoded, as their text states them."""
    if found is None:
        return None
    items = [orjson.loads(bytes(each.text)) if isinstance(each, Packed) else each for each in found.content["items"]]
    return {name: items if name == "items" else value for name, value in found.content.items()}


def objects(number: int) -> list[dict[str, object]]:
    """Pods that were stored, each unlike the others."""
    return [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": f"pod-{i}",
                "namespace": "team",
                "resourceVersion": str(i),
                "labels": {"number": str(i)},
            },
            "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": str(i), "memory": "1Gi"}}}]},
        }
        for i in range(number)
    ]


@given(_LISTS, st.booleans())
def test_a_packed_list_is_the_list_that_is_read_as_a_whole(found: object, spaced: bool) -> None:
    text = json.dumps(found, indent=1 if spaced else None).encode()
    packed = json_list.packed_list(text)
    if packed is not None:
        assert exactly(unpacked(packed)) == exactly(json_text.load("x", text)[0][0])


@given(_LISTS, st.integers(1, 400))
def test_batches_change_nothing(found: object, size: int) -> None:
    text = json.dumps(found).encode()
    whole = unpacked(json_list.packed_list(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_list, "_BATCH", size)
        assert exactly(unpacked(json_list.packed_list(text))) == exactly(whole)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "List", "items": [], "items": []}',
        '{"kind": "List", "items": [1, 2], "items": [1, 2]}',
        '{"kind": "List", "items": [{"a": 1}, {"a": 1}], "items": [{"a": 1}, {"a": 1}]}',
        '{"kind": "List", "items": [1,\n2, 3], "metadata": {}, "metadata": {}}',
        '{"kind": "List", "kind": "List", "items": [1,\n2, 3]}',
        '{"kind": "List", "kind": "List", "items": []}',
        '{"kind": "List", "items": [{"a": 1, "a": 2}]}',
        '{"kind": "List", "items": [{"a\\u003a": 1, "b": "x"}]}',
        '{"kind": "List", "metadata": {"a": 1, "a": 2}, "items": []}',
        '{"kind": "List", "items": [' + "[" * 199 + "]" * 199 + "]}",
        '{"kind": "List", "items": [{]}',
        '{"kind": "List", "items": []} {"kind": "List", "items": []}',
        '{"kind": "List", "items": {}}',
        '{"kind": "List"}',
        '{"items": []}',
        "[]",
        "kind: List",
        "",
    ],
)
def test_what_is_not_surely_a_right_list_is_left_to_the_whole_reader(text: str) -> None:
    assert json_list.packed_list(text.encode()) is None


def test_a_text_that_is_written_as_its_value_is_looks_for_no_colon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each member is there once, then: to count the colons takes as long as to split the text."""
    found = {"kind": "List", "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a:b"}}]}
    compared: list[bytes] = []

    def compare(text: bytes, _: bytes) -> bool:
        compared.append(text)
        return False

    monkeypatch.setattr(json_text, "_may_lack_a_key", compare)
    assert json_list.packed_list(orjson.dumps(found)) is not None
    assert not compared
    assert json_list.packed_list(json.dumps(found).encode()) is not None
    assert compared


def test_an_object_stays_packed_until_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "LARGE", 0)
    given_objects = objects(3)
    path = tmp_path / "pods.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": given_objects}))
    first, *_ = read((str(path),), known_schedulers()).manifests
    assert isinstance(first.held_data, Packed)
    assert first.stored
    assert first.passing_data == given_objects[0]
    assert isinstance(first.held_data, Packed)
    assert first == Manifest(first.key, first.version, given_objects[0], first.origin)
    assert pickle.loads(pickle.dumps(first)) == first == copy.deepcopy(first)
    assert first.data == given_objects[0]
    assert first.data is first.data
    assert not isinstance(first.held_data, Packed)


def admitted(number: int) -> dict[str, object]:
    """A Workload that holds quota, as a server stores it."""
    moment = "2026-03-01T00:00:00Z"
    pods = {"name": "main", "count": 1, "template": {"spec": {"containers": [{"name": "main"}]}}}
    assigned = {"name": "main", "count": 1, "flavors": {"cpu": "any"}, "resourceUsage": {"cpu": "1"}}
    reserved = {"type": "QuotaReserved", "status": "True", "lastTransitionTime": moment, "reason": "a", "message": ""}
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": f"w-{number}", "namespace": "team", "resourceVersion": "1", "creationTimestamp": moment},
        "spec": {"queueName": "queue", "podSets": [pods]},
        "status": {"admission": {"clusterQueue": "all", "podSetAssignments": [assigned]}, "conditions": [reserved]},
    }


def test_workloads_that_hold_quota_stay_text_in_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "LARGE", 0)
    path = tmp_path / "workloads.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": [admitted(n) for n in range(3)]}))
    snapshot = assemble(read((str(path),), known_schedulers()).manifests, known_schedulers()).snapshot
    assert len(snapshot.part(KueueState).holders) == 3
    assert {type(manifest.held_data) for manifest in snapshot.manifests.values()} == {Packed}


class _Inner(TypedDict, total=False):
    a: int


class _Shape(TypedDict, total=False):
    kind: str
    spec: _Inner
    more: list[_Inner]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"kind": "Pod", "spec": {"a": 1, "b": 2}, "x": 5}', {"kind": "Pod", "spec": {"a": 1}}),
        ('{"more": [{"a": 1, "b": 2}, {}], "x": 5}', {"more": [{"a": 1}, {}]}),
        ('{"kind": "Pod", "spec": null, "x": 5}', {"kind": "Pod", "spec": None, "x": 5}),
        ('{"kind": "Pod", "spec": {"a": "1"}, "x": 5}', {"kind": "Pod", "spec": {"a": "1"}, "x": 5}),
    ],
)
def test_the_fields_of_a_shape_are_decoded_alone_and_all_if_one_has_another_type(
    text: str, fields: dict[str, object]
) -> None:
    packed = Packed(text.encode(), PackedKind("v1", "Pod", True), "team", "a")
    manifest = Manifest(ObjectKey("", "Pod", "team", "a"), "v1", packed, Origin("x", 0))
    assert manifest.passing_fields(_Shape) == fields
    assert manifest.held_data is packed
    assert manifest.data == manifest.passing_fields(_Shape) == orjson.loads(text)


@pytest.mark.parametrize("name", ["field", "fi\\u0065ld"])
def test_a_packed_object_is_decoded_to_see_a_field_only_if_it_may_have_it(name: str) -> None:
    text = f'{{"kind": "Pod", "spec": {{"{name}": 1}}}}'.encode()
    packed = Packed(text, PackedKind("v1", "Pod", True), "team", "a")
    manifest = Manifest(ObjectKey("", "Pod", "team", "a"), "v1", packed, Origin("x", 0))
    assert manifest.may_mention("field")
    assert manifest.may_mention("other") is (name != "field")
    assert manifest.held_data is packed
    assert manifest.data
    assert manifest.may_mention("other")


def test_objects_of_one_kind_need_not_repeat_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = [{name: value for name, value in each.items() if name in ("metadata", "spec")} for each in objects(3)[1:]]
    path = tmp_path / "pods.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "PodList", "items": [*bare, *objects(1)]}))
    whole = read((str(path),), known_schedulers()).manifests
    monkeypatch.setattr(decoding, "LARGE", 0)
    packed = read((str(path),), known_schedulers()).manifests
    assert all(isinstance(each.held_data, Packed) for each in packed)
    assert packed == whole
    assert [each.data for each in packed] == objects(3)


def test_objects_of_all_kinds_keep_their_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pods, node = objects(3), {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "namespace": "x"}}
    odd = {**node, "metadata": {"name": "odd"}, "spec": {"share": 1.0}}
    nested = {"apiVersion": "v1", "kind": "List", "items": [objects(4)[3]]}
    older = {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "p", "namespace": "n"}}
    nowhere = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "nowhere"}}
    items = [
        pods[0],
        pods[1],
        node,
        odd,
        admitted(1),
        nested,
        older,
        {**older, "apiVersion": "batch/v1"},
        nowhere,
        pods[2],
    ]
    path = tmp_path / "all.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    whole = read((str(path),), known_schedulers(), namespace="other").manifests
    monkeypatch.setattr(decoding, "LARGE", 0)
    packed = read((str(path),), known_schedulers(), namespace="other").manifests
    assert packed == whole
    assert [each.key.namespace for each in packed if each.key.name in ("n", "nowhere")] == ["", "other"]
    read_twice = "p"  # to see which of its two versions counts
    assert [m.key.name for m in packed if not isinstance(m.held_data, Packed)] == ["odd", "pod-3", read_twice]


@pytest.mark.parametrize("sign", ["", "ü"])
def test_a_mistake_in_a_large_list_has_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sign: str) -> None:
    items = [*objects(2), {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 5}}, {"a": sign}]
    path = tmp_path / "pods.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1, ensure_ascii=False))

    def refusal() -> str:
        with pytest.raises(FairshareError) as error:
            read((str(path),), known_schedulers())
        return "\n".join(f"{each.place} {each.message}" for each in error.value.problems)

    whole = refusal()
    monkeypatch.setattr(decoding, "LARGE", 0)
    assert refusal() == whole


@pytest.mark.slow
def test_reading_a_large_list_takes_little_more_than_its_text(tmp_path: Path) -> None:
    path = tmp_path / "pods.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": objects(6000)}))
    assert path.stat().st_size > decoding.LARGE
    tracemalloc.start()
    reading = read((str(path),), known_schedulers())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(reading.manifests) == 6000
    assert peak < 4.5 * path.stat().st_size
