"""A plan's cited objects alone decide the same, and remedies do what they say; on recorded states."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.conformance.run import cases
from kubectl_fairshare.schedulers.kai.conformance.decisions import state_of
from kubectl_fairshare.schedulers.kai.explain.citation import cited, cut_down
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, RemedyKind
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.explain.remedies import after
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from kubectl_fairshare.schedulers.kai.solver.cycle import MOST
from tests.sampling import nightly, sampled

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "kai.jsonl.gz"
BOUNDS = (RemedyKind.LIMIT, RemedyKind.QUOTA, RemedyKind.BOUNDS)
PARTS = sampled(map(pytest.param, [(6, 72), (42, 72), (18, 36)]), 3)
PARTS += nightly(pytest.param(each) for each in [(30, 36), *((first, 12) for first in range(12) if first != 6)])
"""A seventy-second of the cases in the default run, three where slow tests run, and the others at night."""

Asked = list[tuple[str, Session, Plan]]


@cache
def recorded() -> list[Any]:
    return [case for case in cases(FILE) if case["objects"] and "big" not in case["name"]]


@pytest.fixture(scope="module", params=PARTS, ids=str)
def asked(request: pytest.FixtureRequest) -> Asked:
    """Each of these cases with its session and the plans of a few jobs that wait."""
    first, step = request.param
    found = []
    for case in recorded()[first::step]:
        session = open_session(state_of(case))
        waiting = [job.name for job in session.jobs.values() if job.pending]
        found += [(case["name"], session, plan(session, name)) for name in waiting[:: max(len(waiting) // 3, 1)]]
    return found


def replanned(state: KaiState, session: Session, found: Plan) -> Plan:
    """The plan of the same job in another state; nobody looks at what would help there."""
    return plan(open_session(state, session.shard), found.job.name, advise=False, doubts=MOST)


def decided(found: Plan) -> Any:
    """The decision and all that is told of it, without the parts that tell of other trees alone."""
    victims = [(e.job.name, [task.name for task in e.tasks]) for e in found.victims]
    reclaim = found.reclaim
    told = None
    if reclaim is not None:
        candidates = [(one.job.name, one.asker, one.victim, one.held, one.allocatable) for one in reclaim.candidates]
        told = (candidates, reclaim.passed_over, reclaim.verdict, reclaim.left_out, reclaim.firm, reclaim.defined)
    return found.outcome, found.proof, victims, told, found.room.idle, found.misfits


def test_the_cited_objects_alone_decide_the_same(asked: Asked) -> None:
    smaller = 0
    for name, session, found in asked:
        keys = cited(session, found)
        less = cut_down(session.state, keys)
        smaller += len(less.pods) + len(less.queues) < len(session.state.pods) + len(session.state.queues)
        again = replanned(less, session, found)
        assert decided(again) == decided(found), (name, found.job.name)
    assert smaller


def test_a_remedy_does_what_it_says(asked: Asked) -> None:
    for name, session, found in asked:
        for remedy in found.remedies:
            if remedy.kind not in (*BOUNDS, RemedyKind.PREEMPTIBLE):
                continue
            there = after(session.state, found.job, remedy.kind, remedy.changes)
            again = replanned(there, session, found)
            victims = len({eviction.job.name for eviction in again.victims})
            assert (again.computed, victims) == (remedy.outcome, remedy.victims), (name, found.job.name, remedy)
            assert remedy.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS)
            raised = all((change.after or 0) > (change.before or 0) for change in remedy.changes)
            assert raised or remedy.kind in (RemedyKind.BOUNDS, RemedyKind.PREEMPTIBLE)


def test_every_plan_has_a_proof(asked: Asked) -> None:
    assert all(found.proof for _, _, found in asked)
