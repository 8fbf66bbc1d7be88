"""Amounts that do not mean to the scheduler what they look like."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Replace
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import figure
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.quantity import nano
from kubectl_fairshare.schedulers.elasticquota.model.scaled import LARGEST, LEAST
from kubectl_fairshare.schedulers.elasticquota.model.vector import CPU, FIXED, MEMORY, STORAGE, amount, exact, is_held
from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven
from kubectl_fairshare.schedulers.elasticquota.rules.names import WrittenAmount, entries, is_count, is_readable
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import LISTS

_BYTES: Final = (MEMORY, STORAGE)
_UNITS: Final = {CPU: 10**6}
_NANO: Final = 10**9
_SMALL: Final = 1 << 20
_LARGEST_CORES: Final = LARGEST // 1000
_DECIMAL: Final = tuple("kMGTPE")


@error_rule("E018")
def negative_amount(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each negative amount."""
    for entry in entries(given):
        if is_held(entry.resource) and nano(entry.value) < 0:
            rejected = "every pod of the namespace" if entry.resource in FIXED else "every pod that requests it"
            after = f"the scheduler rejects {rejected}" if entry.list == "max" else "all quotas together have less"
            yield Finding(
                entry.place,
                f"{entry.list} of `{entry.resource}` is negative, `{entry.value}`: {after}",
                Remedy("write 0 or more"),
                evidence=((entry.list, f"{entry.value}"),),
            )


@error_rule("E019")
def amount_overflows(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each amount that becomes another one, and one for each sum of min that wraps around."""
    for entry in entries(given):
        if is_held(entry.resource) and not is_count(entry.resource) and nano(entry.value) >= 0:
            yield from _overflowing(entry)
    yield from _sums(given)


def _overflowing(entry: WrittenAmount) -> Iterator[Finding]:
    held = amount(entry.resource, entry.value)
    if held == exact(entry.resource, entry.value) or (entry.list == "max" and held == LARGEST):
        return
    endless = str(_LARGEST_CORES) if entry.resource == CPU else "9E"
    edits: tuple[Edit, ...] = (Replace(entry.place, endless),) if entry.list == "max" else ()
    remedy = f"write `{endless}`, the largest that fits, or remove max" if edits else "write a realistic amount"
    yield Finding(
        entry.place,
        f"`{entry.value}` does not fit into 64 bits: the scheduler reads {_raw(entry.resource, held)}",
        Remedy(remedy, edits, safe=bool(edits)),
        evidence=(("written", f"{entry.value}"), ("read as", _raw(entry.resource, held))),
    )


def _raw(resource: str, held: int) -> str:
    unit = "m" if resource == CPU else ""
    return f"{held}{unit} {resource}" if held in (LARGEST, LEAST) else figure(resource, held)


def _sums(given: ElasticQuotaGiven) -> Iterator[Finding]:
    quotas = given.quotas
    named = {r for quota in quotas.source.quotas.values() for r in quota.written_min if is_held(r)}
    for resource in sorted(named - quotas.unsound):
        asking = [q for q in quotas.source.quotas.values() if resource in q.written_min]
        total, held = sum(q.least.of(resource) for q in asking), quotas.ledger.pool.of(resource)
        if total != held:
            largest = max(asking, key=lambda q: q.least.of(resource))
            yield Finding(
                largest.place("min", resource),
                f"the sum of all min of `{resource}` does not fit into 64 bits: it becomes {_raw(resource, held)}",
                Remedy("write amounts that nodes can have"),
                evidence=(("quotas", str(len(asking))), ("sum", _raw(resource, held))),
                related=tuple(Related("also here", q.place("min", resource)) for q in asking[:3] if q is not largest),
            )


@warning_rule("E021")
def amount_of_the_wrong_size(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each amount that is rounded up, or is below a mebibyte."""
    for entry in entries(given):
        if not is_held(entry.resource) or is_count(entry.resource):
            continue
        value = nano(entry.value)
        whole = exact(entry.resource, entry.value)
        if value > 0 and value % _UNITS.get(entry.resource, _NANO):
            rounded = f"{whole}m cpu" if entry.resource == CPU else f"{whole} {entry.resource}"
            message = f"`{entry.value}` of `{entry.resource}` is not a whole unit and counts as {rounded}"
            yield Finding(entry.place, message, Remedy(_wanted(entry)), evidence=(("counts as", rounded),))
        elif entry.resource in _BYTES and 0 < whole < _SMALL and str(entry.value).isdigit():
            edits = (Replace(entry.place, f"{entry.value}Mi"),)
            yield Finding(
                entry.place,
                f"{entry.list} of `{entry.resource}` is {whole} bytes",
                Remedy(f"write `{entry.value}Mi` or `{entry.value}Gi`, as intended", edits),
                evidence=(("bytes", str(whole)),),
            )


def _wanted(entry: WrittenAmount) -> str:
    if entry.resource == CPU:
        return "write whole millicores: `100m`"
    if entry.resource in _BYTES:
        return "write whole bytes: `100M` or `100Mi`; `100m` is a tenth of a byte"
    return "write a whole number"


@info_rule("E022")
def quantity_spelling(given: ElasticQuotaGiven) -> Iterator[Finding]:
    """One finding for each resource with two spellings of equal bounds, and one for G next to Gi in one object."""
    for examined in given.written:
        spec = examined.spec
        least, most = ((spec.get(name) or {}) for name in LISTS)
        for resource in least:
            if resource in most and is_held(resource) and _alike(least[resource], most[resource]):
                place = examined.at("spec", "max", resource)
                yield Finding(
                    place,
                    f"max of `{resource}` is `{most[resource]}` and min `{least[resource]}`: the same amount",
                    Remedy(f"write `{least[resource]}` in both", (Replace(place, least[resource]),), safe=True),
                    related=(Related("min is here", examined.at("spec", "min", resource)),),
                )
        yield from _mixed(examined, {"min": least, "max": most})


def _alike(one: Json, other: Json) -> bool:
    return str(one) != str(other) and is_readable(one) and is_readable(other) and nano(one) == nano(other)


def _mixed(examined: Examined, bounds: Mapping[str, Mapping[str, Json]]) -> Iterator[Finding]:
    """Bytes with decimal suffixes in an object that also uses binary ones."""
    texts = [(n, r, str(v)) for n, amounts in bounds.items() for r, v in amounts.items() if r in _BYTES]
    binary = [(n, r, t) for n, r, t in texts if t.endswith("i")]
    decimal = [(n, r, t) for n, r, t in texts if t.endswith(_DECIMAL)]
    if binary and decimal:
        name, resource, text = decimal[0]
        first = binary[0]
        yield Finding(
            examined.at("spec", name, resource),
            f"`{text}` has a decimal suffix, and `{first[2]}` a binary one",
            Remedy(
                f"write `{text}i` if you mean that; it is more",
                (Replace(examined.at("spec", name, resource), f"{text}i"),),
            ),
            evidence=(("bytes", str(exact(resource, text))),),
            related=(Related("a binary suffix here", examined.at("spec", first[0], first[1])),),
        )
