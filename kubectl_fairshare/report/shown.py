"""Shares, cycles and reasons, printed: the scheduler's own screen and document, and what all of them share."""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.cycle import Cycle
from kubectl_fairshare.answers.outcome import exit_code
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode, Shares
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.report.csv_text import csv_text
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.plan import joined, object_name
from kubectl_fairshare.report.printable import CycleDetail, Document, Places, SharesDetail, WhyDetail
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.table import Column, Row, folded, table
from kubectl_fairshare.report.text.view import View

VERDICT_WORDS: Final = {
    Verdict.RUNNING: "running",
    Verdict.FINISHED: "finished",
    Verdict.NEVER: "never",
    Verdict.NOT_NOW: "not now",
    Verdict.WAITING: "waiting",
    Verdict.UNMANAGED: "unmanaged",
    Verdict.UNKNOWN: "unknown",
}
VERDICT_TONES: Final = {
    Verdict.RUNNING: "good",
    Verdict.FINISHED: "dim",
    Verdict.NEVER: "never",
    Verdict.NOT_NOW: "wait",
    Verdict.WAITING: "wait",
    Verdict.UNMANAGED: "never",
    Verdict.UNKNOWN: "wait",
}
_ORDER: Final = (Verdict.NOT_NOW, Verdict.WAITING, Verdict.UNKNOWN, Verdict.NEVER, Verdict.UNMANAGED)
_COLUMNS: Final = (
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PLACE", kept=False),
    Column("NEEDS", kept=False, rank=2),
    Column("MISSING", kept=False, rank=3),
    Column("SINCE", right=False, rank=4),
)
_UNKNOWN: Final = 5
_FIGURES: Final = {
    "guaranteed": "guaranteed",
    "limit": "limit",
    "used": "used",
    "borrowed": "borrowed",
    "lent": "lent",
    "fairShare": "fair_share",
    "reachable": "reachable",
}


@dataclass(frozen=True, slots=True)
class SharesReport:
    """The answer to ``shares``."""

    shares: Shares[SharesDetail]

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The queues as text."""
        return self.shares.detail.screen(view)

    def document(self, places: Places) -> Document:
        """The queues as a document; entries of ``queues`` have the fields of all schedulers, and those of this one."""
        queues = [_queue(node) for tree in self.shares.trees for node in tree]
        own = self.shares.detail.document(places)
        more = own.get("queues", [{}] * len(queues))
        shared = {"scheduler": self.shares.scheduler, "titles": dict(self.shares.titles)}
        return {**own, **shared, "queues": joined(queues, more)}

    def names(self) -> Iterable[str]:
        """The queues, as kubectl names objects."""
        return self.shares.detail.names()

    def csv(self) -> str:
        """The figures, a line each."""
        return self.shares.detail.csv()


@dataclass(frozen=True, slots=True)
class CycleReport:
    """The answer to ``cycle``, and to ``plan --together``: then the outcomes make the exit code."""

    cycle: Cycle[CycleDetail]
    asked: bool = False

    @property
    def exit_code(self) -> int:
        """0 for a cycle; of workloads that were asked about, that of their outcomes."""
        return exit_code(self.cycle.outcomes) if self.asked else 0

    def screen(self, view: View) -> str:
        """The cycle as text."""
        return self.cycle.detail.screen(view)

    def document(self, places: Places) -> Document:
        """The cycle as a document."""
        return {**self.cycle.detail.document(places), "scheduler": self.cycle.scheduler}

    def names(self) -> Iterable[str]:
        """The victims, as kubectl names objects."""
        victims = (victim.key for entry in self.cycle.entries for victim in entry.victims)
        return (object_name(key) for key in dict.fromkeys(victims))

    def csv(self) -> str:
        """A line for each workload: its outcome."""
        rows = ((e.key.namespace, e.key.name, e.queue, e.outcome) for e in self.cycle.entries)
        return csv_text(("namespace", "name", "queue", "outcome"), rows)


@dataclass(frozen=True, slots=True)
class WhyReport:
    """The answer to ``why`` for workloads that were named."""

    answers: tuple[WhyAnswer[WhyDetail], ...]

    @property
    def exit_code(self) -> int:
        """5 where there is no exact answer for one, else 0."""
        return _UNKNOWN if any(answer.verdict is Verdict.UNKNOWN for answer in self.answers) else 0

    def screen(self, view: View) -> str:
        """A screen for each, a blank line between them."""
        return "\n".join(answer.detail.screen(view) for answer in self.answers)

    def document(self, places: Places) -> Document:
        """The one answer, or a list of them."""
        items = [{**answer.detail.document(places), "scheduler": answer.scheduler} for answer in self.answers]
        return items[0] if len(items) == 1 else {"apiVersion": parts.API_VERSION, "kind": "WhyList", "items": items}

    def names(self) -> Iterable[str]:
        """The workloads, as kubectl names objects; jobs for which there is none by their own names."""
        return (object_name(key) for key in _keys(self.answers))

    def csv(self) -> str:
        """A line for each workload: its verdict and reason."""
        return _verdict_rows(self.answers)


@dataclass(frozen=True, slots=True)
class WaitingReport:
    """The answer to ``why`` without a name: waiting workloads, grouped by what binds; ``unlisted`` counts the others.

    ``namespace`` is the one in the question, None for all.
    """

    scheduler: str
    answers: tuple[WhyAnswer[WhyDetail], ...]
    unlisted: tuple[str, ...]
    namespace: str | None = None

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The groups; first those that could run if others ended; then what is not listed."""
        lines: list[str] = []
        for (verdict, _, binds), group in self._groups():
            title = f"{VERDICT_WORDS[verdict]} · {count(len(group), 'workload')} · {binds}"
            lines += [view.paint(VERDICT_TONES[verdict], line) for line in folded(title, view.width, "  ")]
            lines += table(_COLUMNS, [Row(each.detail.row(view)) for each in group], view, "  ")
            lines.append("")
        if not lines:
            within = "" if self.namespace is None else f" in namespace {self.namespace}"
            lines = [f"no workload waits{within}", ""]
        others = list(self.unlisted)
        if any(each.verdict is Verdict.UNKNOWN or not each.fidelity.exact for each in self.answers):
            others.append("some answers are not exact: run `why NAME`")
        return "\n".join([*lines, view.paint("dim", f"not listed: {', '.join(others)}")]) + "\n"

    def document(self, places: Places) -> Document:
        """All that wait, in the order of the screen."""
        groups = [
            {
                "verdict": verdict.value,
                "reason": reason,
                "binds": binds,
                "workloads": [each.detail.listed(places) for each in group],
            }
            for (verdict, reason, binds), group in self._groups()
        ]
        return {
            "apiVersion": parts.API_VERSION,
            "kind": "WaitingList",
            "scheduler": self.scheduler,
            "groups": groups,
        }

    def names(self) -> Iterable[str]:
        """The workloads, as kubectl names objects; jobs for which there is none by their own names."""
        return (object_name(key) for key in _keys(self.answers))

    def csv(self) -> str:
        """A line for each workload: its verdict and reason."""
        return _verdict_rows(self.answers)

    def _groups(self) -> list[tuple[tuple[Verdict, str, str], list[WhyAnswer[WhyDetail]]]]:
        """Workloads that the same thing binds: by verdict, the largest group first; in each by queue and place."""
        groups: dict[tuple[Verdict, str, str], list[WhyAnswer[WhyDetail]]] = {}
        for answer in self.answers:
            groups.setdefault((answer.verdict, answer.reason, answer.detail.binds), []).append(answer)
        ordered = sorted(groups.items(), key=lambda group: (_rank(group[0][0]), -len(group[1]), *group[0][1:]))
        return [(key, sorted(group, key=_place)) for key, group in ordered]


def _rank(verdict: Verdict) -> int:
    return _ORDER.index(verdict) if verdict in _ORDER else len(_ORDER)


def _place(answer: WhyAnswer[WhyDetail]) -> tuple[str, int, tuple[str, ...]]:
    return (*answer.detail.rank, tuple(answer.job or answer.key or ()))


def _keys(answers: Iterable[WhyAnswer[WhyDetail]]) -> Iterable[ObjectKey]:
    return dict.fromkeys(key for answer in answers if (key := answer.key or answer.job) is not None)


def _verdict_rows(answers: Iterable[WhyAnswer[WhyDetail]]) -> str:
    named = ((answer.job or answer.key, answer) for answer in answers)
    rows = ((key.namespace, key.name, a.queue, a.verdict, a.reason) for key, a in named if key is not None)
    return csv_text(("namespace", "name", "queue", "verdict", "reason"), rows)


def _queue(node: QueueNode) -> Document:
    return {
        "kind": node.key.kind,
        "namespace": node.key.namespace,
        "name": node.key.name,
        "parent": node.parent,
        "weight": node.weight,
        "share": node.share,
        "running": node.running,
        "pending": node.pending,
        "figures": [_figures(figures) for figures in node.figures],
    }


def _figures(of: QueueFigures) -> Document:
    return {
        "resource": of.resource,
        "flavor": of.pool,
        **{name: _amount(getattr(of, field)) for name, field in _FIGURES.items()},
    }


def _amount(of: Amount | None) -> Document | None:
    return None if of is None else {"quantity": of.text, "value": of.value}
