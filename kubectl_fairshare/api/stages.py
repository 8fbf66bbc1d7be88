"""One write, stage by stage: what ``judge`` cannot say at once.

Tested in ``tests/unit/api/test_judge.py``.
"""

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.explaining import schema_refusal
from kubectl_fairshare.api.judgement import NOT_FOUND, Judgement
from kubectl_fairshare.api.kinds import STATUS, Api, Served
from kubectl_fairshare.api.reading import prune, read
from kubectl_fairshare.api.rewriting import rewrite
from kubectl_fairshare.api.webhooks import (
    Object,
    RefusedWriteError,
    Webhooks,
    decoding_refusal,
    in_version,
    refusal_judgement,
    webhook_warnings,
)
from kubectl_fairshare.api.writes import (
    Write,
    check_schema,
    meta_causes,
    only_status,
    read_write,
    stored_object,
    updated_object,
    without_server_fields,
    without_status,
)
from kubectl_fairshare.model.json import FieldPath, JsonObject


def judge_by_stages(
    served: Served, hooks: Webhooks, data: JsonObject, old: JsonObject | None, subresource: str | None
) -> Judgement:
    """The judgement of a write: see ``judge_write``."""
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
    spoken = webhook_warnings(write.served.stored, hooks, data, None, spelt)
    return _etcd_form(write, hooks, data), spoken


def _default(write: Write, hooks: Webhooks, meta: tuple[Cause, ...]) -> Object:
    """The object after the defaulting webhook, which sees the stored version."""
    stage, served = "conversion", write.served
    try:
        seen = in_version(hooks, write.data, served.stored)
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
    complete = "spec" in seen and write.served.is_stored  # otherwise a field may be without its default
    rewrite(struct, seen)
    seen["metadata"] = {**seen["metadata"], "finalizers": [*finalizers, hooks.finalizer]}
    return in_version(hooks, seen if complete else read(struct, seen).data, write.served)


def _etcd_form(write: Write, hooks: Webhooks, data: Object) -> Object:
    """The object as it is written to etcd."""
    return data if write.served.is_stored else _other_version(hooks, data, write.served.stored)


def _other_version(hooks: Webhooks, data: Object, served: Served) -> Object:
    """The object in another version, without the fields that this version does not have."""
    try:
        return prune(served.struct, in_version(hooks, data, served))
    except golang.DecodingError as error:
        raise decoding_refusal("conversion", error) from None


def _update(write: Write, hooks: Webhooks, old: JsonObject, subresource: str | None) -> tuple[Object, tuple[str, ...]]:
    """What an update stores, and the warnings."""
    served = write.served
    stored = _replaced_object(served.api, hooks, old)
    before = stored if served.is_stored else _other_version(hooks, stored, served)
    data = updated_object(write, before, subresource)
    unasked = subresource == STATUS and not hooks.of_status
    spoken = () if unasked else webhook_warnings(served.stored, hooks, data, stored)
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
            _written_back(write, hooks, in_version(hooks, write.data, served.stored)) if hooks.finalizer else write.data
        )
    except golang.DecodingError as error:
        raise decoding_refusal(stage, error) from None
    if served.has_status:
        data = {**without_status(served, data), **only_status(write.data)}
    return stored_object(served.stored.struct, _etcd_form(write, hooks, data), write.floats)
