"""The steps of a write through the API server that all kinds share.

A write is read (metadata decoded, unknown fields dropped, defaults filled in), checked against its schema, and stored.
``RefusedWriteError`` names the stage that ends it early. Source: kube-apiserver 1.35, handlers of custom resources.
Tested in ``tests/unit/api/test_judge.py``.
"""

from typing import Final

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.causes import Cause, dotted_path
from kubectl_fairshare.api.explaining import schema_refusal
from kubectl_fairshare.api.kinds import STATUS, Served
from kubectl_fairshare.api.label_syntax import SIMPLE_META, naming_causes, object_meta_causes
from kubectl_fairshare.api.reading import read, unknown_paths
from kubectl_fairshare.api.structures.object_meta import OBJECT_META
from kubectl_fairshare.api.structures.structure import Struct
from kubectl_fairshare.api.swift import quick_form
from kubectl_fairshare.api.webhooks import Object, RefusedWriteError
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.numbers import stored_value as as_stored
from kubectl_fairshare.model.values import Value

_SERVER_SET: Final = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "selfLink",
)


class Write(Value, frozen=True):
    """A write: the object as read in its version; ``floats``: it has floating-point numbers."""

    served: Served
    data: Object
    source: JsonObject
    floats: bool


def read_write(served: Served, data: JsonObject) -> tuple[Write, tuple[FieldPath, ...]]:
    """The write as the API server reads it, and the fields that it drops. Raises ``DecodingError``."""
    metadata = data.get("metadata")
    if isinstance(metadata, dict) and "managedFields" in metadata:
        metadata = {key: each for key, each in metadata.items() if key != "managedFields"}
    try:
        view = golang.decode(OBJECT_META, metadata)
    except golang.DecodingError as error:
        raise error.under("metadata") from None
    if not served.namespaced:
        view.pop("namespace", None)
    reading = read(served.struct, data)
    out = reading.data
    out["metadata"] = golang.encode(OBJECT_META, view)
    unknown = sorted(unknown_paths(served.struct, data), key=dotted_path) if reading.dropped else []
    if metadata and not metadata.keys() <= SIMPLE_META:
        unknown += (("metadata", *path) for path in unknown_paths(OBJECT_META, metadata, root=False))
    return Write(served, out, data, reading.floats), tuple(unknown)


def meta_causes(write: Write) -> tuple[Cause, ...]:
    """What is wrong with the metadata of a new object."""
    metadata = write.data["metadata"]
    return (*naming_causes(metadata, write.served.namespaced), *object_meta_causes(metadata))


def without_status(served: Served, data: Object) -> Object:
    """The object without a status that this kind of write cannot set."""
    if not served.has_status or STATUS not in data:
        return data
    return {key: each for key, each in data.items() if key != STATUS}


def only_status(data: Object) -> Object:
    """The status alone, if there is one."""
    return {STATUS: data[STATUS]} if STATUS in data else {}


def check_schema(served: Served, data: Object, meta: tuple[Cause, ...]) -> None:
    """Raises ``RefusedWriteError`` for a new object that breaks the schema, a rule, or the syntax of metadata."""
    if not meta and quick_form(served.struct, data, spelt=False) is not None:
        return
    stage, causes = schema_refusal(served.struct, data, meta)
    if stage:
        raise RefusedWriteError(stage, causes)


def updated_object(write: Write, before: Object, subresource: str | None) -> Object:
    """The new object of an update; parts that this kind of update cannot change come from the old one.

    Raises ``RefusedWriteError`` for a mistake that ratcheting does not excuse.
    """
    part = STATUS if subresource == STATUS else ""
    if part:
        data = {**{key: each for key, each in before.items() if key != part}, **only_status(write.data)}
    elif write.served.has_status:
        data = {**without_status(write.served, write.data), **only_status(before)}
    else:
        data = write.data
    stage, causes = schema_refusal(write.served.struct, data, tuple(object_meta_causes(data["metadata"])), before, part)
    if stage:
        raise RefusedWriteError(stage, causes)
    return data


def stored_object(struct: Struct, kept: Object, floats: bool) -> Object:
    """An object in etcd as the API server reads it back: numbers as written, defaults filled in again."""
    return read(struct, as_stored(kept) if floats else kept).data


def without_server_fields(data: Object, floats: bool) -> Object:
    """The object without the fields that only the server sets, numbers as they are written."""
    metadata = {key: each for key, each in data.get("metadata", {}).items() if key not in _SERVER_SET}
    kept = as_stored(data) if floats else data
    return {**kept, "metadata": metadata}
