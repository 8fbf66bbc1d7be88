"""What a redacted object keeps: fields that some scheduler's code names, and texts that say nothing about anyone.

A text stays if it is an amount, a moment, a word that the code compares with, or a word of the API; a name, or any
other text, is for a pseudonym. Messages keep numbers, and words that schedulers themselves say.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.input.known import Unredacted
from kubectl_fairshare.input.snapshot.embedded import Embedded
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.shipped import content

SPEAKING: Final = frozenset({"message", "note"})
LABELS: Final = frozenset({"labels", "matchLabels", "nodeLabels", "nodeSelector"})
UNSAID: Final = "…"
_FREE_KEYS: Final = frozenset(
    {
        *("allocatable", "allocated", "annotations", "capacity", "data", "default", "defaultRequest", "featureGates"),
        *("flavors", "hard", "limits", "max", "maxLimitRequestRatio", "min", "outputs", "overhead", "podFixed"),
        *("requested", "requests", "resourceUsage", "used", "weights"),
        *LABELS,
    }
)
"""Mappings whose keys are names of resources, flavors, labels or gates."""
_AMOUNTS_IN: Final = "resources"
"""A mapping whose keys are names of resources if its values are amounts; so is JSON in an annotation."""
KEYS_OF_LABELS: Final = frozenset({"key", "nodeLabel", "topologyKey", "levels", "levelKeys", "matchLabelKeys"})
VALUES_OF_LABELS: Final = frozenset({"value", "values", *LABELS})
API_WORDS: Final = frozenset({"apiVersion", "externalFrameworks", "frameworks", "kind"})
"""Fields that hold kinds, or groups and versions of kinds."""
PREFIXES: Final = frozenset({"excludeResourcePrefixes", "ignoredResourceGroups"})
"""How names of resources begin: these stay, so their beginnings do."""
AMOUNT: Final = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9.]+)?(?:[numkMGTPE]|[KMGTPE]i)?"
_GATE: Final = r"[A-Z][A-Za-z0-9]*=(?i:true|false)"
GATES: Final = rf"(?:--feature-gates=)?{_GATE}(?:,\s*{_GATE})*|--feature-gates"
"""Feature gates as programs are given them, in one word or in two."""
_PLAIN: Final = re.compile(
    rf"""
    {AMOUNT}%?
    | [0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*              # sets of processors
    | (?:[0-9.]+(?:h|m|s|ms|us|ns))+                          # spans
    | [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[Tt ][-+:.0-9]+[Zz]?)?     # moments
    | v?[0-9]+\.[0-9]+\.[0-9]+                                # versions, and no addresses
    | 0\.0\.0\.0 | ::                                         # every interface
    | [0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}           # identifiers made by chance
    | {GATES}
    | [a-z0-9]{{0,4}}                                           # too short to say anything
    """,
    re.VERBOSE,
)
_AMOUNT: Final = re.compile(AMOUNT)
_RESOURCE: Final = re.compile(r"[a-z0-9][-./a-z0-9]*")
_PAIR: Final = re.compile(r"[a-z0-9][-.a-z0-9]*/[a-z0-9][-.a-z0-9]*")
_TOKEN: Final = re.compile(r"[A-Za-z0-9](?:[-._A-Za-z0-9]*[A-Za-z0-9])?")


class ReadWords(Value, frozen=True):
    """``words`` are names of fields and values that code mentions, ``said`` the words of its sentences.

    ``strict`` are the kinds, with their groups, for which an unknown field is an error.
    """

    words: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()
    strict: frozenset[tuple[str, str]] = frozenset()


def read_words(files: Iterable[str], spared: Unredacted) -> ReadWords:
    """The lists in some data files of the package, and spared words. Raises ``FairshareError`` for a missing file."""
    words = set(spared.words)
    said: set[str] = set()
    for file in files:
        named, _, sentences = content(file).decode().partition("\n\n")
        words.update(named.split("\n"))
        said.update(sentences.split("\n"))
    return ReadWords(frozenset(words), frozenset(word.lower() for word in said | words), spared.strict)


def only_read(value: Json, read: ReadWords, field: str = "", *, strict: bool = False) -> Json:
    """The value without the fields that no scheduler's code names; ``…`` stays for them where they are an error."""
    if isinstance(value, Embedded):
        return Embedded(only_read(item, read, _AMOUNTS_IN) for item in value)
    if isinstance(value, list):
        return [only_read(item, read, strict=strict) for item in value]
    if not isinstance(value, dict):
        return value
    strict = strict or _group_kind(value) in read.strict
    free = field in _FREE_KEYS or (field == _AMOUNTS_IN and _are_amounts(value))
    kept = {name: held for name, held in value.items() if free or name in read.words}
    found = {name: only_read(held, read, name, strict=strict) for name, held in kept.items()}
    return {**found, UNSAID: None} if strict and len(kept) < len(value) else found


def _group_kind(value: Mapping[str, Json]) -> tuple[str, str]:
    return str(value.get("apiVersion")).partition("/")[0], str(value.get("kind"))


def _are_amounts(value: Mapping[str, Json]) -> bool:
    """Whether all in a mapping are amounts of resources."""
    return all(
        _RESOURCE.fullmatch(name) and (held is None or _AMOUNT.fullmatch(str(held))) for name, held in value.items()
    )


def is_plain(text: str, read: ReadWords) -> bool:
    """Whether a text says nothing about anyone: an amount, a moment, or a word that code compares with."""
    return text in read.words or _PLAIN.fullmatch(text.strip()) is not None


def parts_of(text: str) -> list[str]:
    """The names in ``namespace/name``; any other text alone."""
    return text.split("/") if _PAIR.fullmatch(text) else [text]


def said_of(text: str, aliases: Mapping[str, str], read: ReadWords) -> str:
    """A message with pseudonyms for names, and a sign for every other word that schedulers do not say."""

    def shown(match: re.Match[str]) -> str:
        word = match[0]
        if word in aliases:
            return aliases[word]
        parts = [part for part in re.split(r"[-._]", word) if part]
        known = is_plain(word, read) or all(part.lower() in read.said or part.isdigit() for part in parts)
        return word if known else UNSAID

    return _TOKEN.sub(shown, text)
