"""A step with all that it rests on, as an indented tree of sentences and fields."""

from collections.abc import Callable
from typing import Final

from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.trace import Fact, Step

_DEEPEST: Final = 12


def derivation_lines(
    step: Step,
    sentence: Callable[[Step], str],
    field: Callable[[Fact, Step], str],
    view: View,
    known: set[object],
) -> list[str]:
    """The step, and below it what it rests on; a step that is ``known`` is left out, one that is written becomes so.

    ``field`` says what was read where, for the step that uses it. Nothing is walked by calls that nest.
    """
    lines: list[str] = []
    to_come: list[tuple[Step | Fact, Step, int]] = [(step, step, 1)]
    while to_come:
        part, owner, depth = to_come.pop()
        indent = "  " * min(depth, _DEEPEST)
        if isinstance(part, Fact):
            place = view.cite(part.place)
            lines.append(view.paint("dim", f"{indent}  {field(part, owner)}{f'  {place}' if place else ''}"))
        elif (seen := (part.law, part.operands)) not in known:
            known.add(seen)
            lines += paragraph(sentence(part), view, indent, f"{indent}    ")
            to_come.extend((below, part, depth + 1) for below in reversed(part.rests_on))
    return lines
