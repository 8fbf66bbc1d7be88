"""The block of the page about work that is evicted again and again; empty without such work.

Tested in ``tests/unit/policy/test_churn.py``.
"""

from collections.abc import Iterator

from kubectl_fairshare.answers.churn import Churn
from kubectl_fairshare.report.churn import TITLES, ChurnReport
from kubectl_fairshare.report.page.frame import safe, table


def churn_block(found: Churn | None, part: str, anchor: str) -> Iterator[str]:
    """A heading, the sum, a line for each workload, and the queues among which it repeats."""
    if found is None or not found.jobs:
        return
    report = ChurnReport(found)
    yield f'<{part} id="{anchor}churn">Evicted again and again</{part}>'
    yield f"<p>{safe(report.verdict)}</p>"
    yield from table(TITLES, ([safe(cell) for cell in report.cells(each)] for each in found.jobs))
    yield from (f"<p>{safe(line)}</p>" for line in report.lines())
