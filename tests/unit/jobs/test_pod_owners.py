"""Which pods stand behind an object."""

from typing import Any

from kubectl_fairshare.jobs.pod_owners import PodOwners
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.recording import manifests_of


def owned(kind: str, name: str, *owners: tuple[str, str], uid: str = "", controller: bool = True) -> dict[str, Any]:
    references = [
        {"apiVersion": "apps/v1", "kind": k, "name": n, "uid": f"{n}-uid", "controller": controller} for k, n in owners
    ]
    metadata = {"name": name, "namespace": "a", "uid": uid or f"{name}-uid", "ownerReferences": references}
    return {"apiVersion": "v1" if kind == "Pod" else "apps/v1", "kind": kind, "metadata": metadata}


def ownership(*objects: dict[str, Any]) -> PodOwners:
    return PodOwners({m.key: m for m in manifests_of(objects, "test")})


def key(kind: str, name: str) -> ObjectKey:
    return ObjectKey("" if kind == "Pod" else "apps", kind, "a", name)


WEB = (
    owned("Deployment", "web"),
    owned("ReplicaSet", "web-1", ("Deployment", "web")),
    owned("Pod", "web-1-b", ("ReplicaSet", "web-1")),
    owned("Pod", "web-1-a", ("ReplicaSet", "web-1")),
    owned("Pod", "alone"),
)


def test_pods_are_those_below_at_any_depth_in_order() -> None:
    of = ownership(*WEB)
    assert of.pods(key("Deployment", "web")) == (key("Pod", "web-1-a"), key("Pod", "web-1-b"))
    assert of.pods(key("Pod", "alone")) == (key("Pod", "alone"),)


def test_the_root_is_the_outermost_controller() -> None:
    of = ownership(*WEB)
    assert of.root(key("Pod", "web-1-a")) == key("Deployment", "web")
    assert of.root(key("Pod", "alone")) == key("Pod", "alone")


def test_an_owner_that_is_no_controller_is_no_root() -> None:
    pod = owned("Pod", "p", ("ReplicaSet", "set"), controller=False)
    assert ownership(pod).root(key("Pod", "p")) == key("Pod", "p")


def test_a_later_object_of_the_same_name_owns_nothing() -> None:
    of = ownership(owned("ReplicaSet", "web", uid="later"), owned("Pod", "p", ("ReplicaSet", "web")))
    assert of.pods(key("ReplicaSet", "web")) == ()
    assert of.root(key("Pod", "p")) == key("Pod", "p")


def test_an_owner_that_is_not_in_the_input_owns_all_the_same() -> None:
    of = ownership(owned("Pod", "p", ("ReplicaSet", "gone")))
    assert of.pods(key("ReplicaSet", "gone")) == (key("Pod", "p"),)
    assert list(of.makers()) == [key("ReplicaSet", "gone")]


def test_owners_in_a_circle_end() -> None:
    of = ownership(owned("ReplicaSet", "x", ("ReplicaSet", "y")), owned("ReplicaSet", "y", ("ReplicaSet", "x")))
    assert of.root(key("ReplicaSet", "x")) == key("ReplicaSet", "y")
    assert of.pods(key("ReplicaSet", "x")) == ()


def test_a_malformed_reference_is_none() -> None:
    pod = owned("Pod", "p")
    pod["metadata"]["ownerReferences"] = [7, {"kind": "ReplicaSet"}]
    assert list(ownership(pod).makers()) == []
