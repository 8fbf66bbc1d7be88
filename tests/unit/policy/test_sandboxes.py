"""Made-up work on one state of each scheduler: who gets in, who has to leave, and what is left as it was."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Sandbox
from tests.screens import ROOT

GPU = "nvidia.com/gpu"
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


def test_quotas_without_nodes_presume_one_and_say_so() -> None:
    manifests = read([str(ROOT / "testdata/demo/capacity/quotas.yaml")], known_schedulers()).manifests
    snapshot = assemble(manifests, known_schedulers()).snapshot

    assert "presumed" in scheduler_named("elasticquota").review.sandbox(snapshot).notes[0]
