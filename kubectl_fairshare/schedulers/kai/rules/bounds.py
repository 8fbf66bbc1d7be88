"""Quotas and limits of queues, compared with each other and with those of their ancestors."""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.finding import Finding, Related, Remedy, Replace
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Queue, Resources
from kubectl_fairshare.schedulers.kai.rules.figures import amount, of
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.queues import Queues, amount_at, is_finite, is_unlimited


def _beyond(value: float, bound: float) -> bool:
    """Whether an amount is above a bound. Unlimited means no bound; other negative amounts do not count."""
    return is_finite(bound) and (is_unlimited(value) or value > bound)


def _children(queues: Queues) -> Iterator[tuple[Queue, Queue]]:
    """Every queue with its parent, if both list resources."""
    for queue in queues:
        parent = queues.parent(queue)
        if parent is not None and queue.stated and parent.stated:
            yield queue, parent


def _tightest(queues: Queues, queue: Queue, resource: str) -> Queue | None:
    """The ancestor with the lowest limit of a resource above 0; the nearest if several are equal."""
    bounded = [above for above in queues.above(queue) if of(above.limit, resource) > 0]
    return min(bounded, key=lambda above: of(above.limit, resource), default=None)


def _quota_is_beyond_parent(queue: Queue, parent: Queue, resource: str) -> bool:
    return _beyond(of(queue.quota, resource), of(parent.quota, resource))


def _quotas(queues: Sequence[Queue], resource: str) -> tuple[Related, ...]:
    return tuple(Related(amount(resource, of(q.quota, resource)), amount_at(q, resource, "quota")) for q in queues)


@warning_rule("A004")
def child_quota_above_parent(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each child and resource."""
    for queue, parent in _children(given.queues):
        for resource in RESOURCES:
            if _quota_is_beyond_parent(queue, parent, resource):
                own, whole = (amount(resource, of(q.quota, resource)) for q in (queue, parent))
                by = "" if is_unlimited(of(queue.quota, resource)) else f", {_more(queue, parent, resource)} less"
                yield Finding(
                    amount_at(queue, resource, "quota"),
                    f"quota is {own}, and parent `{parent.name}` has {whole} for all its children{by}",
                    Remedy("raise the parent's quota, or lower this one"),
                    evidence=(("quota", own), ("quota of the parent", whole)),
                    related=(Related(f"the parent has {whole}", amount_at(parent, resource, "quota")),),
                )


def _more(queue: Queue, parent: Queue, resource: str) -> str:
    return amount(resource, of(queue.quota, resource) - of(parent.quota, resource))


def _sum(queues: Queues, parent: Queue, resource: str) -> float:
    """The sum of the children's quotas, without unlimited ones."""
    quotas = (of(child.quota, resource) for child in queues.children.get(parent.name, ()) if child.stated)
    return sum(quota for quota in quotas if is_finite(quota))


def _any_beyond(queues: Queues, parent: Queue, resource: str) -> bool:
    children = queues.children.get(parent.name, ())
    return any(child.stated and _quota_is_beyond_parent(child, parent, resource) for child in children)


@warning_rule("A005")
def children_quotas_above_parent(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each parent and resource, unless one child alone has more."""
    queues = given.queues
    for parent in queues:
        children = queues.children.get(parent.name, ()) if parent.stated else ()
        for resource in RESOURCES if children else ():
            total, whole = _sum(queues, parent, resource), of(parent.quota, resource)
            if not _beyond(total, whole) or _any_beyond(queues, parent, resource):
                continue
            more = amount(resource, total - whole)
            yield Finding(
                amount_at(parent, resource, "quota"),
                f"the quotas of {len(children)} children add up to {amount(resource, total)}, {more} more than this",
                Remedy("raise this quota, or lower the children's"),
                evidence=(("quota", amount(resource, whole)), ("quotas of the children", amount(resource, total))),
                related=_quotas(children[:5], resource),
            )


@warning_rule("A009")
def limit_below_quota(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue and resource whose limit is above 0."""
    for queue in given.queues:
        for resource in RESOURCES:
            quota, limit = of(queue.quota, resource), of(queue.limit, resource)
            if 0 < limit < quota:
                place = amount_at(queue, resource, "limit")
                written = given.queues.resources(queue, resource).get("quota")
                yield Finding(
                    place,
                    f"limit is {amount(resource, limit)}, {amount(resource, quota - limit)} less than quota",
                    Remedy("raise the limit to the quota or more, or lower the quota", (Replace(place, written),)),
                    evidence=(("limit", amount(resource, limit)), ("quota", amount(resource, quota))),
                    related=(Related("quota is here", amount_at(queue, resource, "quota")),),
                )


@warning_rule("A010")
def limit_above_parents(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue and resource. -1 is correct: it means no limit of its own."""
    queues = given.queues
    for queue in queues:
        for resource in RESOURCES:
            limit = of(queue.limit, resource)
            above = _tightest(queues, queue, resource) if limit > 0 else None
            if above is None or limit <= of(above.limit, resource) or _is_out_of_reach(queues, queue, above, resource):
                continue
            whole = of(above.limit, resource)
            yield Finding(
                amount_at(queue, resource, "limit"),
                f"limit is {amount(resource, limit)}, {amount(resource, limit - whole)} more than the limit of its "
                f"ancestor `{above.name}`",
                Remedy("lower the limit, write -1 for no limit of its own, or raise the ancestor's limit"),
                evidence=(("limit", amount(resource, limit)), ("limit above", amount(resource, whole))),
                related=(Related("the tighter limit", amount_at(above, resource, "limit")),),
            )


def _is_out_of_reach(queues: Queues, queue: Queue, above: Queue, resource: str) -> bool:
    """Whether even the quota is above the tightest limit of an ancestor, and no finding on quotas reports it."""
    quota, parent = of(queue.quota, resource), queues.parent(queue)
    reported = parent is None or _quota_is_beyond_parent(queue, parent, resource)
    return not reported and is_finite(quota) and quota > of(above.limit, resource)


@warning_rule("A023")
def quota_above_limit_above(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue and resource whose quota passes its own limit and its parent's quota."""
    queues = given.queues
    for queue in queues:
        for resource in RESOURCES:
            quota, limit = of(queue.quota, resource), of(queue.limit, resource)
            above = _tightest(queues, queue, resource) if quota > 0 else None
            if above is None or 0 <= limit < quota or not _is_out_of_reach(queues, queue, above, resource):
                continue
            whole = of(above.limit, resource)
            yield Finding(
                amount_at(queue, resource, "quota"),
                f"quota is {amount(resource, quota)}, {amount(resource, quota - whole)} more than the limit of its "
                f"ancestor `{above.name}`",
                Remedy("raise the ancestor's limit, or lower the quota"),
                evidence=(("quota", amount(resource, quota)), ("limit above", amount(resource, whole))),
                related=(Related("the limit", amount_at(above, resource, "limit")),),
            )


@warning_rule("A024")
def children_quotas_above_limit(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each parent with unlimited quota and each resource, unless one child alone has more."""
    queues = given.queues
    for parent in queues:
        children = queues.children.get(parent.name, ())
        for resource in RESOURCES if children else ():
            limit, total = of(parent.limit, resource), _sum(queues, parent, resource)
            alone = any(of(child.quota, resource) > limit for child in children)
            if not is_unlimited(of(parent.quota, resource)) or limit <= 0 or total <= limit or alone:
                continue
            yield Finding(
                amount_at(parent, resource, "limit"),
                f"the quotas of {len(children)} children add up to {amount(resource, total)}, "
                f"{amount(resource, total - limit)} more than this limit",
                Remedy("raise the limit, or lower the children's quotas"),
                evidence=(("limit", amount(resource, limit)), ("quotas of the children", amount(resource, total))),
                related=_quotas(children[:5], resource),
            )


@warning_rule("A017")
def quotas_above_cluster(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each node pool and resource; none without Nodes."""
    if not given.queues.queues:
        return
    totals: dict[str | None, list[Resources]] = {}
    for node in given.kai.nodes:
        if node.unready is None:
            totals.setdefault(node.pool, []).append(node.allocatable)
    tops: dict[str | None, list[Queue]] = {}
    for queue in given.queues.children.get("", ()):
        tops.setdefault(queue.pool, []).append(queue)
    for pool, queues in tops.items():
        for resource in RESOURCES if pool in totals else ():
            has = sum(of(each, resource) for each in totals[pool])
            asking = [queue for queue in queues if of(queue.quota, resource) > 0]
            total = sum(of(queue.quota, resource) for queue in asking)
            if asking and total > has:
                asking.sort(key=lambda queue: (-of(queue.quota, resource), queue.name))
                yield Finding(
                    amount_at(asking[0], resource, "quota"),
                    f"the quotas of {len(asking)} root queues add up to {amount(resource, total)}, "
                    f"{amount(resource, total - has)} more than the nodes have",
                    Remedy("lower quotas, or add nodes"),
                    evidence=(("quotas", amount(resource, total)), ("nodes", amount(resource, has))),
                    related=_quotas(asking[1:6], resource),
                    elsewhere="another Node",
                )
