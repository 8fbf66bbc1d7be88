"""What each leaf queue has a right to: its quota, its fair share when all are busy, the most that it can ever hold."""

from collections.abc import Iterator

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.review import Entitlement, at_most
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kai.explain.what_if import with_endless_requests
from kubectl_fairshare.schedulers.kai.model.kinds import QUEUE_GROUP
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, UNLIMITED
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.plan_answer import amount_of


def entitlements(session: Session, *, saturated: bool) -> Iterator[Entitlement]:
    """The rights of each leaf queue of a shard, by name and resource."""
    busy = with_endless_requests(session) if saturated else session
    for name, standing in sorted(session.standings.items()):
        if not session.is_leaf(name):
            continue
        key = standing.queue.key or ObjectKey(QUEUE_GROUP, "Queue", "", name)
        for r, resource in enumerate(RESOURCES):
            share, most = _amount(r, busy.standings[name].fair_share[r]), _amount(r, _most(session, name, r))
            yield Entitlement(
                key,
                resource,
                session.shard.pool or "",
                guaranteed=_amount(r, standing.queue.quota[r]),
                entitled=at_most(share, most) if saturated else None,
                most=most,
            )


def _most(session: Session, queue: str, r: int) -> float:
    """The least of the limits up the tree and of what all nodes have."""
    limits = [above.queue.limit[r] for above in session.chain(queue) if above.queue.limit[r] != UNLIMITED]
    return min([session.totals.total[r], *limits])


def _amount(r: int, value: float) -> Amount | None:
    return None if value == UNLIMITED else amount_of(r, value)
