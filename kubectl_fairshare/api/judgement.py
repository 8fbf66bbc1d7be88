"""What became of a write to an API: the verdict of the API server and of the webhooks behind it."""

from typing import Final

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.values import dataclass

NOT_FOUND: Final = "notFound"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a write.

    ``stage`` is ``accepted``, or where it was refused: notFound, decode, conversion, mutating, schema, cel or
    webhook. ``causes`` are all that this stage reports; for conversion and mutating, what the schema says of
    the object by itself. ``unlisted`` is then, and for a webhook that lists no causes, what it refused for: a
    value that Go's types cannot take, or what the webhook puts into words alone. ``unknown_fields`` were
    dropped. ``stored`` is the form in etcd, less what the server sets: defaulted, pruned, converted.
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
        """Everything to be said against the write: the causes, else the one that is not listed."""
        if self.causes or self.unlisted is None:
            return self.causes
        return (self.unlisted,)
