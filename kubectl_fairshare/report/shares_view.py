"""Answers that are one screen and one document, printed.

Tested in ``tests/unit/report/test_shares_view.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.documents.structs import written
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.drawing import lines_below
from kubectl_fairshare.report.text.heading import gap_lines, heading, release_lines, verdict_lines
from kubectl_fairshare.report.text.view import View


class SharesViewReport(Value, frozen=True):
    """The answer to ``shares`` with an option that asks for another view."""

    shown: SharesView

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The answer as text; the last line sums up."""
        of, opening = self.shown, self.shown.layout.opening
        lines = [heading(opening, of.fidelity, view)]
        if of.verdict:
            lines = verdict_lines(of.title, of.tone, of.fidelity, view) + release_lines(opening, of.fidelity, view)
        lines += gap_lines(of.fidelity, view)
        closing = closing_lines(of.title, of.tone, of.fidelity, of.parts, view, "")
        return "".join(f"{line}\n" for line in [*lines, *lines_below(of.layout, view), "", *closing])

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        return written(self.shown.document, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: it lists no objects."""
        raise UsageError(Problem(f"`{self.shown.option}` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: it is not a table of queues."""
        raise UsageError(Problem(f"`{self.shown.option}` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))
