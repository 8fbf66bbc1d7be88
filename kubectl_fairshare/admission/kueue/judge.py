"""What the API server and Kueue's webhooks make of one write: refused, and for what, or stored, and as what.

The stages, in order: decoding, Kueue's conversion and defaulting webhooks (these two on the way to the
schema only for kinds that are defaulted), schema with CEL rules, validating webhook, conversion for storage.
Each speaks only when those before it had nothing to say. Source: kube-apiserver 1.35, Kueue v0.19.2.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from kubectl_fairshare.admission import golang
from kubectl_fairshare.admission.causes import Cause, bracketed
from kubectl_fairshare.admission.explaining import explained
from kubectl_fairshare.admission.kueue.conversion import ConversionError, converted
from kubectl_fairshare.admission.kueue.kinds import (
    DEPRECATION,
    GROUP,
    HANDLING,
    KINDS,
    OLD,
    STORED,
    Handling,
    structure,
)
from kubectl_fairshare.admission.kueue.webhooks import cluster_queue, cohort, resource_flavor, workload
from kubectl_fairshare.admission.label_syntax import naming_causes, object_meta_causes
from kubectl_fairshare.admission.numbers import stored as as_stored
from kubectl_fairshare.admission.reading import pruned, read, unknown_fields
from kubectl_fairshare.admission.rewriting import rewrite
from kubectl_fairshare.admission.structures.object_meta import OBJECT_META
from kubectl_fairshare.admission.structures.structure import Struct
from kubectl_fairshare.admission.swift import taken
from kubectl_fairshare.model.json import Json, JsonObject

__all__ = ["Cause", "Judgement", "judge"]

Object: TypeAlias = dict[str, Json]
Check: TypeAlias = Callable[[JsonObject, JsonObject | None], Iterator[Cause]]

FINALIZER: Final = "kueue.x-k8s.io/resource-in-use"
_WEBHOOKS: Final[dict[str, Check]] = {
    "ClusterQueue": cluster_queue.causes,
    "Cohort": cohort.causes,
    "ResourceFlavor": resource_flavor.causes,
    "Workload": workload.causes,
}
_SERVER_SET: Final = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "selfLink",
)
_SIMPLE_META: Final = frozenset({"name", "namespace", "labels", "annotations"})
_UNDEPRECATED: Final = "MultiKueueConfig"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a write.

    ``stage`` is ``accepted``, or where it was refused: notFound, decode, conversion, mutating, schema, cel or
    webhook. ``causes`` are all that this stage reports; for conversion and mutating, what the schema says of
    the object by itself. ``undecodable`` is then, and for a webhook without causes, the value that Kueue's Go
    types cannot take. ``unknown_fields`` were dropped. ``stored`` is the v1beta2 form in etcd, less what the
    server sets: defaulted, pruned, converted.
    """

    accepted: bool
    stage: str | None
    causes: tuple[Cause, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    stored: JsonObject | None = None
    undecodable: Cause | None = None


class _RefusedError(Exception):
    """Raised inside this module to end a write at a stage."""

    def __init__(
        self,
        stage: str,
        causes: Iterable[Cause] = (),
        undecodable: Cause | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        super().__init__(stage)
        self.stage = stage
        self.causes = tuple(causes)
        self.undecodable = undecodable
        self.warnings = warnings


@dataclass(slots=True)
class _Write:
    """A write on its way: the object as read in its version, and what the API server knows of its kind."""

    kind: str
    version: str
    struct: Struct
    handling: Handling
    data: Object
    source: JsonObject
    floats: bool


def judge(data: JsonObject, old: JsonObject | None = None, subresource: str | None = None) -> Judgement:
    """What becomes of writing ``data``: a create, or with ``old`` an update of that object.

    ``old`` may be as it lies in the cluster or as it was written there; ``subresource`` is ``status`` for a
    write that goes there. Objects of other groups are not served.
    """
    identity = _identity(data)
    if identity is None:
        return Judgement(False, "notFound")
    kind, version = identity
    if old is None and version == STORED:
        accepted = _quickly(kind, data)
        if accepted is not None:
            return accepted
    warnings = (DEPRECATION,) if version == OLD and kind != _UNDEPRECATED else ()
    try:
        write, unknown = _read(kind, version, data)
    except golang.DecodingError as error:
        return Judgement(False, "decode", warnings=warnings, undecodable=_undecodable(error))
    try:
        kept, spoken = _created(write) if old is None else _updated(write, old, subresource)
        return Judgement(True, "accepted", (), unknown, (*warnings, *spoken), _bared(kept, write.floats))
    except _RefusedError as refusal:
        return Judgement(
            False, refusal.stage, refusal.causes, unknown, (*warnings, *refusal.warnings), None, refusal.undecodable
        )


def _quickly(kind: str, data: JsonObject) -> Judgement | None:
    """The verdict on a create that nothing is wrong with; None when it has to go through the stages."""
    handling, metadata = HANDLING[kind], data.get("metadata")
    if metadata.__class__ is not dict or not metadata.keys() <= _SIMPLE_META:
        return None
    out = taken(structure(STORED, kind), data, handling.rewritten)
    meta = _simple_meta(metadata, KINDS[kind].namespaced)
    if out is None or meta is None:
        return None
    if handling.has_status:
        out.pop("status", None)
    whole = {**out, "apiVersion": data["apiVersion"], "kind": kind, "metadata": meta}
    spoken: tuple[str, ...] = ()
    if handling.validated:
        view = whole if handling.rewritten else golang.decode(structure(STORED, kind), whole)
        try:
            spoken = _refuse_causes(kind, view, None)
        except _RefusedError as refusal:
            return Judgement(False, refusal.stage, refusal.causes, (), refusal.warnings)
    if handling.rewritten:
        meta["finalizers"] = [FINALIZER]
    return Judgement(True, "accepted", (), (), spoken, whole)


def _simple_meta(metadata: Object, namespaced: bool) -> Object | None:
    """Metadata that is only names, labels and annotations, all of them sound."""
    for key, each in metadata.items():
        if key in ("labels", "annotations"):
            if each.__class__ is not dict or not all(value.__class__ is str for value in each.values()):
                return None
        elif each.__class__ is not str:
            return None
    kept = {key: each for key, each in metadata.items() if each and (namespaced or key != "namespace")}
    if any(naming_causes(kept, namespaced)) or any(object_meta_causes(kept)):
        return None
    return kept


def _identity(data: JsonObject) -> tuple[str, str] | None:
    group, _, version = str(data.get("apiVersion")).rpartition("/")
    kind = data.get("kind")
    if group == GROUP and isinstance(kind, str) and kind in KINDS and version in KINDS[kind].versions:
        return kind, version
    return None


def _read(kind: str, version: str, data: JsonObject) -> tuple[_Write, tuple[str, ...]]:
    struct, handling = structure(version, kind), HANDLING[kind]
    metadata = data.get("metadata")
    if isinstance(metadata, dict) and "managedFields" in metadata:
        metadata = {key: each for key, each in metadata.items() if key != "managedFields"}
    try:
        view = golang.decode(OBJECT_META, metadata)
    except golang.DecodingError as error:
        raise error.under("metadata") from None
    if not KINDS[kind].namespaced:
        view.pop("namespace", None)
    reading = read(struct, data)
    out = reading.data
    out["metadata"] = golang.encode(OBJECT_META, view)
    unknown = sorted(unknown_fields(struct, data)) if reading.dropped else []
    if metadata and not metadata.keys() <= _SIMPLE_META:
        unknown += (f"metadata.{path}" for path in unknown_fields(OBJECT_META, metadata, root=False))
    return _Write(kind, version, struct, handling, out, data, reading.floats), tuple(unknown)


def _created(write: _Write) -> tuple[Object, tuple[str, ...]]:
    meta = (*naming_causes(write.data["metadata"], KINDS[write.kind].namespaced), *_meta_causes(write))
    data = _defaulted(write, meta) if write.handling.defaulted else write.data
    data = _without_status(write, data)
    _hold_against_schema(write, data, meta)
    if write.handling.rewritten and write.version == STORED:
        _refuse_causes(write.kind, data, None)  # it is in Go's spelling already
        return data, ()
    spoken = _ask_webhook(write, data, None) if write.handling.validated else ()
    return _kept(write, data), spoken


def _meta_causes(write: _Write) -> Iterator[Cause]:
    return object_meta_causes(write.data["metadata"])


def _without_status(write: _Write, data: Object) -> Object:
    if not write.handling.has_status or "status" not in data:
        return data
    return {key: each for key, each in data.items() if key != "status"}


def _defaulted(write: _Write, meta: tuple[Cause, ...]) -> Object:
    """The object after Kueue's defaulting webhook, which sees it in v1beta2."""
    stage = "conversion"
    try:
        seen = converted(write.data, STORED)
        stage = "mutating"
        return _rewritten(write, seen)
    except (ConversionError, golang.DecodingError) as error:
        untouched, _ = _read(write.kind, write.version, write.source)
        _, causes = explained(write.struct, _without_status(write, untouched.data), meta)
        raise _RefusedError(stage, causes, _undecodable(error)) from None


def _rewritten(write: _Write, seen: Object) -> Object:
    struct = structure(STORED, write.kind)
    finalizers = seen["metadata"].get("finalizers", [])
    if not write.handling.rewritten or FINALIZER in finalizers:
        golang.decode(struct, seen)
        return write.data
    complete = "spec" in seen and write.version == STORED  # else a field may be without its default
    rewrite(struct, seen)
    seen["metadata"] = {**seen["metadata"], "finalizers": [*finalizers, FINALIZER]}
    return converted(seen if complete else read(struct, seen).data, write.version)


def _hold_against_schema(write: _Write, data: Object, meta: tuple[Cause, ...]) -> None:
    if not meta and taken(write.struct, data, spelt=False) is not None:
        return
    stage, causes = explained(write.struct, data, meta)
    if stage:
        raise _RefusedError(stage, causes)


def _ask_webhook(write: _Write, data: Object, old: Object | None) -> tuple[str, ...]:
    struct = structure(STORED, write.kind)
    try:
        seen = converted(data, STORED)
    except ConversionError as error:
        raise _RefusedError("conversion", (), _undecodable(error)) from None
    try:
        view = golang.decode(struct, seen)
        before = golang.decode(struct, old) if old is not None else None
    except golang.DecodingError as error:
        raise _RefusedError("webhook", (), _undecodable(error)) from None
    return _refuse_causes(write.kind, view, before)


def _refuse_causes(kind: str, view: JsonObject, before: JsonObject | None) -> tuple[str, ...]:
    causes = tuple(_WEBHOOKS[kind](view, before))
    spoken = tuple(workload.warnings(view)) if kind == "Workload" else ()
    if causes:
        raise _RefusedError("webhook", causes, warnings=spoken)
    return spoken


def _kept(write: _Write, data: Object) -> Object:
    """The object as it is written to etcd."""
    if write.version == STORED:
        return data
    try:
        return pruned(structure(STORED, write.kind), converted(data, STORED))
    except ConversionError as error:
        raise _RefusedError("conversion", (), _undecodable(error)) from None


def _updated(write: _Write, old: JsonObject, subresource: str | None) -> tuple[Object, tuple[str, ...]]:
    kept_old = _settled(old)
    before = kept_old
    if write.version != STORED:
        try:
            before = pruned(write.struct, converted(kept_old, write.version))
        except ConversionError as error:
            raise _RefusedError("conversion", (), _undecodable(error)) from None
    part = "status" if subresource == "status" else ""
    data = _merged(write, before, part)
    stage, causes = explained(write.struct, data, tuple(object_meta_causes(data["metadata"])), before, part)
    if stage:
        raise _RefusedError(stage, causes)
    asked = write.handling.validated and (not part or write.kind == "Workload")
    spoken = _ask_webhook(write, data, kept_old) if asked else ()
    return _kept(write, data), spoken


def _merged(write: _Write, before: Object, part: str) -> Object:
    """The new object with what this kind of update cannot touch taken from the old one."""
    if part:
        return {**{key: each for key, each in before.items() if key != part}, **_only(write.data, part)}
    if not write.handling.has_status:
        return write.data
    return {**_without_status(write, write.data), **_only(before, "status")}


def _only(data: Object, part: str) -> Object:
    return {part: data[part]} if part in data else {}


def _settled(old: JsonObject) -> Object:
    """The stored form of the object that an update replaces, its status included."""
    identity = _identity(old)
    if identity is None:
        raise _RefusedError("notFound")
    try:
        write, _ = _read(*identity, old)
        data = _rewritten(write, converted(write.data, STORED)) if write.handling.rewritten else write.data
        if write.handling.has_status:
            data = {**_without_status(write, data), **_only(write.data, "status")}
        kept = as_stored(_kept(write, data)) if write.floats else _kept(write, data)
        return read(structure(STORED, write.kind), kept).data  # defaults are filled in on reading, too
    except (ConversionError, golang.DecodingError) as error:
        raise _RefusedError("conversion", (), _undecodable(error)) from None


def _bared(data: Object, floats: bool) -> Object:
    """The object without what the server alone sets, numbers as they are written."""
    metadata = {key: each for key, each in data.get("metadata", {}).items() if key not in _SERVER_SET}
    kept = as_stored(data) if floats else data
    return {**kept, "metadata": metadata}


def _undecodable(error: ConversionError | golang.DecodingError) -> Cause:
    return Cause(bracketed(error.path), "", error.gist, error.path)
