"""A scan of flavors goes on from cycle to cycle, and a cycle after it starts with the first flavor again."""

from pathlib import Path
from typing import Final

import pytest

from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.kueue.cycle.motion.replay import KueueReplay
from kubectl_fairshare.schedulers.kueue.cycle.motion.shapes import Shapes
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.cycle.scans import Scans
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from kubectl_fairshare.schedulers.kueue.words.simulation import sayings
from kubectl_fairshare.schedulers.replay import Moves, ReplayTerms
from kubectl_fairshare.schedulers.sandbox import MadeUpWork
from tests.screens import ROOT
from tests.unit.policy.simulation.states import SECOND, job, snapshot_of

_FLAVORS: Final = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: first}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: second}
"""
_QUEUE: Final = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  cohortName: all
  namespaceSelector: {{}}
  queueingStrategy: {strategy}
  flavorFungibility: {{whenCanPreempt: {fungibility}}}
  preemption: {{reclaimWithinCohort: {reclaim}, withinClusterQueue: {within}}}
  resourceGroups:
    - coveredResources: [nvidia.com/gpu]
      flavors:
        - {{name: first, resources: [{{name: nvidia.com/gpu, nominalQuota: {quotas[0]}}}]}}
        - {{name: second, resources: [{{name: nvidia.com/gpu, nominalQuota: {quotas[1]}}}]}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {{namespace: {name}, name: main}}
spec: {{clusterQueue: {name}}}
---
apiVersion: v1
kind: Namespace
metadata: {{name: {name}}}
"""


def queue(name: str, *quotas: int, strategy: str = "BestEffortFIFO", **others: str) -> str:
    given = {"fungibility": "TryNextFlavor", "reclaim": "Never", "within": "LowerPriority", **others}
    return _QUEUE.format(name=name, quotas=quotas, strategy=strategy, **given)


def replay_of(tmp_path: Path, *queues: str) -> KueueReplay:
    return KueueReplay(snapshot_of(tmp_path, _FLAVORS + "".join(queues)), ReplayTerms(), sayings())


def settled(replay: KueueReplay, now: int) -> list[Moves]:
    """All cycles of a moment."""
    done = [replay.run(now * SECOND)]
    while not done[-1].settled:
        done.append(replay.run(now * SECOND))
        assert len(done) < 50
    return done


def started(replay: KueueReplay, now: int) -> list[str]:
    return [unit for moves in settled(replay, now) for unit in moves.started]


def stopped(moves: list[Moves]) -> list[tuple[str, str]]:
    return [(each.unit, each.by) for move in moves for each in move.stopped]


def in_two_parts(name: str, *gpus: int) -> TracedJob:
    """A job of several pod sets."""
    pods = tuple(TracedPods(f"part-{i}", count, {"nvidia.com/gpu": 1}) for i, count in enumerate(gpus))
    return TracedJob(name, "a", "main", SECOND, pods, duration=60 * SECOND)


def test_after_a_scan_that_continued_the_next_cycle_starts_with_the_first_flavor(tmp_path: Path) -> None:
    # Kueue: `late` loses the first flavor to `other`, then scans the second alone, then preempts `early` in the first.
    replay = replay_of(tmp_path, queue("a", 2, 0, strategy="StrictFIFO"), queue("b", 4, 0))
    replay.submit(job("early", "a", 0, 2, 60), 0)
    assert started(replay, 0) == ["a/early"]
    replay.submit(job("other", "b", 5, 4, 60), 5 * SECOND)
    replay.submit(job("late", "a", 5, 2, 20, priority=2), 5 * SECOND)
    moves = settled(replay, 5)
    assert stopped(moves) == [("a/early", "a/late")]
    assert [unit for move in moves for unit in move.started] == ["b/other", "a/late"]
    assert replay.fidelity.exact


@pytest.mark.parametrize("strategy", ["BestEffortFIFO", "StrictFIFO"])
def test_a_scan_that_goes_round_and_round_blocks_its_queue_and_is_left_to_chance(tmp_path: Path, strategy: str) -> None:
    # Kueue: one part fits in the first flavor, which is not its last, and the other fits nowhere; in the next cycle it
    # is the other way round, and so for ever.
    replay = replay_of(tmp_path, queue("a", 6, 4, strategy=strategy))
    replay.submit(job("early", "a", 0, 3, 60), 0)
    replay.submit(job("second", "a", 1, 4, 60), 0)
    assert started(replay, 0) == ["a/early", "a/second"]
    replay.submit(in_two_parts("round", 3, 3), SECOND)
    replay.submit(job("behind", "a", 2, 1, 60), 2 * SECOND)
    assert started(replay, 2) == []
    assert [gap.feature for gap in replay.fidelity.gaps if gap.touches] == ["RepeatedScan"]
    replay.finish("a/second", 60 * SECOND)
    assert started(replay, 60) == ["a/round", "a/behind"]


def test_a_workload_that_is_skipped_goes_on_until_its_scan_comes_to_the_same_place(tmp_path: Path) -> None:
    snapshot = snapshot_of(tmp_path, _FLAVORS + queue("a", 2, 2))
    workload, _ = Shapes(snapshot).workload(job("w", "a", 0, 1, 60), "uid")
    skipped, scans = nominate(state_of(snapshot), workload), Scans(keeps=True)
    assert scans.go_on(skipped, 1)
    assert scans.going_on
    scans.going_on = False
    assert scans.tried_before(workload, 2) == {0: {"nvidia.com/gpu": 0}}
    assert scans.going_on
    assert not scans.repeats
    scans.going_on = False
    scans.go_on(skipped, 3)
    assert scans.repeats
    assert not scans.going_on


def test_a_workload_that_is_evicted_at_the_moment_of_its_admission_makes_room_at_once(tmp_path: Path) -> None:
    # Kueue: `huge` gets nothing, while `late` borrows; in the next cycle, `own` takes back what is its queue's.
    replay = replay_of(tmp_path, queue("a", 2, 0), queue("b", 2, 0, reclaim="Any"))
    replay.submit(job("late", "a", 0, 4, 60), 0)
    replay.submit(job("huge", "b", 0, 9, 60, priority=1), 0)
    replay.submit(job("own", "b", 0, 2, 60), 0)
    moves = settled(replay, 0)
    assert stopped(moves) == [("a/late", "b/own")]
    assert [unit for move in moves for unit in move.started] == ["a/late", "b/own"]
    assert replay.fidelity.exact


_PART: Final = "{{name: {0}, count: 3, template: {{spec: {{containers: [{{name: c, image: i, resources: {1}}}]}}}}}}"


def test_made_up_work_behind_a_scan_that_goes_round_and_round_is_left_to_chance(tmp_path: Path) -> None:
    one = "{requests: {nvidia.com/gpu: 1}}"
    parts = ", ".join(_PART.format(name, one) for name in ("a", "b"))
    waits = f"""
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {{namespace: a, name: round, uid: round, creationTimestamp: "2026-01-01T00:00:00Z"}}
spec: {{queueName: main, podSets: [{parts}]}}
"""
    snapshot = snapshot_of(tmp_path, _FLAVORS + queue("a", 6, 4) + waits)
    before = scheduler_named("kueue").review.sandbox(snapshot)
    for pool, gpus in (("first", 3), ("second", 4)):
        before = before.placed(pool, MadeUpWork("a", {"nvidia.com/gpu": gpus}), pool)
    after = before.submitted("behind", MadeUpWork("a", {"nvidia.com/gpu": 1})).sandbox
    assert [gap.feature for gap in after.doubts] == ["RepeatedScan"]
    assert [*after.waiting()] == ["behind"]


_ARRIVING: Final = (("a", {"cpu": 5000}), ("b", {"cpu": 5000}), ("c", {"cpu": 2000, "memory": 2}))


def test_workloads_that_evict_each_other_pause_at_the_second_eviction_and_are_left_to_chance(tmp_path: Path) -> None:
    local = "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {{namespace: {0}, name: main}}\n"
    local += "spec: {{clusterQueue: {0}}}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {0}}}\n"
    policy = (ROOT / "testdata/search/s2b-alone.yaml").read_text() + "\n" + "".join(map(local.format, "abc"))
    replay = KueueReplay(snapshot_of(tmp_path, policy), ReplayTerms(), sayings())
    done: list[Moves] = []
    for number, (name, asked) in enumerate(_ARRIVING):
        assert replay.fidelity.exact
        pods = (TracedPods("main", 1, asked),)
        replay.submit(TracedJob("w", name, "main", number * SECOND, pods, duration=600 * SECOND), number * SECOND)
        done = settled(replay, number)
    assert stopped(done) == [("b/w", "c/w"), ("b/w", "c/w")]
    assert [gap.feature for gap in replay.fidelity.gaps if gap.touches] == ["MutualEvictions"]
    assert replay.wakes() == 3 * SECOND


def test_releases_that_keep_less_forget_a_scan_that_was_skipped_or_when_quota_is_released(tmp_path: Path) -> None:
    """Kueue v0.17.8: `markSkipped` drops the last assignment, and a newer generation of its queue makes it outdated."""
    snapshot = snapshot_of(tmp_path, _FLAVORS + queue("a", 2, 2))
    workload, _ = Shapes(snapshot).workload(job("w", "a", 0, 1, 60), "uid")
    nomination, scans = nominate(state_of(snapshot), workload), Scans(keeps=False)
    scans.skip(nomination, 1)
    assert not scans.tried_before(workload, 2)
    assert scans.go_on(nomination, 3)
    assert scans.tried_before(workload, 4)
    assert scans.go_on(nomination, 5)
    scans.note_change(5, given_back=True)
    assert not scans.tried_before(workload, 6)
