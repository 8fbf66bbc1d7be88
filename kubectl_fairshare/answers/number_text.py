"""Numbers as people read them: amounts with their suffix, weights, counts."""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.amounts import is_unlimited
from kubectl_fairshare.model.phrases import some_of

NOTHING = "–"
_NAMED = 6
"""The parts of a split that are named."""


def amount(resource: str, value: int) -> str:
    """An amount in canonical form; one without bound is ``unlimited``."""
    return "unlimited" if is_unlimited(value) else quantity.text(resource, value)


def bound(resource: str, value: int | None) -> str:
    """An amount; a dash without a bound."""
    return NOTHING if value is None else amount(resource, value)


def some(resource: str, value: int) -> str:
    """An amount, where 0 means that there is none."""
    return amount(resource, value) if value else NOTHING


def weight(value: float) -> str:
    """A weight, whole where it is whole."""
    return str(int(value)) if value.is_integer() else repr(value)


def weight_quantity(value: float) -> str:
    """A weight as a manifest writes it: a quantity, as the API server refuses ``8.1`` for a number."""
    thousandths = round(value * 1000)
    return quantity.text("cpu", thousandths) if thousandths == value * 1000 else repr(value)


def scarce(resources: Sequence[str]) -> str:
    """The resource of a headline: an accelerator, where there is one; otherwise the first. Empty without any."""
    devices = (name for name in resources if "/" in name or name == "gpu")
    return next(devices, next(iter(resources), ""))


def split_text(condition: str, parts: Iterable[tuple[str, float, str]], unit: str) -> str:
    """Who gets how much of a unit under a condition, the most first: ``when all are busy: a 20, b 12 cpu``.

    ``parts`` are names with their amounts, as values and as texts.
    """
    shown = [f"{name} {text}" for name, _, text in sorted(parts, key=lambda part: (-part[1], part[0]))]
    return f"{condition}: {some_of(shown, _NAMED)} {unit}" if shown else condition


def nonzero(counts: Iterable[str]) -> list[str]:
    """The counts that say something: without ``0 finished``."""
    return [each for each in counts if not each.startswith("0 ")]


def count(number: int, one: str, many: str = "") -> str:
    """A number of things: ``1 queue``, ``4 queues``."""
    return f"{number} {one if number == 1 else many or one + 's'}"
