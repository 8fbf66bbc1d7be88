"""A plan's cited objects alone decide the same, and remedies do what they say; on recorded states."""

from functools import cache, lru_cache
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
from kubectl_fairshare.schedulers.kai.session.session import Session, open_session
from tests.sampling import sampled

FILE = Path(__file__).resolve().parents[2] / "testdata" / "conformance" / "kai.jsonl.gz"
BOUNDS = (RemedyKind.LIMIT, RemedyKind.QUOTA, RemedyKind.BOUNDS)
STEPS = [(6, 36), (18, 36), (30, 36), *((first, 12) for first in range(12) if first != 6)]
part = pytest.mark.parametrize(
    ("first", "step"),
    sampled(STEPS, len(STEPS)),
)
"""A thirty-sixth of the cases in the default run, the others where slow tests run."""


@cache
def recorded() -> list[Any]:
    return [case for case in cases(FILE) if case["objects"] and "big" not in case["name"]]


@lru_cache(maxsize=2)
def asked(first: int, step: int) -> list[tuple[str, Session, Plan]]:
    """Each of these cases with its session and the plans of a few jobs that wait."""
    found = []
    for case in recorded()[first::step]:
        session = open_session(state_of(case))
        waiting = [job.name for job in session.jobs.values() if job.pending]
        found += [(case["name"], session, plan(session, name)) for name in waiting[:: max(len(waiting) // 3, 1)]]
    return found


def decided(found: Plan) -> Any:
    """The decision and all that is told of it, without the parts that tell of other trees alone."""
    victims = [(e.job.name, [task.name for task in e.tasks]) for e in found.victims]
    reclaim = found.reclaim
    told = None
    if reclaim is not None:
        candidates = [(one.job.name, one.asker, one.victim, one.held, one.allocatable) for one in reclaim.candidates]
        told = (candidates, reclaim.passed_over, reclaim.verdict, reclaim.left_out, reclaim.firm, reclaim.defined)
    return found.outcome, found.proof, victims, told, found.room.idle, found.misfits


@part
def test_the_cited_objects_alone_decide_the_same(first: int, step: int) -> None:
    smaller = 0
    for name, session, found in asked(first, step):
        keys = cited(session, found)
        less = cut_down(session.state, keys)
        smaller += len(less.pods) + len(less.queues) < len(session.state.pods) + len(session.state.queues)
        again = plan(open_session(less, session.shard), found.job.name)
        assert decided(again) == decided(found), (name, found.job.name)
    assert smaller


@part
def test_a_remedy_does_what_it_says(first: int, step: int) -> None:
    for name, session, found in asked(first, step):
        for remedy in found.remedies:
            if remedy.kind not in (*BOUNDS, RemedyKind.PREEMPTIBLE):
                continue
            there = after(session.state, found.job, remedy.kind, remedy.changes)
            again = plan(open_session(there, session.shard), found.job.name)
            victims = len({eviction.job.name for eviction in again.victims})
            assert (again.computed, victims) == (remedy.outcome, remedy.victims), (name, found.job.name, remedy)
            assert remedy.outcome in (Outcome.ADMITTED, Outcome.PREEMPTS)
            raised = all((change.after or 0) > (change.before or 0) for change in remedy.changes)
            assert raised or remedy.kind in (RemedyKind.BOUNDS, RemedyKind.PREEMPTIBLE)


@part
def test_every_plan_has_a_proof(first: int, step: int) -> None:
    assert all(found.proof for _, _, found in asked(first, step))
