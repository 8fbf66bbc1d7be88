"""The quotas of ClusterQueues and Cohorts as they are written, entry by entry."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.api.structures.structure import matches_pattern
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import FieldPath, Json, inside
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError, is_rounded, parse

FIELDS: Final = ("nominalQuota", "borrowingLimit", "lendingLimit")
LIMITS: Final = FIELDS[1:]
_NANO: Final = 10**9
_LARGEST: Final = UNLIMITED // 1000  # it fits into 64 bits, in milli-units too
_UNITS: Final = {"cpu": 10**6}
_LONGEST: Final = 200
_Entry: TypeAlias = tuple[FieldPath, str, str, dict[str, Json]]


class QuotaEntry(NamedTuple):
    """The entry of one resource of one flavor; ``path`` leads to the mapping ``quota``."""

    manifest: Manifest
    path: FieldPath
    flavor: str
    resource: str
    quota: dict[str, Json]

    def at(self, *path: str) -> Place:
        """A place in the entry."""
        return Place(self.manifest.key, (*self.path, *path))


def entries(manifest: Manifest) -> Iterator[QuotaEntry]:
    """The entries of one object; anything that is not an entry is skipped."""
    return (QuotaEntry(manifest, *each) for each in _entries(inside(manifest.passing_data, "spec", "resourceGroups")))


def odd_entries(manifests: Iterable[Manifest]) -> Iterator[QuotaEntry]:
    """The entries with anything but plain amounts, or without a nominalQuota."""
    for manifest in manifests:
        for each in _odd(inside(manifest.passing_data, "spec", "resourceGroups")):
            yield QuotaEntry(manifest, *each)


@once_for_equal
def _odd(groups: Json) -> Sequence[_Entry]:
    return tuple(each for each in _entries(groups) if _is_odd(each[-1]))


def _entries(groups: Json) -> Iterator[_Entry]:
    for i, group in _items(groups):
        for j, flavor in _items(group.get("flavors")):
            for k, quota in _items(flavor.get("resources")):
                path = ("spec", "resourceGroups", i, "flavors", j, "resources", k)
                yield path, str(flavor.get("name")), str(quota.get("name")), quota


def _items(value: Json) -> Iterator[tuple[int, dict[str, Json]]]:
    if isinstance(value, list):
        yield from ((i, each) for i, each in enumerate(value) if isinstance(each, dict))


def _is_odd(quota: dict[str, Json]) -> bool:
    if "nominalQuota" not in quota:
        return True
    return any(name in quota and not is_plain(quota[name]) for name in FIELDS)


def is_plain(value: Json) -> bool:
    """Whether a quantity is stored as it is written: neither too large nor too fine."""
    if isinstance(value, str):
        return _is_plain_text(value)
    return value.__class__ is int and abs(value) <= _LARGEST


@lru_cache(maxsize=65536)
def _is_plain_text(text: str) -> bool:
    nano = nano_of(text) if matches_pattern(text) and not is_rounded(text) else None
    return nano is not None and abs(nano) <= _LARGEST * _NANO


def nano_of(value: Json) -> int | None:
    """A quantity in units of 10⁻⁹ as Go's parser reads it, 0 for null; None if the parser rejects it."""
    if value is None:
        return 0
    try:
        return parse(value).nano
    except QuantitySyntaxError:
        return None


def has_no_number(value: Json) -> bool:
    """Whether Go's parser reads a text as 0 because there is no digit before its suffix."""
    return isinstance(value, str) and nano_of(value) == 0 and not matches_pattern(value.strip())


def amount_text(resource: str, nano: int) -> str:
    """An amount in canonical form, in the suffixes of its resource: ``4Gi``, ``500m``, ``16``."""
    if nano.bit_length() > _LONGEST:
        return f"about 1e{nano.bit_length() * 30103 // 100000 - 9}"  # log10(2): too many digits to print
    unit = _UNITS.get(resource, _NANO)
    return quantity.text(resource, nano // unit) if nano % unit == 0 else parse(f"{nano}n").text
