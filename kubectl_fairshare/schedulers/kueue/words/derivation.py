"""The derivation of one node's figures, printed."""

from collections.abc import Iterator

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.documents.shares import derivation_document
from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
from kubectl_fairshare.schedulers.kueue.words.screens.explain import derivation_screen


class KueueDerivation(Value, frozen=True):
    """Every figure of one node, printed."""

    derivation: Derivation
    fidelity: Fidelity
    fair: bool

    @property
    def exit_code(self) -> int:
        """Always 0."""
        return 0

    def screen(self, view: View) -> str:
        """The figures, term by term."""
        return derivation_screen(self.derivation, self.fidelity, view, fair=self.fair)

    def document(self, places: Places) -> Document:
        """The figures with the steps behind them."""
        return derivation_document(self.derivation, self.fidelity, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: a derivation is about one node, which the user named."""
        raise UsageError(Problem("`--explain` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: a derivation is not a table."""
        raise UsageError(Problem("`--explain` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))
