"""Decisions over time are those of ``cycle`` on the state of the moment, whatever is remembered and passed over."""

from collections import Counter
from pathlib import Path

import pytest

from kubectl_fairshare.model.chance import Chance
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, run_cycle
from kubectl_fairshare.schedulers.kueue.cycle.lines import WaitingLine, queued_workload
from kubectl_fairshare.schedulers.kueue.cycle.motion.replay import KueueReplay
from kubectl_fairshare.schedulers.kueue.cycle.motion.shapes import Shapes
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.release import release_named
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from kubectl_fairshare.schedulers.kueue.words.simulation import sayings
from kubectl_fairshare.schedulers.replay import NO_FIGURES, Moves, ReplayTerms, SampledQueue
from tests.unit.policy.simulation.states import _HEAD, FLAVOR_GPU, SECOND, job, policy, queue, snapshot_of

QUEUES = ("a", "b", "c", "d")


def drawn_policy(chance: Chance) -> list[str]:
    strategies = ("BestEffortFIFO", "BestEffortFIFO", "StrictFIFO")
    reclaims, withins = ("Never", "LowerPriority", "Any"), ("Never", "LowerPriority", "LowerOrNewerEqualPriority")
    return [
        queue(
            name,
            int(chance.fraction() * 5) + 1,
            strategy=strategies[chance.bits() % 3],
            reclaim=reclaims[chance.bits() % 3],
            within=withins[chance.bits() % 3],
        )
        for name in QUEUES
    ]


def drawn_jobs(chance: Chance, number: int) -> list[TracedJob]:
    at, jobs = 0.0, []
    for i in range(number):
        at += chance.exponential(4.0)
        size, seconds = int(chance.fraction() * 5) + 1, chance.exponential(30.0)
        jobs.append(job(f"j{i}", QUEUES[chance.bits() % 4], at, size, seconds, priority=chance.bits() % 3))
    return jobs


def outcome(run: CycleRun) -> tuple[set[str], set[str]]:
    """Who is admitted, and who is evicted now."""
    admitted = {e.nomination.workload.name for e in run.entries if e.status is HeadStatus.ASSUMED}
    targets = (t.holder for e in run.entries if e.preempts for t in e.targets)
    return admitted, {holder.name for holder in targets if not holder.evicted}


class Comparison:
    """Plays jobs on a policy; before each cycle, ``cycle`` decides on the same state from scratch."""

    def __init__(self, replay: KueueReplay) -> None:
        self.replay = replay
        self.compared = 0
        self.evicted = 0

    def decide(self, now: int) -> list[Moves]:
        """All cycles of a moment."""
        done = []
        for _ in range(60):
            self.replay.advance(now)
            expected = run_cycle(state_of(self.replay.eligible()))
            moves = self.replay.run(now)
            if not expected.ties:
                self.compared += 1
                assert (set(moves.started), {s.unit for s in moves.stopped}) == outcome(expected)
            self.evicted += len(moves.stopped)
            done.append(moves)
            if moves.settled:
                break
        return done


@pytest.mark.parametrize(("seed", "stopping", "fair"), [(0, 0, True), (1, 5, True), (2, 0, False)])
def test_what_is_decided_over_time_is_what_a_cycle_decides_on_that_state(
    tmp_path: Path, seed: int, stopping: int, fair: bool
) -> None:
    play(tmp_path, seed, stopping, fair)


@pytest.mark.slow
@pytest.mark.parametrize("fair", [True, False])
@pytest.mark.parametrize("seed", range(3, 13))
def test_more_courses_are_decided_as_cycles_decide_them(tmp_path: Path, seed: int, fair: bool) -> None:
    play(tmp_path, seed, seed % 3 * 4, fair)


@pytest.mark.parametrize(("release", "exact"), [("0.19.2", True), ("0.19.3", False), ("0.20", False)])
def test_a_preemptor_that_stays_first_without_getting_in_is_exact_for_the_release_that_does_so(
    tmp_path: Path, release: str, exact: bool
) -> None:
    assert play(tmp_path, 1, 5, fair=True, release=release).fidelity.exact == exact


def check_figures(replay: KueueReplay, seen: dict[str, SampledQueue], now: int) -> None:
    """What changed, put over what was ``seen`` before, is what the whole state says."""
    seen |= replay.figures(now)
    state = replay.state
    for name, node in state.forest.queue_ids.items():
        share = state.ledger.share(node)
        assert seen[name].used == dict(state.ledger.usages(node))
        assert seen[name].standing == (None if share.rank or not state.fair else share.value / 1000)
    waiting = Counter(line.name for line in replay._roster.lines.values() for _ in line.all())
    assert {name: each.waiting for name, each in seen.items() if each.waiting} == dict(waiting)


def test_a_head_that_is_admitted_leaves_the_line_and_not_an_older_one_that_was_evicted_meanwhile(
    tmp_path: Path,
) -> None:
    shapes = Shapes(policy(tmp_path, queue("a", 4)))
    older, head = (queued_workload(*shapes.workload(job(n, "a", at, 1, 60), n)) for n, at in (("old", 0), ("new", 5)))
    line = WaitingLine("a", strict=False)
    line.add(head)
    line.add(older)
    line.take(head)
    assert list(line.all()) == [older]


def test_a_sample_reads_only_the_queues_that_changed(tmp_path: Path) -> None:
    replay = KueueReplay(policy(tmp_path, queue("a", 4), queue("b", 4)), ReplayTerms(), sayings())
    whole = SampledQueue({}, {FLAVOR_GPU: 4}, 0, 0.0)
    assert replay.figures(0) == {"a": whole, "b": whole}
    assert replay.figures(0) == {}
    replay.submit(job("j", "a", 0, 2, 60), 0)
    assert replay.figures(0) == {"a": whole._replace(waiting=1)}
    replay.run(0)
    assert replay.figures(0) == {"a": whole._replace(used={FLAVOR_GPU: 2})}
    replay.change(policy(tmp_path, queue("a", 4)), SECOND)
    assert replay.figures(SECOND) == {"a": whole._replace(used={FLAVOR_GPU: 2}), "b": NO_FIGURES}


@pytest.mark.parametrize(
    ("settings", "feature"),
    [
        ("waitForPodsReady: {timeout: 5m}", None),  # pods count as ready at once
        ("waitForPodsReady: {blockAdmission: true}", None),
        ("", None),
    ],
)
def test_what_a_configuration_does_over_time_and_is_not_played_makes_a_simulation_inexact(
    tmp_path: Path, settings: str, feature: str | None
) -> None:
    kind = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
    replay = KueueReplay(snapshot_of(tmp_path, f"{kind}{settings}\n{queue('a', 4)}"), ReplayTerms(), sayings())
    assert [gap.feature for gap in replay.fidelity.gaps if gap.touches] == [feature] * (feature is not None)
    assert replay.fidelity.exact == (feature is None)


@pytest.mark.parametrize("seconds", [1, 10])
def test_workloads_that_were_set_aside_are_requeued_in_batches(tmp_path: Path, seconds: int) -> None:
    snapshot = policy(tmp_path, queue("a", 4))
    state = snapshot.part(KueueState)
    configuration = replace(state.configuration, requeue_seconds=seconds)
    replay = KueueReplay(snapshot.with_part(replace(state, configuration=configuration)), ReplayTerms(), sayings())
    replay.submit(job("first", "a", 0, 4, 60), 0)
    assert list(replay.run(0).started) == ["a/first"]
    replay.submit(job("second", "a", 1, 4, 60), SECOND)
    assert list(replay.run(SECOND).started) == []
    replay.finish("a/first", 60 * SECOND)
    assert list(replay.run(60 * SECOND).started) == []
    assert replay.wakes() == (60 + seconds) * SECOND
    assert list(replay.run((60 + seconds) * SECOND).started) == ["a/second"]
    assert f"requeued {seconds}s after" in " ".join(replay.notes)


@pytest.mark.parametrize(("ends", "changes", "wakes"), [(None, 10, 11), (10, 10.5, 11), (None, 10.5, 11.5)])
def test_a_change_wakes_who_was_set_aside_a_moment_later(
    tmp_path: Path, ends: int | None, changes: float, wakes: float
) -> None:
    replay = KueueReplay(policy(tmp_path, queue("a", 4)), ReplayTerms(), sayings())
    replay.submit(job("first", "a", 0, 4, 60), 0)
    replay.submit(job("second", "a", 1, 4, 60), 0)
    started = [unit for _ in range(3) for unit in replay.run(0).started]
    assert started == ["a/first"]
    if ends is not None:
        replay.finish("a/first", ends * SECOND)
    at = int(changes * SECOND)
    replay.change(policy(tmp_path, queue("a", 8)), at)
    assert list(replay.run(at).started) == []
    replay.submit(job("third", "a", 10, 4, 60), at)
    assert list(replay.run(at).started) == []
    assert replay.wakes() == int(wakes * SECOND)
    assert list(replay.run(int(wakes * SECOND)).started) == ["a/second"]


def test_a_change_wakes_nobody_in_a_tree_that_it_does_not_touch(tmp_path: Path) -> None:
    alone, other = queue("a", 4).replace("  cohortName: all\n", ""), queue("b", 1)
    replay = KueueReplay(policy(tmp_path, alone, other), ReplayTerms(), sayings())
    replay.submit(job("first", "a", 0, 4, 60), 0)
    replay.submit(job("second", "a", 1, 4, 60), 0)
    assert [unit for _ in range(3) for unit in replay.run(0).started] == ["a/first"]
    replay.change(policy(tmp_path, alone, queue("b", 2)), 10 * SECOND)
    replay.finish("a/first", int(10.5 * SECOND))
    assert list(replay.run(11 * SECOND).started) == []
    assert list(replay.run(int(11.5 * SECOND)).started) == ["a/second"]


def test_a_release_before_a_workload_came_sets_the_moment_at_which_it_is_woken(tmp_path: Path) -> None:
    replay = KueueReplay(policy(tmp_path, queue("a", 4)), ReplayTerms(), sayings())
    replay.submit(job("first", "a", 0, 2, 60), 0)
    replay.submit(job("second", "a", 0, 2, 60), 0)
    assert [unit for _ in range(3) for unit in replay.run(0).started] == ["a/first", "a/second"]
    replay.finish("a/first", 10 * SECOND)
    replay.run(10 * SECOND)
    assert replay.wakes() is None
    replay.submit(job("third", "a", 10, 4, 60), int(10.4 * SECOND))
    assert list(replay.run(int(10.4 * SECOND)).started) == []
    replay.finish("a/second", int(10.7 * SECOND))
    replay.run(int(10.7 * SECOND))
    assert replay.wakes() == 11 * SECOND
    assert list(replay.run(11 * SECOND).started) == ["a/third"]


TOPOLOGY = """---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: t}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: v1
kind: Node
metadata: {name: one, labels: {pool: gpu, kubernetes.io/hostname: one}}
status: {allocatable: {nvidia.com/gpu: 4, pods: 10}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: a, name: idle}
spec: {nodeName: one, containers: [{name: c}]}
status: {phase: Running}
"""


def on_one_node(folder: Path, *queues: str) -> Snapshot:
    """Queues without a cohort, for a flavor of one node with 4 GPUs."""
    alone = (each.replace("  cohortName: all\n", "") for each in queues)
    placed = "metadata: {name: a100}\nspec: {topologyName: t, nodeLabels: {pool: gpu}}"
    return snapshot_of(folder, _HEAD.replace("metadata: {name: a100}", placed) + "".join(alone) + TOPOLOGY)


@pytest.mark.parametrize(("tree", "woken"), [("a", 11), ("b", 21)])
def test_room_on_nodes_wakes_only_the_tree_in_which_quota_is_released(tmp_path: Path, tree: str, woken: int) -> None:
    replay = KueueReplay(on_one_node(tmp_path, queue("a", 9), queue("b", 9)), ReplayTerms(), sayings())
    for name in "ab":
        replay.submit(job("first", name, 0, 2, 60), 0)
    assert sorted(unit for _ in range(3) for unit in replay.run(0).started) == ["a/first", "b/first"]
    replay.submit(job("second", tree, 1, 2, 60), SECOND)
    assert list(replay.run(SECOND).started) == []
    started = {}
    for name, end in (("a", 10), ("b", 20)):
        replay.finish(f"{name}/first", end * SECOND)
        assert list(replay.run(end * SECOND).started) == []
        started[end + 1] = list(replay.run((end + 1) * SECOND).started)
    assert {at for at, units in started.items() if units} == {woken}


def test_room_on_nodes_that_a_stopped_queue_leaves_is_for_a_head_that_blocks_another_tree(tmp_path: Path) -> None:
    strict = queue("b", 9, strategy="StrictFIFO")
    replay = KueueReplay(on_one_node(tmp_path, queue("a", 9), strict), ReplayTerms(), sayings())
    replay.submit(job("first", "a", 0, 2, 60), 0)
    replay.submit(job("head", "b", 0, 3, 60), 0)
    assert sorted(unit for _ in range(3) for unit in replay.run(0).started) == ["a/first"]
    held = queue("a", 9).replace("spec:\n", "spec:\n  stopPolicy: Hold\n", 1)
    replay.change(on_one_node(tmp_path, held, strict), SECOND)
    assert [unit for _ in range(3) for unit in replay.run(SECOND).started] == []
    replay.finish("a/first", 10 * SECOND)
    assert list(replay.run(10 * SECOND).started) == ["b/head"]


def test_a_change_of_nodes_is_not_exact_where_a_topology_places_pods(tmp_path: Path) -> None:
    snapshot = on_one_node(tmp_path, queue("a", 9))
    replay = KueueReplay(snapshot, ReplayTerms(), sayings())
    replay.change(on_one_node(tmp_path, queue("a", 8)), SECOND)
    assert replay.fidelity.exact
    larger = (tmp_path / "policy.yaml").read_text().replace("gpu: 4,", "gpu: 8,")
    replay.change(snapshot_of(tmp_path, larger), 2 * SECOND)
    assert [gap.feature for gap in replay.fidelity.gaps if gap.touches] == ["NodesOverTime"]


def test_a_workload_moves_on_if_its_queue_does(tmp_path: Path) -> None:
    replay = KueueReplay(policy(tmp_path, queue("a", 4), queue("b", 9)), ReplayTerms(), sayings())
    replay.submit(job("w", "a", 0, 14, 60), 0)
    replay.run(0)
    moved = queue("a", 4).replace("spec: {clusterQueue: a}", "spec: {clusterQueue: b}")
    replay.change(policy(tmp_path, moved, queue("b", 20)), SECOND)
    assert list(replay.run(SECOND).started) == ["a/w"]
    assert replay.holding("a/w").queue == "b"


@pytest.mark.parametrize("together", [True, False])
def test_equal_workloads_are_set_aside_together_where_kueue_compares_them(tmp_path: Path, together: bool) -> None:
    snapshot = policy(tmp_path, queue("a", 4))
    state = snapshot.part(KueueState)
    configuration = replace(state.configuration, equal_together=together)
    replay = KueueReplay(snapshot.with_part(replace(state, configuration=configuration)), ReplayTerms(), sayings())
    replay.submit(job("first", "a", 0, 4, 60), 0)
    assert list(replay.run(0).started) == ["a/first"]
    replay.submit(job("second", "a", 1, 4, 60), SECOND)
    assert list(replay.run(SECOND).started) == []
    replay.finish("a/first", 60 * SECOND)
    replay.submit(job("third", "a", 60, 4, 60), 60 * SECOND)
    assert list(replay.run(60 * SECOND).started) == ([] if together else ["a/third"])


def test_admission_checks_make_a_simulation_inexact(tmp_path: Path) -> None:
    checked = queue("a", 4).replace("  cohortName: all", "  admissionChecksStrategy: {admissionChecks: [{name: slow}]}")
    check = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata: {name: slow}
spec: {controllerName: some.io/slow}
status: {conditions: [{type: Active, status: "True", reason: Active, message: m}]}
"""
    replay = KueueReplay(policy(tmp_path, checked, check), ReplayTerms(), sayings())
    assert "AdmissionChecksOverTime" in {gap.feature for gap in replay.fidelity.gaps if gap.touches}


def play(tmp_path: Path, seed: int, stopping: int, fair: bool, release: str = "0.19.2") -> KueueReplay:
    """Plays drawn jobs on a drawn policy; raises ``AssertionError`` at the first decision that differs."""
    chance = Chance(seed)
    snapshot = policy(tmp_path, *drawn_policy(chance), fair=fair)
    state = snapshot.part(KueueState)
    configuration = replace(state.configuration, release=release_named(release))
    snapshot = snapshot.with_part(replace(state, configuration=configuration))
    comparison = Comparison(KueueReplay(snapshot, ReplayTerms(seed, 0, stopping * SECOND), sayings()))
    coming, ends, needs = drawn_jobs(chance, 40), dict[str, int](), dict[str, int]()
    figures: dict[str, SampledQueue] = {}
    for _ in range(300):
        moments = [each.created for each in coming[:1]] + list(ends.values())
        wakes = comparison.replay.wakes()
        now = min([*moments, *([] if wakes is None else [wakes])], default=None)
        if now is None:
            break
        for unit in [unit for unit, end in ends.items() if end <= now]:
            del ends[unit]
            comparison.replay.finish(unit, now)
        check_figures(comparison.replay, figures, now)
        while coming and coming[0].created <= now:
            needs[coming[0].key] = coming[0].duration or 0
            comparison.replay.submit(coming.pop(0), now)
        for moves in comparison.decide(now):
            for stopped in moves.stopped:
                del ends[stopped.unit]
            ends |= {unit: now + needs[unit] for unit in moves.started}
    assert comparison.compared > 100
    return comparison.replay
