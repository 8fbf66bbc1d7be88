"""Shares and cycles, printed: the scheduler's own screen and document, and what all of them share.

Tested in ``tests/unit/report/documents/test_schema.py``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Amount, Victim
from kubectl_fairshare.answers.cycle import Cycle, CycleEntry
from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome, exit_code
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.documents.parts import stated_amount
from kubectl_fairshare.report.plan import object_name
from kubectl_fairshare.report.printable import CycleDetail, Document, Places, SharesDetail
from kubectl_fairshare.report.queue_names import queue_names
from kubectl_fairshare.report.text.closing import closing_lines, exactness
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.figures import count
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
_STARTS: Final = {**EXIT_CODES, Outcome.UNMANAGED: EXIT_CODES[Outcome.ADMITTED]}
"""A workload that is outside of quota in a cycle starts."""
_FIGURES: Final = {
    "guaranteed": "guaranteed",
    "limit": "limit",
    "used": "used",
    "borrowed": "borrowed",
    "lent": "lent",
    "fairShare": "fair_share",
    "reachable": "reachable",
}


class SharesReport(Value, frozen=True):
    """The answer to ``shares``."""

    shares: Shares[SharesDetail]

    @property
    def exit_code(self) -> int:
        """0: it is answered."""
        return 0

    def screen(self, view: View) -> str:
        """The queues as text; the first line and the last sum up."""
        first = verdict_lines(self._sum(), self._tone, self.shares.fidelity, view)
        return _between(first, self.shares.detail.screen(view), self._closing(view))

    def markdown(self, view: View) -> str:  # noqa: ARG002 -- the same on every screen
        """A table of figures for each resource."""
        from kubectl_fairshare.report.markdown import md_table, md_text, prose

        lines = [f"**{prose(self._sum())}**", ""]
        for resource, pool in self._resources():
            titles = ["queue", *(self.shares.titles.get(name, name).lower() for name in _FIGURES.values())]
            lines += [f"{prose(resource)}{f' in {prose(pool)}' if pool else ''}", ""]
            lines += [*md_table(titles, self._rows(resource, pool)), ""]
        return md_text([*lines, f"⇒ {prose(self._sum())} · {prose(exactness(self.shares.fidelity))}"])

    def _closing(self, view: View) -> list[str]:
        return closing_lines(self._sum(), self._tone, self.shares.fidelity, (), view, "")

    @property
    def _tone(self) -> Tone:
        return "good" if self.shares.fidelity.settled else "wait"

    def _sum(self) -> str:
        """How many queues borrow, and how many workloads run and wait."""
        leaves = [node for tree in self.shares.trees for node in tree if not node.children]
        borrow = sum(any(f.borrowed is not None and f.borrowed.value > 0 for f in node.figures) for node in leaves)
        running = sum(tree.running for tree in self.shares.trees)
        pending = sum(tree.pending for tree in self.shares.trees)
        if not leaves:
            return "no queue"
        return f"{borrow} of {count(len(leaves), 'queue')} {_verb(borrow)} · {running} running, {pending} pending"

    def _resources(self) -> list[tuple[str, str]]:
        figures = (f for tree in self.shares.trees for node in tree for f in node.figures)
        return list(dict.fromkeys((f.resource, f.pool) for f in figures))

    def _rows(self, resource: str, pool: str) -> Iterable[tuple[str, ...]]:
        names = queue_names(self.shares.trees)
        for tree in self.shares.trees:
            for node in tree:
                for figures in node.figures:
                    if (figures.resource, figures.pool) == (resource, pool):
                        amounts = (getattr(figures, name) for name in _FIGURES.values())
                        yield names[node.key], *("" if each is None else each.text for each in amounts)

    def document(self, places: Places) -> Document:
        """The queues as a document; entries of ``queues`` have the fields of all schedulers, and those of this one."""
        from kubectl_fairshare.report.plan_document import joined_entries

        queues = [_queue(node) for tree in self.shares.trees for node in tree]
        own = self.shares.detail.document(places)
        more = own.get("queues", [{}] * len(queues))
        shared = {"scheduler": self.shares.scheduler, "titles": dict(self.shares.titles)}
        return {**own, **shared, "queues": joined_entries(queues, more)}

    def names(self) -> Iterable[str]:
        """The queues, as kubectl names objects."""
        return self.shares.detail.names()

    def csv(self) -> str:
        """The figures, a line each."""
        return self.shares.detail.csv()


class CycleReport(Value, frozen=True):
    """The answer to ``cycle``, and to ``plan --together``: then the outcomes make the exit code."""

    cycle: Cycle[CycleDetail]
    asked: bool = False

    @property
    def exit_code(self) -> int:
        """0 for a cycle; of workloads that were asked about, that of their outcomes."""
        return exit_code(_STARTS[outcome] for outcome in self.cycle.outcomes) if self.asked else 0

    def screen(self, view: View) -> str:
        """The cycle as text; the first line and the last sum up."""
        first = verdict_lines(self._sum(), self._tone, self.cycle.fidelity, view)
        possible = "".join(f"{line}\n" for line in _possible_lines(self.cycle.possible, view))
        return _between(first, self.cycle.detail.screen(view) + possible, self._closing(view))

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
        code = f"exit {self.exit_code}" if self.asked else ""
        return closing_lines(self._sum(), self._tone, self.cycle.fidelity, (), view, code)

    @property
    def _tone(self) -> Tone:
        return "good" if self.cycle.fidelity.settled else "wait"

    def _sum(self) -> str:
        """How many workloads have each outcome, in the cycle that is shown."""
        found = Counter(self.cycle.outcomes if self.asked or len(self.cycle.possible) <= 1 else self.cycle.first)
        return ", ".join(f"{found[o]} {word}" for o, word in _OUTCOMES.items() if found[o]) or "nothing to decide"

    def document(self, places: Places) -> Document:
        """The cycle as a document."""
        possible = [[_possible_entry(entry) for entry in run] for run in self.cycle.possible]
        return {**self.cycle.detail.document(places), "scheduler": self.cycle.scheduler, "possible": possible}

    def names(self) -> Iterable[str]:
        """The victims, as kubectl names objects."""
        victims = (victim.key for entry in self.cycle.entries for victim in entry.victims)
        return (object_name(key) for key in dict.fromkeys(victims))

    def csv(self) -> str:
        """A line for each workload: its outcome."""
        from kubectl_fairshare.report.csv_text import csv_text

        rows = ((e.key.namespace, e.key.name, e.queue, e.outcome) for e in self.cycle.entries)
        return csv_text(("namespace", "name", "queue", "outcome"), rows)


def _between(first: Sequence[str], body: str, last: Sequence[str]) -> str:
    """A screen between its first line and its last: a blank line before the last."""
    return "".join(f"{line}\n" for line in first) + body + "".join(f"{line}\n" for line in ["", *last])


def _possible_entry(entry: CycleEntry) -> Document:
    from kubectl_fairshare.report.plan_document import object_part

    return {
        "workload": object_part(entry.key),
        "queue": entry.queue,
        "outcome": entry.outcome.value,
        "victims": [object_part(victim.key) for victim in entry.victims],
    }


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


def _verb(borrowers: int) -> str:
    return "borrows" if borrowers == 1 else "borrow"


def _victim_names(victims: Iterable[Victim]) -> Iterable[str]:
    return (f"{victim.key.namespace}/{victim.key.name}" for victim in victims)


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
    return None if of is None else stated_amount(of.text, of.value)
