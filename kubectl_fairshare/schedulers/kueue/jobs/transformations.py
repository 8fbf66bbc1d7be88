"""What Kueue counts instead of what pods request: the resource transformations of its Configuration.

Older releases go through a Go map of what is requested, whose order is random: where a transformation makes a resource
that pods request by itself, what was made before the request is met is lost. So there are several charges, and Kueue
draws one each time that it reads a Workload.
Source: Kueue v0.16.9, v0.17.8 and v0.19, ``applyResourceTransformations``.
Tested in ``tests/unit/schedulers/kueue/jobs/test_transformations.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice, permutations
from typing import Final

from kubectl_fairshare.model import quantity
from kubectl_fairshare.schedulers.kueue.model.objects import Transformation

_NANO: Final = 10**9
_REPLACE: Final = "Replace"
_MOST_NAMES: Final = 6
"""The most resources whose order is tried in full: 720 orders."""
Amounts = Mapping[str, "int | Fraction"]


def outputs_apart(asked: Mapping[str, int], rules: Iterable[Transformation]) -> Amounts:
    """The sum of requests and outputs; a negative sum of outputs counts as 0 and does not lower the requests."""
    retained: dict[str, int | Fraction] = dict(asked)
    generated: dict[str, Fraction] = {}
    for rule in rules:
        if rule.input not in asked:
            continue
        base = Fraction(asked[rule.input])
        if rule.multiply_by is not None and rule.multiply_by in asked:
            base *= Fraction(asked[rule.multiply_by], _NANO)
        for output, factor in rule.outputs.items():
            product = base * Fraction(quantity.nano(factor), _NANO)
            generated[output] = generated.get(output, Fraction(0)) + product
        if rule.strategy == _REPLACE:
            del retained[rule.input]
    for output, value in generated.items():
        retained[output] = retained.get(output, 0) + max(value, Fraction(0))
    return retained


def outputs_together(
    asked: Mapping[str, int], rules: Iterable[Transformation], *, whole: bool
) -> tuple[Iterator[Amounts], bool]:
    """The same in older releases, for each order of the requests that matters, and whether these are all.

    A multiplier also multiplies a retained input, and outputs lower what is requested. First comes an order in which
    as many outputs as possible count. ``whole``: inputs and multipliers are rounded up to whole units first.
    """
    by_input = {rule.input: rule for rule in rules if rule.input in asked}
    moved = sorted(_moved(asked, by_input), key=lambda name: (name in by_input, _is_replaced(by_input, name), name))
    rest = [name for name in asked if name not in moved]
    every = len(moved) <= _MOST_NAMES
    orders = permutations(moved) if every else islice(permutations(moved), 1)
    return (_in_order(asked, by_input, (*order, *rest), whole=whole) for order in orders), every


def _moved(asked: Collection[str], by_input: Mapping[str, Transformation]) -> set[str]:
    """The resources whose order matters: those that count by themselves and with outputs, and the inputs of these."""
    found = set[str]()
    for name in asked:
        makers = {rule.input for rule in by_input.values() if name in rule.outputs} - {name}
        if makers and not _is_replaced(by_input, name):
            found |= {name, *makers}
    return found


def _is_replaced(by_input: Mapping[str, Transformation], name: str) -> bool:
    return name in by_input and by_input[name].strategy == _REPLACE


def _in_order(
    asked: Mapping[str, int], by_input: Mapping[str, Transformation], order: Iterable[str], *, whole: bool
) -> Amounts:
    def unit(amount: "int | Fraction") -> "int | Fraction":
        return -(-amount // _NANO) * _NANO if whole else amount

    found: dict[str, int | Fraction] = {}
    for name in order:
        rule, amount = by_input.get(name), Fraction(asked[name])
        if rule is not None:
            if rule.multiply_by is not None and rule.multiply_by in asked:
                amount *= Fraction(unit(asked[rule.multiply_by]), _NANO)
            for output, factor in rule.outputs.items():
                found[output] = found.get(output, 0) + Fraction(unit(amount)) * Fraction(quantity.nano(factor), _NANO)
        if not _is_replaced(by_input, name):
            found[name] = amount
    return found
