"""What is dropped and what is filled in before anything judges an object."""

from typing import Any

import pytest

from kubectl_fairshare.api.causes import dotted_path
from kubectl_fairshare.api.reading import prune, read, unknown_paths
from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS, VERSIONS, structure


@pytest.mark.parametrize(
    ("spec", "unknown", "as_read"),
    [
        ({"clusterQueue": None, "stopPolicy": None}, [], {"stopPolicy": "None"}),
        ({"a.b": 1, "": 2, "stopPolicy": "Hold"}, ["spec.a.b", "spec."], {"stopPolicy": "Hold"}),
        ({"fairSharing": {}}, [], {"fairSharing": {"weight": 1}, "stopPolicy": "None"}),
        (
            {"fairSharing": [{"weight": 1}, None]},
            ["spec.fairSharing[0].weight"],
            {"fairSharing": [{}, None], "stopPolicy": "None"},
        ),
        ({"clusterQueue": {"x": {"y": 1}}}, ["spec.clusterQueue.x"], {"clusterQueue": {}, "stopPolicy": "None"}),
        (7, [], 7),
    ],
)
def test_local_queues(spec: Any, unknown: list[str], as_read: Any) -> None:
    struct, data = structure("v1beta2", "LocalQueue"), {"spec": spec}
    reading = read(struct, data)
    assert reading.data == {"spec": as_read}
    assert reading.dropped == bool(unknown)
    assert [dotted_path(path) for path in unknown_paths(struct, data)] == unknown


def test_pruning_alone_fills_nothing_in() -> None:
    assert prune(structure("v1beta2", "LocalQueue"), {"spec": {"x": 1, "clusterQueue": None}}) == {"spec": {}}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_structure_in_every_version(kind: str) -> None:
    for version in VERSIONS:
        assert {"kind", "apiVersion", "metadata"} < structure(version, kind).fields.keys()
