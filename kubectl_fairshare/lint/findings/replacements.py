"""Fixes as replacements of text, for programs that offer them with a finding."""

from collections.abc import Callable, Mapping, Sequence

from kubectl_fairshare.editing.fixing import Fix, apply_fixes
from kubectl_fairshare.editing.splice import UnspliceableError
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.lint.findings.fixes import Manifests, fix_of
from kubectl_fairshare.lint.findings.placed import Placed, Replacement
from kubectl_fairshare.lint.house import Houses
from kubectl_fairshare.model.location import Location


def replacements(
    placed: Sequence[Placed], reading_of: Callable[[Placed], Reading], texts: Texts, houses: Houses
) -> Mapping[int, Sequence[Replacement]]:
    """What the fix of each finding would replace, by the finding's number in ``placed``.

    A finding has none if its fix is not a small change of the text, or overlaps the fix of an earlier finding.
    """
    manifests = Manifests(reading_of)
    numbers: list[int] = []
    fixes: list[Fix] = []
    for number, each in enumerate(placed):
        if each.reported.finding.remedy.edits:
            try:
                fixes.append(fix_of(each.reported.finding, manifests.of(each), houses))
            except UnspliceableError:
                continue
            numbers.append(number)
    made = apply_fixes(texts, fixes).made
    return {
        numbers[at]: [
            Replacement(
                Location(source, *texts.places(source).lines.place(splice.start)),
                Location(source, *texts.places(source).lines.place(splice.end)),
                splice.text,
            )
            for source, splice in splices
        ]
        for at, splices in made.items()
    }
