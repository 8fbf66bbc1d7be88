"""A calibration of forecasts from its document, to be cited.

Tested in ``tests/unit/policy/forecast/test_calibration.py``.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kubectl_fairshare.answers.forecast import CitedCalibration, CitedLead
from kubectl_fairshare.answers.forecast_calibration import ForecastCalibration
from kubectl_fairshare.input.traces.reading import log_bytes
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.report.documents.structs import ANSWERS

_SECOND: Final = 10**9
_REMEDY: Final = "write one with `kubectl fairshare forecast --calibrate TRACE -o json > FILE`"


def read_calibration(path: str, scheduler: str) -> CitedCalibration:
    """The figures of a calibration of forecasts of a scheduler. Raises ``FairshareError`` for anything else."""
    name, data = log_bytes(path)
    try:
        document: Any = msgspec.json.decode(
            data, type=ANSWERS.document_type("ForecastCalibration", ForecastCalibration)
        )
        start, end = nanoseconds(document["start"]), nanoseconds(document["end"])
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise FairshareError(Problem(f"`{name}` is not a calibration of forecasts: {error}", help=_REMEDY)) from None
    if document["scheduler"] != scheduler:
        message = f"`{name}` is a calibration of forecasts for {document['scheduler']}, and this is one for {scheduler}"
        raise FairshareError(Problem(message, help=_REMEDY))
    cited, least = [], 0
    for each in document["leads"]:
        cited.append(_cited(each, least))
        least = round((each["belowSeconds"] or 0) * _SECOND)
    return CitedCalibration(name, start, end, _cited(document["every"], 0), tuple(filter(None, cited)))


def _cited(part: Mapping[str, Any], least: int) -> CitedLead | None:
    """What it says of forecasts so far ahead; None without one."""
    coverage, errors = part["coverage"], part["errorSeconds"]
    if coverage is None or errors["distance"] is None:
        return None
    below = None if part["belowSeconds"] is None else round(part["belowSeconds"] * _SECOND)
    error, bias = (round(each * _SECOND) for each in (errors["distance"]["median"], errors["bias"]))
    return CitedLead(least, below, part["forecasts"], coverage, error, bias)
