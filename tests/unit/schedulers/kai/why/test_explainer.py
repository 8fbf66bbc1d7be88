"""Where each job of a scenario stands, and why: ``testdata/kai/why`` has one job for each reason."""

from functools import cache
from pathlib import Path

import pytest

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.moments import moment_text, nanoseconds
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.solver.cycle import MOST
from kubectl_fairshare.schedulers.kai.why.explainer import Explainer
from kubectl_fairshare.schedulers.kai.why.standing import Reason, Why
from kubectl_fairshare.schedulers.kai.words.why_words import why_clause
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of
from tests.unit.schedulers.kai.build import snapshot_of
from tests.unit.schedulers.kai.solver.scenes import Json, node, one, pod, queue

NOW = nanoseconds("2026-02-01T12:00:00Z")


@cache
def snapshot() -> Snapshot:
    return snapshot_of("testdata/kai/why")


def why(name: str, now: int | None = NOW) -> Why:
    (found,) = Explainer(snapshot(), now).whys(WhyQuestion((name,), "ml", now=now))
    return found


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("podgroup/llm", Verdict.RUNNING, Reason.SCHEDULED),
        ("podgroup/done", Verdict.FINISHED, Reason.FINISHED),
        ("podgroup/sweep", Verdict.NOT_NOW, Reason.OVER_LIMIT),
        ("podgroup/notebook", Verdict.NOT_NOW, Reason.OVER_QUOTA),
        ("podgroup/render", Verdict.NOT_NOW, Reason.UNSCHEDULABLE),
        ("podgroup/burst", Verdict.NOT_NOW, Reason.UNSCHEDULABLE),
        ("podgroup/patient", Verdict.WAITING, Reason.DELAYED),
        ("podgroup/gang", Verdict.WAITING, Reason.NOT_READY),
        ("podgroup/gated", Verdict.WAITING, Reason.NOT_READY),
        ("job/fresh", Verdict.WAITING, Reason.NO_POD_GROUP),
        ("podgroup/lost", Verdict.NEVER, Reason.NO_QUEUE),
        ("podgroup/misplaced", Verdict.NEVER, Reason.INNER_QUEUE),
        ("podgroup/giant", Verdict.NEVER, Reason.UNSCHEDULABLE),
        ("podgroup/once", Verdict.NEVER, Reason.TRIED_ONCE),
        ("podgroup/elsewhere", Verdict.NEVER, Reason.NO_SHARD),
        ("podgroup/foreign", Verdict.UNMANAGED, Reason.OTHER_SCHEDULER),
    ],
)
def test_each_job_stands_where_its_scenario_says(name: str, verdict: Verdict, reason: Reason) -> None:
    found = why(name)
    assert (found.verdict, found.reason) == (verdict, reason)


def test_what_binds_ends_with_the_first_min_runtime_or_the_delay() -> None:
    assert moment_text(why("podgroup/burst").until or 0) == "2026-02-01T12:15:00Z"
    assert moment_text(why("podgroup/patient").until or 0) == "2026-02-01T12:10:00Z"


def test_without_a_moment_of_asking_no_end_is_told_and_nobody_is_safe() -> None:
    found = why("podgroup/burst", None)
    assert (found.until, found.safe, found.verdict) == (None, (), Verdict.NOT_NOW)


@pytest.mark.slow
def test_a_pod_and_its_job_stand_where_their_pod_group_does() -> None:
    key = ObjectKey("scheduling.run.ai", "PodGroup", "ml", "pg-detect")
    assert [why(name).group for name in ("job/detect", "pod/detect-0", "podgroup/pg-detect")] == [key] * 3


def test_all_that_wait_are_those_that_neither_run_nor_have_finished() -> None:
    found = {each.subject.name for each in Explainer(snapshot(), NOW).whys(WhyQuestion((), None, now=NOW))}
    assert {"sweep", "burst", "gated", "lost", "foreign"} <= found
    assert not {"llm", "serve", "batch", "pg-detect", "done"} & found
    assert [*Explainer(snapshot(), NOW).whys(WhyQuestion((), "other", now=NOW))] == []


@pytest.mark.slow
def test_since_is_when_kai_gave_up_else_the_creation() -> None:
    assert moment_text(why("podgroup/sweep").since or 0) == "2026-02-01T10:00:05Z"
    assert moment_text(why("podgroup/render").since or 0) == "2026-02-01T10:30:00Z"


def test_a_queue_is_no_job() -> None:
    with pytest.raises(UsageError) as caught:
        why("podgroup/vision")
    assert "no podgroup `vision`" in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("spec", "reason"),
    [("suspend: true, parallelism: 1", Reason.SUSPENDED), ("parallelism: 0", Reason.SCALED_TO_ZERO)],
)
def test_a_job_that_makes_no_pods_says_why_it_has_no_pod_group(spec: str, reason: Reason, tmp_path: Path) -> None:
    text = Path("testdata/kai/why/jobs.yaml").read_text(encoding="utf-8")
    without = text.replace("spec: {parallelism: 1, template", f"spec: {{{spec}, template")
    (tmp_path / "jobs.yaml").write_text(without, encoding="utf-8")
    (found,) = Explainer(snapshot_of(str(tmp_path)), NOW).whys(WhyQuestion(("job/fresh",), "ml", now=NOW))
    assert (found.verdict, found.reason) == (Verdict.WAITING, reason)


def reported(name: str) -> Why:
    question = WhyQuestion(("podgroup/fin",), "ml")
    (why,) = Explainer(snapshot_of(f"testdata/reports/{name}/state.yaml"), question.now).whys(question)
    return why


def test_a_gang_of_which_a_pod_has_succeeded_runs() -> None:
    """IsStale (job_info.go) is false for a job with a Succeeded pod: the stalegangeviction action leaves it."""
    why = reported("kai-gang-ended-member")
    assert (why.verdict, why.reason) == (Verdict.RUNNING, Reason.SCHEDULED)


def test_a_gang_of_which_a_pod_has_failed_is_evicted_after_its_grace_period() -> None:
    """handleStaleJob (stalegangeviction.go) evicts it a minute, the default, after the first cycle that sees it."""
    why = reported("kai-gang-failed-member")
    assert (why.verdict, why.reason, why.grace) == (Verdict.RUNNING, Reason.STALE, 60 * 10**9)
    assert why_clause(why).endswith("KAI evicts the rest 1m after it first sees that")


def of_objects(name: str, *objects: Json) -> Why:
    """The reason of an object, or without a name of the only one that waits."""
    manifests = manifests_of(map(accepted_form, objects), "scene")
    found = assemble(manifests, known_schedulers(), complete=False).snapshot
    (why,) = Explainer(found, NOW).whys(WhyQuestion((name,) if name else (), None, anywhere=True, now=NOW))
    return why


def test_a_list_rests_on_as_many_runs_of_kai_as_the_reason_of_one() -> None:
    """A job that one of 25 orders keeps out was admitted next in the list, which tried 13."""
    state = node("n0", 2), queue("a"), *one("r", "a", 0.5, "n0", group="g"), *one("j", "a", 0.7)
    plans = [of_objects(name, *state).plan for name in ("podgroup/j", "")]
    runs = {len(made.placement.orders) for made in plans if made is not None and made.placement is not None}
    assert runs == {1 + MOST}


def test_a_pod_on_its_node_runs_though_the_input_lacks_its_pod_group() -> None:
    why = of_objects("pod/j-0", node("n0"), queue("a"), pod("j", 0, 1, "n0"))
    assert (why.verdict, why.reason, why.fidelity.exact) == (Verdict.RUNNING, Reason.SCHEDULED, False)
    assert "PodGroup team/j" in str(why.fidelity.gaps)


def test_a_pod_that_reserves_a_gpu_for_others_runs() -> None:
    reserves = pod("group", 0, 1, "n0")
    app = {"app": "kai-resource-reservation"}
    reserves["metadata"] = {"name": "reservation", "namespace": app["app"], "uid": "u", "labels": app}
    reserves["spec"]["schedulerName"] = "default-scheduler"
    why = of_objects("pod/reservation", node("n0"), queue("a"), reserves)
    assert (why.verdict, why.fidelity.exact) == (Verdict.RUNNING, True)


def test_a_job_of_which_every_pod_terminates_is_being_evicted() -> None:
    leaving = one("j", "a", 1, "n0", leaves="2026-02-01T12:00:10Z")
    why = of_objects("podgroup/j", node("n0"), queue("a"), *leaving)
    assert (why.verdict, why.reason) == (Verdict.WAITING, Reason.EVICTED)
