"""What each quota may use when all request without end, printed."""

from collections.abc import Iterator

from kubectl_fairshare.answers.details import Document, Places
from kubectl_fairshare.answers.number_text import NOTHING, amount
from kubectl_fairshare.model.demand import OPTION, UNLIMITED, Demand
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.heading import gap_lines, release_lines, verdict_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.koordinator.documents.shares import saturation_document
from kubectl_fairshare.schedulers.koordinator.explain.saturation import SaturatedQuota, SaturatedQuotas
from kubectl_fairshare.schedulers.koordinator.words.amounts import listing

_NOTE = "The runtime of each quota {}. Children divide what their parent has."


def _title(demand: Demand) -> str:
    named = ", ".join(text for text in demand.texts if text != UNLIMITED)
    if not demand.unlimited:
        return f"quotas request what they do now, but {named}"
    return "every quota requests without end" + (f", but {named}" if named else "")


def _assumed(demand: Demand) -> str:
    if not demand.queues:
        return "if every quota requests its max"
    others = "all others request their max" if demand.unlimited else "all others request what they do now"
    return f"with the requests of `{OPTION}`; {others}"


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
        title, note = _title(of.demand), _NOTE.format(_assumed(of.demand))
        tone: Tone = "good" if of.fidelity.settled else "wait"
        lines = [*verdict_lines(title, tone, of.fidelity, view), *release_lines(words, of.fidelity, view)]
        lines += [*gap_lines(of.fidelity, view), ""]
        columns = (
            Column("QUOTA", right=False),
            *(Column(resource) for resource in of.resources),
            *((Column("PODS"),) if of.size else ()),
        )
        lines += table(columns, [Row(self._cells(quota)) for quota in of.quotas], view)
        closing = closing_lines(title, tone, of.fidelity, (), view, "")
        return "\n".join([*lines, "", *paragraph(note, view, "", "", "dim"), "", *closing]) + "\n"

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
        raise UsageError(Problem("`--demand` has no `-o name`", help="use `-o json`, `yaml` or `text`"))

    def csv(self) -> str:
        """Raises ``UsageError``: use the document."""
        raise UsageError(Problem("`--demand` has no `-o csv`", help="use `-o json`, `yaml` or `text`"))
