"""One state seen from every side, for the page of ``report``: asked once through the protocol of all schedulers.

Tested in ``tests/unit/cli/commands/test_report.py`` and ``tests/unit/policy/test_overview.py``.
"""

from typing import Final

from kubectl_fairshare.answers.ages import AsOf
from kubectl_fairshare.answers.details import SharesDetail, WhyDetail
from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.policy.churn import churn
from kubectl_fairshare.report.waiting import Listing
from kubectl_fairshare.schedulers.question import SharesQuestion, WhyQuestion
from kubectl_fairshare.schedulers.scheduler import Scheduler

AT_NONE: Final = AsOf()
"""No moment is known."""
_HELPED: Final = 20
"""Waiting workloads of which a page says what would help at most, the worst first."""


def overview(
    scheduler: Scheduler,
    snapshot: Snapshot,
    place: str,
    sources: tuple[str, ...] = (),
    *,
    findings: tuple[RuleFinding, ...] = (),
    ages: AsOf = AT_NONE,
    helps: bool = False,
) -> Overview[SharesDetail, WhyDetail]:
    """The answers to ``shares`` and ``why`` for all namespaces, and running work with who may preempt it.

    ``place`` is the cluster or folder, ``sources`` what was read of it. ``ages`` is the moment that ages count to: that
    of the question, unless it has a source. ``helps``: with what would help the worst of what waits. Raises what the
    questions raise.
    """
    question = WhyQuestion(now=None if ages.source else ages.moment)
    waiting, shares = scheduler.why(snapshot, question), scheduler.shares(snapshot, SharesQuestion())
    worst = Listing().chosen(waiting)
    most = min(_HELPED, scheduler.most_helped(shares.counts.running, len(waiting)))
    listed = frozenset(each.key for each in waiting if each.key is not None)
    return Overview(
        scheduler.title,
        sources,
        shares,
        waiting,
        scheduler.unlisted(snapshot, question, listed)[1:],  # running work has a list of its own
        scheduler.review.exposures(snapshot, PreemptorNumbers()),
        findings,
        ages.moment,
        ages.source,
        place,
        _helped(scheduler, snapshot, question, worst[:most]) if helps else (),
        churn(scheduler.history(snapshot, evicted=True), scheduler.evictions(snapshot), scheduler.name),
    )


def _helped(
    scheduler: Scheduler, snapshot: Snapshot, question: WhyQuestion, worst: tuple[WhyAnswer[WhyDetail], ...]
) -> tuple[WhyAnswer[WhyDetail], ...]:
    """Whole answers about some of what waits: a list has no remedies, as these take long."""
    names = tuple(_named(key) for each in worst if (key := each.key or each.job) is not None)
    return scheduler.why(snapshot, replace(question, names=names)) if names else ()


def _named(key: ObjectKey) -> str:
    """An object as a question names it: ``team/job.batch/train``."""
    kind = f"{key.kind.lower()}.{key.group}" if key.group else key.kind.lower()
    return f"{key.namespace}/{kind}/{key.name}"
