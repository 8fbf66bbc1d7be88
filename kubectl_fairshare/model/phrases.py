"""Phrases that messages of every room share: what a wrong word may stand for, and the first few of many names."""

from collections.abc import Iterable, Sequence


def likely(word: str, known: Iterable[str], most: int = 3, cutoff: float = 0.6) -> list[str]:
    """The known words that read most like ``word``, the likeliest first; ``cutoff`` is how alike, up to 1."""
    from difflib import get_close_matches

    return get_close_matches(word, list(known), n=most, cutoff=cutoff)


def did_you_mean(names: Sequence[str]) -> str | None:
    """``did you mean `a` or `b`?``, None for no names."""
    return f"did you mean {' or '.join(f'`{name}`' for name in names)}?" if names else None


def quoted(names: Iterable[str]) -> str:
    """```a`, `b```: names in backticks, in their order."""
    return ", ".join(f"`{name}`" for name in names)


def some_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """``a, b and 3 more``: the first ``most`` names, and how many are left."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + more
