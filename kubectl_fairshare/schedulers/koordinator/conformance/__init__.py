"""Recordings of Koordinator's quotas. Tested in ``tests/conformance``."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.schedulers.recording import SETS, Recording

_DECISIONS: Final = ("trees", "quotas", "podQuota", "pods", "revoke")
_ADMISSION: Final = ("accepted", "stage", "message", "stored")
_RUNTIME: Final = "runtime"


def without_zeros(answer: JsonObject) -> JsonObject:
    """An answer as it is compared: only in a runtime does a listed 0 differ from a resource that is not listed."""
    figures: Json = {**(answer.get("quotas") or {}), **(answer.get("trees") or {})}
    if not all(isinstance(each, dict) for each in figures.values()):
        return answer
    return {**answer, **{kind: _quotas_without_zeros(answer.get(kind) or {}) for kind in ("quotas", "trees")}}


def _quotas_without_zeros(quotas: JsonObject) -> JsonObject:
    return {name: {kind: _nonzero(kind, amounts) for kind, amounts in each.items()} for name, each in quotas.items()}


def _nonzero(kind: str, amounts: Json) -> Json:
    if kind == _RUNTIME or not isinstance(amounts, dict):
        return amounts
    return {resource: amount for resource, amount in amounts.items() if amount != 0}


RECORDINGS: Final[Mapping[str, Recording]] = {
    "koordinator": Recording(f"{__name__}.decisions", _DECISIONS, SETS | {"exceedDimensions"}, without_zeros),
    "koordinator-admission": Recording(f"{__name__}.admission", _ADMISSION),
}
