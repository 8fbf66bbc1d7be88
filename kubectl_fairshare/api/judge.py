"""What the API server and the webhooks behind it do with one write: reject it, and why, or store it, and as what.

The stages, in order: decoding, conversion and defaulting webhook (these two before the schema only for kinds that have
such a webhook), schema with CEL rules, validating webhook, conversion for storage. A stage is reached only if those
before it reject nothing. Source: kube-apiserver 1.35.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.explaining import schema_refusal
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.api.kinds import STATUS, Api, Served
from kubectl_fairshare.api.reading import prune, read
from kubectl_fairshare.api.rewriting import rewrite
from kubectl_fairshare.api.writes import (
    Object,
    RefusedWriteError,
    Write,
    check_schema,
    decoding_refusal,
    meta_causes,
    only_status,
    quick_object,
    read_write,
    refusal_judgement,
    stored_object,
    updated_object,
    without_server_fields,
    without_status,
)
from kubectl_fairshare.model.json import FieldPath, JsonObject

# Gets the Go views of the new object and of the one that it replaces; returns warnings or raises RefusedError.
Validate: TypeAlias = Callable[[JsonObject, JsonObject | None], tuple[str, ...]]
# Gets an object and a version; returns the object in that version or raises DecodingError.
Convert: TypeAlias = Callable[[JsonObject, str], Object]


class Webhooks(NamedTuple):
    """The webhooks of a kind.

    ``validate`` also sees writes to the status if ``of_status`` is set. ``convert`` exists if the kind has several
    versions. ``defaulted``: a mutating webhook decodes each object that is created. If a ``finalizer`` is set, that
    webhook adds it and writes the object back from its Go type.
    """

    validate: Validate | None = None
    of_status: bool = False
    convert: Convert | None = None
    defaulted: bool = False
    finalizer: str = ""


_NONE: Final = Webhooks()


def judge_write(
    api: Api,
    webhooks: Mapping[str, Webhooks],
    data: JsonObject,
    old: JsonObject | None = None,
    subresource: str | None = None,
) -> Judgement:
    """The judgement of writing ``data``: a create, or with ``old`` an update of that object.

    ``old`` is the object in the cluster, as stored or as written; ``subresource`` is ``status`` for a
    write that goes there. ``webhooks`` are the API's, by kind. Objects of other groups are not served.
    """
    served = api.served(data)
    if served is None:
        return Judgement(False, NOT_FOUND)
    hooks = webhooks.get(served.kind, _NONE)
    quick = _at_once(served, hooks, data) if old is None and served.is_stored else None
    return quick or _by_stages(served, hooks, data, old, subresource)


def _at_once(served: Served, hooks: Webhooks, data: JsonObject) -> Judgement | None:
    """The judgement of a create that the schema accepts; None if the stages have to decide."""
    whole = quick_object(served, data, spelt=bool(hooks.finalizer))
    if whole is None:
        return None
    try:
        spoken = _webhook_warnings(served, hooks, whole, None, spelt=bool(hooks.finalizer)) if hooks.validate else ()
    except RefusedWriteError as refusal:
        return refusal_judgement(refusal)
    if hooks.finalizer:
        whole["metadata"]["finalizers"] = [hooks.finalizer]
    return Judgement(True, "accepted", (), (), spoken, whole)


def _by_stages(
    served: Served, hooks: Webhooks, data: JsonObject, old: JsonObject | None, subresource: str | None
) -> Judgement:
    warnings = (served.deprecation,) if served.deprecation else ()
    unknown: tuple[FieldPath, ...] = ()
    try:
        write, unknown = _read(served, data, "decode")
        kept, spoken = _create(write, hooks) if old is None else _update(write, hooks, old, subresource)
    except RefusedWriteError as refusal:
        return refusal_judgement(refusal, unknown, warnings)
    return Judgement(True, "accepted", (), unknown, (*warnings, *spoken), without_server_fields(kept, write.floats))


def _read(served: Served, data: JsonObject, stage: str) -> tuple[Write, tuple[FieldPath, ...]]:
    try:
        return read_write(served, data)
    except golang.DecodingError as error:
        raise decoding_refusal(stage, error) from None


def _create(write: Write, hooks: Webhooks) -> tuple[Object, tuple[str, ...]]:
    """What a create stores, and the warnings."""
    meta = meta_causes(write)
    data = _default(write, hooks, meta) if hooks.defaulted else write.data
    data = without_status(write.served, data)
    check_schema(write.served, data, meta)
    spelt = bool(hooks.finalizer) and write.served.is_stored
    spoken = _webhook_warnings(write.served.stored, hooks, data, None, spelt)
    return _etcd_form(write, hooks, data), spoken


def _default(write: Write, hooks: Webhooks, meta: tuple[Cause, ...]) -> Object:
    """The object after the defaulting webhook, which sees the stored version."""
    stage, served = "conversion", write.served
    try:
        seen = _in_version(hooks, write.data, served.stored)
        stage = "mutating"
        return _written_back(write, hooks, seen)
    except golang.DecodingError as error:
        untouched, _ = read_write(served, write.source)
        _, causes = schema_refusal(served.struct, without_status(served, untouched.data), meta)
        refusal = decoding_refusal(stage, error)
        raise RefusedWriteError(stage, causes, refusal.unlisted) from None


def _written_back(write: Write, hooks: Webhooks, seen: Object) -> Object:
    """The object as the webhook writes it back; unchanged if the webhook has nothing to add."""
    struct = write.served.stored.struct
    finalizers = seen["metadata"].get("finalizers", [])
    if not hooks.finalizer or hooks.finalizer in finalizers:
        golang.decode(struct, seen)
        return write.data
    complete = "spec" in seen and write.served.is_stored  # else a field may be without its default
    rewrite(struct, seen)
    seen["metadata"] = {**seen["metadata"], "finalizers": [*finalizers, hooks.finalizer]}
    return _in_version(hooks, seen if complete else read(struct, seen).data, write.served)


def _in_version(hooks: Webhooks, data: Object, served: Served) -> Object:
    return hooks.convert(data, served.version) if hooks.convert else dict(data)


def _webhook_warnings(
    stored: Served, hooks: Webhooks, data: Object, before: Object | None, spelt: bool = False
) -> tuple[str, ...]:
    """The validating webhook's warnings, each once; ``spelt``: the object is already in Go's spelling."""
    if hooks.validate is None:
        return ()
    stage = "conversion"
    try:
        seen = data if spelt else _in_version(hooks, data, stored)
        stage = "webhook"
        view = seen if spelt else golang.decode(stored.struct, seen)
        old = golang.decode(stored.struct, before) if before is not None else None
    except golang.DecodingError as error:
        raise decoding_refusal(stage, error) from None
    return tuple(dict.fromkeys(hooks.validate(view, old)))


def _etcd_form(write: Write, hooks: Webhooks, data: Object) -> Object:
    """The object as it is written to etcd."""
    return data if write.served.is_stored else _other_version(hooks, data, write.served.stored)


def _other_version(hooks: Webhooks, data: Object, served: Served) -> Object:
    """The object in another version, without the fields that this version does not have."""
    try:
        return prune(served.struct, _in_version(hooks, data, served))
    except golang.DecodingError as error:
        raise decoding_refusal("conversion", error) from None


def _update(write: Write, hooks: Webhooks, old: JsonObject, subresource: str | None) -> tuple[Object, tuple[str, ...]]:
    """What an update stores, and the warnings."""
    served = write.served
    stored = _replaced_object(served.api, hooks, old)
    before = stored if served.is_stored else _other_version(hooks, stored, served)
    data = updated_object(write, before, subresource)
    unasked = subresource == STATUS and not hooks.of_status
    spoken = () if unasked else _webhook_warnings(served.stored, hooks, data, stored)
    return _etcd_form(write, hooks, data), spoken


def _replaced_object(api: Api, hooks: Webhooks, old: JsonObject) -> Object:
    """The stored form of the object that an update replaces, its status included."""
    served = api.served(old)
    if served is None:
        raise RefusedWriteError(NOT_FOUND)
    stage = "conversion" if hooks.convert else "decode"
    write, _ = _read(served, old, stage)
    try:
        data = (
            _written_back(write, hooks, _in_version(hooks, write.data, served.stored))
            if hooks.finalizer
            else write.data
        )
    except golang.DecodingError as error:
        raise decoding_refusal(stage, error) from None
    if served.has_status:
        data = {**without_status(served, data), **only_status(write.data)}
    return stored_object(served.stored.struct, _etcd_form(write, hooks, data), write.floats)
