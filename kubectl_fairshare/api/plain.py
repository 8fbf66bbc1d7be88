"""The verdict on writes to an API of one version whose objects are stored as they are written.

The stages, in order: decoding, schema with CEL rules, validating webhook. Each speaks only when those before it
had nothing to say. Source: kube-apiserver 1.35.
"""

from collections.abc import Callable
from typing import TypeAlias

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.api.writes import (
    STATUS,
    Object,
    RefusedError,
    Served,
    Write,
    bared,
    hold_against_schema,
    merged,
    meta_causes,
    only_status,
    read_write,
    refused,
    settled,
    swiftly_read,
    undecodable,
    without_status,
)
from kubectl_fairshare.model.json import FieldPath, JsonObject

# Gets the Go views of the new object and of the one that it replaces; says its warnings or raises RefusedError.
Webhook: TypeAlias = Callable[[JsonObject, JsonObject | None], tuple[str, ...]]


def judged(
    served: Served,
    data: JsonObject,
    old: JsonObject | None = None,
    subresource: str | None = None,
    webhook: Webhook | None = None,
) -> Judgement:
    """What becomes of writing ``data``: a create, or with ``old`` an update of that object.

    ``old`` may be as it lies in the cluster or as it was written there; ``subresource`` is ``status`` for a
    write that goes there, of which the ``webhook`` is not told.
    """
    unknown: tuple[FieldPath, ...] = ()
    floats = False
    try:
        kept = swiftly_read(served, data) if old is None else None
        before = None
        if kept is None:
            write, unknown = _read(served, data)
            floats = write.floats
            before = _settled(served, old) if old is not None else None
            kept = _created(write) if before is None else merged(write, before, subresource)
        spoken = _asked(served, webhook, kept, before) if webhook and subresource != STATUS else ()
    except RefusedError as refusal:
        return refused(refusal, unknown)
    return Judgement(True, "accepted", (), unknown, spoken, bared(kept, floats))


def _read(served: Served, data: JsonObject) -> tuple[Write, tuple[FieldPath, ...]]:
    try:
        return read_write(served, data)
    except golang.DecodingError as error:
        raise RefusedError("decode", (), undecodable(error.path, error.gist)) from None


def _created(write: Write) -> Object:
    data = without_status(write.served, write.data)
    hold_against_schema(write.served, data, meta_causes(write))
    return data


def _settled(served: Served, old: JsonObject) -> Object:
    """The stored form of the object that an update replaces, its status included."""
    write, _ = _read(served, old)
    return settled(served.struct, {**without_status(served, write.data), **only_status(write.data)}, write.floats)


def _asked(served: Served, webhook: Webhook, data: Object, before: Object | None) -> tuple[str, ...]:
    """What the webhook says; the API server passes on each of its warnings once."""
    try:
        view = golang.decode(served.struct, data)
        old = golang.decode(served.struct, before) if before is not None else None
    except golang.DecodingError as error:
        raise RefusedError("webhook", (), undecodable(error.path, error.gist)) from None
    return tuple(dict.fromkeys(webhook(view, old)))
