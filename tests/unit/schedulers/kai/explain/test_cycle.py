"""A whole cycle of KAI: attempts in order, what was rolled back, what is said of jobs that still wait."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle, kai_cycle
from kubectl_fairshare.schedulers.kai.model.objects import Phase
from kubectl_fairshare.schedulers.kai.solver.attempts import Action
from kubectl_fairshare.schedulers.kai.solver.scenarios import ScenarioEnd
from tests.unit.schedulers.kai import build
from tests.unit.schedulers.kai.solver.scenes import Json, job, layer, node, one, pod, queue

QUEUES = [queue("a", 4, created=1), queue("b", 4, created=2)]


def cycle_of(objects: list[Json], *jobs: list[Json]) -> KaiCycle:
    return kai_cycle(layer(objects, *jobs).ground.session)


def put_back() -> KaiCycle:
    """Of two jobs that leave for b1, one still fits afterwards."""
    held = [one("a0", "a", 5, "n0"), one("a1", "a", 2, "n0"), one("a2", "a", 1, "n0")]
    return cycle_of([node("n0", 9), *QUEUES], *held, one("b1", "b", 3))


def test_attempts_come_in_the_order_of_actions() -> None:
    found = put_back()
    assert [(tried.action, tried.done) for tried in found.tried] == [
        (Action.ALLOCATE, False),
        (Action.CONSOLIDATION, False),
        (Action.RECLAIM, True),
    ]
    assert found.outcome("b1") is Outcome.PREEMPTS
    assert found.waiting == ()


def test_scenarios_that_were_rolled_back_are_kept_with_their_ends() -> None:
    reclaim = put_back().tried[-1]
    runs = [(run.end, [batch.job for batch in run.batches]) for run in reclaim.runs]
    assert runs[0] == (ScenarioEnd.SOLVED, ["a2", "a1"])
    assert runs[-1] == (ScenarioEnd.SOLVED, ["a1"])
    assert [eviction.victim.pod for eviction in reclaim.evictions] == ["u-a1-0"]


def test_the_rule_tells_whose_side_is_over_its_share() -> None:
    assert put_back().tried[-1].rules == {"a1": True}
    poor = [queue("a", 1, created=1), queue("b", 3, created=2)]
    found = cycle_of([node("n0", 4), *poor], one("a1", "a", 2, "n0"), one("a2", "a", 2, "n0"), one("b1", "b", 2))
    assert found.tried[-1].rules == {"a2": True}


def test_a_job_that_still_waits_has_what_kai_writes() -> None:
    found = cycle_of([node("n0", 2), *QUEUES], one("a1", "a", 2, "n0"), one("a2", "a", 1))
    (waiting,) = found.waiting
    assert (waiting.job.name, waiting.pods, waiting.unready) == ("a2", ("a2-0",), "")
    assert waiting.condition is not None
    assert waiting.condition.message.startswith("PodSchedulingErrors: Resources were not found for pod team/a2-0")


def test_a_job_that_kai_does_not_try_says_why() -> None:
    found = cycle_of([node("n0"), *QUEUES], job("b1", "b", pod("b1", 0, 1), minMember=2), one("b2", "none", 1))
    assert [(one.job.name, one.unready, one.condition) for one in found.waiting] == [
        ("b1", "notReady", None),
        ("b2", "noQueue", None),
    ]
    assert found.tried == ()


def test_a_cycle_that_comes_to_an_unmodelled_feature_stops_there() -> None:
    constraint = {"topology": "racks", "requiredTopologyLevel": "rack"}
    near = job("b1", "b", pod("b1", 0, 1), topologyConstraint=constraint)
    found = cycle_of([node("n0"), *QUEUES], near)
    assert found.stopped is Action.ALLOCATE
    assert not found.fidelity.exact
    assert found.outcome("b1") is Outcome.WAITS
    assert [one.condition for one in found.waiting] == [None]


def test_a_cycle_that_follows_the_order_of_a_map_is_not_exact() -> None:
    """Two queues of one age and with the same figures: KAI takes the one that its map yields first."""
    twins = [queue("a", 1, created=1), queue("b", 1, created=1)]
    found = cycle_of([node("n0", 1), *twins], one("a1", "a", 1), one("b1", "b", 1))
    assert [gap.feature for gap in found.fidelity.gaps] == ["MapOrder"]
    apart = [queue("a", 1, created=1), queue("b", 1, created=2)]
    assert cycle_of([node("n0", 1), *apart], one("a1", "a", 1), one("b1", "b", 1)).fidelity.exact


def test_a_cycle_with_shares_that_a_map_decides_is_not_exact() -> None:
    queues = [build.queue(name, weight=weight) for name, weight in zip("abcd", (3, 3, 3, 4), strict=True)]
    queues.append(build.queue("low", priority=50))
    groups = [build.group(f"of-{each.name}", each.name) for each in queues]
    pods = [build.pod(each.name, 0, 13, phase=Phase.PENDING) for each in groups]
    session = build.session(queues, groups, pods, nodes=[build.node("n", 13)])
    assert session.undefined
    assert [gap.feature for gap in kai_cycle(session).fidelity.gaps] == ["MapOrder"]


def test_a_setting_of_the_shard_that_is_not_modelled_makes_the_cycle_inexact() -> None:
    shard: Json = {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": {"name": "default"}}
    shard["spec"] = {"plugins": {"numa": {"enabled": True}}}
    found = cycle_of([node("n0", 1), queue("a", 1), shard], one("a1", "a", 1))
    assert [(gap.feature, gap.subject) for gap in found.fidelity.gaps] == [("ShardSetting", "plugins.numa")]


@pytest.mark.parametrize(
    ("spec", "refused"),
    [
        ({"queueDepthPerAction": {"reclaim": 5}}, []),
        ({"queueDepthPerAction": {"evict": 5}}, ["queueDepthPerAction.evict"]),
        ({"scenarioSearchBudgets": {"minJobSearchDuration": "5m"}}, ["scenarioSearchBudgets.minJobSearchDuration"]),
        ({"usageDBConfig": {"usageParams": {"fetchInterval": "1h"}}}, []),
        ({"usageDBConfig": {"usageParams": {"fetchInterval": "1d"}}}, ["usageDBConfig.usageParams.fetchInterval"]),
    ],
)
def test_a_shard_that_the_operator_rejects_is_not_what_the_scheduler_runs_with(
    spec: dict[str, Json], refused: list[str]
) -> None:
    shard: Json = {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": {"name": "default"}}
    shard["spec"] = spec
    found = cycle_of([node("n0", 1), queue("a", 1), shard], one("a1", "a", 1))
    assert [(gap.feature, gap.subject) for gap in found.fidelity.gaps] == [("ShardRefused", each) for each in refused]


def test_an_action_that_the_shard_disables_does_not_run() -> None:
    shard: Json = {"apiVersion": "kai.scheduler/v1", "kind": "SchedulingShard", "metadata": {"name": "default"}}
    shard["spec"] = {"actions": {"reclaim": {"enabled": False}}}
    found = cycle_of([node("n0", 1), *QUEUES, shard], one("a1", "a", 1, "n0"), one("b1", "b", 1))
    assert Action.RECLAIM not in {tried.action for tried in found.tried}


def test_the_condition_of_a_pod_that_is_too_large_has_extended_resources_in_thousandths() -> None:
    large = one("b1", "b", 9)
    large[1]["spec"]["containers"][0]["resources"]["requests"]["rdma/ib"] = "1"
    (waiting,) = cycle_of([node("n0", 8), queue("b", 16)], large).waiting
    assert waiting.condition is not None
    assert ", pods: 1, rdma/ib: 1000. Max GPU resources" in waiting.condition.message
