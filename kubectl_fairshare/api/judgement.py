"""The result of a write to an API: the judgement of the API server and of the webhooks behind it.

Tested in ``tests/unit/lint/test_refused_writes.py``.
"""

from typing import Final

from kubectl_fairshare.api.causes import Cause, dotted_path
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.values import Value

NOT_FOUND: Final = "notFound"


class Judgement(Value, frozen=True):
    """The result of a write.

    ``stage`` is ``accepted``, or the stage that rejected it: notFound, decode, conversion, mutating, schema, cel or
    webhook. ``causes`` are all that this stage reports; for conversion and mutating, the schema's causes against the
    object. ``unlisted`` is the reason that these two stages, and a webhook without causes, give in words alone: a value
    that a Go type cannot hold, or the webhook's own. ``unknown_fields`` were dropped. ``stored`` is the form in etcd,
    without the fields that the server sets: defaulted, pruned, converted.
    """

    accepted: bool
    stage: str | None
    causes: tuple[Cause, ...] = ()
    unknown_fields: tuple[FieldPath, ...] = ()
    warnings: tuple[str, ...] = ()
    stored: JsonObject | None = None
    unlisted: Cause | None = None

    @property
    def all_causes(self) -> tuple[Cause, ...]:
        """All reasons against the write: the causes, otherwise the one that is not listed."""
        if self.causes or self.unlisted is None:
            return self.causes
        return (self.unlisted,)

    @property
    def answer(self) -> JsonObject:
        """The judgement in the form in which ``conformance`` records answers, warnings sorted."""
        return {
            "accepted": self.accepted,
            "stage": self.stage,
            "unknownFields": list(map(dotted_path, self.unknown_fields)),
            "causes": [{"field": each.field, "type": each.type, "message": each.message} for each in self.causes],
            "warnings": sorted(self.warnings),
            "stored": self.stored,
        }
