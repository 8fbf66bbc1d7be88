"""How much KAI's engine does for an answer, counted in calls: ten times the input is some ten times the work.

And, on request, its times.
"""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.division.fair_share import Claimant, fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, Resources
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.bench.kai import kai_table
from tests.bench.test_work import Calls
from tests.unit.schedulers.kai.build import group, node, pod, queue, state

MOST, SLACK = 15, 1.5


def everything(amount: float) -> Resources:
    return Resources(amount, amount, amount)


def claimants(count: int) -> list[Claimant]:
    parents = count // 100
    return [
        Claimant(
            f"q{i:06}",
            "" if i < parents else f"q{i % parents:06}",
            100 + i % 3,
            i,
            everything(i % 7),
            everything(-1),
            everything(1 + i % 5),
            everything(10 + i % 13),
            everything(i % 10 / count),
        )
        for i in range(count)
    ]


def running(count: int) -> KaiState:
    """So many running pods in a hundred queues, and one that wants four GPUs."""
    queues = [queue("b"), *(queue(f"a{i:03}") for i in range(100))]
    groups = [*(group(f"run{i}", f"a{i % 100:03}", created=i) for i in range(count)), group("wait", "b")]
    pods = [pod(f"run{i}", 0, 1, at=f"n{i // 8}") for i in range(count)]
    nodes = [node(f"n{i}", 8) for i in range(count // 8)]
    return state(queues, groups, [*pods, pod("wait", 0, 4, phase=Phase.PENDING)], nodes)


def division_calls(count: int) -> int:
    queues = claimants(count)
    with Calls() as calls:
        fair_shares(everything(count * 8), Formula(1.0), queues)
    return calls.all


def reclaim_calls(count: int) -> int:
    known = running(count)
    with Calls() as calls:
        assert plan(open_session(known), "wait").outcome is Outcome.PREEMPTS
    return calls.all


@pytest.mark.slow
def test_a_division_among_ten_times_the_queues_is_near_ten_times_the_work() -> None:
    assert division_calls(10_000) < MOST * division_calls(1_000)


@pytest.mark.slow
def test_a_reclaim_over_ten_times_the_pods_is_near_ten_times_the_work() -> None:
    assert reclaim_calls(8_000) < MOST * reclaim_calls(800)


@pytest.mark.bench
def test_times_stay_below_their_goals(tmp_path: Path) -> None:
    rows = list(kai_table(tmp_path, rounds=3))
    assert [str(row) for row in rows if row.goal is not None and row.reached > SLACK * row.goal] == []
