"""Quantities as Koordinator prints them in its messages: a single one as written, sums in the first addend's notation.

Source: ``k8s.io/apimachinery`` resource quantities; Koordinator, ``printResourceList``.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity_text import QuantitySyntaxError, canonical_text, parse

_NANO = -9


class Written(NamedTuple):
    """A quantity with its notation (``decimal``, ``binary``, ``exponent``); ``text`` is empty for a sum."""

    nano: int
    notation: str
    text: str = ""

    def __str__(self) -> str:
        return self.text or canonical_text(self.nano, _NANO, self.notation)


WrittenList = Mapping[str, Written]


def written(value: Json) -> Written:
    """A quantity of a manifest; 0 for a malformed one."""
    try:
        found = parse(value)
    except QuantitySyntaxError:
        return Written(0, "decimal", "0")
    suffix = str(value).strip().lstrip("+-0123456789.")
    notation = (
        "binary" if suffix.endswith("i") else "exponent" if suffix[:1] in ("e", "E") and suffix[1:] else "decimal"
    )
    return Written(found.nano, notation, found.text)


def written_list(amounts: Mapping[str, Json]) -> WrittenList:
    """A resource list of a manifest."""
    return {resource: written(value) for resource, value in amounts.items()}


def plus(a: WrittenList, b: WrittenList) -> WrittenList:
    """The sum; each resource keeps the notation of its first addend."""
    found = dict(a)
    for resource, value in b.items():
        before = found.get(resource)
        found[resource] = value if before is None else Written(before.nano + value.nano, before.notation)
    return found


def larger(a: WrittenList, b: WrittenList) -> WrittenList:
    """The larger of each; of equal ones the first."""
    return {**a, **{r: value for r, value in b.items() if r not in a or value.nano > a[r].nano}}


def computed(resource: str, nano: int) -> Written:
    """An amount that a division made: memory in binary notation, the rest decimal."""
    return Written(nano, "binary" if resource == "memory" else "decimal")


def listing(amounts: WrittenList) -> str:
    """``cpu:4,memory:8Gi``, sorted; ``<empty>`` for none."""
    return ",".join(sorted(f"{resource}:{value}" for resource, value in amounts.items())) or "<empty>"


def total_of(each: Iterable[WrittenList]) -> WrittenList:
    """The sum of many, in their order."""
    found: WrittenList = {}
    for amounts in each:
        found = plus(found, amounts)
    return found
