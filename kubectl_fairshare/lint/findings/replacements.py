"""Fixes as replacements of text, for programs that offer them beside a finding."""

from collections.abc import Mapping, Sequence

from kubectl_fairshare.editing.mending import Fix, mend
from kubectl_fairshare.editing.splice import UnspliceableError
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.fixes import fix_of
from kubectl_fairshare.lint.findings.placed import Placed, Replacement
from kubectl_fairshare.lint.house import Houses
from kubectl_fairshare.model.location import Location


def replacements(placed: Sequence[Placed], reading: Reading, houses: Houses) -> Mapping[int, Sequence[Replacement]]:
    """What the fix of each finding would replace, by the finding's number in ``placed``.

    A finding has none where no small change of the text is its fix, or where that touches the fix of one before.
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
    made = mend(reading.texts, fixes).made
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
