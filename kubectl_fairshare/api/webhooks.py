"""The webhooks of a kind, and how a stage of a write rejects it. Source: kube-apiserver 1.35.

Tested in ``tests/unit/api/test_judge.py``.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from kubectl_fairshare.api import golang
from kubectl_fairshare.api.causes import Cause, bracketed_path
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.api.kinds import Served
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject

Object: TypeAlias = dict[str, Json]

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


class RefusedWriteError(Exception):
    """Raised to end a write at a stage, with that stage's reasons."""

    def __init__(
        self,
        stage: str,
        causes: Iterable[Cause] = (),
        unlisted: Cause | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        super().__init__(stage)
        self.stage = stage
        self.causes = tuple(causes)
        self.unlisted = unlisted
        self.warnings = warnings


def refusal_judgement(
    refusal: RefusedWriteError, unknown: tuple[FieldPath, ...] = (), warnings: tuple[str, ...] = ()
) -> Judgement:
    """The judgement of a rejected write; ``warnings`` were given before."""
    spoken = (*warnings, *refusal.warnings)
    return Judgement(False, refusal.stage, refusal.causes, unknown, spoken, None, refusal.unlisted)


def decoding_refusal(stage: str, error: golang.DecodingError) -> RefusedWriteError:
    """The rejection by a stage that lists no causes: a value that it cannot decode."""
    return RefusedWriteError(stage, (), Cause(bracketed_path(error.path), "", error.gist, error.path))


def webhook_warnings(
    stored: Served, hooks: Webhooks, data: Object, before: Object | None, spelt: bool = False
) -> tuple[str, ...]:
    """The validating webhook's warnings, each once; ``spelt``: the object is already in Go's spelling."""
    if hooks.validate is None:
        return ()
    stage = "conversion"
    try:
        seen = data if spelt else in_version(hooks, data, stored)
        stage = "webhook"
        view = seen if spelt else golang.decode(stored.struct, seen)
        old = golang.decode(stored.struct, before) if before is not None else None
    except golang.DecodingError as error:
        raise decoding_refusal(stage, error) from None
    return tuple(dict.fromkeys(hooks.validate(view, old)))


def in_version(hooks: Webhooks, data: Object, served: Served) -> Object:
    """The object in the version that ``served`` is, as the conversion webhook makes it. Raises ``DecodingError``."""
    return hooks.convert(data, served.version) if hooks.convert else dict(data)
