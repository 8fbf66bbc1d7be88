"""KAI-Scheduler v0.17 as an engine: fair shares, plans.

Tested in ``tests/unit/schedulers/kai/test_house.py``.
"""

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.demand import Demand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.explain.citation import cited
from kubectl_fairshare.schedulers.kai.explain.decision import Plan
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation, derive
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.what_if import with_requests
from kubectl_fairshare.schedulers.kai.gaps import figures_fidelity
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.reading.demand import requests_of
from kubectl_fairshare.schedulers.kai.release import SCHEDULER, VERSION
from kubectl_fairshare.schedulers.kai.session.report import KaiShares, shares_of
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session


class KaiEngine:
    """Answers questions about a snapshot as KAI-Scheduler would decide them.

    It keeps the session of the last snapshot, because usually several questions are about the same one.
    """

    name = "kai"
    scheduler = SCHEDULER
    version = VERSION

    def __init__(self) -> None:
        self._last: tuple[Snapshot, Session] | None = None

    def session(self, snapshot: Snapshot) -> Session:
        """The session that KAI would open on the snapshot."""
        if self._last is None or self._last[0] is not snapshot:
            self._last = snapshot, open_session(snapshot.part(KaiState))
        return self._last[1]

    def fidelity(self, snapshot: Snapshot) -> Fidelity:
        """The features of the snapshot that are not modelled."""
        return figures_fidelity(self.session(snapshot))

    def supposing(self, snapshot: Snapshot, demand: Demand) -> Session:
        """The session with the requests of a demand. Raises ``KeyError`` for a queue that KAI does not know."""
        session = self.session(snapshot)
        if not demand.given:
            return session
        return with_requests(session, requests_of(demand), endless=demand.unlimited)

    def shares(self, snapshot: Snapshot) -> KaiShares:
        """The shares of all queues."""
        return self.report(self.session(snapshot))

    def report(self, session: Session, asked: str = "") -> KaiShares:
        """The shares of a session; ``asked`` describes the requests that it assumes."""
        return shares_of(session, figures_fidelity(session), asked)

    def explain(self, session: Session, queue: str) -> Derivation:
        """The fair share of a queue, term by term. Raises ``KeyError`` for a queue that KAI does not know."""
        return derive(session, queue)

    def plan(self, session: Session, job: str, *, over: bool = False) -> Plan:
        """The decision for a job of the session. Raises ``KeyError`` for a job that is not in the session.

        ``over``: KAI has made the one attempt that the job allows.
        """
        return plan(session, job, over=over)

    def cited(self, session: Session, found: Plan) -> tuple[ObjectKey, ...]:
        """The objects of the session that a plan rests on, sorted."""
        return cited(session, found)
