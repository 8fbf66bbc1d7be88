"""The smallest raise of a queue's own quota with which a backlog gets in, found by deciding.

Why not the sum of what waits: a backlog of 2 and 3 in a queue with 1 free seems to need a raise of 4, and needs none
where the queue may borrow that; so each raise is decided.
Tested in ``tests/unit/policy/test_backlog.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.capacity import BacklogRow, QuotaRaise
from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox, Site

_Raises = Mapping[tuple[str, str], int]
_NAME: Final = "backlog"


def backlog_rows(sandbox: Sandbox, works: Sequence[MadeUpWork], doubts: dict[Gap, None]) -> tuple[BacklogRow, ...]:
    """For each pool of the queue the raise of quota in that pool alone with which all ``works`` run.

    One row says what is enough without preemption, one what is enough if the queue's backlog may preempt. No amount
    of a raise can be one unit less. What the decisions rest on is added to ``doubts``.
    """
    site = next(each for each in sandbox.sites if each.queue == works[0].queue)
    pools = list(dict.fromkeys(pool for pool, _ in (*site.guaranteed, *site.unbounded)))
    return tuple(_row(sandbox, site, pool, works, doubts, preempting=yes) for pool in pools for yes in (False, True))


def _row(
    sandbox: Sandbox,
    site: Site,
    pool: str,
    works: Sequence[MadeUpWork],
    doubts: dict[Gap, None],
    *,
    preempting: bool,
) -> BacklogRow:
    def runs(raises: _Raises) -> bool:
        return not _unmet(sandbox.raised(site.queue, raises), works, doubts, preempting=preempting)

    # Nothing to raise: the backlog waits for its turn only.
    if runs({}):
        return BacklogRow(site.queue, pool, preempting, ())
    enough = _enough(sandbox, site, pool, works)
    if not enough or not runs(enough):
        return BacklogRow(site.queue, pool, preempting, None, _unmet(sandbox.raised(site.queue, enough), works, doubts))
    least = dict(enough)
    # One resource after the other, each with the least of those before: then none can be a unit less by itself.
    for pair in sorted(enough):
        least[pair] = _least(lambda size, pair=pair: runs({**least, pair: size}), enough[pair])  # type: ignore[misc]
    raises = (_raise(site, pair, more) for pair, more in sorted(least.items()) if more)
    return BacklogRow(site.queue, pool, preempting, tuple(raises))


def _least(runs: Callable[[int], bool], enough: int) -> int:
    """A size with which it runs while with one unit less it does not, by bisection below one that is ``enough``."""
    # 0 may do as well: what binds may be another resource.
    low, high = -1, enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if runs(middle) else (middle, high)
    return high


def _enough(sandbox: Sandbox, site: Site, pool: str, works: Sequence[MadeUpWork]) -> dict[tuple[str, str], int]:
    """All that the queue uses and the backlog asks for, of the resources that both have."""
    used = sandbox.used(site.queue)
    total = {pair: sum(work.total.get(pair[1], 0) for work in works) for pair in site.guaranteed if pair[0] == pool}
    return {pair: amount + max(0, used.get(pair, 0)) for pair, amount in total.items() if amount}


def _unmet(sandbox: Sandbox, works: Sequence[MadeUpWork], doubts: dict[Gap, None], *, preempting: bool = True) -> str:
    """Why not all of the backlog runs once it has arrived; empty if it does."""
    removed = False
    for number, work in enumerate(works):
        after = sandbox.submitted(f"{_NAME}-{number}", work)
        # All of them one after another: the first may take the room of the last.
        sandbox, removed = after.sandbox, removed or bool(after.removals)
        doubts.update(dict.fromkeys(sandbox.doubts))
        # Cycles that do not come to rest count as waiting.
        if late := next(iter(sandbox.waiting().values()), None if after.rests else work):
            return sandbox.ruling(late).what_binds() or sandbox.answer(late).verdict
    return "it preempts" if removed and not preempting else ""


def _raise(site: Site, pair: tuple[str, str], more: int) -> QuotaRaise:
    pool, resource = pair
    now, then = site.guaranteed[pair], site.guaranteed[pair] + more
    return QuotaRaise(*(Amount(resource, value, amount(resource, value), pool) for value in (now, then, more)))
