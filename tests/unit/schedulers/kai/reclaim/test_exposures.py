"""Which queues may reclaim from a running job: each that some newcomer could come from, whatever it asks for."""

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.preemptors import candidacies
from kubectl_fairshare.schedulers.kai.explain.preemptors import takers as trials
from kubectl_fairshare.schedulers.kai.model.objects import Charge, Deserved, Queue, Resources
from kubectl_fairshare.schedulers.kai.review.reviewer import exposures
from kubectl_fairshare.schedulers.kai.session.session import Session
from tests.unit.schedulers.kai.build import group, node, pod, queue, session


def takers(found: Session) -> dict[str, list[tuple[str, str]]]:
    """The other queues that may take each job, and the rule."""
    return {
        each.key.name: sorted((t.queue, t.law) for t in each.takers if t.queue != each.queue)
        for each in exposures(found, PreemptorNumbers()).found
    }


def candidates(found: Session, queue: str) -> list[tuple[str, str]]:
    """The queues that may reclaim from a queue by its standing, and the law."""
    return [(t.queue, t.law) for t in candidacies.Newcomers(found, PreemptorNumbers()).taking_from(queue)]


def bounded(name: str, cores: float, gpus: float, weight: float = 1) -> Queue:
    """A queue with a quota of each resource."""
    over = Resources(weight, weight, weight)
    return replace(queue(name), quota=Deserved(Resources(1000 * cores, 0.0, gpus)), weight=over)


def test_a_newcomer_of_an_idle_queue_makes_the_share_of_a_busy_one_smaller() -> None:
    found = session([queue("a"), queue("b")], [group("run", "a")], [pod("run", 0, 8)])

    assert found.standings["a"].fair_share.gpu == 8
    assert ("b", "kai-over-share") in takers(found)["run"]


@pytest.mark.slow
def test_a_job_may_go_for_a_resource_that_it_does_not_hold() -> None:
    cores = replace(pod("cores", 0, 0), request=Charge(1000.0, 0.0, 0.0))
    queues = [bounded("a", 8, 0), bounded("b", 0, 4, weight=0)]
    found = session(queues, [group("cores", "a"), group("gpus", "a")], [cores, pod("gpus", 0, 8)])

    assert takers(found) == {"cores": [("b", "kai-over-quota")], "gpus": [("b", "kai-over-share")]}


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
    assert over in candidates(session(queues, groups, pods), "a")
    assert not candidacies.are_many(queues)
    monkeypatch.setattr(candidacies, "_MOST", 3)
    assert candidacies.are_many(queues)
    assert over not in candidates(session(queues, groups, pods), "a")
    quotas = [bounded("a", 8, 0), bounded("b", 8, 8)]
    assert within in candidates(session(quotas, groups, pods), "a")


def test_a_newcomer_that_is_found_says_by_which_rule() -> None:
    """Both rules allow it; KAI's first is the fair share."""
    queues, groups, pods = [queue("a"), bounded("b", 0, 8)], [group("run", "a")], [pod("run", 0, 8)]
    found = session(queues, groups, pods)
    assert {law for _, law in candidates(found, "a")} == {"kai-over-quota", "kai-over-share"}
    known = exposures(found, PreemptorNumbers())
    assert ("b", "kai-over-share") in takers(found)["run"]
    assert (len(takers(found)["run"]), known.doubt) == (1, "")


def test_what_takes_too_long_to_try_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    found = session([queue("a"), bounded("b", 0, 8)], [group("run", "a")], [pod("run", 0, 8)])
    monkeypatch.setattr(trials, "_MOST_STEPS", 0)
    known = exposures(found, PreemptorNumbers())
    assert known.doubt == trials.MANY
    assert takers(found)["run"] == sorted(candidates(found, "a"))


def test_newcomers_are_tried_beside_nodes_that_hold_more_than_they_have() -> None:
    """A device plugin that fails leaves a node with fewer GPUs than its pods hold: it has no room for more."""
    pods = [pod("run", 0, 4, at="n0"), pod("more", 0, 1, at="n1")]
    nodes = [node("n0", 1), node("n1", 2)]
    found = session([queue("a"), queue("b", quota=2)], [group("run", "a"), group("more", "a")], pods, nodes=nodes)
    assert ("b", "kai-over-share") in takers(found)["more"]
