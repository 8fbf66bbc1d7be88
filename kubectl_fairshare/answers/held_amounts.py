"""What workloads hold, as the cells of a column: each amount names its pool where the queue has more than one.

Tested in ``tests/unit/report/test_held_amounts.py``.
"""

from collections.abc import Collection, Sequence

from kubectl_fairshare.answers.answer import Amount

HOLDS = "HOLDS"


def held_cells(held: Sequence[Sequence[Amount]], pooled: Collection[str]) -> tuple[str, list[str]]:
    """The title of the column and a cell for each row; ``pooled`` are the resources that come from several pools.

    The title names a pool that all amounts share, which costs a narrow screen no other column; otherwise, each amount
    names its own.
    """
    pools = {amount.pool if amount.resource in pooled else "" for row in held for amount in row}
    if len(pools) == 1 and (pool := pools.pop()):
        return f"{HOLDS} IN {pool}", [held_text(row) for row in held]
    return HOLDS, [held_text(row, pooled) for row in held]


def held_text(amounts: Sequence[Amount], pooled: Collection[str] = ()) -> str:
    """Amounts in one cell; those of ``pooled`` resources name their pool."""
    return ", ".join(amount_words(each, pooled) for each in amounts)


def amount_words(of: Amount, pooled: Collection[str] = ()) -> str:
    """``4 nvidia.com/gpu``; with its pool, where ``pooled`` has the resource: ``4 nvidia.com/gpu in a100``."""
    pool = f" in {of.pool}" if of.pool and of.resource in pooled else ""
    return f"{of.text} {of.resource}{pool}"
