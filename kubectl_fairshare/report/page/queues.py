"""The tree of queues on a page: a picture and a table for each resource of each pool.

Tested in ``tests/unit/report/page/test_overview.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.shares import AnyQueue
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.report.page.frame import Words, age_cell, safe, table
from kubectl_fairshare.report.page.icicle import Pair, bound, figures_of, icicle
from kubectl_fairshare.report.page.news import State, pools_of
from kubectl_fairshare.report.queue_names import queue_names

_AMOUNTS: Final = (
    ("guaranteed", "guaranteed"),
    ("used", "used"),
    ("borrowed", "borrowed"),
    ("lent", "lent"),
    ("limit", "limit"),
    ("reachable", "reachable"),
)
_LEGEND: Final = (
    '<p class="dim">Width: quota of the queue and of all below it. Numbers: used of quota.'
    '<span class="key used"></span>used<span class="key over"></span>borrowed'
    '<span class="key full"></span>a limit is reached</p>'
)


def queue_sections(state: State, heading: str, words: Words) -> Iterator[str]:
    """A section for each resource of each pool, the fullest first: the picture, then the same figures as a table."""
    shares = state.shares
    pools = pools_of(state)
    options = "".join(f"<option>{safe(pair_text(pair))}" for pair, _ in pools)
    if len(pools) > 1:
        yield f'<label class="pick" hidden>Resource <select>{options}</select></label>'
    for pair, total in pools:
        filled = "" if total is None else f": {total.used.text} of {total.whole.text} used"
        title = f"{pair_text(pair)}{filled}"
        yield f'<section class="pair"><{heading}>{safe(title)}</{heading}>'
        picture = icicle(shares.trees, pair)
        yield from ('<div class="wide">', *picture, "</div>", _LEGEND) if picture else ("<p>no quota and no usage</p>",)
        yield from _figures(state, pair, words)
        yield "</section>"


def pair_text(pair: Pair) -> str:
    """``nvidia.com/gpu in a100``."""
    resource, pool = pair
    return f"{resource} in {pool}" if pool else resource


def _figures(state: State, pair: Pair, words: Words) -> Sequence[str]:
    shares = state.shares
    columns = [(field, title) for field, title in _AMOUNTS if _is_known(shares.trees, pair, field)]
    shared = any(node.share is not None for tree in shares.trees for node in tree)
    aged = any(node.counts.oldest_pending for tree in shares.trees for node in tree)
    titles = [
        "queue",
        *(["share"] if shared else []),
        *(shares.titles.get(field, title).lower() for field, title in columns),
        "running",
        "pending",
        *(["oldest pending"] if aged else []),
    ]
    more = (
        (lambda node: [_share(node.share)] if shared else []),
        (lambda node: [_oldest(node, state)] if aged else []),
    )
    rows = _rows(shares.trees, pair, [field for field, _ in columns], *more)
    return table(titles, rows, words, numbers=True)


def _is_known(trees: Iterable[AnyQueue], pair: Pair, field: str) -> bool:
    """Whether the scheduler has this figure for any queue."""
    figures = (figures_of(node, pair) for tree in trees for node in tree)
    return any(each is not None and getattr(each, field) is not None for each in figures)


def _rows(
    trees: Sequence[AnyQueue],
    pair: Pair,
    fields: Sequence[str],
    share: Callable[[AnyQueue], list[str]],
    oldest: Callable[[AnyQueue], list[str]],
) -> Iterator[list[str]]:
    names = queue_names(trees)
    for tree in trees:
        for node in tree:
            figures = figures_of(node, pair)
            if figures is not None:
                cells = [_amount(getattr(figures, field)) for field in fields]
                counts = [str(node.running), str(node.pending)]
                yield [safe(_name(node, names[node.key])), *share(node), *cells, *counts, *oldest(node)]


def _oldest(node: AnyQueue, state: State) -> str:
    since = node.counts.oldest_pending
    return age_cell(None if since is None else nanoseconds(since), state.moment)


def _share(share: float | None) -> str:
    """A share as a cell; infinite for a borrower of weight 0."""
    if share is None:
        return ""
    return "<b data-v=Infinity>∞</b>" if share == inf else f"{share:.3g}"


def _name(node: AnyQueue, name: str) -> str:
    return f"{node.parent} / {name}" if node.parent else name


def _amount(amount: Amount | None) -> str:
    """An amount as a cell: sorted by its value, wherever its text is not just that."""
    if amount is None:
        return "–"
    if bound(amount) is None and amount.value > 0:
        return "<b data-v=Infinity>unlimited</b>"
    text = safe(amount.text)
    return text if _is_number(amount.text) else f"<b data-v={amount.value:g}>{text}</b>"


def _is_number(text: str) -> bool:
    """Whether a text is sorted as what it says, unlike `2Gi` or `500m`."""
    return text.replace(".", "", 1).isdecimal()
