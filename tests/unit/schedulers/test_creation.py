"""Creation times are read from manifests."""

import pytest

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.schedulers.manifests.creation import creation, unknown_creation
from kubectl_fairshare.schedulers.recording import manifest_of

KEY = ObjectKey("", "Pod", "n", "p")


@pytest.mark.parametrize(
    ("metadata", "seconds"),
    [({"creationTimestamp": "1970-01-01T00:01:00Z"}, 60), ({"creationTimestamp": "soon"}, None), ({}, None)],
)
def test_a_creation_is_that_of_the_metadata(metadata: dict[str, str], seconds: int | None) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "n", "name": "p", **metadata}}
    manifest = manifest_of(pod, Origin("pod", 0))
    found = creation({manifest.key: manifest})(KEY)
    assert found == (None if seconds is None else seconds * 1_000_000_000)


def test_an_object_that_is_not_in_the_input_has_no_creation() -> None:
    assert creation({})(KEY) is None
    assert unknown_creation(KEY) is None
