"""What-ifs: a session with other requests, settings or usage, and the fair shares that follow.

Tested in ``tests/unit/schedulers/kai/explain/test_derivation.py``.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.division.fair_share import fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import formula_of
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Requested, Resources
from kubectl_fairshare.schedulers.kai.session.session import Session

_ENDLESS: Final = (math.inf, math.inf, math.inf)


def divide_again(session: Session) -> Session:
    """The session with fair shares computed from its queues."""
    claimants = (standing.claimant() for standing in session.standings.values())
    shares, undefined = fair_shares(session.totals.total, formula_of(session.shard), claimants)
    standings = {name: standing.sharing(shares[name]) for name, standing in session.standings.items()}
    return replace(session, standings=standings, undefined=undefined)


def with_requests(session: Session, requests: Mapping[str, Mapping[str, float]], *, endless: bool = False) -> Session:
    """The session in which queues request these totals, and with ``endless`` all others without end.

    What a queue requests of all resources counts for the queues below it, too, unless those are named. The totals of
    ancestors that are not named follow. Raises ``KeyError`` for a queue that KAI does not know.
    """
    named = _with_those_below(session, requests)
    asked: dict[str, Resources] = {}
    for name in sorted(session.standings, key=lambda each: -len(session.chain(each))):
        known, below = session.standings[name].request, session.children.get(name, ())
        changes = [(asked[child], session.standings[child].request) for child in below]
        total = [_total(known[r], [(new[r], old[r]) for new, old in changes]) for r in range(3)]
        asked[name] = Resources(*(_ENDLESS if endless and not below else total))._replace(**named.get(name, {}))
    standings = {name: replace(each, request=Requested(asked[name])) for name, each in session.standings.items()}
    return divide_again(replace(session, standings=standings))


def _with_those_below(session: Session, requests: Mapping[str, Mapping[str, float]]) -> dict[str, Mapping[str, float]]:
    """The requests, and for queues below one that says all: the same."""
    found: dict[str, Mapping[str, float]] = {}
    for name in sorted(requests, key=lambda each: (len(session.chain(each)), each)):
        amounts, below = requests[name], [name]
        whole = len(amounts) == len(RESOURCES) and {*amounts.values()} in ({0.0}, {math.inf})
        for each in below:
            found[each] = amounts
            below += session.children.get(each, ()) if whole else ()
    return found


def _total(known: float, changes: Iterable[tuple[float, float]]) -> float:
    """What a queue requests after its children request other amounts; ``changes`` are the new and the old ones."""
    change = sum(new - old for new, old in changes if new != old)
    return max(0.0, known + change) if change else known


def with_endless_requests(session: Session) -> Session:
    """The session in which every queue requests more than the cluster has: the long-term split."""
    return with_requests(session, {}, endless=True)


def with_usage(session: Session, usage: Mapping[str, Resources]) -> Session:
    """The session with other past usage."""
    standings = {
        name: replace(standing, usage=usage.get(name, standing.usage)) for name, standing in session.standings.items()
    }
    return divide_again(replace(session, standings=standings, state=replace(session.state, usage=dict(usage))))
