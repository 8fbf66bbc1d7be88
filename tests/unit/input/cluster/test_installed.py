"""The release that a cluster runs, and what differs if another one decides."""

import pytest

from kubectl_fairshare.input.cluster.installed import mismatch
from kubectl_fairshare.input.units.running import release_of
from kubectl_fairshare.model.releases import Release


@pytest.mark.parametrize(
    ("runs", "between"),
    [
        ("v0.16.4", ["since v0.17: before"]),
        ("v0.17.2", []),
        ("v0.18.1", ["since v0.18: after"]),
        ("v0.19.0", ["since v0.18: after"]),
    ],
)
def test_what_lies_between_two_releases_is_told_whichever_is_later(runs: str, between: list[str]) -> None:
    changes = {Release(0, 17): ("before",), Release(0, 18): ("after",)}
    assert [note.help for note in mismatch(runs, "KAI", Release(0, 17), changes)] == between


@pytest.mark.parametrize(
    ("images", "release"),
    [
        (["mirror.example/kueue/proxy:v0.8.0", "mirror.example/kueue:v0.19.2@sha256:0"], "v0.19.2"),
        (["mirror.example/kueue/manager:v0.18.1"], "v0.18.1"),
        (["mirror.example/kueue:latest"], "v0.17.0"),
        (["mirror.example/other:v0.16.0", "mirror.example/kueue@sha256:0"], "v0.17.0"),
    ],
)
def test_the_release_of_a_deployment_is_that_of_the_image_with_its_name(images: list[str], release: str) -> None:
    containers = [{"image": image} for image in images]
    metadata = {"labels": {"app.kubernetes.io/version": "v0.17.0"}}
    deployment = {"metadata": metadata, "spec": {"template": {"spec": {"containers": containers}}}}
    assert release_of(deployment, "kueue") == release
