"""The answer to ``search``, printed. It says what was covered, and never calls that a proof of what lies beyond.

Tested in ``tests/unit/policy/test_search_command.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.search import Arriving, Covered, LoopStep, Refutation, SearchAnswer
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.text.closing import exactness
from kubectl_fairshare.report.text.paragraph import ended, paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.yaml_text import yaml_text

_REFUTED: Final[tuple[str, Tone]] = ("✘", "never")
_HELD: Final[tuple[str, Tone]] = ("✔", "good")


class SearchReport(Value, frozen=True):
    """The answer to ``search`` in every form in which it is printed."""

    answer: SearchAnswer

    @property
    def exit_code(self) -> int:
        """1 if an invariant is refuted or nothing is exact, otherwise 0: none of what was covered breaks it."""
        return self.answer.exit_code

    def screen(self, view: View) -> str:
        """The answer as text for people."""
        answer = self.answer
        broken = {each.invariant: each for each in answer.refuted}
        lines: list[str] = []
        for invariant in answer.invariants:
            found = broken.get(invariant)
            mark, tone = _REFUTED if found else _HELD
            lines += [view.paint(tone, line) for line in folded(f"{mark} never {invariant}", view.width, "  ")]
            lines += _refutation_lines(found, view) if found else []
        lines += paragraph(covered_text(answer.covered), view, "  ", "  ", "dim")
        lines += [line for note in answer.notes for line in paragraph(f"note: {note}", view, "  ", "  ", "dim")]
        if answer.scenario is not None:
            lines += ["", view.paint("dim", "a file that `kubectl fairshare test` replays (--write FILE keeps it):")]
            lines += [f"  {line}" for line in self.scenario().splitlines()]
            lines.append("")
        return "".join(f"{line}\n" for line in [*lines, *self._closing(view)])

    def _closing(self, view: View) -> list[str]:
        answer = self.answer
        tone: Tone = "never"
        exact = answer.fidelity.settled
        certainty = exactness(answer.fidelity) if exact else f"not exact: {'; '.join(answer.fidelity.doubts)}"
        held = len(answer.invariants) - len(answer.refuted)
        if answer.refuted:
            text = f"⇒ {len(answer.refuted)} of {count(len(answer.invariants), 'invariant')} refuted · {certainty}"
        else:
            states = f"{answer.covered.states:,} states"
            text = f"⇒ no counterexample to {count(held, 'invariant')} in {states} · {certainty}"
            tone = "good" if exact else "wait"
        lines = [view.paint(tone, line) for line in folded(text, view.width - 8, "  ")]
        return ended(lines, f"exit {self.exit_code}", "dim", view)

    def scenario(self) -> str:
        """The file of tests that replays what was found."""
        return yaml_text(self.answer.scenario) if self.answer.scenario is not None else ""

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.documents.structs import ANSWERS

        return ANSWERS.document("Search", self.answer, places)

    def names(self) -> Iterable[str]:
        """The invariants that are refuted."""
        return (each.invariant for each in self.answer.refuted)

    def csv(self) -> str:
        """A line for each invariant."""
        broken = {each.invariant: each.breach for each in self.answer.refuted}
        rows = ((each, "refuted" if each in broken else "", broken.get(each, "")) for each in self.answer.invariants)
        return csv_text(("invariant", "result", "breach"), rows)


def _refutation_lines(of: Refutation, view: View) -> list[str]:
    lines = paragraph(of.breach, view, "    ", "      ")
    for number, each in enumerate(of.arrivals, 1):
        lines += paragraph(f"w{number}  {arriving_text(each)}", view, "      ", "        ", "dim")
    for number, text in enumerate(_loop_lines(of)):
        lines += paragraph(text, view, "      " if number else "    ", "        ")
    return lines


def _loop_lines(of: Refutation) -> Iterator[str]:
    """The steps of a loop in sentences, in order; empty for other invariants."""
    if of.steps:
        yield f"{of.pace}; then without end:"
    yield from (step_text(each) for each in of.steps)


def step_text(step: LoopStep) -> str:
    """One step, with its rule."""
    if step.event == "evicted":
        return f"cycle {step.cycle}: {step.by} of {step.by_queue} evicts {step.name} of {step.queue}, by {step.rule}"
    if step.event == "stopped":
        return f"then the pods of {step.name} have stopped"
    return f"cycle {step.cycle}: {step.name} starts in {step.queue}"


def arriving_text(of: Arriving) -> str:
    """A workload in a few words."""
    asked = ", ".join(f"{each.text} {each.resource}" for each in of.request)
    return f"{asked} in {of.queue}" + (f", priority {of.priority}" if of.priority else "")


def covered_text(of: Covered) -> str:
    """What was covered, and that nothing beyond it was."""
    sizes = f"{count(len(of.sizes), 'size')} ({', '.join(each.text for each in of.sizes)} {of.resource})"
    over = f"in {sizes} over {count(of.queues, 'queue')}"
    texts = []
    if of.lengths:
        texts.append(f"all loads of up to {count(of.lengths, 'workload')} {over}: {of.systematic_states:,} states")
    if of.partly:
        loads = f"some of those of {count(of.partly, 'workload')}"
        texts.append(loads if of.lengths else f"some loads of {count(of.partly, 'workload')} {over}")
    if of.drawn:
        texts.append(f"{of.drawn:,} larger ones, drawn (seed {of.seed})")
    return f"covered: {'; '.join(texts) or 'nothing'}. Larger loads and other sizes were not tried."
