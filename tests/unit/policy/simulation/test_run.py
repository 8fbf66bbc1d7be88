"""Simulations of small policies, by the times at which jobs start, stop and end."""

import json
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.answers.simulation import SimulatedJob, Simulation
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.simulation.parameters import Parameters, PolicyChange
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.policy.simulation.statistics import utilisation
from kubectl_fairshare.schedulers import scheduler_named
from tests.consistency.recorded import manager
from tests.unit.policy.simulation.states import FLAVOR_GPU, SECOND, job, policy, queue, snapshot_of

ALONE = queue("vision", 4)
PAIR = (queue("vision", 4), queue("speech", 4))


def run(snapshot: Snapshot, *jobs: TracedJob, **parameters: Any) -> Simulation:
    return simulate(scheduler_named("kueue"), snapshot, jobs, Parameters(**parameters))


def of(simulation: Simulation, name: str) -> SimulatedJob:
    return next(each for each in simulation.jobs if each.job.name == name)


def seconds(moments: list[int]) -> list[float]:
    return [moment / SECOND for moment in moments]


def test_a_job_that_fits_starts_when_it_arrives_and_ends_when_its_work_is_done(tmp_path: Path) -> None:
    found = run(policy(tmp_path, ALONE), job("one", "vision", 5, 4, 60))

    one = of(found, "one")
    assert seconds(one.admitted) == [5]
    assert one.finished == 65 * SECOND
    assert found.ended
    assert found.exact


def test_a_job_that_enters_later_keeps_its_age(tmp_path: Path) -> None:
    jobs = (job("run", "vision", 0, 4, 60), job("old", "vision", 1, 4, 60), job("young", "vision", 20, 4, 60))
    found = simulate(scheduler_named("kueue"), policy(tmp_path, ALONE), jobs, enters={"vision/old": 30 * SECOND})
    assert [each.job.name for each in found.jobs] == ["run", "young", "old"]
    assert seconds(of(found, "old").admitted) == [61], "it is older than `young`"


def test_a_job_that_was_refused_is_tried_again_a_second_after_quota_is_released(tmp_path: Path) -> None:
    found = run(policy(tmp_path, ALONE), job("one", "vision", 0, 4, 60), job("two", "vision", 10, 1, 60))

    assert seconds(of(found, "two").admitted) == [61]
    assert of(found, "two").waited(found.end) == 51 * SECOND


def test_the_head_of_a_strict_queue_is_tried_as_soon_as_quota_is_released(tmp_path: Path) -> None:
    strict = policy(tmp_path, queue("vision", 4, strategy="StrictFIFO"))

    found = run(strict, job("one", "vision", 0, 4, 60), job("two", "vision", 10, 1, 60))

    assert seconds(of(found, "two").admitted) == [60]


def test_a_strict_head_blocks_smaller_jobs_and_a_best_effort_head_does_not(tmp_path: Path) -> None:
    jobs = (job("run", "vision", 0, 3, 60), job("big", "vision", 1, 4, 60), job("small", "vision", 2, 1, 10))

    strict = run(policy(tmp_path, queue("vision", 4, strategy="StrictFIFO")), *jobs)
    effort = run(policy(tmp_path, ALONE), *jobs)

    assert seconds(of(strict, "small").admitted) == [120]
    assert seconds(of(effort, "small").admitted) == [2]


def test_an_owner_takes_its_quota_back_and_the_evicted_job_starts_again_from_zero(tmp_path: Path) -> None:
    found = run(policy(tmp_path, *PAIR), job("guest", "vision", 0, 8, 100), job("owner", "speech", 40, 4, 100))

    guest, owner = of(found, "guest"), of(found, "owner")
    assert seconds(owner.admitted) == [40]
    assert [(e.at // SECOND, e.by, e.rule) for e in guest.evictions] == [(40, "speech/owner", "nominal entitlement")]
    assert guest.lost == 40 * SECOND
    assert seconds(guest.admitted) == [0, 141]
    assert guest.finished == 241 * SECOND


@pytest.mark.parametrize(("checkpoint", "lost"), [(30, 10), (15, 10), (40, 0), (0, 0), (1000, 40)])
def test_an_evicted_job_continues_from_its_last_checkpoint(tmp_path: Path, checkpoint: int, lost: int) -> None:
    jobs = (job("guest", "vision", 0, 8, 100), job("owner", "speech", 40, 4, 100))

    found = run(policy(tmp_path, *PAIR), *jobs, checkpoint=checkpoint * SECOND)

    assert of(found, "guest").lost == lost * SECOND
    assert of(found, "guest").finished == (141 + 100 - 40 + lost) * SECOND


def test_evicted_pods_hold_their_quota_until_they_are_gone(tmp_path: Path) -> None:
    jobs = (job("guest", "vision", 0, 8, 100), job("owner", "speech", 40, 4, 100))

    found = run(policy(tmp_path, *PAIR), *jobs, stopping=20 * SECOND)

    assert seconds(of(found, "owner").admitted) == [60]
    assert len(of(found, "guest").evictions) == 1
    assert of(found, "guest").evictions[0].at == 40 * SECOND


def test_a_job_of_higher_priority_preempts_in_its_own_queue(tmp_path: Path) -> None:
    jobs = (job("low", "vision", 0, 4, 100), job("high", "vision", 10, 4, 20, priority=9))

    found = run(policy(tmp_path, ALONE), *jobs)

    assert seconds(of(found, "high").admitted) == [10]
    assert [e.rule for e in of(found, "low").evictions] == ["priority"]


def test_a_change_of_quota_counts_from_its_moment_on(tmp_path: Path) -> None:
    small, large = policy(tmp_path, ALONE), policy(tmp_path, queue("vision", 8))
    jobs = [job("one", "vision", 0, 4, 100), job("two", "vision", 10, 4, 100)]

    found = simulate(scheduler_named("kueue"), small, jobs, None, [PolicyChange(30 * SECOND, large)])

    assert seconds(of(found, "two").admitted) == [31]
    assert set(found.queues["vision"].entitled[FLAVOR_GPU]) == {4, 8}


def test_a_queue_that_comes_later_takes_the_jobs_that_waited_for_it(tmp_path: Path) -> None:
    before, after = policy(tmp_path, ALONE), policy(tmp_path, *PAIR)

    found = simulate(
        scheduler_named("kueue"), before, [job("one", "speech", 0, 1, 10)], None, [PolicyChange(30 * SECOND, after)]
    )

    assert seconds(of(found, "one").admitted) == [30]
    assert of(found, "one").refused == ""


def test_a_job_without_a_queue_is_refused_with_the_reason(tmp_path: Path) -> None:
    found = run(policy(tmp_path, ALONE), job("one", "missing", 0, 1, 10))

    assert of(found, "one").refused == "LocalQueue main does not exist"
    assert of(found, "one").queue == ""


def test_a_job_that_never_fits_waits_to_the_end(tmp_path: Path) -> None:
    found = run(policy(tmp_path, ALONE), job("huge", "vision", 0, 5, 10), job("one", "vision", 0, 1, 10))

    assert of(found, "huge").admitted == []
    assert found.ended


def test_series_and_sums_agree_with_the_jobs(tmp_path: Path) -> None:
    found = run(policy(tmp_path, ALONE), job("one", "vision", 0, 2, 60), job("two", "vision", 20, 1, 60), sample=SECOND)

    series = found.queues["vision"]
    used = series.used[FLAVOR_GPU]
    assert series.held[FLAVOR_GPU] == (2 * 60 + 60) * SECOND
    assert used[:2] == (2, 2)
    assert sum(used) == 2 * 60 + 60
    assert len(used) == len(found.moments) == 81


def test_more_samples_than_memory_has_room_for_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"samples every 0\.001s are more than 100,000"):
        run(policy(tmp_path, ALONE), job("one", "vision", 0, 2, 600), sample=SECOND // 1000)


def test_the_end_cuts_what_is_still_running(tmp_path: Path) -> None:
    found = run(policy(tmp_path, ALONE), job("one", "vision", 0, 4, None), end=100 * SECOND)

    assert of(found, "one").finished is None
    assert found.queues["vision"].held[FLAVOR_GPU] == 400 * SECOND


def test_a_seed_gives_one_result_and_seeds_differ_where_chance_decides(tmp_path: Path) -> None:
    jobs = [job(f"job-{i}", "vision", 0, 4, 60) for i in range(6)]
    snapshot = policy(tmp_path, ALONE)

    orders = {seed: [each.admitted for each in run(snapshot, *jobs, seed=seed).jobs] for seed in range(8)}

    assert [each.admitted for each in run(snapshot, *jobs, seed=3).jobs] == orders[3]
    assert len({str(order) for order in orders.values()}) > 1
    assert run(snapshot, *jobs).ties > 0


def test_quotas_that_wrap_around_in_the_scheduler_do_not_in_sums_over_time(tmp_path: Path) -> None:
    """Releases before 0.18 compute in plain 64 bits; what queues held of their quotas over a minute is no such sum."""
    quota = 9_223_372_036_854_775
    text = "apiVersion: v1\nkind: List\nitems: " + json.dumps([manager("v0.17.8")]) + "\n---\n"
    cpu = queue("vision", quota).replace("nvidia.com/gpu", "cpu")
    flavor = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: a100}\n"
    pods = TracedJob("one", "vision", "main", 0, (TracedPods("main", 1, {"cpu": 1000}),), duration=30 * SECOND)
    snapshot = snapshot_of(tmp_path, text + flavor + cpu)
    for end in (45, 90):
        found = simulate(scheduler_named("kueue"), snapshot, [pods], Parameters(end=end * SECOND))
        entitled = found.queues["vision"].entitled["a100", "cpu"]
        assert sum(entitled) == len(entitled) * quota * 1000
        assert 0 < utilisation(found)["a100", "cpu"] < 1e-9, end
