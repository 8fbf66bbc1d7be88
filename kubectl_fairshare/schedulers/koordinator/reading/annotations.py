"""Annotations of quotas and nodes that are JSON, as Go reads them."""

import json
from typing import Final, NoReturn

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.numbers import integer
from kubectl_fairshare.model.quantity_text import parse
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, minus_floored
from kubectl_fairshare.schedulers.koordinator.model.names import BATCH

_RANGE: Final = 2


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def json_of(text: str) -> Json:
    """The value of a JSON text. Raises ``ValueError`` for anything else."""
    return json.loads(text, parse_constant=_no_constant, parse_int=integer)


def resource_list(text: str) -> Amounts | None:
    """A resource list in JSON; None for bad JSON, also for one bad value. ``null`` is an empty list."""
    try:
        value = json_of(text)
        if value is None:
            return {}
        if not isinstance(value, dict):
            return None
        return {resource: 0 if each is None else parse(each).nano for resource, each in value.items()}
    except (ValueError, RecursionError):
        return None


def text_list(text: str) -> tuple[str, ...] | None:
    """A list of texts in JSON; None for bad JSON."""
    try:
        value = json_of(text)
    except (ValueError, RecursionError):
        return None
    if value is None:
        return ()
    if not isinstance(value, list) or any(each is not None and not isinstance(each, str) for each in value):
        return None
    return tuple(each or "" for each in value)


def trimmed(allocatable: Amounts, reservation: str) -> Amounts:
    """The rest of a node after its reservation; batch resources are reserved already."""
    try:
        value = json_of(reservation) if reservation else None
        if not isinstance(value, dict) or value.get("applyPolicy", "") not in ("", "Default"):
            return allocatable
        reserved = {r: parse(each).nano for r, each in (value.get("resources") or {}).items()}
        if cpus := value.get("reservedCPUs"):
            reserved["cpu"] = _size(cpus) * 10**9
    except (ValueError, AttributeError, TypeError, RecursionError):
        return allocatable
    if not any(reserved.values()):
        return allocatable
    batch = {r: allocatable.get(r, 0) for r in BATCH.values()}
    return {**minus_floored(allocatable, reserved), **batch}


def _size(cpus: str) -> int:
    """How many CPUs a list like ``0-3,7`` names. Raises ``ValueError`` for another form."""
    named: set[int] = set()
    for part in cpus.split(","):
        ends = part.split("-")
        if len(ends) > _RANGE or not all(end.isdecimal() for end in ends):
            raise ValueError(cpus)
        first, last = int(ends[0]), int(ends[-1])
        if len(ends) == _RANGE and first > last:
            raise ValueError(cpus)
        named |= set(range(first, last + 1))
    return len(named)
