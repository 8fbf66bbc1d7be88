"""What the API server and Kueue's webhooks make of one write: refused, and for what, or stored, and as what.

The stages, in order: decoding, Kueue's conversion and defaulting webhooks (these two on the way to the
schema only for kinds that are defaulted), schema with CEL rules, validating webhook, conversion for storage.
Each speaks only when those before it had nothing to say. Source: kube-apiserver 1.35, Kueue v0.19.2.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.explaining import explained
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.api.reading import pruned, read
from kubectl_fairshare.api.rewriting import rewrite
from kubectl_fairshare.api.writes import (
    STATUS,
    Object,
    RefusedError,
    Served,
    Write,
    bared,
    hold_against_schema,
    identity,
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
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.conversion import ConversionError, converted
from kubectl_fairshare.schedulers.kueue.admission.kinds import (
    DEPRECATION,
    GROUP,
    HANDLING,
    KINDS,
    OLD,
    STORED,
    Handling,
    structure,
)
from kubectl_fairshare.schedulers.kueue.admission.webhooks import cluster_queue, cohort, resource_flavor, workload

__all__ = ["Cause", "Judgement", "judge"]

Check: TypeAlias = Callable[[JsonObject, JsonObject | None], Iterator[Cause]]

FINALIZER: Final = "kueue.x-k8s.io/resource-in-use"
_WEBHOOKS: Final[dict[str, Check]] = {
    "ClusterQueue": cluster_queue.causes,
    "Cohort": cohort.causes,
    "ResourceFlavor": resource_flavor.causes,
    "Workload": workload.causes,
}
_UNDEPRECATED: Final = "MultiKueueConfig"


def judge(data: JsonObject, old: JsonObject | None = None, subresource: str | None = None) -> Judgement:
    """What becomes of writing ``data``: a create, or with ``old`` an update of that object.

    ``old`` may be as it lies in the cluster or as it was written there; ``subresource`` is ``status`` for a
    write that goes there. Objects of other groups are not served.
    """
    served = _served(data)
    if served is None:
        return Judgement(False, NOT_FOUND)
    if old is None and served.version == STORED:
        accepted = _quickly(served, data)
        if accepted is not None:
            return accepted
    warnings = (DEPRECATION,) if served.version == OLD and served.kind != _UNDEPRECATED else ()
    try:
        write, unknown = read_write(served, data)
    except golang.DecodingError as error:
        return Judgement(False, "decode", warnings=warnings, unlisted=undecodable(error.path, error.gist))
    try:
        kept, spoken = _created(write) if old is None else _updated(write, old, subresource)
    except RefusedError as refusal:
        return refused(refusal, unknown, warnings)
    return Judgement(True, "accepted", (), unknown, (*warnings, *spoken), bared(kept, write.floats))


def _served(data: JsonObject) -> Served | None:
    group, version, kind = identity(data)
    if group == GROUP and isinstance(kind, str) and kind in KINDS and version in KINDS[kind].versions:
        return _kind(kind, version)
    return None


@cache
def _kind(kind: str, version: str) -> Served:
    return Served(kind, version, structure(version, kind), KINDS[kind].namespaced, HANDLING[kind].has_status)


def _handling(write: Write) -> Handling:
    return HANDLING[write.served.kind]


def _quickly(served: Served, data: JsonObject) -> Judgement | None:
    """The verdict on a create that nothing is wrong with; None when it has to go through the stages."""
    handling = HANDLING[served.kind]
    whole = swiftly_read(served, data, spelt=handling.rewritten)
    if whole is None:
        return None
    spoken: tuple[str, ...] = ()
    if handling.validated:
        view = whole if handling.rewritten else golang.decode(served.struct, whole)
        try:
            spoken = _refuse_causes(served.kind, view, None)
        except RefusedError as refusal:
            return refused(refusal)
    if handling.rewritten:
        whole["metadata"]["finalizers"] = [FINALIZER]
    return Judgement(True, "accepted", (), (), spoken, whole)


def _created(write: Write) -> tuple[Object, tuple[str, ...]]:
    meta, handling = meta_causes(write), _handling(write)
    data = _defaulted(write, meta) if handling.defaulted else write.data
    data = without_status(write.served, data)
    hold_against_schema(write.served, data, meta)
    if handling.rewritten and write.served.version == STORED:
        _refuse_causes(write.served.kind, data, None)  # it is in Go's spelling already
        return data, ()
    spoken = _ask_webhook(write, data, None) if handling.validated else ()
    return _kept(write, data), spoken


def _defaulted(write: Write, meta: tuple[Cause, ...]) -> Object:
    """The object after Kueue's defaulting webhook, which sees it in v1beta2."""
    stage, served = "conversion", write.served
    try:
        seen = converted(write.data, STORED)
        stage = "mutating"
        return _rewritten(write, seen)
    except (ConversionError, golang.DecodingError) as error:
        untouched, _ = read_write(served, write.source)
        _, causes = explained(served.struct, without_status(served, untouched.data), meta)
        raise RefusedError(stage, causes, undecodable(error.path, error.gist)) from None


def _rewritten(write: Write, seen: Object) -> Object:
    struct = structure(STORED, write.served.kind)
    finalizers = seen["metadata"].get("finalizers", [])
    if not _handling(write).rewritten or FINALIZER in finalizers:
        golang.decode(struct, seen)
        return write.data
    complete = "spec" in seen and write.served.version == STORED  # else a field may be without its default
    rewrite(struct, seen)
    seen["metadata"] = {**seen["metadata"], "finalizers": [*finalizers, FINALIZER]}
    return converted(seen if complete else read(struct, seen).data, write.served.version)


def _ask_webhook(write: Write, data: Object, old: Object | None) -> tuple[str, ...]:
    struct = structure(STORED, write.served.kind)
    stage = "conversion"
    try:
        seen = converted(data, STORED)
        stage = "webhook"
        view = golang.decode(struct, seen)
        before = golang.decode(struct, old) if old is not None else None
    except (ConversionError, golang.DecodingError) as error:
        raise RefusedError(stage, (), undecodable(error.path, error.gist)) from None
    return _refuse_causes(write.served.kind, view, before)


def _refuse_causes(kind: str, view: JsonObject, before: JsonObject | None) -> tuple[str, ...]:
    causes = tuple(_WEBHOOKS[kind](view, before))
    spoken = tuple(workload.warnings(view)) if kind == "Workload" else ()
    if causes:
        raise RefusedError("webhook", causes, warnings=spoken)
    return spoken


def _kept(write: Write, data: Object) -> Object:
    """The object as it is written to etcd."""
    if write.served.version == STORED:
        return data
    try:
        return pruned(structure(STORED, write.served.kind), converted(data, STORED))
    except ConversionError as error:
        raise RefusedError("conversion", (), undecodable(error.path, error.gist)) from None


def _updated(write: Write, old: JsonObject, subresource: str | None) -> tuple[Object, tuple[str, ...]]:
    kept_old = _settled(old)
    before = kept_old
    if write.served.version != STORED:
        try:
            before = pruned(write.served.struct, converted(kept_old, write.served.version))
        except ConversionError as error:
            raise RefusedError("conversion", (), undecodable(error.path, error.gist)) from None
    data = merged(write, before, subresource)
    asked = _handling(write).validated and (subresource != STATUS or write.served.kind == "Workload")
    spoken = _ask_webhook(write, data, kept_old) if asked else ()
    return _kept(write, data), spoken


def _settled(old: JsonObject) -> Object:
    """The stored form of the object that an update replaces, its status included."""
    served = _served(old)
    if served is None:
        raise RefusedError(NOT_FOUND)
    try:
        write, _ = read_write(served, old)
        data = _rewritten(write, converted(write.data, STORED)) if _handling(write).rewritten else write.data
        if served.has_status:
            data = {**without_status(served, data), **only_status(write.data)}
        return settled(_kind(served.kind, STORED).struct, _kept(write, data), write.floats)
    except (ConversionError, golang.DecodingError) as error:
        raise RefusedError("conversion", (), undecodable(error.path, error.gist)) from None
