"""The derivation of one quota's runtime: each level's division, round by round."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, Layout, Remark, Table, Wide, unfolded
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.number_text import NOTHING, amount, some
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.schedulers.koordinator.documents.shares import DERIVATION
from kubectl_fairshare.schedulers.koordinator.explain.derivation import (
    DerivedResource,
    DivisionLevel,
    NamedAmounts,
    RuntimeDerivation,
)
from kubectl_fairshare.schedulers.koordinator.laws import Partition
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.release import Rounding

_ROUNDS: Final = 4
_SIBLINGS: Final = 12


def derivation_view(of: RuntimeDerivation, rounding: Rounding) -> SharesView:
    """The answer to ``shares --explain``."""
    group = of.group
    above: list[Block] = [unfolded(str(group.key), indent="")]
    if of.orphan:
        above.append(Remark(f"no quota {group.parent} leads from it to root, so it gets no runtime"))
    elif of.uncomputed:
        above.append(Remark("the scheduler computes no runtime for it, so nothing limits it"))
    groups = [each for resource in of.resources for each in _resource(resource, group, rounding)]
    document = WrittenAnswer(DERIVATION, of)
    title = f"{group.key}, term by term"
    return SharesView("--explain", title, "strong", of.fidelity, Layout((), groups, above), document)


def _resource(of: DerivedResource, group: QuotaGroup, rounding: Rounding) -> list[Group]:
    """Where the request comes from, then what each level divides; the runtime ends the last."""
    figures, r = of.figures, of.resource
    bound = "not listed" if figures.max is None else amount(r, figures.max)
    low, high = (None if group.assumed else group.place(field, r) for field in ("min", "max"))
    first: list[Block] = [unfolded(r, "strong", "")]
    first += [Remark(f"min {amount(r, figures.min)}", place=low), Remark(f"max {bound}", place=high)]
    first.append(_sum("requested by its pods", r, of.pods))
    if of.children:
        first.append(_sum("requested by its children", r, of.children))
    text = f"request {amount(r, figures.request)}"
    if figures.request < figures.asked:
        text += f": {amount(r, figures.asked)}, at most max"
    elif figures.request > figures.asked:
        text += f": {amount(r, figures.asked)}, at least min, as it does not lend"
    first.append(Remark(text))
    runtime = "not limited" if figures.runtime is None else amount(r, figures.runtime)
    *groups, last = [first, *([*_level(r, level, rounding)] for level in of.levels)]
    return [*groups, [*last, Remark(f"runtime {runtime}, used {amount(r, figures.used)}")]]


def _level(resource: str, level: DivisionLevel, rounding: Rounding) -> Iterator[Block]:
    division = level.division
    parent = "the tree" if level.parent == ROOT else level.parent
    yield Remark(f"{parent} divides {amount(resource, level.held)}")
    if level.sum_of_min > max(0, level.held):
        text = f"the sum of all min, {amount(resource, level.sum_of_min)}, is above that: each min is scaled"
        yield Remark(text, first="    ", more="      ")
    rounds = division.rounds[:_ROUNDS]
    columns = (
        Column("QUOTA", right=False),
        Column("MIN", rank=1),
        Column("REQUEST", rank=2),
        Column("WEIGHT", rank=3),
        Column("FIRST"),
        *(Column(f"ROUND {i + 1}") for i in range(len(rounds))),
        Column("RUNTIME"),
    )
    rows = _rows(resource, level)
    claims = division.claims
    hidden = len(claims) - min(len(claims), _SIBLINGS + 1)
    some_rows = [row for i, row in enumerate(rows) if i <= _SIBLINGS or claims[i].name == level.child]
    more = [unfolded(f"… and {hidden} more (-o wide shows all)", "dim", "      ")] if hidden else []
    yield Wide(lambda: [Table(columns, rows, "    ")], [Table(columns, some_rows, "    "), *more])
    for i, each in enumerate(rounds):
        text = f"round {i + 1}: {amount(resource, each.left)} left, weights {amount(resource, each.weight)}"
        back = sum(given[2] for given in each.given)
        text += f", {amount(resource, back)} returned above requests" if back else ""
        yield Remark(text, first="    ", more="      ")
    left = _remainder(resource, division, rounding)
    if left:
        yield Remark(f"each part is rounded alone: {left}", first="    ", more="      ")


def _remainder(resource: str, division: Partition, rounding: Rounding) -> str:
    """What rounding leaves over, or gives beyond the total."""
    spare = division.total - sum(division.shares) if division.rounds else 0
    wanting = any(s < c.request for s, c in zip(division.shares, division.claims, strict=True))
    if spare < 0:
        return f"together {amount(resource, -spare)} more than there is"
    return f"{amount(resource, spare)} is given to none" if spare and wanting and rounding is Rounding.EACH else ""


def _rows(resource: str, level: DivisionLevel) -> Sequence[Row]:
    division = level.division
    given = [{name: (more, back) for name, more, back in each.given} for each in division.rounds[:_ROUNDS]]
    rows = []
    for i, claim in enumerate(division.claims):
        cells = [claim.name, some(resource, claim.least), some(resource, claim.request), amount(resource, claim.weight)]
        cells.append(amount(resource, division.first[i]))
        for each in given:
            more, back = each.get(claim.name, (0, 0))
            cells.append(_signed(resource, more - back) if more else NOTHING)
        cells.append(amount(resource, division.shares[i]))
        rows.append(Row(tuple(cells), "strong" if claim.name == level.child else ""))
    return rows


def _signed(resource: str, value: int) -> str:
    """An amount with its sign; a negative weight gives a negative part."""
    return f"+{amount(resource, value)}" if value >= 0 else f"−{amount(resource, -value)}"


def _sum(label: str, resource: str, terms: NamedAmounts) -> Remark:
    title = f"{label} {amount(resource, sum(term.amount for term in terms))}"
    names = [f"{amount(resource, term.amount)} {term.name}" for term in terms]
    return Remark(f"{title} = " if names else title, names=names, between=" + ")
