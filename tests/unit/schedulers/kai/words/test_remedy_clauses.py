"""The amount that a remedy names is enough, as it stands there."""

import re

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.words.remedy_clauses import change_clause

_NEEDED = 1_342_177_280.0
"""Five pods of 256 MiB, in bytes: 1.342 GB are less."""


def clause(kind: RemedyKind, change: NewValue) -> str:
    return change_clause(Remedy(kind, (change,), Outcome.ADMITTED, 0))


def test_a_bound_is_not_rounded_below_what_is_needed() -> None:
    text = clause(RemedyKind.BOUNDS, NewValue("d", "memory", 1e9, _NEEDED, None, bound="limit"))
    assert text == "raise d memory.limit from 1 to 1.34217728 GB"


def test_amounts_that_differ_differ_in_the_text() -> None:
    text = clause(RemedyKind.REQUEST, NewValue("", "memory", 268_435_456.0, 268_258_176.0, None))
    first, second = re.findall(r"[\d.]+", text)
    assert first != second
