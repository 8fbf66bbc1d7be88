"""How a waiting workload's turn is said.

Tested in ``tests/unit/schedulers/turns/test_turns.py``.
"""

from kubectl_fairshare.report.text.figures import count


def before_clause(number: int, noun: str = "pod") -> str:
    """That so many get in first, at the end of a clause; empty for 0."""
    if not number:
        return ""
    return f", once {count(number, noun)} ahead of it {'has' if number == 1 else 'have'} got in"
