"""A change of policy for each unit of a repository, in every form in which it is printed."""

from collections.abc import Iterable

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.diff import RepositoryDiff
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.text.view import View


class RepositoryDiffReport(Value, frozen=True):
    """The answer to ``diff`` where a repository has several units."""

    diff: RepositoryDiff

    @property
    def exit_code(self) -> int:
        """That of the worst of the units."""
        return self.diff.exit_code

    def screen(self, view: View) -> str:
        """The answer as text for people."""
        from kubectl_fairshare.report.diff.screen import repository_screen

        return repository_screen(self.diff, view)

    def document(self, places: Places) -> Document:
        """The answer as a document."""
        from kubectl_fairshare.report.diff.document import repository_document

        return repository_document(self.diff, places)

    def markdown(self) -> str:
        """The answer as the text of a pull request."""
        from kubectl_fairshare.report.diff.markdown import repository_markdown

        return repository_markdown(self.diff)

    def html(self) -> str:
        """The answer as a page that loads nothing from elsewhere."""
        from kubectl_fairshare.report.diff.page import repository_page

        return repository_page(self.diff)

    def names(self) -> Iterable[str]:
        """The queues that the change concerns, each once."""
        return dict.fromkeys(name for part in self.diff.parts for name in words.blast_radius(part.diff).queues)

    def csv(self) -> str:
        """A line for each changed field of each unit."""
        rows = (
            (unit, str(each.object), each.field, each.was or "", each.now or "")
            for part in self.diff.parts
            for unit in part.units
            for each in part.diff.fields
        )
        return csv_text(("unit", "object", "field", "was", "now"), rows)
