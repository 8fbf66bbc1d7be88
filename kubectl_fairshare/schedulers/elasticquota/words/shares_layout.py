"""What is said of ElasticQuotas: a table per resource, and remarks on figures that need one.

Tested in ``tests/unit/schedulers/elasticquota/explain/test_shares.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Layout, Remark, Section
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import (
    Bounded,
    QuotaNode,
    QuotaResourceFigures,
    QuotaShares,
    StatusCause,
    StatusUsed,
    Sums,
)

_NOTE: Final = (
    "There are no weights and no fair shares: the first to ask borrows. ROOM: what is left up to MAX. REACHABLE: the "
    "most that a namespace can use while the others keep their use. USED: what the scheduler counts after a restart, "
    "every pod on a node."
)
BOUNDED: Final = {
    Bounded.MISSING_IS_ZERO: "max does not list {resource}, so it is 0",
    Bounded.MISSING_IS_UNBOUNDED: "max does not list {resource}, so it is unlimited",
    Bounded.MAX_ABSENT: "max is not set, so it is unlimited",
}
_CAUSES: Final = {
    StatusCause.NOT_RUNNING: "{amount} of pods on a node that are not running yet",
    StatusCause.OVERHEAD: "{amount} of overhead",
    StatusCause.STALE: "{amount} unexplained: is the controller running?",
}


def shares_layout(found: QuotaShares, opening: tuple[str, ...], figures: tuple[Figure, ...]) -> Layout:
    """The quotas, resource by resource, then what is odd about them."""
    groups: list[Sequence[Block]] = [_section(found.trees, sums, figures) for sums in found.sums]
    if not found.sums:
        groups.append([Remark("no quota names or uses a resource", "dim", first="")])
    oddities = [each for node in found.trees for each in _oddities(node)]
    return Layout(opening, [*groups, oddities, [Remark(_NOTE, "dim", first="", more="")]])


def _section(trees: Sequence[QuotaNode], sums: Sums, figures: tuple[Figure, ...]) -> Sequence[Block]:
    resource = sums.resource
    total = {"min": amount(resource, sums.min), "used": amount(resource, sums.used)}
    of_each = [each for node in trees for each in _remarks(node.own.namespace, node.pairs["", resource])]
    section = Section(resource, trees, figures, resource, total=total, total_label="sum", tone="strong")
    return [section, Remark(_pool(resource, sums)), *of_each]


def _pool(resource: str, sums: Sums) -> str:
    """What all quotas together have left, and what the nodes have."""
    left = sums.min - sums.used
    text = f"{amount(resource, left)} left for all quotas together"
    if left < 0:
        text = f"all quotas use {amount(resource, -left)} more than the sum of all min: no pod with a quota is admitted"
    if sums.allocatable is None or sums.stranded is None:
        return f"{text}; the input has no nodes (see `--nodes`)"
    text += f"; nodes have {amount(resource, sums.allocatable)}"
    if sums.outside:
        text += f", {amount(resource, sums.outside)} of it used outside quotas"
    if sums.stranded > 0:
        text += f"; no quota can use {amount(resource, sums.stranded)} of it"
    if sums.stranded < 0:
        text += f"; the sum of all min is {amount(resource, -sums.stranded)} more than they can give"
    return text


def _remarks(namespace: str, of: QuotaResourceFigures) -> Iterator[Block]:
    """What would surprise a reader of this row."""
    if of.bounded is Bounded.MISSING_IS_ZERO:
        yield Remark(f"{namespace}: {BOUNDED[of.bounded].format(resource=of.resource)}", place=of.max_place)
    if of.max is not None and of.max < of.min:
        text = f"{namespace}: max is below min, so {amount(of.resource, of.min - of.max)} of min cannot be used"
        yield Remark(text, place=of.max_place)
    wanted = of.min if of.max is None else max(of.min, of.max)
    if of.hard is not None and of.hard.value < wanted:  # it limits pods before the ElasticQuota does
        most = f"{amount(of.resource, of.hard.value)} {of.hard.name}"
        text = f"{namespace}: ResourceQuota {of.hard.place.object.name} allows at most {most}"
        yield Remark(text, place=of.hard.place)
    if of.status is not None:
        yield Remark(_status(namespace, of.resource, of.status))


def _status(namespace: str, resource: str, status: StatusUsed) -> str:
    causes = "; ".join(_CAUSES[each.cause].format(amount=amount(resource, each.amount)) for each in status.causes)
    return f"{namespace}: status.used is {amount(resource, status.value)}: {causes}"


def _oddities(of: QuotaNode) -> Iterator[Block]:
    own = of.own
    if own.dropped:
        names = ", ".join(own.dropped)
        yield Remark(f"{own.namespace}: the scheduler ignores {names} in min or max", first="")
    if own.ignored:
        names = ", ".join(own.ignored)
        yield Remark(f"{own.namespace}: this answer uses ElasticQuota {own.name} and ignores {names}", first="")
    if own.scoped_resource_quotas:
        names = ", ".join(own.scoped_resource_quotas)
        text = f"ResourceQuota {names} limits only some pods, so it is not compared with min and max"
        yield Remark(f"{own.namespace}: {text}", first="")
