"""The number of findings by kind, and the size of the input.

Tested in ``tests/unit/lint/formats/test_text.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.model.values import Value


class Counts(Value, frozen=True):
    """Findings by severity; ``fixable`` ones have safe edits. ``files`` and ``objects`` were read.

    Counted separately: ``suppressed`` by a comment or annotation, ``known`` from the baseline, ``fixed`` just now.
    ``judged``: rules look at some object.
    """

    errors: int
    warnings: int
    infos: int
    fixable: int
    files: int
    objects: int
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    units: int = 0
    judged: bool = True

    @property
    def findings(self) -> int:
        """The number of all findings."""
        return self.errors + self.warnings + self.infos


def counts_of(placed: Iterable[Placed], *, files: int, objects: int) -> Counts:
    """The findings, counted."""
    found = [p.reported for p in placed]
    of = {severity: sum(r.severity is severity for r in found) for severity in Severity}
    fixable = sum(p.fixable for p in placed)
    return Counts(of[Severity.ERROR], of[Severity.WARNING], of[Severity.INFO], fixable, files, objects)
