"""The annotation that keeps a Workload, or that of a job, out of its queue until its gates are removed.

Source: Kueue v0.19, gate AdmissionGatedBy (on by default).
Tested in ``tests/unit/schedulers/kueue/admission/webhooks/test_admission_gates.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.api.label_syntax import is_domain_prefixed_path
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

GATED_BY: Final = f"{GROUP}/admission-gated-by"
LONGEST_GATE: Final = 63
"""Bytes of one gate at most."""


class GateMistake(NamedTuple):
    """What is wrong with one gate. ``too_long`` is what the API server calls it, not a wrong value."""

    why: str
    too_long: bool = False


def gates_in(text: str) -> list[str]:
    """The gates of an annotation."""
    return [gate.strip() for gate in text.split(",")] if text.strip() else []


def gate_mistakes(gates: Iterable[str]) -> Iterator[GateMistake]:
    """What is wrong with the gates, each alone and as one of several."""
    seen: set[str] = set()
    for gate in gates:
        if not gate:
            yield GateMistake("an empty gate")
        elif gate in seen:
            yield GateMistake(f"gate `{gate}` occurs twice")
        else:
            seen.add(gate)
            if not is_domain_prefixed_path(gate):
                yield GateMistake(f"`{gate}` is not a domain followed by a path")
            if len(gate.encode()) > LONGEST_GATE:
                yield GateMistake(f"gate `{gate}` is longer than {LONGEST_GATE}", too_long=True)
