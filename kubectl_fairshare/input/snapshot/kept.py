"""What a redacted object keeps: fields that some scheduler's code names, and texts that say nothing about anyone.

A text stays if it is an amount, a moment, a word that the code compares with, or a word of the API; a name, or any
other text, is for a pseudonym. Messages keep numbers, and words that schedulers themselves say.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final

import orjson

from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import dataclass
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
KEYS_OF_LABELS: Final = frozenset({"key", "nodeLabel", "topologyKey", "levels", "levelKeys", "matchLabelKeys"})
_LISTS_OF_KEYS: Final = "-topology-constraints"
_VALUES_OF_LABELS: Final = frozenset({"value", "values", *LABELS})
_API_WORDS: Final = frozenset({"apiVersion", "kind"})
_SHOWN: Final = SPEAKING | KEYS_OF_LABELS | _API_WORDS
_SHOWN_WITH_LABELS: Final = _SHOWN | _VALUES_OF_LABELS
_RESOURCE: Final = re.compile(r"[a-z0-9][-./a-z0-9]*")
GATES: Final = re.compile(r"--feature-gates=[A-Z][A-Za-z]*=(?:true|false)(?:,[A-Z][A-Za-z]*=(?:true|false))*")
_CAPITAL: Final = re.compile(r"[A-Z]")
_BY_CHANCE: Final = re.compile(r"[0-9a-f-]{8,}")
_PLAIN: Final = re.compile(
    r"""
    [-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9.]+)?(?:[numkMGTPE]|[KMGTPE]i|[a-z]{1,2})?%?   # amounts, spans
    | v?[0-9]+\.[0-9]+\.[0-9]+                                            # versions, and no addresses
    | (?:[0-9.]+(?:h|m|s|ms|us|ns))+
    | [0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][-+:.0-9]+[Zz]?)?
    | [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}       # identifiers made by chance
    | [a-z0-9]{0,4}                                                       # too short to say anything
    """,
    re.VERBOSE,
)
_PAIR: Final = re.compile(r"[a-z0-9][-.a-z0-9]*/[a-z0-9][-.a-z0-9]*")
_TOKEN: Final = re.compile(r"[A-Za-z0-9](?:[-._A-Za-z0-9]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class ReadWords:
    """``words`` are names of fields and values that code mentions, ``said`` the words of its sentences."""

    words: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()


def read_words(files: Iterable[str]) -> ReadWords:
    """The lists in some data files of the package. Raises ``FairshareError`` where one is not installed."""
    words: set[str] = set()
    said: set[str] = set()
    for file in files:
        named, _, sentences = content(file).decode().partition("\n\n")
        words.update(named.split("\n"))
        said.update(sentences.split("\n"))
    return ReadWords(frozenset(words), frozenset(word.lower() for word in said | words))


def only_read(value: Json, read: ReadWords, field: str = "") -> Json:
    """The value without the fields that no scheduler's code names."""
    if isinstance(value, list):
        return [only_read(item, read) for item in value]
    if not isinstance(value, dict):
        return value
    kept = value.items() if field in _FREE_KEYS else ((n, held) for n, held in value.items() if n in read.words)
    return {name: only_read(held, read, name) for name, held in kept}


def is_plain(text: str, read: ReadWords) -> bool:
    """Whether a text says nothing about anyone: an amount, a moment, or a word that code compares with.

    Two such words may be joined, as in ``EvictedDueToPreempted``.
    """
    made_up = not (_is_amount(text) or _is_joined(text, read) or _is_amounts(text) or GATES.fullmatch(text))
    return text in read.words or not made_up


def _is_amount(text: str) -> bool:
    return _PLAIN.fullmatch(text.strip()) is not None


def _is_amounts(text: str) -> bool:
    """Whether a text is a mapping of resources to amounts as JSON, as annotations hold it."""
    try:
        found = orjson.loads(text) if text.startswith("{") else None
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict) and all(_RESOURCE.fullmatch(k) and _is_amount(str(v)) for k, v in found.items())


def _is_joined(text: str, read: ReadWords) -> bool:
    ends = [match.start() for match in _CAPITAL.finditer(text, 1)] if text[:1].isupper() else []
    return any(text[:end] in read.words and text[end:] in read.words for end in ends)


def is_identifier(text: str, field: str) -> bool:
    """Whether a text is an identifier made by chance: it says nothing, and its order decides between equals."""
    return field == "uid" and _BY_CHANCE.fullmatch(text) is not None


def other_texts(
    value: Json, read: ReadWords, named: tuple[str, ...], keys: Set[str], *, labels: bool, field: str = ""
) -> Iterator[str]:
    """The texts that need a pseudonym though nothing is called so; ``keys`` of labels stay.

    Of labels those in the domains ``named``, whose values are names; and with ``labels`` all values.
    """
    if isinstance(value, dict):
        for name, held in value.items():
            inner = name if field not in LABELS or _is_named(name, named) else field
            yield from other_texts(held, read, named, keys, labels=labels, field=inner)
    elif isinstance(value, list):
        for item in value:
            yield from other_texts(item, read, named, keys, labels=labels, field=field)
    elif not isinstance(value, str) or is_identifier(value, field):
        return
    elif field not in _never(labels=labels) and not is_key(value, field, keys):
        yield from (part for part in parts_of(value) if not is_plain(part, read))


def label_keys(value: Json, field: str = "") -> Iterator[str]:
    """The keys of labels in an object, and what its fields name as such: they stay, so that labels are found."""
    if isinstance(value, dict):
        for name, held in value.items():
            if field in LABELS:
                yield name
            yield from label_keys(held, name)
    elif isinstance(value, list):
        for item in value:
            yield from label_keys(item, field)
    elif isinstance(value, str) and field in KEYS_OF_LABELS:
        yield value


def is_key(value: str, field: str, keys: Set[str]) -> bool:
    """Whether a text is the key of a label, or an annotation that lists such keys, as levels of a topology are."""
    return value in keys or field.endswith(_LISTS_OF_KEYS)


def _never(*, labels: bool) -> frozenset[str]:
    """The fields whose texts need no pseudonym."""
    return _SHOWN if labels else _SHOWN_WITH_LABELS


def _is_named(label: str, domains: tuple[str, ...]) -> bool:
    return "/" in label and label.partition("/")[0].endswith(domains)


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
