"""What a page has as its title: how full the fullest resource is, who holds whose quota of it, and how many wait.

Tested in ``tests/unit/report/page/test_news.py``.
"""

from collections.abc import Sequence
from math import isfinite

from kubectl_fairshare.answers.details import SharesDetail, WhyDetail
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.shares import PoolTotal
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.report.page.icicle import Pair, pairs_of
from kubectl_fairshare.report.taken import borrowed_clause

State = Overview[SharesDetail, WhyDetail]


def pools_of(state: State) -> Sequence[tuple[Pair, PoolTotal | None]]:
    """The resources and pools with their totals, the fullest first; those without a total come last."""
    totals = {(each.whole.resource, each.whole.pool): each for each in state.shares.totals}
    pairs = [(pair, totals.get(pair)) for pair in pairs_of(state.shares.trees)]
    return sorted(pairs, key=lambda pool: -filled_part(pool[1]))


def fullest(state: State) -> PoolTotal | None:
    """The resource and pool of which the largest part is used; None where nothing is known."""
    first = next((total for _, total in pools_of(state)), None)
    return None if first is None or filled_part(first) < 0 else first


def filled_part(of: PoolTotal | None) -> float:
    """The part that is used; below 0 where nothing can be."""
    if of is None or of.whole.value <= 0 or not isfinite(of.whole.value):
        return -1.0
    return of.used.value / of.whole.value


def filled_text(of: PoolTotal | None) -> str:
    """``64 nvidia.com/gpu in a100: 60 used``; empty where nothing is known."""
    return "" if of is None else f"{of.whole.text} {of.unit}: {of.used.text} used"


def news(state: State) -> str:
    """The title, in clauses: the fullest resource, the largest loan of it, the work that waits."""
    total = fullest(state)
    borrowed = "" if total is None else borrowed_clause(state.shares.trees, total.whole)
    return "; ".join(filter(None, (filled_text(total), borrowed, waiting_text(state))))


def waiting_text(state: State) -> str:
    """``2 wait``, and how many of them are never admitted."""
    number, never = len(state.waiting), sum(each.verdict is Verdict.NEVER for each in state.waiting)
    if not number:
        return "nothing waits"
    text = f"{number:,} {'waits' if number == 1 else 'wait'}"
    return f"{text}, {never:,} of them {'is' if never == 1 else 'are'} never admitted" if never else text
