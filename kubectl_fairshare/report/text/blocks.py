"""Blocks of lines, separated by blank lines."""

from collections.abc import Iterable, Sequence


def blocks_text(blocks: Iterable[Sequence[str]]) -> str:
    """The blocks as one text; an empty one is left out."""
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)
