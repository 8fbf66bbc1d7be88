"""A step with all that it rests on, as an indented tree of sentences and fields."""

from collections.abc import Callable, Iterator
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Remark
from kubectl_fairshare.trace import Fact, Step

_DEEPEST: Final = 12


def derivation_blocks(
    step: Step, sentence: Callable[[Step], str], field: Callable[[Fact, Step], str], known: set[object]
) -> Iterator[Block]:
    """The step, and below it what it rests on; a step that is ``known`` is left out, one that is written becomes so.

    ``field`` says what was read where, for the step that uses it. Nothing is walked by calls that nest.
    """
    to_come: list[tuple[Step | Fact, Step, int]] = [(step, step, 1)]
    while to_come:
        part, owner, depth = to_come.pop()
        indent = "  " * min(depth, _DEEPEST)
        if isinstance(part, Fact):
            yield Remark(field(part, owner), "dim", part.place, f"{indent}  ", folds=False)
        elif (seen := (part.law, part.operands)) not in known:
            known.add(seen)
            yield Remark(sentence(part), first=indent, more=f"{indent}    ")
            to_come.extend((below, part, depth + 1) for below in reversed(part.rests_on))
