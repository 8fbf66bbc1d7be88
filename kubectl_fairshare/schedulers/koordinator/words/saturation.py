"""What each quota may use when all request without end, printed."""

from collections.abc import Iterator

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.printable import Document, Places
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import NOTHING, amount
from kubectl_fairshare.report.text.heading import gap_lines, release_lines, verdict_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.koordinator.documents.shares import saturation_document
from kubectl_fairshare.schedulers.koordinator.explain.saturation import SaturatedQuota, SaturatedQuotas
from kubectl_fairshare.schedulers.koordinator.words.amounts import listing

_TITLE = "every quota requests without end"
_NOTE = "The runtime of each quota if every quota requests its max. Children divide what their parent has."


class SaturationReport(Value, frozen=True):
    """The answer to ``shares --saturated``."""

    saturated: SaturatedQuotas

    @property
    def exit_code(self) -> int:
        """0: the question is answered."""
        return 0

    def screen(self, view: View) -> str:
        """A table with every quota."""
        of = self.saturated
        words = (f"pods of {listing(of.size)}",) if of.size else ()
        tone: Tone = "good" if of.fidelity.exact else "wait"
        lines = [*verdict_lines(_TITLE, tone, of.fidelity, view), *release_lines(words, of.fidelity, view)]
        lines += [*gap_lines(of.fidelity, view), ""]
        columns = (
            Column("QUOTA", right=False),
            *(Column(resource) for resource in of.resources),
            *((Column("PODS"),) if of.size else ()),
        )
        lines += table(columns, [Row(self._cells(quota)) for quota in of.quotas], view)
        closing = closing_lines(_TITLE, tone, of.fidelity, (), view, "")
        return "\n".join([*lines, "", *paragraph(_NOTE, view, "", "", "dim"), "", *closing]) + "\n"

    def _cells(self, quota: SaturatedQuota) -> tuple[str, ...]:
        of = self.saturated
        texts = [amount(r, quota.runtime[r]) if r in quota.runtime else NOTHING for r in of.resources]
        if of.size:
            texts.append(NOTHING if quota.pods is None or not quota.leaf else str(quota.pods))
        return f"{'  ' * quota.depth}{quota.name}", *texts

    def document(self, places: Places) -> Document:
        """What each quota may use."""
        return saturation_document(self.saturated, places)

    def names(self) -> Iterator[str]:
        """Raises ``UsageError``: the answer always contains every quota."""
        raise UsageError(Problem("`--saturated` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: use the document."""
        raise UsageError(Problem("`--saturated` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))
