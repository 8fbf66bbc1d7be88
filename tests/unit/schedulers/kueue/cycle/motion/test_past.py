"""Past usage over time: how long it can change who is first, and what becomes of it when a policy changes."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.admission_sharing import figures
from kubectl_fairshare.schedulers.kueue.admission_sharing.figures import Amounts
from kubectl_fairshare.schedulers.kueue.cycle.motion import past
from kubectl_fairshare.schedulers.kueue.cycle.motion.replay import KueueReplay
from kubectl_fairshare.schedulers.kueue.words.simulation import sayings
from kubectl_fairshare.schedulers.replay import ReplayTerms
from tests.unit.policy.simulation.states import SECOND, job, queue, snapshot_of

_SHARING = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 10s}
"""
_SCOPE = "spec:\n  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n"


def shared(folder: Path, text: str = "", strategy: str = "StrictFIFO") -> Snapshot:
    """Queue ``a`` with 4 GPUs, which orders by past usage."""
    return snapshot_of(folder, _SHARING + queue("a", 4, strategy=strategy).replace("spec:\n", _SCOPE, 1) + text)


def replay_of(snapshot: Snapshot) -> KueueReplay:
    return KueueReplay(snapshot, ReplayTerms(), sayings())


def settle(replay: KueueReplay, now: int) -> list[str]:
    """Who starts in the cycles of one moment."""
    return [unit for _ in range(3) for unit in replay.run(now).started]


def test_samples_end_once_no_order_lets_a_workload_in(tmp_path: Path) -> None:
    replay = replay_of(shared(tmp_path))
    replay.submit(job("first", "a", 0, 4, 60), 0)
    replay.submit(job("large", "a", 1, 9, 60), 0)
    assert settle(replay, 0) == ["a/first"]
    assert replay.wakes() == 10 * SECOND
    replay.finish("a/first", 60 * SECOND)
    settle(replay, 60 * SECOND)
    settle(replay, 61 * SECOND)  # what was released wakes the tree
    assert replay.wakes() is None
    replay.submit(job("second", "a", 70, 4, 60, priority=1), 70 * SECOND)
    assert settle(replay, 70 * SECOND) == ["a/second"]
    assert replay.wakes() is not None
    assert replay.fidelity.exact


def test_samples_end_where_nothing_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MOST_SAMPLES", 3)
    replay = replay_of(shared(tmp_path))
    replay.submit(job("first", "a", 0, 4, None), 0)
    replay.submit(job("large", "a", 1, 9, 60), 0)
    moments, now = [], 0
    for _ in range(9):
        settle(replay, now)
        wakes = replay.wakes()
        if wakes is None:
            break
        now = wakes
        moments.append(now // SECOND)
    assert moments == [10, 20, 30]
    assert [gap.feature for gap in replay.fidelity.gaps if gap.touches] == ["EndlessSamples"]


def test_samples_end_once_they_change_nothing(tmp_path: Path) -> None:
    text = _SHARING.replace("usageHalfLifeTime: 1h", "usageHalfLifeTime: 1s")
    queues = queue("a", 4, strategy="StrictFIFO").replace("spec:\n", _SCOPE, 1)
    replay = replay_of(snapshot_of(tmp_path, text + queues))
    replay.submit(job("first", "a", 0, 4, None), 0)
    replay.submit(job("large", "a", 1, 9, 60), 0)
    moments: list[int | None] = [0]
    while moments[-1] is not None and len(moments) < 20:
        settle(replay, moments[-1])
        moments.append(replay.wakes())
    assert moments[-1] is None
    assert replay.fidelity.exact


def test_a_sample_that_reorders_no_local_queues_is_no_reason_for_a_cycle(tmp_path: Path) -> None:
    other = "\n---\n" + queue("a", 4).split("---")[-1].replace("name: main", "name: other")
    replay = replay_of(shared(tmp_path, other))
    replay.submit(job("first", "a", 0, 4, None), 0)
    replay.submit(job("large", "a", 1, 9, 60), 0)
    replay.submit(replace(job("other", "a", 2, 9, 60), queue="other"), 0)
    settle(replay, 0)
    settle(replay, 10 * SECOND)
    decisions = [replay.run(moment * SECOND).decisions for moment in range(20, 200, 10)]
    assert sum(decisions) == 0


def test_a_far_moment_is_reached_with_few_samples_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MOST_FIGURES", 50)
    replay = replay_of(shared(tmp_path))
    replay.submit(job("first", "a", 0, 4, None), 0)
    settle(replay, 0)
    made: list[int] = []
    sampled = figures.sampled

    def counted(*words: Any) -> Amounts:
        made.append(1)
        return sampled(*words)

    monkeypatch.setattr(figures, "sampled", counted)
    assert not [gap for gap in replay.fidelity.gaps if gap.touches]
    settle(replay, 10**9 * SECOND)
    assert len(made) <= 52
    assert [gap.feature for gap in replay.fidelity.gaps if gap.touches] == ["EndlessSamples"]


def test_a_stopped_local_queue_is_not_waited_for(tmp_path: Path) -> None:
    held = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {namespace: a, name: held}
spec: {clusterQueue: a, stopPolicy: Hold}
"""
    replay = replay_of(shared(tmp_path, held))
    replay.submit(job("first", "a", 0, 4, 60), 0)
    replay.submit(job("large", "a", 1, 9, 60), 0)
    settle(replay, 0)
    settle(replay, 10 * SECOND)
    assert replay.wakes() == 20 * SECOND


def test_usage_counts_for_the_weight_that_a_local_queue_has_after_a_change(tmp_path: Path) -> None:
    replay = replay_of(shared(tmp_path))
    replay.submit(job("first", "a", 0, 4, 60), 0)
    settle(replay, 0)
    before = replay.users(0)["a/main"].standing
    heavy = "spec: {clusterQueue: a, fairSharing: {weight: 2}}"
    text = (tmp_path / "policy.yaml").read_text().replace("spec: {clusterQueue: a}", heavy)
    replay.change(snapshot_of(tmp_path, text), 0)
    after = replay.users(0)["a/main"].standing
    assert before is not None
    assert before > 0
    assert after == pytest.approx(before / 2)


@pytest.mark.parametrize(
    ("old", "new", "feature"),
    [
        ("nominalQuota: 4", "nominalQuota: 5", None),
        ("UsageBasedAdmissionFairSharing", "NoAdmissionFairSharing", "AdmissionScopeOverTime"),
        ("usageHalfLifeTime: 1h", "usageHalfLifeTime: 2h", "ConfigurationOverTime"),
        ("queueingStrategy: StrictFIFO", "admissionChecksStrategy: {admissionChecks: [{name: c}]}", "AdmissionChecks"),
    ],
)
def test_what_a_change_of_the_policy_does_and_is_not_played_makes_a_simulation_inexact(
    tmp_path: Path, old: str, new: str, feature: str | None
) -> None:
    check = """
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata: {name: c}
spec: {controllerName: some.io/slow}
status: {conditions: [{type: Active, status: "True", reason: Active, message: m}]}
"""
    replay = replay_of(shared(tmp_path, check))
    text = (tmp_path / "policy.yaml").read_text()
    replay.change(snapshot_of(tmp_path, text.replace(old, new)), SECOND)
    replay.change(snapshot_of(tmp_path, text.replace(old, new)), 2 * SECOND)
    found = {gap.feature for gap in replay.fidelity.gaps if gap.touches}
    assert (not found) if feature is None else any(each.startswith(feature) for each in found)
    if feature is not None:
        replay.change(snapshot_of(tmp_path, text), 3 * SECOND)
        assert found <= {gap.feature for gap in replay.fidelity.gaps if gap.touches}
