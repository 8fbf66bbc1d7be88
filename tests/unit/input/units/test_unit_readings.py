"""What is read of a unit: its own objects as they are applied, and those that can belong to its cluster."""

from tests.unit.input.units.folders import LOCAL, QUEUE, units, write

LONE = "resources: [q.yaml]\n"


def test_units_that_agree_see_each_other() -> None:
    write({"a/kustomization.yaml": LONE, "a/q.yaml": QUEUE % ("a", "None")})
    write({"b/kustomization.yaml": LONE, "b/q.yaml": LOCAL % ("l", "a")})
    found = units()
    assert {len(each.reading.manifests) for each in found.values()} == {2}
    assert [key.name for key in sorted(found["b"].own)] == ["l"]


def test_a_rival_is_another_cluster_and_what_may_be_its_is_known_by_name() -> None:
    write({"a/kustomization.yaml": LONE, "a/q.yaml": QUEUE % ("a", "None")})
    write({"b/kustomization.yaml": LONE, "b/q.yaml": QUEUE % ("a", "Hold")})
    write({"c/kustomization.yaml": LONE, "c/q.yaml": LOCAL % ("l", "a")})
    found = units()
    assert [key.name for key in sorted(found["a"].elsewhere)] == ["l"]
    assert {len(each.reading.manifests) for each in found.values()} == {1}
    assert [key.name for key in sorted(found["c"].elsewhere)] == ["a"]


def test_objects_are_patched_and_put_into_the_namespace() -> None:
    changes = f"{LONE}namespace: ours\npatches: [{{path: p.yaml}}]\n"
    write({"a/kustomization.yaml": changes, "a/q.yaml": LOCAL % ("l", "a"), "a/p.yaml": LOCAL % ("l", "b")})
    (manifest,) = units()["a"].reading.manifests
    assert (manifest.key.namespace, manifest.data["spec"], manifest.patched) == ("ours", {"clusterQueue": "b"}, True)


def test_units_without_anything_of_a_scheduler_are_left_out() -> None:
    write({"a/kustomization.yaml": LONE, "a/q.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"})
    write({"b/kustomization.yaml": LONE, "b/q.yaml": QUEUE % ("a", "None")})
    assert list(units()) == ["b"]
