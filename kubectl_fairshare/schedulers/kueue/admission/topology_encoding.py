"""Topology assignments: v1beta1's list of domains, and v1beta2's slices that spell common parts once.

Source: Kueue v0.19, KEP 2724, with the gate TASAssignmentsEncodingByHostnamePrefix at its default (on).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.model.json import Json, JsonObject

HOSTNAME: Final = "kubernetes.io/hostname"
_MOST_DOMAINS: Final = 100_000
_MOST_SLICES: Final = 1_000


class MisfitError(ValueError):
    """Raised for an assignment whose domains do not have a value for every level."""


def slices(levels: Sequence[str], domains: Sequence[JsonObject]) -> list[dict[str, Json]]:
    """The slices for these domains: one for each run of a host name prefix, or one for all if that is shorter."""
    if any(len(domain.get("values", ())) < len(levels) for domain in domains):
        raise MisfitError("a domain has fewer values than there are levels")
    split = [_slice(levels, part) for run in _runs(levels, domains) for part in _chunks(run)]
    if len(split) <= 1 or len(domains) > _MOST_DOMAINS:
        return split
    whole = [_slice(levels, domains)]
    return whole if _length(whole) < _length(split) else split


def domains(assignment: JsonObject) -> list[dict[str, Json]]:
    """The domains that v1beta2 slices encode."""
    levels = assignment.get("levels", ())
    return [domain for part in assignment.get("slices", ()) for domain in _domains_of(part, len(levels))]


def spelled_out(assignment: JsonObject) -> JsonObject:
    """The assignment in one slice whose domains share no text; as it is where it cannot be decoded."""
    try:
        found = domains(assignment)
    except (AttributeError, IndexError, KeyError, TypeError):  # reading it reports the mistake
        return assignment
    levels = range(len(assignment.get("levels", ())))
    values = [{"individual": {"roots": [domain["values"][level] for domain in found]}} for level in levels]
    counts = {"individual": [domain["count"] for domain in found]}
    return {**assignment, "slices": [{"domainCount": len(found), "valuesPerLevel": values, "podCounts": counts}]}


def _domains_of(part: JsonObject, levels: int) -> Iterator[dict[str, Json]]:
    values, counts = part.get("valuesPerLevel", ()), part.get("podCounts", {})
    for index in range(part.get("domainCount", 0)):
        count = counts["universal"] if "universal" in counts else counts.get("individual", ())[index]
        yield {"values": [_value(values[level], index) for level in range(levels)], "count": count}


def _value(level: JsonObject, index: int) -> str:
    if "universal" in level:
        return str(level["universal"])
    individual = level["individual"]
    return f"{individual.get('prefix', '')}{individual['roots'][index]}{individual.get('suffix', '')}"


def _length(parts: list[dict[str, Json]]) -> int:
    import json

    return len(json.dumps(parts, separators=(",", ":")))


def _chunks(run: Sequence[JsonObject]) -> Iterator[Sequence[JsonObject]]:
    for start in range(0, len(run), _MOST_DOMAINS):
        yield run[start : start + _MOST_DOMAINS]


def _runs(levels: Sequence[str], domains: Sequence[JsonObject]) -> Iterator[Sequence[JsonObject]]:
    if not domains:
        return
    if len(domains) < 2 or not levels or levels[-1] != HOSTNAME:
        yield domains
        return
    hosts = [str(domain["values"][len(levels) - 1]) for domain in domains]
    keys = _prefix_keys(hosts)
    if keys is None:
        yield domains
        return
    for _, run in groupby(zip(keys, domains, strict=True), key=lambda pair: pair[0]):
        yield [domain for _, domain in run]


def _prefix_keys(hosts: list[str]) -> list[str] | None:
    """For each host the longest prefix, up to a dash, that another host shares; shorter if runs are too many."""
    prefixes = [[host[: end + 1] for end in range(len(host) - 1) if host[end] == "-"] for host in hosts]
    times: dict[str, int] = {}
    for each in prefixes:
        for prefix in each:
            times[prefix] = times.get(prefix, 0) + 1
    for depth in range(max(map(len, prefixes)), 0, -1):
        keys = [next((p for p in reversed(each[:depth]) if times[p] > 1), "") for each in prefixes]
        runs = sum(-(-len(list(run)) // _MOST_DOMAINS) for _, run in groupby(keys))
        if runs <= _MOST_SLICES:
            return keys
    return None


def _slice(levels: Sequence[str], domains: Sequence[JsonObject]) -> dict[str, Json]:
    counts = [domain.get("count", 0) for domain in domains]
    same_count = len(set(counts)) == 1
    return {
        "domainCount": len(domains),
        "valuesPerLevel": [_level([d["values"][index] for d in domains]) for index in range(len(levels))],
        "podCounts": {"universal": counts[0]} if same_count else {"individual": counts},
    }


def _level(values: list[str]) -> dict[str, Json]:
    if len(set(values)) == 1:
        return {"universal": values[0]}
    shortest = min(map(len, values))
    prefix = _common_prefix(values)
    suffix = _common_prefix([value[::-1] for value in values])[::-1]
    prefix = prefix[: shortest - len(suffix)] if len(prefix) + len(suffix) > shortest else prefix
    individual: dict[str, Json] = {"prefix": prefix} if prefix else {}
    if suffix:
        individual["suffix"] = suffix
    individual["roots"] = [value[len(prefix) : len(value) - len(suffix)] for value in values]
    return {"individual": individual}


def _common_prefix(values: list[str]) -> str:
    low, high = min(values), max(values)
    length = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:length]
