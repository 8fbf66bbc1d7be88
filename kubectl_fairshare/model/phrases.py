"""Phrases that all rooms share: suggestions for a misspelt word, and the first few of many names."""

from collections.abc import Iterable, Sequence


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


def some_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """``a, b and 3 more``: the first ``most`` names, and the number of the others."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more
