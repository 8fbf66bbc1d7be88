"""Quantities that Kueue accepts with another meaning than the author's, or accepts only on creation."""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.api.structures.structure import matches_pattern
from kubectl_fairshare.finding import Finding, Insert, Remedy, Replace
from kubectl_fairshare.lint.given import Examined, worked_out_once
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.refusals import MISSING, is_fraction, quote, schema_causes, value_at
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.json import FieldPath, Json, mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.quantity_text import is_rounded, parse
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.written import FIELDS, has_no_number, is_plain, nano_of

_WEIGHT: Final[FieldPath] = ("spec", "fairSharing", "weight")
_WEIGHTED: Final = ("ClusterQueue", "Cohort", "LocalQueue")
_AGAIN: Final = "the API server rejects the same text at the next apply"


class WrittenQuantity(NamedTuple):
    """A quantity as it is written; ``resource`` is empty for a weight."""

    object: Examined
    path: FieldPath
    resource: str
    value: Json

    @property
    def place(self) -> Place:
        """The place of the quantity."""
        return self.object.at(*self.path)

    @property
    def name(self) -> str:
        """The field and its resource: ```nominalQuota` of `cpu```."""
        return f"`{self.path[-1]}` of `{self.resource}`" if self.resource else f"`{self.path[-1]}`"


@worked_out_once
def _quantities(given: KueueGiven) -> tuple[WrittenQuantity, ...]:
    """Every quantity of a new object in an unusual form."""
    return (*_odd_quotas(given), *_odd_weights(given))


def _odd_quotas(given: KueueGiven) -> Iterator[WrittenQuantity]:
    for entry in given.odd_quotas:
        for name in FIELDS:
            if name in entry.quota and not is_plain(entry.quota[name]):
                each = given.examined[entry.manifest.key]
                yield WrittenQuantity(each, (*entry.path, name), entry.resource, entry.quota[name])


def _odd_weights(given: KueueGiven) -> Iterator[WrittenQuantity]:
    for kind in _WEIGHTED:
        for each in given.of(kind):
            weight = mapping(each.manifest.passing_data, "spec", "fairSharing").get("weight", MISSING)
            if each.judgement is not None and weight is not MISSING and not is_plain(weight):
                yield WrittenQuantity(each, _WEIGHT, "", weight)


def _schema_places(given: KueueGiven) -> frozenset[Place]:
    """The places that the API server itself rejects."""
    return frozenset(each.at(*cause.path) for each, cause in schema_causes(given))


@error_rule("K004")
def unquoted_fraction(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each fraction."""
    refused = {each.at(*cause.path) for each, cause in schema_causes(given) if is_fraction(each, cause)}
    for each, cause in schema_causes(given):
        if each.at(*cause.path) in refused:
            value = value_at(each, cause.path)
            yield _fraction(each.at(*cause.path), f"`{cause.path[-1]}`", value, "the API server rejects it")
    for written in _quantities(given):
        value = written.value
        odd = isinstance(value, float) and math.isfinite(value) and not value.is_integer()
        if odd and written.object.key.kind == "ClusterQueue" and written.place not in refused:
            stored = f"on creation it is stored as {parse(value).text}, but {_AGAIN}"
            yield _fraction(written.place, written.name, value, stored)


def _fraction(place: Place, name: str, value: float, consequence: str) -> Finding:
    quoted = repr(value)
    remedy = Remedy(f'quote it: `"{quoted}"`', (Replace(place, quoted),), safe=True)
    return Finding(place, f"{name} is the unquoted fraction `{quoted}`: {consequence}", remedy)


@error_rule("K007")
def quantity_without_digits(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each quantity."""
    reported = _schema_places(given)
    for each in _quantities(given):
        if each.object.key.kind == "ClusterQueue" and has_no_number(each.value) and each.place not in reported:
            yield Finding(
                each.place,
                f"{each.name} is {quote(each.value)}, which counts as 0: on creation it is accepted, but {_AGAIN}",
                Remedy("write the number before the suffix; for no quota, write 0"),
                evidence=((str(each.path[-1]), each.value), ("stored as", "0")),
            )


@error_rule("K008")
def missing_nominal_quota(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each entry."""
    reported = _schema_places(given)
    for entry in given.odd_quotas:
        place, key = entry.at("nominalQuota"), entry.manifest.key
        if entry.quota.get("nominalQuota") is not None or key.kind != "ClusterQueue" or place in reported:
            continue
        if meant_elsewhere(given.examined[key], place.path):
            continue
        null = "nominalQuota" in entry.quota
        edit = Replace(place, "0") if null else Insert(entry.at(), "nominalQuota", "0")
        state = "null" if null else "missing"
        yield Finding(
            place if null else entry.at(),
            f"`nominalQuota` of `{entry.resource}` is {state}: the queue is created with a quota of 0, but {_AGAIN}",
            Remedy("write `nominalQuota`; 0 keeps the current meaning", (edit,)),
            evidence=(("flavor", entry.flavor), ("stored as", "0")),
        )


@warning_rule("K044")
def quantity_below_nano(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each quantity of an accepted object."""
    for each in _quantities(given):
        if _is_accepted(each) and is_rounded(each.value):
            stored = parse(each.value).text
            yield Finding(
                each.place,
                f"{each.name} {quote(each.value)} has a fraction below 1n: it counts as {stored}",
                Remedy(f"write {stored}, or the amount that you mean", (Replace(each.place, stored),)),
                evidence=(("written", str(each.value)), ("counts as", stored)),
            )


@warning_rule("K045")
def quantity_beyond_64_bits(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each quota or limit of an accepted object, in releases that know an unlimited amount."""
    if given.release.exact_amounts or given.release.wrapping_amounts:
        return
    for each in _quantities(given):
        if not each.resource or not _is_accepted(each):
            continue
        unit = 10**6 if each.resource == "cpu" else 10**9
        if (nano_of(each.value) or 0) >= UNLIMITED * unit:
            yield Finding(
                each.place,
                f"{each.name} {quote(each.value)} is more than Kueue can count, so it counts as unlimited",
                Remedy("write a smaller amount"),
                evidence=(("written", str(each.value)), ("largest", str(UNLIMITED))),
            )


def _is_accepted(each: WrittenQuantity) -> bool:
    judgement = each.object.judgement
    if judgement is None or not judgement.accepted:
        return False
    if isinstance(each.value, str):
        return matches_pattern(each.value)
    return isinstance(each.value, int) or (isinstance(each.value, float) and each.value.is_integer())
