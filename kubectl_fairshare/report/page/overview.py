"""The page of one state or several: the tree of queues, what waits and why, what may be lost, what is wrong.

Tested in ``tests/unit/report/page/test_overview.py`` and, in a browser, in ``tests/unit/report/page/test_browser.py``.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.counts import counts_text
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.page.churn import churn_block
from kubectl_fairshare.report.page.fidelity import certainty, fidelity_section
from kubectl_fairshare.report.page.frame import Words, framed_lines, safe, table
from kubectl_fairshare.report.page.news import State, filled_part, filled_text, fullest, news
from kubectl_fairshare.report.page.queues import queue_sections
from kubectl_fairshare.report.page.work import running_section, waiting_section

_HATCH: Final = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs><pattern id="hatch" width="5" '
    'height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="5" '
    'fill="var(--over)"/></pattern></defs></svg>'
)
_CLUSTERS: Final = ("cluster", "scheduler", "fullest", "running", "pending", "waiting")


class _Place(Value, frozen=True):
    """Where a state is on the page: its anchors, and the headings of its parts."""

    anchor: str = ""
    part: str = "h2"
    pool: str = "h3"


def overview_page(states: Sequence[State], meaning: Callable[[str], str], unread: Sequence[str] = ()) -> Iterator[str]:
    """The lines of the whole page, which is one file that loads nothing.

    ``meaning`` is that of the title of a column, empty for one that is not a term; ``unread`` are the problems of
    clusters that could not be read.
    """
    title = f"{states[0].place}: {news(states[0])}" if len(states) == 1 else _several(states)
    return framed_lines(title, _body(states, Words(meaning), unread), script=True)


def _several(states: Sequence[State]) -> str:
    """How many clusters there are, and which is the fullest; not how much waits, as one state may count in several."""
    title = count(len(states), "cluster")
    filled = [(total, state) for state in states if (total := fullest(state)) is not None]
    if not filled:
        return title
    total, state = max(filled, key=lambda pair: filled_part(pair[0]))
    return f"{title}: {state.place} is the fullest, {total.used.text} of {total.whole.text} {total.unit} used"


def _body(states: Sequence[State], words: Words, unread: Sequence[str]) -> Iterator[str]:
    if len(states) == 1:
        yield f"<h1>{safe(news(states[0]))}</h1>"
        yield _subtitle(states[0])
        yield certainty(states[0], "")
    else:
        yield f"<h1>{safe(_several(states))}</h1>"
        yield from table(_CLUSTERS, (_cluster_row(each, number) for number, each in enumerate(states, 1)), words)
    yield from (f'<p class="bad">not on this page, as it cannot be read: {safe(each)}</p>' for each in unread)
    yield _bar([each.place for each in states])
    yield _HATCH
    if len(states) == 1:
        yield from _parts(states[0], _Place(), words)
    else:
        for number, state in enumerate(states, 1):
            yield from _cluster(state, _Place(f"c{number}-", "h3", "h4"), words)
    yield from _glossary(words)


def _cluster(state: State, at: _Place, words: Words) -> Iterator[str]:
    yield f'<section class="cluster" id="{at.anchor}top"><h2>{safe(state.place)}: {safe(news(state))}</h2>'
    yield _subtitle(state)
    yield certainty(state, at.anchor)
    yield from _parts(state, at, words)
    yield "</section>"


def _parts(state: State, at: _Place, words: Words) -> Iterator[str]:
    yield f'<{at.part} id="{at.anchor}queues">Queues</{at.part}>'
    yield from queue_sections(state, at.pool, words)
    yield from waiting_section(state, at.part, at.anchor, words)
    yield from churn_block(state.churn, at.part, at.anchor)
    yield from running_section(state.running, at.part, at.anchor, words)
    yield from _findings(state, at, words)
    yield from fidelity_section(state, at.part, at.anchor)


def _cluster_row(state: State, number: int) -> list[str]:
    filled, counts = filled_text(fullest(state)), state.shares.counts
    link = f'<a href="#c{number}-top">{safe(state.place)}</a>'
    numbers = (str(counts.running), str(counts.pending), str(len(state.waiting)))
    return [link, safe(state.title), safe(filled), *numbers]


def _subtitle(state: State) -> str:
    """Cluster or folder, moment, release, and how much there is."""
    fidelity = state.shares.fidelity
    source = f" ({state.moment_source})" if state.moment_source else ""
    at = "" if state.moment is None else f"as of {moment_text(state.moment)}{source}"
    queues = count(sum(not node.children for tree in state.shares.trees for node in tree), "queue")
    counts = f"{queues}, {counts_text(state.shares.counts, state.shares.outside, state.shares.elsewhere)}"
    parts = (state.place, at, f"{fidelity.scheduler} {fidelity.version}", counts, ", ".join(state.sources))
    return f'<p class="dim">{" · ".join(safe(part) for part in dict.fromkeys(parts) if part)}</p>'


def _bar(places: Sequence[str]) -> str:
    options = "".join(f"<option>{safe(place)}" for place in places)
    pick = f"<label>Cluster <select>{options}</select></label>" if len(places) > 1 else ""
    return (
        f'<div class="bar" hidden>{pick}'
        '<input type="search" placeholder="Search queues, workloads, findings ( / )" aria-label="Search">'
        '<output class="dim"></output></div>'
    )


def _glossary(words: Words) -> Iterator[str]:
    """The words of the columns, for paper, where nothing can be pointed at."""
    if words.used:
        yield '<details class="words"><summary>Words</summary><dl>'
        yield from (f"<dt>{safe(word)}</dt><dd>{safe(meaning)}</dd>" for word, meaning in sorted(words.used.items()))
        yield "</dl></details>"


def _findings(state: State, at: _Place, words: Words) -> Iterator[str]:
    yield f'<{at.part} id="{at.anchor}findings">Lint: {count(len(state.findings), "finding")}</{at.part}>'
    if not state.findings:
        yield '<p class="good">No finding.</p>'
        return
    rows = (
        [
            f'<span class="{"bad" if each.severity.rank == 0 else ""}">{safe(each.severity.value)}</span>',
            safe(each.rule),
            safe(each.object),
            safe(each.message),
            _place(each.at),
        ]
        for each in state.findings
    )
    yield '<div class="findings">'
    yield from table(("severity", "rule", "object", "finding", "where"), rows, words)
    yield "</div>"


def _place(at: Location | None) -> str:
    """A place as a cell; a long path may be broken after a slash."""
    return safe("" if at is None else at.field or f"{at.source}:{at.line}").replace("/", "/<wbr>")
