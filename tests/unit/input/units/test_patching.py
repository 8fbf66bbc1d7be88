"""Patches change what they are for, as kustomize applies them."""

from typing import Any

import pytest

from kubectl_fairshare.input.units.patching import patched
from kubectl_fairshare.input.units.unit import Patch
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def queue(**spec: Any) -> Manifest:
    data = {"kind": "ClusterQueue", "metadata": {"name": "a"}, "spec": spec}
    return Manifest(ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "a"), "v1beta2", data, Origin("x", 0))


def merge(**spec: Any) -> Patch:
    return Patch({"kind": "ClusterQueue", "metadata": {"name": "a"}, "spec": spec})


def operate(op: str, path: str, value: Any = None, name: str = "a") -> Patch:
    return Patch([{"op": op, "path": f"/spec/{path}", "value": value}], {"name": name})


@pytest.mark.parametrize(
    ("before", "patch", "after"),
    [
        ({"cohort": "x"}, merge(stopPolicy="Hold"), {"cohort": "x", "stopPolicy": "Hold"}),
        ({"cohort": "x"}, merge(cohort=None), {}),
        ({"a": {"b": 1, "c": 2}}, merge(a={"b": 3}), {"a": {"b": 3, "c": 2}}),
        ({"groups": [{"name": "x"}]}, merge(groups=[{"name": "y"}]), {"groups": [{"name": "y"}]}),
        ({"a": 1}, operate("replace", "a", 2), {"a": 2}),
        ({"a": [1, 2]}, operate("remove", "a/0"), {"a": [2]}),
        ({"a": [1]}, operate("add", "a/-", 2, ".*"), {"a": [1, 2]}),
        ({"a": [1]}, operate("add", "a/0", 0), {"a": [0, 1]}),
        ({"a": [1]}, operate("replace", "a/0", 0), {"a": [0]}),
        ({"x/y": 1}, operate("remove", "x~1y"), {}),
        ({"a": [{"b": 1}]}, operate("replace", "a/0/b", 2), {"a": [{"b": 2}]}),
        ({"a": 1}, operate("remove", "b/c"), {"a": 1}),
        ({"a": 1}, operate("remove", "a", name="b"), {"a": 1}),
        ({"a": 1}, operate("remove", "a", name="("), {"a": 1}),
        ({"a": 1}, operate("test", "a"), {"a": 1}),
    ],
)
def test_a_patch_changes_what_it_is_for(before: dict[str, Any], patch: Patch, after: dict[str, Any]) -> None:
    found = patched(queue(**before), [patch])
    assert found is not None
    assert found.data["spec"] == after


def test_lists_of_kubernetes_own_kinds_merge_by_name() -> None:
    containers = [{"name": name, "image": name} for name in "ab"]
    data = {"kind": "Job", "metadata": {"name": "a"}, "spec": {"containers": containers}}
    change = {"containers": [{"name": "b", "image": "new"}, {"name": "c", "image": "c"}]}
    job = Manifest(ObjectKey("batch", "Job", "", "a"), "v1", data, Origin("x", 0))
    found = patched(job, [Patch({"kind": "Job", "metadata": {"name": "a"}, "spec": change})])
    assert found is not None
    images = [(c["name"], c["image"]) for c in found.data["spec"]["containers"]]
    assert images == [("a", "a"), ("b", "new"), ("c", "c")]


def test_an_object_can_be_deleted() -> None:
    patch = Patch({"$patch": "delete", "kind": "ClusterQueue", "metadata": {"name": "a"}})
    assert patched(queue(), [patch]) is None


def test_an_object_without_a_patch_stays_itself() -> None:
    before = queue(a=1)
    assert patched(before, []) is before
    after = patched(before, [merge(b=1)])
    assert (before.patched, after is not None and after.patched) == (False, True)
