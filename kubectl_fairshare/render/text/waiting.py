"""Every workload that waits, one line each, grouped by what binds."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.engines.kueue.verdict import Verdict, Why
from kubectl_fairshare.model.snapshot import KueueState
from kubectl_fairshare.render.text.figures import amount, count
from kubectl_fairshare.render.text.table import Column, Row, folded, table
from kubectl_fairshare.render.text.view import View
from kubectl_fairshare.render.text.why import TONES
from kubectl_fairshare.render.text.why_moments import when
from kubectl_fairshare.render.why_groups import grouped
from kubectl_fairshare.render.why_words import WORDS, called, deciding, subject

_COLUMNS: Final = (
    Column("WORKLOAD", right=False),
    Column("QUEUE", right=False, rank=1),
    Column("PLACE", kept=False),
    Column("NEEDS", kept=False, rank=2),
    Column("MISSING", kept=False, rank=3),
    Column("SINCE", right=False, rank=4),
)


def waiting_screen(whys: Sequence[Why], kueue: KueueState, view: View) -> str:
    """The groups, those first that could run if others left; then a count of what is not listed."""
    lines: list[str] = []
    for group in grouped(whys):
        title = f"{WORDS[group.verdict]} · {group.title} · {count(len(group.whys), 'workload')}"
        lines += [view.paint(TONES[group.verdict], line) for line in folded(title, view.width, "  ")]
        lines += [f"  {line}" for line in table(_COLUMNS, [_row(why) for why in group.whys], view)]
        lines.append("")
    if not lines:
        lines = ["nothing waits", ""]
    running = len(kueue.holders) - sum(why.holding is not None for why in whys)
    rest = [f"{running} running", f"{kueue.finished} finished", f"{kueue.deactivated} deactivated"]
    if any(why.verdict is Verdict.UNKNOWN or not why.fidelity.exact for why in whys):
        rest.append("some of it not exact: ask by name")
    return "\n".join([*lines, view.paint("dim", f"not listed: {', '.join(rest)}")]) + "\n"


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
