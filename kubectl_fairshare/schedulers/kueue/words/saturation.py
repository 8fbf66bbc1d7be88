"""What each queue holds when all have an endless backlog, printed."""

from collections.abc import Iterator

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.documents.shares import saturation_document
from kubectl_fairshare.schedulers.kueue.explain.shares import ShareTree
from kubectl_fairshare.schedulers.kueue.words.screens.saturation import saturation_screen


class KueueSaturation(Value, frozen=True):
    """What each queue holds when all have an endless backlog, printed."""

    tree: ShareTree
    saturation: Saturation
    reason: str

    @property
    def exit_code(self) -> int:
        """Always 0."""
        return 0

    def screen(self, view: View) -> str:
        """The forest with what each queue holds."""
        return saturation_screen(self.tree, self.saturation, self.reason, view)

    def document(self, places: Places) -> Document:
        """What each queue holds."""
        return saturation_document(self.saturation, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: the answer always contains every queue."""
        raise UsageError(Problem("`--demand` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: a table has no room for swings by flavor; the document has them."""
        raise UsageError(Problem("`--demand` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))
