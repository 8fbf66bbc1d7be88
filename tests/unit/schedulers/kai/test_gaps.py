"""What the input leaves open keeps an answer from being exact, and only where it can change it."""

from pathlib import Path

import pytest

from tests.unit.schedulers.kai.inputs import (
    NODES,
    Asked,
    Run,
    doubts,
    job,
    queues,
    running,
    shard,
    stored_pod,
    waiting,
)

USAGE = '{kValue: 4, usageDBConfig: {clientType: prometheus, connectionString: "http://p"}}'
BUSY = queues(0) + NODES + running(8)


@pytest.fixture
def ask(run: Run, tmp_path: Path) -> Asked:
    return Asked(run, tmp_path)


def test_past_usage_that_the_shard_counts_and_the_input_lacks_decides_who_is_evicted(ask: Asked) -> None:
    state = BUSY + shard(USAGE)
    assert ask.plan(state, job()) == ("Unknown", False, ("PastUsage",))
    assert ask.plan(state, job(), "--usage a=gpu=0.9 --usage b=gpu=0.05") == ("Waits", True, ())
    assert ask.plan(state, job(), "--usage a=gpu=0 --usage b=gpu=0.05") == ("Preempts", True, ())


@pytest.mark.parametrize(
    ("state", "options"),
    [
        (BUSY, ""),
        (BUSY + shard(USAGE.replace("kValue: 4", "kValue: 0")), ""),
        (BUSY + shard(USAGE), "--k-value 0"),
        (BUSY + shard(USAGE.replace("}}", ", usageParams: {windowType: cron, cronString: 0 0 * * *}}}")), ""),
        (queues(4) + NODES + running(8) + shard(USAGE), ""),
    ],
)
def test_without_past_usage_that_counts_the_answer_is_exact(ask: Asked, state: str, options: str) -> None:
    assert ask.plan(state, job(), options) == ("Preempts", True, ())


def test_past_usage_does_not_decide_about_what_is_idle(ask: Asked) -> None:
    state = queues(0) + NODES + running(6) + waiting(8, "b") + shard(USAGE)
    assert ask.plan(state, job(gpus=1)) == ("Admitted", True, ())
    assert doubts(ask("shares", state)) == ()
    assert doubts(ask("shares", state + waiting(1, name="v"))) == ("PastUsage",)


@pytest.mark.parametrize("command", ["shares", "cycle", "why -n ml podgroup/w"])
def test_other_answers_say_that_past_usage_is_missing(ask: Asked, command: str) -> None:
    state = BUSY + waiting(2)
    assert doubts(ask(command, state + shard(USAGE))) == ("PastUsage",)
    assert doubts(ask(command, state + shard("{kValue: 4}"))) == ()


HOUR = "kai.scheduler/preemption-delay: 1h"


def test_a_new_job_is_within_its_preemption_delay(ask: Asked) -> None:
    state = queues(4) + NODES + running(8)
    assert ask.plan(state, job(HOUR)) == ("Waits", True, ())
    assert ask.plan(state, job(HOUR), "--now 2026-08-01T12:00:00Z") == ("Waits", True, ())
    assert ask.plan(state, job(HOUR.replace("1h", "0s"))) == ("Preempts", True, ())


@pytest.mark.slow
def test_a_pod_group_that_is_written_by_hand_begins_now(ask: Asked) -> None:
    state = queues(4) + NODES + running(8)
    stored = waiting(2, spec=", preemptionDelay: 1h")
    new = stored.replace(', creationTimestamp: "2026-02-01T00:00:00Z"', "")
    assert new != stored
    for options in ("", "--now 2026-08-01T12:00:00Z"):
        assert ask.plan(state, new, options) == ("Waits", True, ())
        assert ask.plan(state, new.replace("1h", "0s"), options) == ("Preempts", True, ())
    assert ask.plan(state, stored, "--now 2026-08-01T12:00:00Z") == ("Preempts", True, ())
    assert ask.plan(state + stored, new, "--now 2026-08-01T12:00:00Z") == ("Preempts", True, ())
    assert ask.plan(state + stored, new, "--now 2026-02-01T00:30:00Z") == ("Waits", True, ())
    assert doubts(ask("cycle", state + new, options="--now 2026-08-01T12:00:00Z")) == ("DelaySince",)


def test_without_a_moment_it_is_open_whether_the_delay_of_a_stored_job_is_over(ask: Asked) -> None:
    state = queues(4) + NODES + running(8) + waiting(2, spec=", preemptionDelay: 1h")
    assert doubts(ask("why -n ml podgroup/w", state)) == ("DelaySince",)
    assert doubts(ask("cycle", state)) == ("DelaySince",)
    assert doubts(ask("why -n ml podgroup/w", state, options="--now 2026-08-01T12:00:00Z")) == ()
    assert doubts(ask("cycle", state, options="--now 2026-08-01T12:00:00Z")) == ()


def test_a_delay_does_not_decide_about_what_is_idle_or_cannot_be_taken(ask: Asked) -> None:
    late = waiting(2, spec=", preemptionDelay: 1h")
    for state in (queues(4) + NODES + running(2) + late, queues(0) + NODES + running(8, "a") + late):
        assert doubts(ask("why -n ml podgroup/w", state)) == ()
        assert doubts(ask("cycle", state)) == ()


def priority_class(name: str, value: int, more: str = "") -> str:
    metadata = f"metadata: {{name: {name}}}"
    return f"\n---\n{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, {metadata}, value: {value}{more}}}\n"


GONE = job(spec="priorityClassName: gone\n")
MISSING = ("Unknown", False, ("NotInInput",))


def test_a_priority_class_that_the_input_lacks_leaves_the_answer_open(ask: Asked) -> None:
    state = queues(4) + NODES
    assert ask.plan(state, GONE) == MISSING
    assert ask.plan(state + priority_class("gone", 40), GONE) == ("Admitted", True, ())
    assert ask.plan(state, job(labels=", priorityClassName: gone")) == MISSING
    assert ask.plan(state, job(labels=", priorityClassName: gone"), "--complete") == ("Admitted", True, ())
    assert ask.plan(state, job(spec="priorityClassName: system-node-critical\n")) == ("Admitted", True, ())
    assert ask.plan(state, job(labels=", priorityClassName: build")) == MISSING


def test_the_class_for_training_is_known_unless_there_is_a_global_default(ask: Asked) -> None:
    state, default = queues(4) + NODES, priority_class("usual", 10, ", globalDefault: true")
    assert ask.plan(state, job()) == ("Admitted", True, ())
    assert ask.plan(state, job(labels=", priorityClassName: train")) == ("Admitted", True, ())
    assert ask.plan(state + default, job()) == ("Admitted", True, ())
    assert ask.plan(state + default, job(labels=", priorityClassName: train")) == MISSING


def test_the_priority_classes_of_jobs_that_may_be_evicted_count(ask: Asked) -> None:
    busy = running(8).replace("minMember: 1", "minMember: 1, priorityClassName: gone")
    state = queues(4) + NODES + busy
    assert ask.plan(state, job()) == MISSING
    assert ask.plan(state + priority_class("gone", 40), job()) == ("Preempts", True, ())
    assert doubts(ask("cycle", state + waiting(1))) == ("NotInInput",)
    idle = busy.replace("queue: b", "queue: a") + queues(4) + NODES * 2
    assert ask.plan(idle.replace("name: n2", "name: n3", 1), job()) == ("Admitted", True, ())


@pytest.mark.parametrize(
    ("budgets", "short"),
    [
        ("{maxJobSearchDuration: 1ns}", True),
        ("{maxJobSearchDuration: 4m}", False),
        ("{maxJobSearchDuration: 0s}", False),
        ("{maxActionSearchDuration: {reclaim: 1s}}", True),
        ("{maxGeneratorSearchDuration: {NodeLocalGreedy: 30s, MultiNodeGang: 2m}}", False),
        ("{maxGeneratorSearchDuration: {MultiNodeGang: 30s}}", True),
    ],
)
def test_short_time_limits_of_the_search_for_victims_leave_the_answer_open(
    ask: Asked, budgets: str, short: bool
) -> None:
    limits = shard(f"{{scenarioSearchBudgets: {budgets}}}")
    busy = queues(4) + NODES + running(8) + limits
    assert ask.plan(busy, job()) == (("Unknown", False, ("SearchBudget",)) if short else ("Preempts", True, ()))
    assert ask.plan(queues(4) + NODES + limits, job()) == ("Admitted", True, ())
    assert doubts(ask("cycle", busy + waiting(1))) == (("SearchBudget",) if short else ())
    assert doubts(ask("cycle", queues(4) + NODES + limits + waiting(1))) == ()


def test_a_search_for_loads_says_what_its_decisions_rest_on(ask: Asked) -> None:
    state = queues(4) + NODES + running(8)
    words = "search --busy --never 'cascade > 9' --workloads 1 --random 0 --jobs 1"
    assert doubts(ask(words, state)) == ()
    assert doubts(ask(words, state + shard("{scenarioSearchBudgets: {maxJobSearchDuration: 1ns}}"))) == (
        "SearchBudget",
    )


@pytest.mark.slow
def test_capacity_without_a_moment_says_what_rests_on_it(ask: Asked) -> None:
    state = queues(4) + NODES + running(8)
    words = "capacity --queue a --resource nvidia.com/gpu --no-copies"
    assert doubts(ask(words, state)) == ()
    leaving = state.replace("uid: r1-pod,", "uid: r1-pod, deletionTimestamp: '2026-02-02T00:00:00Z',")
    assert doubts(ask(words, leaving)) == ("TerminatingSince",)
    started = state.replace(
        "uid: r1-group,", "uid: r1-group, annotations: {kai.scheduler/last-start-timestamp: '2026-02-01T00:00:09Z'},"
    )
    protecting = started.replace("spec: {resources:", "spec: {reclaimMinRuntime: 1h, resources:")
    assert doubts(ask(words, protecting)) == ("MinRuntimeSince",)


def test_a_moment_is_not_needed_where_every_moment_gives_the_same(ask: Asked) -> None:
    leaving = running(8).replace("uid: r1-pod,", "uid: r1-pod, deletionTimestamp: '2026-02-02T00:00:00Z',")
    assert "deletionTimestamp" in leaving
    assert ask.plan(queues(4) + NODES + running(2) + leaving.replace("r1", "x1"), job(gpus=1))[0] != "Unknown"
    started = "uid: r{0}-group, annotations: {{kai.scheduler/last-start-timestamp: '2026-02-01T00:00:09Z'}},"
    protecting = (queues(4) + NODES + running(8)).replace(
        "spec: {resources:", "spec: {reclaimMinRuntime: 1h, resources:"
    )
    one = protecting.replace("uid: r1-group,", started.format(1))
    assert ask.plan(one, job(gpus=1)) == ("Preempts", True, ())
    every = protecting
    for number in range(1, 8):
        every = every.replace(f"uid: r{number}-group,", started.format(number))
    # All moments give the same outcome, and other victims: r0 alone is never protected.
    assert ask.plan(every, job(gpus=1)) == ("Preempts", False, ("MinRuntimeSince",))
    every = every.replace("uid: r0-group,", started.format(0))
    assert ask.plan(every, job(gpus=1)) == ("Unknown", False, ("MinRuntimeSince",))
    assert ask.plan(every, job(gpus=1), "--now 2026-02-01T00:30:00Z")[0] == "Waits"
    assert ask.plan(every, job(gpus=1), "--now 2026-02-01T02:00:00Z")[0] == "Preempts"


def test_jobs_that_started_after_the_newest_was_made_can_be_reclaimed(ask: Asked) -> None:
    state = queues(4) + NODES + running(8)
    late = state.replace(
        "-group,", "-group, annotations: {kai.scheduler/last-start-timestamp: '2026-03-01T00:00:00Z'},"
    )
    sizes = [
        [row["preempting"]["size"]["value"] for row in ask(words, given)["queues"]]
        for words in ["capacity --queue a --resource nvidia.com/gpu --no-copies"]
        for given in (state, late)
    ]
    assert sizes == [[4], [4]]


def test_a_list_without_the_pods_of_a_missing_pod_group_is_not_exact(run: Run, tmp_path: Path) -> None:
    """What is listed can never get in, whatever the missing one is: the list lacks it all the same."""
    path = tmp_path / "state.yaml"
    path.write_text(NODES + queues(2) + waiting(9) + stored_pod("lost", 1), encoding="utf-8")
    screen = run(f"kubectl-fairshare why -A -f {path}").stdout
    assert "not in the input: PodGroup ml/lost" in screen
    assert screen.splitlines()[-1] == "⇒ 1 never · not exact (KAI v0.17, shard default)"


def test_pods_of_one_stored_pod_group_are_planned_as_one_job(ask: Asked) -> None:
    """The gang of two starts with both; each pod by itself was an answer."""
    other = stored_pod("w", 2).replace("{name: w,", "{name: w2,").replace("w-pod", "w2-pod")
    state = NODES + queues(8) + waiting(2, spec=", minMember: 2").replace("minMember: 1, ", "") + other
    found = ask("plan", state, stored_pod("w", 2) + other)
    assert (found["kind"], found["outcome"], found["pods"]) == ("Plan", "Admitted", ["w", "w2"])
