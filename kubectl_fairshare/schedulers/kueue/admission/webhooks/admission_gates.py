"""The annotation that holds a Workload back until its gates are removed.

Source: Kueue v0.19, gate AdmissionGatedBy (on by default).
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.causes import FORBIDDEN, TOO_LONG, Cause, MapKey, cause, invalid, of_law
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.schedulers.kueue.model.gates import GATED_BY, gate_mistakes, gates_in

_PATH: Final[FieldPath] = ("metadata", "annotations", MapKey(GATED_BY))
_SHRINK: Final = "1.7-admission-gates-shrink"


def gate_causes(new: JsonObject, old: JsonObject | None) -> Iterator[Cause]:
    """What is wrong with the gates; after creation they can only be removed."""
    written = new.get(GATED_BY, "")
    if old is not None and written:
        before = old.get(GATED_BY, "")
        if not before:
            yield cause(FORBIDDEN, _PATH, "gates cannot be added after creation", _SHRINK)
        elif not set(gates_in(written)) <= set(gates_in(before)):
            yield cause(FORBIDDEN, _PATH, "gates can only be removed", _SHRINK)
    if written:
        yield from of_law("1.7-admission-gates", _syntax_causes(gates_in(written)))


def _syntax_causes(gates: list[str]) -> Iterator[Cause]:
    for why, too_long in gate_mistakes(gates):
        yield cause(TOO_LONG, _PATH, why) if too_long else invalid(_PATH, why)
