"""Amounts as people read them."""

from collections.abc import Mapping

from kubectl_fairshare.answers.answer import Amount, amount_of
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, inner, whole


def amounts_of(amounts: Amounts) -> tuple[Amount, ...]:
    """Exact amounts other than 0."""
    return tuple(amount_of(r, whole(r, nano)) for r, nano in sorted(amounts.items()) if nano)


def listing(amounts: Mapping[str, int]) -> str:
    """Amounts in inner units, other than 0: ``4 cpu, 8Gi memory``."""
    return ", ".join(f"{amount(r, value)} {r}" for r, value in sorted(amounts.items()) if value)


def exact_listing(amounts: Amounts) -> str:
    """Exact amounts other than 0."""
    return listing(inner(amounts))
