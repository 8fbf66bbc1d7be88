"""What-ifs: a session with other requests, settings or usage, and the fair shares that follow.

Tested in ``tests/unit/schedulers/kai/explain/test_derivation.py``.
"""

import math
from collections.abc import Mapping

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.division.fair_share import fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import formula_of
from kubectl_fairshare.schedulers.kai.model.objects import Requested, Resources
from kubectl_fairshare.schedulers.kai.session.session import Session

_ENDLESS = Requested(Resources(math.inf, math.inf, math.inf))


def divide_again(session: Session) -> Session:
    """The session with fair shares computed from its queues."""
    claimants = (standing.claimant() for standing in session.standings.values())
    shares, undefined = fair_shares(session.totals.total, formula_of(session.shard), claimants)
    standings = {name: standing.sharing(shares[name]) for name, standing in session.standings.items()}
    return replace(session, standings=standings, undefined=undefined)


def with_requests(session: Session, requests: Mapping[str, Mapping[str, float]]) -> Session:
    """The session in which queues request these totals; the totals of their ancestors follow.

    Raises ``KeyError`` for a queue that KAI does not know.
    """
    standings = dict(session.standings)
    for name, amounts in sorted(requests.items()):
        now = standings[name].request
        wanted = now._replace(**amounts)
        change = [wanted[r] - now[r] for r in range(3)]
        for above in session.chain(name):
            known = standings[above.queue.name]
            asked = Requested(Resources(*(known.request[r] + change[r] for r in range(3))))
            standings[above.queue.name] = replace(known, request=asked)
    return divide_again(replace(session, standings=standings))


def with_endless_requests(session: Session) -> Session:
    """The session in which every queue requests more than the cluster has: the long-term split."""
    standings = {name: replace(standing, request=_ENDLESS) for name, standing in session.standings.items()}
    return divide_again(replace(session, standings=standings))


def with_usage(session: Session, usage: Mapping[str, Resources]) -> Session:
    """The session with other past usage."""
    standings = {
        name: replace(standing, usage=usage.get(name, standing.usage)) for name, standing in session.standings.items()
    }
    return divide_again(replace(session, standings=standings, state=replace(session.state, usage=dict(usage))))
