"""The annotation that holds a Workload back until its gates are removed.

Source: Kueue v0.19, gate AdmissionGatedBy (on by default).
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.causes import FORBIDDEN, TOO_LONG, Cause, MapKey, cause, invalid, of_law
from kubectl_fairshare.api.label_syntax import is_domain_prefixed_path
from kubectl_fairshare.model.json import FieldPath, JsonObject

ANNOTATION: Final = "kueue.x-k8s.io/admission-gated-by"
_PATH: Final[FieldPath] = ("metadata", "annotations", MapKey(ANNOTATION))
_LONGEST: Final = 63
_SHRINK: Final = "1.7-admission-gates-shrink"


def gate_causes(new: JsonObject, old: JsonObject | None) -> Iterator[Cause]:
    """What is wrong with the gates; after creation they can only be removed."""
    written = new.get(ANNOTATION, "")
    if old is not None and written:
        before = old.get(ANNOTATION, "")
        if not before:
            yield cause(FORBIDDEN, _PATH, "gates cannot be added after creation", _SHRINK)
        elif not set(_gates(written)) <= set(_gates(before)):
            yield cause(FORBIDDEN, _PATH, "gates can only be removed", _SHRINK)
    if written:
        yield from of_law("1.7-admission-gates", _syntax_causes(_gates(written)))


def _gates(text: str) -> list[str]:
    return [gate.strip() for gate in text.split(",")] if text.strip() else []


def _syntax_causes(gates: list[str]) -> Iterator[Cause]:
    seen: set[str] = set()
    for gate in gates:
        if not gate:
            yield invalid(_PATH, "an empty gate")
        elif gate in seen:
            yield invalid(_PATH, f"gate `{gate}` is there twice")
        else:
            seen.add(gate)
            if not is_domain_prefixed_path(gate):
                yield invalid(_PATH, f"`{gate}` is not a domain followed by a path")
            if len(gate.encode()) > _LONGEST:
                yield cause(TOO_LONG, _PATH, f"gate `{gate}` is longer than {_LONGEST}")
