"""Recordings of CapacityScheduling. Tested in ``tests/conformance``."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.schedulers.recording import ADMISSION_FIELDS, Recording, fields_of_causes

_DECISIONS: Final = (
    "preFilter",
    "filter",
    "outcome",
    "eligibleToPreempt",
    "rejectedNodes",
    "candidates",
    "chosenNodes",
)
RECORDINGS: Final[Mapping[str, Recording]] = {
    "elasticquota": Recording(f"{__name__}.decisions", _DECISIONS),
    "elasticquota-admission": Recording(f"{__name__}.admission", ADMISSION_FIELDS, compared=fields_of_causes),
}
