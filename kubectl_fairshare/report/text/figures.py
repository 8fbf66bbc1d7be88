"""Numbers as people read them, for the rooms above: they are made next to their values."""

from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.counts import counts_text
from kubectl_fairshare.answers.number_text import (
    NOTHING,
    amount,
    bound,
    count,
    nonzero,
    scarce,
    some,
    split_text,
    weight,
    weight_quantity,
)

__all__ = (
    "NOTHING",
    "amount",
    "amount_of",
    "bound",
    "count",
    "counts_text",
    "nonzero",
    "scarce",
    "some",
    "split_text",
    "weight",
    "weight_quantity",
)
