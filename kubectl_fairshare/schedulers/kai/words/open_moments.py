"""The outcomes of a job by the moment, where the question gives none and they differ.

Tested in ``tests/unit/schedulers/kai/test_gaps.py``.
"""

from collections.abc import Iterator
from itertools import pairwise

from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kai.explain.decision import Plan


def by_moment(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """When each plan holds, ``until ...`` or ``after ...``, and the plan."""
    for (begin, each), (end, _) in pairwise((*plan.moments, (0, plan))):
        yield (f"after {_text(begin)}" if begin else f"until {_text(end)}"), each


def _text(moment: int) -> str:
    """The last moment before one from which another plan holds."""
    return moment_text(moment - 1)
