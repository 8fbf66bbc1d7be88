"""How sure the answers of a page are, with the reasons and links to the answers that they touch.

Tested in ``tests/unit/report/page/test_overview.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.report.page.frame import safe
from kubectl_fairshare.report.page.news import State
from kubectl_fairshare.report.page.work import marks

_LINKED: Final = 10
"""The answers that a reason links to."""


def _reasons(state: State, anchor: str) -> dict[str, list[tuple[str, str]]]:
    """Why answers are not exact, each reason once, with the anchors and names of the answers."""
    found: dict[str, list[tuple[str, str]]] = {}
    for doubt in state.shares.fidelity.doubts:
        found.setdefault(doubt, []).append((f"{anchor}queues", "queues"))
    marked, drawn = marks(state, anchor), 0
    chance: list[tuple[str, str]] = []
    for each in state.waiting:
        key = each.key or each.job
        link = [] if key is None or key not in marked else [(marked[key], each.title)]
        for doubt in each.fidelity.doubts:
            found.setdefault(doubt, []).extend(link)
        if not each.fidelity.defined:
            drawn += 1
            chance += link
    drawn += not state.shares.fidelity.defined
    if state.running.found and state.running.doubt:
        found.setdefault(state.running.doubt, []).append((f"{anchor}running", "running work"))
    if drawn:
        text = f"the scheduler leaves {count(drawn, 'answer')} to chance: `why NAME` shows the possible outcomes"
        found[text] = chance
    return found


def certainty(state: State, anchor: str) -> str:
    """Next to the verdict: whether the answers are exact; the reasons are at the end of the page."""
    reasons = _reasons(state, anchor)
    if not reasons:
        return '<p>⇒ every answer on this page is <span class="good">exact</span></p>'
    link = f'<a href="#{anchor}fidelity">{count(len(reasons), "reason")} under Fidelity</a>'
    return f'<p>⇒ <span class="bad">some answers on this page are not exact</span>: {link}</p>'


def fidelity_section(state: State, heading: str, anchor: str) -> Iterator[str]:
    """What these answers reproduce, and what of the input they do not."""
    fidelity, reasons = state.shares.fidelity, _reasons(state, anchor)
    yield f'<{heading} id="{anchor}fidelity">Fidelity</{heading}>'
    yield f"<p>{safe(fidelity.scheduler)} {safe(fidelity.version)}: "
    if not reasons:
        yield 'every answer on this page is <span class="good">exact</span>.</p>'
        return
    yield "answers are not exact where these touch them:</p><ul>"
    for reason, links in reasons.items():
        shown = ", ".join(f'<a href="#{name}">{safe(text)}</a>' for name, text in links[:_LINKED])
        more = f" and {len(links) - _LINKED} more" if len(links) > _LINKED else ""
        yield f"<li>{safe(reason)}{f': {shown}{more}' if shown else ''}</li>"
    yield "</ul>"
