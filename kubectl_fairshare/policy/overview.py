"""One state seen from every side, for the page of ``report``: asked once through the protocol of all schedulers.

Tested in ``tests/unit/cli/commands/test_report.py``.
"""

from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.report.printable import SharesDetail, WhyDetail
from kubectl_fairshare.schedulers.question import SharesQuestion, WhyQuestion
from kubectl_fairshare.schedulers.scheduler import Scheduler


def overview(
    scheduler: Scheduler,
    snapshot: Snapshot,
    sources: tuple[str, ...],
    *,
    findings: tuple[RuleFinding, ...] = (),
    now: int | None = None,
) -> Overview[SharesDetail, WhyDetail]:
    """The answers to ``shares`` and ``why`` for all namespaces, and running work with who may preempt it.

    ``sources`` names what was read. Raises what the questions raise.
    """
    question = WhyQuestion(now=now)
    waiting = scheduler.why(snapshot, question)
    listed = frozenset(each.key for each in waiting if each.key is not None)
    return Overview(
        scheduler.title,
        sources,
        scheduler.shares(snapshot, SharesQuestion()),
        waiting,
        scheduler.unlisted(snapshot, question, listed),
        scheduler.review.exposures(snapshot, PreemptorNumbers()),
        findings,
        now,
    )
