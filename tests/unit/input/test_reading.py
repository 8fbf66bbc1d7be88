"""The same object twice is an error with both places; in two versions of its API it is one object."""

import itertools

import pytest

from kubectl_fairshare.model.errors import FairshareError
from tests.unit.input.text.texts import config_map, read_text


def queue(version: str, name: str = "q", spec: str = "{}") -> str:
    start = f"apiVersion: kueue.x-k8s.io/{version}\nkind: ClusterQueue\n"
    return f"{start}metadata: {{name: {name}}}\nspec: {spec}\n"


def test_manifests_come_sorted_by_key_whatever_the_order_of_the_input() -> None:
    parts = [config_map("b"), config_map("a"), queue("v1beta2"), queue("v1beta1", "p")]
    readings = {
        tuple(manifest.key for manifest in read_text("---\n".join(order)).manifests)
        for order in itertools.permutations(parts)
    }
    assert len(readings) == 1
    (keys,) = readings
    assert list(keys) == sorted(keys)


def test_the_same_object_twice_is_told_with_both_places() -> None:
    stopped = queue("v1beta2", spec="{stopPolicy: Hold}")
    with pytest.raises(FairshareError) as caught:
        read_text(
            "---\n".join([config_map("a"), config_map("b"), config_map("a") + "data: {}\n", queue("v1beta2"), stopped])
        )
    found = [(p.message, str(p.place), str(p.related[0][1])) for p in caught.value.problems]
    assert found == [
        ("ConfigMap default/a occurs twice", "<stdin>:11:1", "<stdin>:1:1"),
        ("ClusterQueue q occurs twice", "<stdin>:22:1", "<stdin>:17:1"),
    ]


def test_the_same_object_twice_is_one_object() -> None:
    assert len(read_text("---\n".join([queue("v1beta2"), queue("v1beta2")])).manifests) == 1


def test_a_configuration_is_one_object_though_it_has_no_name() -> None:
    text = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
    with pytest.raises(FairshareError, match="Configuration occurs twice"):
        read_text(f"{text}---\n{text}waitForPodsReady: {{}}\n")
    other = text.replace("config.kueue.x-k8s.io", "kustomize.config.k8s.io")
    assert len(read_text(f"{other}---\n{other}").manifests) == 2


@pytest.mark.parametrize("versions", list(itertools.permutations(["v1alpha1", "v1beta1", "v1", "v2"])))
def test_in_several_versions_it_is_one_object_and_the_newest_is_kept(versions: tuple[str, ...]) -> None:
    reading = read_text("---\n".join(map(queue, versions)))
    assert [manifest.version for manifest in reading.manifests] == ["v2"]
    assert {(kept.version, other.version) for kept, other in reading.versions} == {
        ("v2", version) for version in versions if version != "v2"
    }


def test_versions_that_are_no_versions_are_the_oldest() -> None:
    assert read_text(f"{queue('hello')}---\n{queue('v1alpha1')}").manifests[0].version == "v1alpha1"


def test_twice_in_one_version_is_an_error_beside_another_version() -> None:
    with pytest.raises(FairshareError, match="ClusterQueue q occurs twice"):
        read_text("---\n".join([queue("v1beta1"), queue("v1beta2"), queue("v1beta1", spec="{stopPolicy: Hold}")]))
