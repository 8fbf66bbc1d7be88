"""The laws of accounting as equations: each figure with the terms that it is made of.

Operands are read as they are; a step of these laws carries all of them.
"""

import math
from collections.abc import Callable, Mapping
from typing import Final

from kubectl_fairshare.answers import number_text
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.trace import Operand

_Operands = Mapping[str, Operand]


def quote(value: Operand, resource: Operand) -> str:
    """A value as people read it: an amount of ``resource``, a weight, or text."""
    if isinstance(value, float):
        return number_text.weight(value)
    if isinstance(value, int) and isinstance(resource, str):
        return number_text.amount(resource, value)
    return str(value)


def _amount(operands: _Operands, name: str) -> str:
    value = operands[name]
    return "none" if value is None else quote(value, operands["resource"])


def _terms(operands: _Operands, opening: str) -> list[str]:
    """The operands whose names begin with ``opening``, as terms of a sum."""
    return [f"{_amount(operands, name)} {name}" for name in operands if name.startswith(opening)]


def _subtree(o: _Operands) -> str:
    terms = [f"{_amount(o, 'nominal')} nominal", *_terms(o, "lent by ")]
    return f"subtree of {o['node']} = {' + '.join(terms)} = {_amount(o, 'subtree')}"


def _local(o: _Operands) -> str:
    if o["lendingLimit"] is None:
        return f"local of {o['node']} = 0, as it has no lendingLimit"
    return (
        f"local of {o['node']} = max(0, subtree {_amount(o, 'subtree')} − lendingLimit {_amount(o, 'lendingLimit')}) "
        f"= {_amount(o, 'local')}"
    )


def _usage(o: _Operands) -> str:
    if "workloads" in o:
        number = o["workloads"]
        what = count(number if isinstance(number, int) else 0, "workload")
        return f"used by {o['node']} = the sum over {what} = {_amount(o, 'usage')}"
    taken = " + ".join(_terms(o, "taken by ")) or "nothing taken by its children"
    return f"used of {o['node']} = {taken} = {_amount(o, 'usage')}"


def _available(o: _Operands) -> str:
    subtree, local, used, free = (_amount(o, name) for name in ("subtree", "local", "usage", "available"))
    if "available above" not in o:
        return f"free in {o['node']} = subtree {subtree} − used {used} = {free}"
    above = f"free above {_amount(o, 'available above')}"
    if o["borrowingLimit"] is not None:
        limit = f"borrowingLimit {_amount(o, 'borrowingLimit')}"
        above = f"min({above}, (subtree {subtree} − local {local}) − max(0, used {used} − local {local}) + {limit})"
    return f"free in {o['node']} = max(0, local {local} − used {used}) + {above} = {free}"


def _potential(o: _Operands) -> str:
    subtree, local, most = (_amount(o, name) for name in ("subtree", "local", "potential"))
    if "potential above" not in o:
        return f"potential of {o['node']} = subtree {subtree} = {most}"
    reach = f"local {local} + potential above {_amount(o, 'potential above')}"
    if o["borrowingLimit"] is not None:
        reach = f"min({reach}, subtree {subtree} + borrowingLimit {_amount(o, 'borrowingLimit')})"
    return f"potential of {o['node']} = {reach} = {most}"


def _share(o: _Operands) -> str:
    share, weight = o["share"], o["weight"]
    given = " (default)" if o.get("default") else ""
    if not o["borrowing"]:
        return f"share of {o['node']} = 0, as it borrows nothing"
    if o["dominant"] is None:
        return f"share of {o['node']} = 0, as nothing that it borrows can be lent"
    if not isinstance(share, float) or not isinstance(weight, float):
        raise TypeError(share)
    by = f"share of {o['node']} = the largest ratio ({o['dominant']}) ÷ weight {number_text.weight(weight)}{given}"
    if math.isinf(share):
        return f"{by} = ∞"
    return f"{by} = {share / 1000:.6g}; Kueue's weightedShare is {math.ceil(share)}, 1000 times it, rounded up"


def _borrowed(o: _Operands) -> str:
    terms = " + ".join(_terms(o, "borrowed in "))
    opening = f"{o['resource']}: {terms} = {_amount(o, 'borrowed')} borrowed"
    ratio = o["ratio"]
    if not isinstance(ratio, float):
        return f"{opening}; none of it is lendable, so it does not count"
    return f"{opening}; ÷ {_amount(o, 'lendable')} lendable = ratio {ratio / 1000:.6g}"


def _lendable(o: _Operands) -> str:
    terms = " + ".join(_terms(o, "potential in ")) or "nothing"
    return f"lendable {o['resource']} in {o['node']} = {terms} = {_amount(o, 'lendable')}"


def _taken(o: _Operands) -> str:
    used, local = _amount(o, "usage"), _amount(o, "local")
    return f"taken by {o['node']} = max(0, used {used} − local {local}) = {_amount(o, 'taken')}"


def _over_quota(o: _Operands) -> str:
    used, subtree = _amount(o, "usage"), _amount(o, "subtree")
    return f"borrowed by {o['node']} = max(0, used {used} − subtree {subtree}) = {_amount(o, 'borrowed')}"


def _lent(o: _Operands) -> str:
    terms = " + ".join((*_terms(o, "to "), *_terms(o, "through "))) or "no loan by convention"
    return f"lent by {o['node']} = {terms} = {_amount(o, 'lent')}"


EQUATIONS: Final[Mapping[Law, Callable[[_Operands], str]]] = {
    Law.SUBTREE: _subtree,
    Law.LOCAL: _local,
    Law.USAGE: _usage,
    Law.AVAILABLE: _available,
    Law.POTENTIAL: _potential,
    Law.SHARE: _share,
    Law.TAKEN: _taken,
    Law.OVER_QUOTA: _over_quota,
    Law.LENT: _lent,
    Law.BORROWED: _borrowed,
    Law.LENDABLE: _lendable,
}
