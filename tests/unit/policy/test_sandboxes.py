"""Made-up work on one state of each scheduler: who gets in, who has to leave, and what is left as it was."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.kai.review.sandbox import KaiSandbox
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE, Preemption, Quota
from kubectl_fairshare.schedulers.kueue.review.sandbox import opened
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox, is_scattered
from tests.screens import ROOT
from tests.unit.schedulers.kai.inputs import NODES, queues, running, waiting
from tests.unit.schedulers.kueue.build import cohort, holder, queue, state

GPU = "nvidia.com/gpu"
KAI_STATE = queues(4) + NODES + running(7)
INPUTS = {
    "kueue": ("testdata/diff/before.yaml", "vision", "speech"),
    "kai": ("testdata/demo/kai", "speech", "product"),
    "elasticquota": ("testdata/demo/capacity", "research", "production"),
}


def snapshot_of(scheduler: str) -> Snapshot:
    """A scheduler's input."""
    manifests = read([str(ROOT / INPUTS[scheduler][0])], known_schedulers()).manifests
    return assemble(manifests, known_schedulers()).snapshot


def sandbox_of(scheduler: str) -> Sandbox:
    """The idle sandbox of a scheduler's input."""
    return scheduler_named(scheduler).review.sandbox(snapshot_of(scheduler)).idle()


@pytest.fixture(params=INPUTS)
def scheduler(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_work_within_the_quota_of_an_idle_queue_gets_in(scheduler: str) -> None:
    sandbox, queue = sandbox_of(scheduler), INPUTS[scheduler][1]
    work = MadeUpWork(queue, {GPU: 1}, 2) if scheduler != "elasticquota" else MadeUpWork(queue, {GPU: 2})

    after = sandbox.submitted("first", work)

    assert sandbox.ruling(work).outcome is Outcome.ADMITTED
    assert sandbox.is_entitled(work)
    assert after.rests
    assert not after.sandbox.waiting()
    assert sum(v for (_, r), v in after.sandbox.used(queue).items() if r == GPU) == 2


def test_a_submission_leaves_the_sandbox_before_it_as_it_was(scheduler: str) -> None:
    sandbox, queue = sandbox_of(scheduler), INPUTS[scheduler][1]

    sandbox.submitted("first", MadeUpWork(queue, {GPU: 1}))

    assert not sandbox.used(queue)
    assert not sandbox.waiting()


def test_work_beyond_everything_never_gets_in(scheduler: str) -> None:
    sandbox, queue = sandbox_of(scheduler), INPUTS[scheduler][1]
    work = MadeUpWork(queue, {GPU: 1000})

    assert sandbox.ruling(work).outcome is Outcome.NEVER
    assert sandbox.answer(work).outcome in (Outcome.NEVER, Outcome.UNKNOWN)
    assert list(sandbox.submitted("w", work).sandbox.waiting()) == ["w"]


def test_a_queue_takes_back_what_is_its_own_and_who_left_waits_again() -> None:
    sandbox = sandbox_of("kueue").submitted("big", MadeUpWork("speech", {GPU: 20})).sandbox

    after = sandbox.submitted("own", MadeUpWork("vision", {GPU: 12}))

    assert [(each.name, each.by, each.rule) for each in after.removals] == [("big", "own", "reclaim")]
    assert list(after.sandbox.waiting()) == ["big"]


def test_one_flavor_alone_can_be_asked_about() -> None:
    sandbox = sandbox_of("kueue")

    assert sandbox.ruling(MadeUpWork("vision", {GPU: 20}), "a100").outcome is Outcome.ADMITTED
    assert sandbox.queue_called("vision/main") == "vision"
    assert sandbox.queue_called("nothing") is None


def test_kai_without_nodes_says_what_is_missing() -> None:
    manifests = read([str(ROOT / "testdata/demo/kai/queues.yaml")], known_schedulers()).manifests
    snapshot = assemble(manifests, known_schedulers()).snapshot

    with pytest.raises(UsageError, match="no Node is in the input"):
        scheduler_named("kai").review.sandbox(snapshot)


def test_what_waits_for_a_terminating_pod_of_kai_gets_its_room(tmp_path: Path) -> None:
    leaving = KAI_STATE.replace("uid: r1-pod,", "uid: r1-pod, deletionTimestamp: '2026-02-01T00:00:09Z',")
    one = MadeUpWork("a", {GPU: 1})
    (tmp_path / "in.yaml").write_text(leaving)
    manifests = read([str(tmp_path / "in.yaml")], known_schedulers()).manifests
    sandbox = scheduler_named("kai").review.sandbox(assemble(manifests, known_schedulers()).snapshot)

    assert sandbox.copies(one, "", 9) == 2
    after = sandbox.submitted("first", one).sandbox.submitted("second", one)
    assert (after.rests, list(after.sandbox.waiting()), after.removals) == (True, [], ())


def test_copies_of_kai_are_counted_where_another_job_is_about_to_reclaim(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text(queues(3) + NODES + running(7) + waiting(2))
    manifests = read([str(tmp_path / "in.yaml")], known_schedulers()).manifests
    sandbox = scheduler_named("kai").review.sandbox(assemble(manifests, known_schedulers()).snapshot)
    work = {queue: MadeUpWork(queue, {GPU: 1}) for queue in "ab"}

    assert sandbox.submitted("new", work["b"]).removals
    assert [sandbox.copies(each, "", 9) for each in work.values()] == [1, 1]
    assert [sandbox.ruling(each).outcome for each in work.values()] == [Outcome.ADMITTED, Outcome.ADMITTED]


def test_a_large_state_of_kai_allows_fewer_figures_and_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = scheduler_named("kai").review.sandbox(snapshot_of("kai"))
    assert isinstance(sandbox, KaiSandbox)
    objects = len(sandbox.state.queues) + len(sandbox.state.pods) + len(sandbox.state.nodes)
    assert sandbox.most_figures == 30_000 // objects
    monkeypatch.setattr("kubectl_fairshare.schedulers.kai.review.sandbox._COPIED_OBJECTS", 60 * objects)
    assert [sandbox.most_copies(figures) for figures in (1, 3, 10, 100)] == [60, 20, 6, 5]
    monkeypatch.setattr("kubectl_fairshare.schedulers.kai.review.sandbox.MOST_SESSION_STEPS", objects - 1)
    assert sandbox.most_figures == 1


def test_quotas_without_nodes_presume_one_and_say_so() -> None:
    manifests = read([str(ROOT / "testdata/demo/capacity/quotas.yaml")], known_schedulers()).manifests
    snapshot = assemble(manifests, known_schedulers()).snapshot

    assert "presumed" in scheduler_named("elasticquota").review.sandbox(snapshot).notes[0]


def of_texts(tmp_path: Path, text: str) -> Sandbox:
    """The sandbox of ElasticQuotas in a file."""
    (tmp_path / "in.yaml").write_text(text)
    manifests = read([str(tmp_path / "in.yaml")], known_schedulers()).manifests
    return scheduler_named("elasticquota").review.sandbox(assemble(manifests, known_schedulers()).snapshot)


NODE = """\
apiVersion: v1
kind: Node
metadata: {name: NAME}
status: {allocatable: {cpu: 4, pods: 9}}
---
"""
QUOTA = """\
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: quota, namespace: a}
spec: {min: {cpu: 8}}
---
"""
NOMINATED = """\
apiVersion: v1
kind: Pod
metadata: {name: kept, namespace: a}
spec: {schedulerName: own, priority: 5, containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}
status: {phase: Pending, nominatedNodeName: n1}
"""


def test_a_pod_that_is_nominated_to_a_node_takes_its_room(tmp_path: Path) -> None:
    sandbox = of_texts(tmp_path, NODE.replace("NAME", "n1") + QUOTA + NOMINATED)

    assert sandbox.ruling(MadeUpWork("a", {"cpu": 1000})).outcome is Outcome.ADMITTED
    assert sandbox.ruling(MadeUpWork("a", {"cpu": 2000})).outcome is Outcome.WAITS
    assert sandbox.copies(MadeUpWork("a", {"cpu": 1000}), "", 9) == 1
    assert [gap.feature for gap in sandbox.submitted("w", MadeUpWork("a", {"cpu": 1})).sandbox.doubts] == ["InputWaits"]
    assert sandbox.raised("a", {}).ruling(MadeUpWork("a", {"cpu": 4000})).outcome is Outcome.ADMITTED
    assert sandbox.idle().submitted("w", MadeUpWork("a", {"cpu": 4000})).sandbox.doubts == ()


def test_where_earlier_pods_are_matters_to_a_pod_that_may_not_have_room(tmp_path: Path) -> None:
    nodes = "".join(NODE.replace("NAME", name) for name in ("n1", "n2"))
    small, large = MadeUpWork("a", {"cpu": 1000}), MadeUpWork("a", {"cpu": 4000})
    twice = of_texts(tmp_path, nodes + QUOTA).submitted("w1", small).sandbox.submitted("w2", small).sandbox

    assert twice.doubts == twice.doubts_about(MadeUpWork("a", {"cpu": 2000})) == ()
    assert [gap.feature for gap in twice.doubts_about(large)] == ["NodeScores"]
    assert [gap.feature for gap in twice.ruling(large).chance()] == ["NodeScores"]
    assert [gap.feature for gap in twice.submitted("w3", large).sandbox.doubts] == ["NodeScores"]
    alike = twice
    for number in range(7):
        alike = alike.submitted(f"more-{number}", small).sandbox
    assert (alike.doubts, list(alike.waiting())) == ((), ["more-6"])
    given = of_texts(tmp_path, nodes + QUOTA).placed("one", small).placed("two", small)
    assert [gap.feature for gap in given.doubts_about(large)] == ["NodeScores"]


@pytest.mark.parametrize(("held", "gaps"), [((3, 3), ["EqualChoices"]), ((4, 2), [])])
def test_which_of_two_equal_cohorts_gives_back_is_left_to_chance(held: tuple[int, int], gaps: list[str]) -> None:
    equal = (cohort("m", "all"), cohort("n", "all"))
    borrowers = [queue(name, above, Quota(2)) for name, above in (("b", "m"), ("c", "n"))]
    running = [holder(f"{name}{i}", name) for name, many in zip("bc", held, strict=True) for i in range(many)]
    asker = queue("a", "all", Quota(1), preemption=Preemption(reclaim_within_cohort="Any"))
    strategies = FINAL_SHARE, INITIAL_SHARE
    known = state(cohort("all", None, Quota(1)), *equal, asker, *borrowers, *running, strategies=strategies)
    sandbox = opened(known.snapshot)
    work = MadeUpWork("a", {"gpu": 1})
    after = sandbox.submitted("w", work).sandbox

    assert sandbox.ruling(work).outcome is Outcome.PREEMPTS
    for found in (sandbox.ruling(work).chance(), after.doubts, after.ruling(work).chance(), after.entry(work).chance()):
        assert [gap.feature for gap in found] == gaps
    assert sandbox.idle().ruling(work).chance() == ()


def test_kueue_may_put_back_a_preemptor_in_a_later_release() -> None:
    asker = queue("a", "all", Quota(1), preemption=Preemption(reclaim_within_cohort="Any"))
    known = state(cohort("all"), asker, queue("b", "all"), holder("b0", "b"), strategies=(FINAL_SHARE, INITIAL_SHARE))
    release = replace(known.configuration.release, changed_features=frozenset({"PreemptorFirst"}))
    later = replace(known.configuration, release=release)
    for configuration, gaps in ((known.configuration, []), (later, ["ChangedPreemptorFirst"])):
        snapshot = known.snapshot.with_part(replace(known.kueue, configuration=configuration))
        after = opened(snapshot).submitted("w", MadeUpWork("a", {"gpu": 1})).sandbox
        assert [gap.feature for gap in after.doubts] == gaps


@pytest.mark.parametrize(
    ("nodes", "scattered", "choices", "by_quota", "expected"),
    [
        ("ab", "", "", False, False),
        ("ab", "", "a", False, False),
        ("ab", "", "ab", False, True),
        ("ab", "", "a", True, True),
        ("ab", "", "", True, False),
        ("ab", "w", "a", False, True),
        ("ab", "w", "", False, True),
        ("a", "w", "a", True, False),
    ],
)
def test_where_a_pod_may_be(nodes: str, scattered: str, choices: str, by_quota: bool, expected: bool) -> None:
    assert is_scattered(nodes, scattered, choices, by_quota=by_quota) is expected


def test_a_pod_that_preempts_for_its_quota_alone_may_get_any_node(tmp_path: Path) -> None:
    nodes = NODE.replace("NAME", "n1") + NODE.replace("NAME", "n2").replace("cpu: 4", "cpu: 6")
    full = QUOTA.replace("{cpu: 8}", "{cpu: 4}, max: {cpu: 4}")
    other = QUOTA.replace("namespace: a", "namespace: b")
    low = NOMINATED.replace("priority: 5", "priority: -1, nodeName: n1").replace("cpu: 3", "cpu: 4")
    low = low.replace("phase: Pending, nominatedNodeName: n1", "phase: Running")
    sandbox = of_texts(tmp_path, nodes + full + other + low)
    after = sandbox.submitted("w", MadeUpWork("a", {"cpu": 4000}))
    assert [removal.name for removal in after.removals] == ["kept"]
    for before, gaps in ((sandbox, []), (after.sandbox, ["NodeScores"])):
        assert [gap.feature for gap in before.doubts_about(MadeUpWork("b", {"cpu": 6000}))] == gaps
