"""A change of policy in every form in which it is printed."""

from collections.abc import Iterable

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.diff import Diff
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.text.view import View


class DiffReport(Value, frozen=True):
    """The answer to ``diff``."""

    diff: Diff

    @property
    def exit_code(self) -> int:
        """1 where a gate fails, otherwise 0."""
        return int(bool(self.diff.failed))

    def screen(self, view: View) -> str:
        """The answer as text for people."""
        from kubectl_fairshare.report.diff.screen import screen

        return screen(self.diff, view)

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.diff.document import document

        return document(self.diff, places)

    def markdown(self) -> str:
        """The answer as the text of a pull request."""
        from kubectl_fairshare.report.diff.markdown import markdown

        return markdown(self.diff)

    def html(self) -> str:
        """The answer as a page that loads nothing from elsewhere."""
        from kubectl_fairshare.report.diff.page import page

        return page(self.diff)

    def names(self) -> Iterable[str]:
        """The queues that the change concerns."""
        return words.blast_radius(self.diff).queues

    def csv(self) -> str:
        """A line for each changed field."""
        rows = ((str(each.object), each.field, each.was or "", each.now or "") for each in self.diff.fields)
        return csv_text(("object", "field", "was", "now"), rows)
