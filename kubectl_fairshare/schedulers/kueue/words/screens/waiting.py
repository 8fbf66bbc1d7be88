"""Every workload that waits, one line each, grouped by what binds."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.report.text.figures import amount, count
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.why.verdict import Verdict, Why
from kubectl_fairshare.schedulers.kueue.words.screens.why import TONES
from kubectl_fairshare.schedulers.kueue.words.screens.why_moments import when
from kubectl_fairshare.schedulers.kueue.words.why_groups import grouped
from kubectl_fairshare.schedulers.kueue.words.why_words import WORDS, called, deciding, subject

_COLUMNS: Final = (
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PLACE", kept=False),
    Column("NEEDS", kept=False, rank=2),
    Column("MISSING", kept=False, rank=3),
    Column("SINCE", right=False, rank=4),
)


def waiting_screen(whys: Sequence[Why], kueue: KueueState, view: View, namespace: str | None = None) -> str:
    """The groups, those first that could run if others left; then what is not listed.

    ``namespace`` is the only one that was asked about, None where all were.
    """
    lines: list[str] = []
    for group in grouped(whys):
        title = f"{WORDS[group.verdict]} · {count(len(group.whys), 'workload')} · {group.title}"
        lines += paragraph(title, view, "", "  ", TONES[group.verdict])
        lines += [f"  {line}" for line in table(_COLUMNS, [_row(why) for why in group.whys], view)]
        lines.append("")
    if not lines:
        lines = ["nothing waits" if namespace is None else f"nothing waits in namespace {namespace}", ""]
    rest = _unlisted(whys, kueue, namespace)
    if any(why.verdict is Verdict.UNKNOWN or not why.fidelity.exact for why in whys):
        rest.append("some of it not exact: ask by name")
    return "\n".join([*lines, view.paint("dim", f"not listed: {', '.join(rest)}")]) + "\n"


def _unlisted(whys: Sequence[Why], kueue: KueueState, namespace: str | None) -> list[str]:
    """How many others there are."""
    holders = [h for h in kueue.holders if namespace in (None, h.key.namespace)]
    running = f"{len(holders) - sum(why.holding is not None for why in whys)} running"
    if namespace is None:
        return [running, f"{kueue.finished} finished", f"{kueue.deactivated} deactivated"]
    elsewhere = sum(w.key.namespace != namespace for w in kueue.pending)
    return [running, *([f"{elsewhere} waiting in other namespaces (-A)"] if elsewhere else [])]


def _row(why: Why) -> Row:
    key = subject(why)
    standing = None if why.plan is None or why.plan.nomination.refused is not None else why.plan.standing
    place = "" if standing is None else f"{standing.position}/{standing.of}"
    binds = deciding(why)[:1] if why.head is None else ()
    needs = "".join(f"{amount(b.pair.resource, b.needed)} {b.pair.resource}" for b in binds)
    short = "".join(amount(b.pair.resource, b.short) for b in binds)
    return Row(
        (called(key, why.jobs), why.cluster_queue, place, needs, short, when(why.since, why.now) if why.since else "")
    )
