"""Which queues may reclaim from a running job: each that some newcomer could come from, whatever it asks for."""

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Deserved, Queue, Resources
from kubectl_fairshare.schedulers.kai.review import newcomers
from kubectl_fairshare.schedulers.kai.review.risk import exposures
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, pod, queue, session


def takers(found: Session) -> dict[str, list[tuple[str, str]]]:
    """The other queues that may take each job, and the rule."""
    return {
        each.key.name: sorted((t.queue, t.law) for t in each.takers if t.queue != each.queue)
        for each in exposures(found, PreemptorNumbers())
    }


def bounded(name: str, cores: float, gpus: float, weight: float = 1) -> Queue:
    """A queue with a quota of each resource."""
    over = Resources(weight, weight, weight)
    return replace(queue(name), quota=Deserved(Resources(1000 * cores, 0.0, gpus)), weight=over)


def test_a_newcomer_of_an_idle_queue_makes_the_share_of_a_busy_one_smaller() -> None:
    found = session([queue("a"), queue("b")], [group("run", "a")], [pod("run", 0, 8)])

    assert found.standings["a"].fair_share.gpu == 8
    assert ("b", "kai-over-share") in takers(found)["run"]


def test_a_job_may_go_for_a_resource_that_it_does_not_hold() -> None:
    cores = replace(pod("cores", 0, 0), request=Charge(1000.0, 0.0, 0.0))
    queues = [bounded("a", 8, 0), bounded("b", 0, 4, weight=0)]
    found = session(queues, [group("cores", "a"), group("gpus", "a")], [cores, pod("gpus", 0, 8)])

    assert takers(found) == {"cores": [("b", "kai-over-quota")], "gpus": [("b", "kai-over-quota")]}


def test_a_queue_without_quota_and_weight_takes_nothing() -> None:
    queues = [bounded("a", 0, 0), bounded("b", 0, 0, weight=0)]
    found = session(queues, [group("run", "a")], [pod("run", 0, 8)])

    assert takers(found) == {"run": []}


def test_a_job_of_a_queue_with_others_below_it_may_be_taken_by_those() -> None:
    queues = [
        bounded("a", 8, 0),
        replace(bounded("below", 8, 8), parent="a"),
        replace(bounded("beside", 8, 8), parent="a"),
    ]
    found = session([*queues, bounded("b", 0, 0)], [group("run", "below")], [pod("run", 0, 8)])
    assert "beside" in dict(takers(found)["run"])


def test_many_queues_are_not_divided_again_for_each_newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    queues, groups, pods = [queue("a"), queue("b")], [group("run", "a")], [pod("run", 0, 8)]
    within, over = ("b", "kai-over-quota"), ("b", "kai-over-share")
    assert over in takers(session(queues, groups, pods))["run"]
    assert not newcomers.are_many(queues)
    monkeypatch.setattr(newcomers, "_MOST", 3)
    assert newcomers.are_many(queues)
    assert over not in takers(session(queues, groups, pods))["run"]
    quotas = [bounded("a", 8, 0), bounded("b", 8, 8)]
    assert within in takers(session(quotas, groups, pods))["run"]
