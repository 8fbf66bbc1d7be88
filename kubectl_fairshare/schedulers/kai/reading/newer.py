"""Fields, values and annotations of KAI's objects that the reproduced release does not have: a newer one reads them.

An API server of the reproduced release drops such a field, and rejects such a value. Source: KAI-Scheduler v0.17, its
CustomResourceDefinitions, and the names with ``kai.scheduler/`` in its code.

Tested in ``tests/unit/cli/commands/test_reports.py``.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.api.structures.structure import Array, Map, Shape, String, Struct
from kubectl_fairshare.model.json import FieldPath, Json, inside
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.admission.kinds import API

_VERSIONS: Final = {"Queue": "v2", "PodGroup": "v2alpha2", "SchedulingShard": "v1", "Config": "v1"}
_PREFIX: Final = "kai.scheduler/"
_KNOWN: Final = frozenset(
    {
        *("accounting", "batch-min-member", "last-eviction-timestamp", "last-start-timestamp", "node-pool"),
        *("numa-placement-observed", "numa-placement-predicted", "preemptibility", "preemption-delay", "queue"),
        *("segment-size", "segment-topology-preferred-placement", "segment-topology-required-placement"),
        *("skip-podgrouper", "stale-podgroup-timestamp", "staleness-grace-period", "subgroup-name", "task-priority"),
        *("top-owner-metadata", "topology", "topology-preferred-placement", "topology-required-placement", "type"),
    }
)


def newer_places(manifest: Manifest) -> tuple[Place, ...]:
    """The fields of an object that v0.17 does not have, or whose value it does not have; KAI's own annotations, too."""
    return tuple(_places(manifest))


def _places(manifest: Manifest) -> Iterator[Place]:
    yield from (Place(manifest.key, path) for path in _newer_marks(manifest))
    version = _VERSIONS.get(manifest.key.kind)
    if version is not None:
        shape = API.structure(version, manifest.key.kind).fields["spec"].shape
        yield from (Place(manifest.key, path) for path in _newer(shape, manifest.data.get("spec"), ("spec",)))


def _newer_marks(manifest: Manifest) -> Iterator[FieldPath]:
    for part in ("labels", "annotations"):
        marks = inside(manifest.data, "metadata", part)
        for name in marks if isinstance(marks, Mapping) else ():
            if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) not in _KNOWN:
                yield ("metadata", part, name)


def _newer(shape: Shape, value: Json, path: FieldPath) -> Iterator[FieldPath]:
    if isinstance(shape, Struct) and isinstance(value, Mapping):
        for name, each in value.items():
            if name not in shape.fields:
                yield (*path, name)
            else:
                yield from _newer(shape.fields[name].shape, each, (*path, name))
    elif isinstance(shape, Map) and isinstance(value, Mapping):
        for name, each in value.items():
            yield from _newer(shape.values, each, (*path, name))
    elif isinstance(shape, Array) and isinstance(value, list):
        for number, each in enumerate(value):
            yield from _newer(shape.items, each, (*path, number))
    elif isinstance(shape, String) and shape.choices and isinstance(value, str) and value not in shape.choices:
        yield path
