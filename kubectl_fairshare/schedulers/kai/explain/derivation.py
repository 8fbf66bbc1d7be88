"""The derivation of a queue's fair share, step by step: parent's share, quota, rounds, last unit."""

from collections.abc import Iterator

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kai.division.division import Account, DivisionRound
from kubectl_fairshare.schedulers.kai.division.fair_share import accounts
from kubectl_fairshare.schedulers.kai.division.time_aware import formula_of
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, TimeAware
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session
from kubectl_fairshare.trace import Fact, Operand, Step


class Derivation(Value, frozen=True):
    """The fair share of one queue: one step per resource."""

    queue: str
    parent: str
    steps: tuple[Step, ...]


def derive(session: Session, name: str) -> Derivation:
    """The fair share of a queue, term by term. Raises ``KeyError`` for a queue that KAI does not know."""
    standing = session.standings[name]
    parent = standing.queue.parent
    level = [session.standings[child].claimant() for child in session.children[parent]]
    amount = session.standings[parent].fair_share if parent else session.totals.total
    found = accounts(amount, formula_of(session.shard), level)
    steps = (_share(session, standing, r, account) for r, account in enumerate(found))
    return Derivation(name, parent, tuple(steps))


def _share(session: Session, standing: QueueAttributes, r: int, account: Account) -> Step:
    name = standing.queue.name
    parts = [_origin(standing, r, account), _quota(standing, r, account)]
    parts += _rounds(session, standing, r, account)
    parts += _remainder(name, r, account)
    given = [float(str(part.operand("given"))) for part in parts[1:]]
    operands: tuple[tuple[str, Operand], ...] = (
        ("resource", RESOURCES[r]),
        ("queue", name),
        ("quota", given[0]),
        ("rounds", sum(given[1:])),
        ("share", standing.fair_share[r]),
        ("allocated", standing.allocated[r]),
        ("request", standing.request[r]),
    )
    return Step(Law.FAIR_SHARE, operands, True, tuple(parts))


def _origin(standing: QueueAttributes, r: int, account: Account) -> Step:
    law = Law.PARENT_SHARE if standing.queue.parent else Law.TOTAL
    operands = (("resource", RESOURCES[r]), ("parent", standing.queue.parent), ("amount", account.total))
    return Step(law, operands, True)


def fact(standing: QueueAttributes, resource: str, field: str, value: float) -> tuple[Fact, ...]:
    """The field that a queue's figure was read from; empty for a queue without an object."""
    key = standing.queue.key
    return () if key is None else (Fact(Place(key, ("spec", "resources", resource, field)), value),)


def _quota(standing: QueueAttributes, r: int, account: Account) -> Step:
    queue, resource = standing.queue, RESOURCES[r]
    found = next(quota for quota in account.quotas if quota.name == queue.name)
    operands: tuple[tuple[str, Operand], ...] = (
        ("resource", resource),
        ("quota", queue.quota[r]),
        ("limit", queue.limit[r]),
        ("request", standing.request[r]),
        ("deserved", found.deserved),
        ("requestable", found.requestable),
        ("given", found.given),
        ("left", account.total - sum(quota.given for quota in account.quotas)),
    )
    facts = (*fact(standing, resource, "quota", queue.quota[r]), *fact(standing, resource, "limit", queue.limit[r]))
    return Step(Law.QUOTA_PASS, operands, found.given >= found.requestable, facts)


def _rounds(session: Session, standing: QueueAttributes, r: int, account: Account) -> Iterator[Step]:
    queue, resource = standing.queue, RESOURCES[r]
    mine = [found for found in account.rounds if found.priority == queue.priority]
    for number, found in enumerate(mine, 1):
        step = _round(session, standing, resource, found, number)
        if step is not None:
            yield step


def _round(
    session: Session, standing: QueueAttributes, resource: str, found: DivisionRound, number: int
) -> Step | None:
    portion = next((one for one in found.portions if one.name == standing.queue.name), None)
    if portion is None:
        return None
    proposed = session.shard.time_aware is TimeAware.PROPOSAL
    operands: tuple[tuple[str, Operand], ...] = (
        ("resource", resource),
        ("number", number),
        ("priority", found.priority),
        ("amount", found.amount),
        ("weight", standing.queue.weight[RESOURCES.index(resource)]),
        ("weights", found.weights),
        ("normal", portion.weight),
        ("usage", portion.usage),
        *(() if proposed else (("k", session.shard.k),)),
        ("part", portion.share),
        ("parts", found.shares),
        ("fair", portion.fair),
        ("asked", portion.asked),
        ("given", portion.given),
        ("record", portion.record),
    )
    facts = fact(standing, resource, "overQuotaWeight", standing.queue.weight[RESOURCES.index(resource)])
    law = Law.PROPOSAL_ROUND if proposed else Law.ROUND
    known = _usage(session, standing, resource) if number == 1 else ()
    return Step(law, operands, portion.given >= portion.asked, (*facts, *known))


def _usage(session: Session, standing: QueueAttributes, resource: str) -> tuple[Step | Fact, ...]:
    """The source of the queue's past usage: a line of a file, or the sums from a Prometheus server."""
    past, name, r = session.state.past, standing.queue.name, RESOURCES.index(resource)
    if past is None:
        return ()
    place = past.places.get((name, resource))
    if place is not None:
        return (Fact(place, standing.usage[r]),)
    counted = past.counted
    if counted is None or counted.fractions.get(name) != standing.usage:
        return ()
    operands = (
        ("resource", resource),
        ("queue", name),
        ("used", counted.used[name][r]),
        ("offered", counted.offered[r]),
        ("usage", standing.usage[r]),
    )
    return (Step(Law.USAGE, operands, True),)


def _remainder(name: str, r: int, account: Account) -> Iterator[Step]:
    for found in account.remainders:
        if found.name == name:
            operands = (("resource", RESOURCES[r]), ("record", found.record), ("given", found.given))
            yield Step(Law.REMAINDER, operands, True)
