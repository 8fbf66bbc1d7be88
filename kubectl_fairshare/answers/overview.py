"""One state of a cluster, seen from every side: who holds what, what waits, what may be lost, what is wrong."""

from typing import Generic, TypeVar

from kubectl_fairshare.answers.churn import Churn
from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.answers.forecast import Forecast
from kubectl_fairshare.answers.review import Exposures
from kubectl_fairshare.answers.shares import Shares
from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.model.values import Value

SharesDetail_co = TypeVar("SharesDetail_co", covariant=True)
WhyDetail_co = TypeVar("WhyDetail_co", covariant=True)


class Overview(Value, Generic[SharesDetail_co, WhyDetail_co], frozen=True):
    """The answers to ``shares`` and to ``why`` for all waiting work, with running work at risk and lint findings.

    ``title`` is the scheduler's name for people, ``place`` the cluster, folder or unit, ``sources`` what was read.
    ``unlisted`` counts the workloads that are in no list. ``helped`` are whole answers about the worst that wait, with
    what would help. ``churn`` is what was evicted again and again, ``forecast`` when what waits
    starts, if that was asked for. ``moment`` is when this was asked, in nanoseconds
    since the epoch, or that of the newest object, as ``moment_source`` then says; None if it is not known.
    """

    title: str
    sources: tuple[str, ...]
    shares: Shares[SharesDetail_co]
    waiting: tuple[WhyAnswer[WhyDetail_co], ...] = ()
    unlisted: tuple[str, ...] = ()
    running: Exposures = Exposures(())
    findings: tuple[RuleFinding, ...] = ()
    moment: int | None = None
    moment_source: str = ""
    place: str = ""
    helped: tuple[WhyAnswer[WhyDetail_co], ...] = ()
    churn: Churn | None = None
    forecast: Forecast | None = None
