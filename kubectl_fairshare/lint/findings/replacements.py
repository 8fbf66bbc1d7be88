"""Fixes as replacements of text, for programs that offer them with a finding."""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.editing.fixing import Fix, apply_fixes
from kubectl_fairshare.editing.splice import UnspliceableError
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.fixes import fix_of
from kubectl_fairshare.lint.findings.placed import Placed, Replacement
from kubectl_fairshare.lint.house import Houses
from kubectl_fairshare.model.location import Location


def replacements(placed: Sequence[Placed], reading: Reading, houses: Houses) -> Mapping[int, Sequence[Replacement]]:
    """The replacements of each finding's fix, by the finding's number in ``placed``.

    A finding has none if its fix is not a small change of the text, or overlaps the fix of an earlier finding.
    """
    manifests = {manifest.key: manifest for manifest in reading.manifests}
    numbers: list[int] = []
    fixes: list[Fix] = []
    for number, each in enumerate(placed):
        if each.reported.finding.remedy.edits:
            try:
                fixes.append(fix_of(each.reported.finding, manifests, houses))
            except UnspliceableError:
                continue
            numbers.append(number)
    made = apply_fixes(reading.texts, fixes).made
    return {
        numbers[at]: [
            Replacement(
                Location(source, *reading.texts.places(source).lines.place(splice.start)),
                Location(source, *reading.texts.places(source).lines.place(splice.end)),
                splice.text,
            )
            for source, splice in splices
        ]
        for at, splices in made.items()
    }
