"""Which objects run a program, and in which release."""

from typing import Any

import pytest

from kubectl_fairshare.input.units.running import release_of, releases_of, running
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest, by_kind


def program(kind: tuple[str, str], image: str, name: str = "p", **more: Any) -> Manifest:
    spec: dict[str, Any] = {"containers": [{"name": "c", "image": image}]}
    data = {"spec": spec if kind[1] == "Pod" else {"template": {"spec": spec}}, **more}
    return Manifest(ObjectKey(*kind, "kube-system", name), "v1", data, Origin("", 0))


KINDS = [("", "Pod"), ("apps", "DaemonSet"), ("apps", "Deployment"), ("apps", "StatefulSet")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_object_that_runs_an_image(kind: tuple[str, str]) -> None:
    found = running(
        by_kind([program(kind, "registry.example.com:5000/a/kube-scheduler:v0.29.7@sha256:1")]), "kube-scheduler"
    )
    assert releases_of(found, "kube-scheduler") == ("v0.29.7",)


@pytest.mark.parametrize("image", ["x/kube-scheduler-extra:v1.0.0", "x/other:v1.0.0"])
def test_another_image(image: str) -> None:
    assert running(by_kind([program(KINDS[0], image)]), "kube-scheduler") == ()


def test_a_pod_that_has_ended_runs_nothing() -> None:
    pod = program(KINDS[0], "x/kube-scheduler:v0.29.7", status={"phase": "Failed"})
    assert running(by_kind([pod]), "kube-scheduler") == ()


def test_a_name_is_enough() -> None:
    (found,) = running(by_kind([program(KINDS[2], "x/own:v0.29.7", "scheduler")]), "kube-scheduler", ("scheduler",))
    assert releases_of([found], "kube-scheduler") == ()


@pytest.mark.parametrize(
    ("image", "release"),
    [
        ("registry.example.com/kueue/kueue:v0.19.1", "v0.19.1"),
        ("registry.example.com/kueue/manager:v0.19.1", "v0.19.1"),
        ("quay.example.com/vendor/kueue-addon:v0.1.4", ""),
        ("quay.example.com/kueue-addons/controller:v0.1.4", ""),
        ("quay.example.com/vendor/my-kueue:v0.1.4", ""),
    ],
)
def test_a_release_is_that_of_the_program_and_not_of_one_that_has_its_name_in_another(image: str, release: str) -> None:
    assert release_of(program(KINDS[2], image).data, "kueue") == release
