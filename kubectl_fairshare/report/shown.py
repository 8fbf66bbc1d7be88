"""Shares and cycles, printed: the scheduler's own screen and document, and what all of them share.

Tested in ``tests/unit/report/documents/test_schema.py``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Victim
from kubectl_fairshare.answers.cycle import Cycle, CycleEntry
from kubectl_fairshare.answers.details import CycleDetail, Document, Places
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.drawing import layout_lines
from kubectl_fairshare.report.text.heading import verdict_lines
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View

_OUTCOMES: Final = {
    Outcome.ADMITTED: "admitted",
    Outcome.PREEMPTS: "admitted after preemption",
    Outcome.WAITS: "not now",
    Outcome.NEVER: "never",
    Outcome.UNMANAGED: "outside of quota",
    Outcome.UNKNOWN: "unknown",
}


class CycleReport(Value, frozen=True):
    """The answer to ``cycle``."""

    cycle: Cycle[CycleDetail]

    @property
    def exit_code(self) -> int:
        """0, whatever the outcomes."""
        return 0

    def screen(self, view: View) -> str:
        """The cycle as text; the first line and the last sum up."""
        cycle = self.cycle
        lines = verdict_lines(self._sum(), self._tone, cycle.fidelity, view)
        lines += layout_lines(cycle.detail.layout(), cycle.fidelity, view)
        lines += _possible_lines(cycle.possible, view)
        return "".join(f"{line}\n" for line in [*lines, "", *self._closing(view)])

    def brief(self, view: View) -> str:
        """The outcomes, in one line."""
        return "".join(f"{line}\n" for line in self._closing(view))

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """A table of the workloads that the cycle decides."""
        from kubectl_fairshare.report.markdown import md_table, md_text, prose

        rows = (
            (f"{e.key.namespace}/{e.key.name}", e.queue, _OUTCOMES[e.outcome], ", ".join(_victim_names(e.victims)))
            for e in self.cycle.entries
        )
        table = md_table(("workload", "queue", "outcome", "victims"), rows) if self.cycle.entries else []
        closing = f"⇒ {self._sum()} · {prose(exactness(self.cycle.fidelity))}"
        return md_text([f"**{self._sum()}**", "", *table, "", closing])

    def _closing(self, view: View) -> list[str]:
        return closing_lines(self._sum(), self._tone, self.cycle.fidelity, (), view, "")

    @property
    def _tone(self) -> Tone:
        return "good" if self.cycle.fidelity.settled else "wait"

    def _sum(self) -> str:
        """How many workloads have each outcome, in the cycle that is shown."""
        found = Counter(self.cycle.outcomes if len(self.cycle.possible) <= 1 else self.cycle.first)
        return ", ".join(f"{found[o]} {word}" for o, word in _OUTCOMES.items() if found[o]) or "nothing to decide"

    def document(self, places: Places) -> Document:
        """The cycle as a document."""
        from kubectl_fairshare.report.documents.structs import shared_part, written

        summary = self.cycle.summary(self._sum())
        return {**written(self.cycle.detail.document(), places), **shared_part(summary, places)}

    def names(self) -> Iterable[str]:
        """The victims, as kubectl names objects."""
        victims = (victim.key for entry in self.cycle.entries for victim in entry.victims)
        return (object_name(key) for key in dict.fromkeys(victims))

    def csv(self) -> str:
        """A line for each workload: its outcome."""
        from kubectl_fairshare.report.csv_text import csv_text

        rows = ((e.key.namespace, e.key.name, e.queue, e.outcome) for e in self.cycle.entries)
        return csv_text(("namespace", "name", "queue", "outcome"), rows)


def _possible_lines(possible: Sequence[Sequence[CycleEntry]], view: View) -> list[str]:
    """A line for each cycle that ties allow: where these differ, what happens to the workloads."""
    if len(possible) < 2:
        return []
    texts = [{entry.key: _entry_text(entry) for entry in run} for run in possible]
    differing = [key for key in texts[0] if len({run.get(key) for run in texts}) > 1]
    lines = ["", f"possible, and left to chance ({len(possible)}):"]
    for run in shown_items(texts, view):
        lines += paragraph("; ".join(run[key] for key in differing if key in run), view)
    return [*lines, *rest(texts, view)]


def _entry_text(entry: CycleEntry) -> str:
    victims = ", ".join(_victim_names(entry.victims))
    return f"{entry.key.namespace}/{entry.key.name} {_OUTCOMES[entry.outcome]}{f' of {victims}' if victims else ''}"


def _victim_names(victims: Iterable[Victim]) -> Iterable[str]:
    return (f"{victim.key.namespace}/{victim.key.name}" for victim in victims)
