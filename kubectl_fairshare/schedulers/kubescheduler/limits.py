"""The limits that a pod exceeds by itself, whatever others use: what proves that quotas never admit it.

Decides nothing: it has words only; each plugin says what a limit can be at most.
Tested in ``tests/unit/cli/commands/test_never.py``.
"""

from collections.abc import Iterable

from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.model.values import Value


class ExceededLimit(Value, frozen=True):
    """A limit that is below what the pod alone adds to it; ``limit`` says which: ``max of team``."""

    resource: str
    wanted: int
    bound: int
    limit: str


def exceeded_clause(limits: Iterable[ExceededLimit]) -> str:
    """The limits with the numbers that prove it, in a clause."""
    return "; ".join(
        f"{each.resource}: {amount(each.resource, each.wanted)} requested > {amount(each.resource, each.bound)} "
        f"({each.limit})"
        for each in limits
    )
