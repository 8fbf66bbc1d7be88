"""Phrases that all rooms share: suggestions for a misspelt word, and the first few of many names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

_MOST_KINDS: Final = 8


def likely(word: str, known: Iterable[str], most: int = 3, cutoff: float = 0.6) -> list[str]:
    """The known words most similar to ``word``, best first; ``cutoff`` is the least similarity, up to 1."""
    from difflib import get_close_matches

    return get_close_matches(word, list(known), n=most, cutoff=cutoff)


def did_you_mean(names: Sequence[str]) -> str | None:
    """``did you mean `a` or `b`?``; None without names."""
    return f"did you mean {' or '.join(f'`{name}`' for name in names)}?" if names else None


def quoted(names: Iterable[str]) -> str:
    """```a`, `b```: names in backticks, in their order."""
    return ", ".join(f"`{name}`" for name in names)


def counted_kinds(counts: Mapping[str, int]) -> str:
    """``2 v1 Secret, 1 v1 Service``: kinds with their numbers, the first eight of them, and how many more."""
    listed = [f"{number} {kind}" for kind, number in sorted(counts.items())]
    more = f" and {len(listed) - _MOST_KINDS} more kinds" if len(listed) > _MOST_KINDS + 1 else ""
    return ", ".join(listed[:_MOST_KINDS] if more else listed) + more


def some_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """``a, b and 3 more``: the first ``most`` names, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more


def one_of_others(number: int) -> str:
    """Alternatives to the one that is named: ``the other one``, ``one of 3 others``."""
    return "the other one" if number == 1 else f"one of {number} others"
