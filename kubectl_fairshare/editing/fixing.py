"""Applies fixes to texts: each one whole or not at all, and every result is read again before it counts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.editing.changed_lines import ChangedLines
from kubectl_fairshare.editing.neighbours import Neighbours
from kubectl_fairshare.editing.pieces import Pieces, SourceDocument
from kubectl_fairshare.editing.proof import prove
from kubectl_fairshare.editing.splice import EditStep, Splice, UnspliceableError
from kubectl_fairshare.editing.splices import splices
from kubectl_fairshare.finding import Insert, Remove, Reorder
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.values import Value, field

_MOST_PROOFS: Final = 60
"""How often changes are read again in one call: fixes that fail are found by halving, so a few need some twenty."""
_TOO_MANY: Final = "too many other fixes of this file could not be proven: fix those by hand, then run again"


class Fix(Value, frozen=True):
    """Edits that belong together, by the document that they change."""

    steps: Mapping[SourceDocument, tuple[EditStep, ...]]

    @property
    def sources(self) -> frozenset[str]:
        """The texts that it changes."""
        return frozenset(part.source for part in self.steps)


class FixedTexts(Value):
    """The result of fixes, by their number. ``texts`` are the new bytes of the changed sources, ``lines`` what changed.

    ``made`` are the splices of the applied ones, by number and source, as positions in the whole text. ``refused`` says
    why a fix was not applied. ``waiting`` ones overlap another fix and can be tried on the new texts.
    """

    texts: dict[str, bytes] = field(default_factory=dict)
    lines: dict[str, Sequence[ChangedLines]] = field(default_factory=dict)
    made: dict[int, list[tuple[str, Splice]]] = field(default_factory=dict)
    applied: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)


def apply_fixes(texts: Texts, fixes: Sequence[Fix]) -> FixedTexts:
    """Applies as many ``fixes`` as fit together; of two that overlap, the first one wins."""
    return _Bench(texts, fixes).outcome()


class _Bench:
    """The original texts, and the fixes that were accepted so far."""

    def __init__(self, texts: Texts, fixes: Sequence[Fix]) -> None:
        self._fixes = fixes
        self._pieces = Pieces(texts)
        self._taken: list[int] = []
        self._made: dict[int, Mapping[SourceDocument, Sequence[Splice]]] = {}
        self._neighbours = Neighbours()
        self._proofs = 0

    def outcome(self) -> FixedTexts:
        found = FixedTexts()
        for number, fix in enumerate(self._fixes):
            try:
                made = {part: self._splices(part, steps) for part, steps in fix.steps.items()}
            except UnspliceableError as error:
                found.refused[number] = str(error)
                continue
            near = self._neighbours.near(made, set(_claims(fix)))
            if self._goes_with(fix, near):
                self._taken.append(number)
                self._made[number] = made
                self._neighbours.add(number, made, set(_claims(fix)), near)
            else:
                found.waiting.append(number)
        for together in self._components():
            self._proofs = 0
            found.applied += self._proven(together, (), found.refused)
        found.applied.sort()
        found.made = {number: self._in_text(number) for number in found.applied}
        for source, steps in sorted(self._steps_of(found.applied).items()):
            spliced = self._pieces.in_text(self._together(steps))
            found.texts[source] = self._pieces.changed_bytes(source, spliced)
            found.lines[source] = self._pieces.changed_lines(source, spliced)
        return found

    def _in_text(self, number: int) -> list[tuple[str, Splice]]:
        found = []
        for part, made in self._made[number].items():
            offset = self._pieces[part].offset
            found += [(part.source, Splice(start + offset, end + offset, text)) for start, end, text in made]
        return found

    def _splices(self, part: SourceDocument, steps: Sequence[EditStep]) -> Sequence[Splice]:
        return splices(self._pieces[part].document, steps)

    def _goes_with(self, fix: Fix, near: Iterable[int]) -> bool:
        """Whether it can be combined with the fixes that it touches."""
        touched = [self._fixes[number] for number in sorted(near)]
        try:
            for part, steps in fix.steps.items():
                before = [step for each in touched for step in each.steps.get(part, ())]
                if {_subject(step) for step in before} & {_subject(step) for step in steps}:
                    return False
                if before:
                    self._splices(part, [*before, *steps])
        except UnspliceableError:
            return False
        return True

    def _components(self) -> Iterator[list[int]]:
        """The accepted fixes in groups; two groups share no text."""
        groups: list[tuple[set[str], list[int]]] = []
        by_source: dict[str, int] = {}
        for number in self._taken:
            sources = self._fixes[number].sources
            met = sorted({by_source[source] for source in sources if source in by_source})
            into = met[0] if met else len(groups)
            if not met:
                groups.append((set(), []))
            for other in met[1:]:
                groups[into][0].update(groups[other][0])
                groups[into][1].extend(groups[other][1])
                groups[other] = set(), []
            groups[into][0].update(sources)
            groups[into][1].append(number)
            by_source.update(dict.fromkeys(groups[into][0], into))
        yield from (sorted(numbers) for _, numbers in groups if numbers)

    def _proven(self, batch: Sequence[int], applied: Sequence[int], refused: dict[int, str]) -> list[int]:
        """Those of a batch that can be made next to ``applied``: all, otherwise those of its halves.

        Every proof reads a file again, so the number of proofs is bounded, and the work grows with the file alone.
        """
        self._proofs += 1
        if self._proofs > _MOST_PROOFS:
            refused.update(dict.fromkeys(batch, _TOO_MANY))
            return []
        try:
            self._prove(batch, applied)
        except UnspliceableError as error:
            if len(batch) == 1:
                refused[batch[0]] = str(error)
                return []
            half = len(batch) // 2
            first = self._proven(batch[:half], applied, refused)
            return first + self._proven(batch[half:], [*applied, *first], refused)
        return list(batch)

    def _prove(self, batch: Sequence[int], applied: Sequence[int]) -> None:
        changed = {source for number in batch for source in self._fixes[number].sources}
        for source, steps in sorted(self._steps_of([*applied, *batch]).items()):
            if source in changed:
                prove(self._pieces, source, self._together(steps), steps)

    def _steps_of(self, numbers: Iterable[int]) -> dict[str, dict[SourceDocument, list[EditStep]]]:
        """The steps of fixes by the source that they change, and by its document."""
        found: dict[str, dict[SourceDocument, list[EditStep]]] = {}
        for number in numbers:
            for part, steps in self._fixes[number].steps.items():
                found.setdefault(part.source, {}).setdefault(part, []).extend(steps)
        return found

    def _together(self, steps: Mapping[SourceDocument, Sequence[EditStep]]) -> dict[SourceDocument, Sequence[Splice]]:
        return {part: self._splices(part, each) for part, each in steps.items()}


def _claims(fix: Fix) -> Iterator[tuple[SourceDocument, FieldPath]]:
    """The lists and mappings that get more or fewer rows, or another order."""
    for part, steps in fix.steps.items():
        for path, edit in steps:
            if isinstance(edit, Insert | Reorder):
                yield part, path
            elif isinstance(edit, Remove):
                yield part, path[:-1]


def _subject(step: EditStep) -> tuple[FieldPath, type, str]:
    """The part of a step that is equal in two fixes with the same goal."""
    path, edit = step
    return path, type(edit), edit.key if isinstance(edit, Insert) else ""
