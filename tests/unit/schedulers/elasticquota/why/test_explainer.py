"""Why pods are where they are: by name, by the object that makes them, or all that wait."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.elasticquota.why.explainer import explainer as explained
from kubectl_fairshare.schedulers.elasticquota.why.verdict import Reason, Why
from kubectl_fairshare.schedulers.kubescheduler.explainer import PodExplainer

WAITING = Path(__file__).resolve().parents[5] / "testdata" / "elasticquota" / "waiting.yaml"


@pytest.fixture(scope="module")
def explainer() -> PodExplainer[Why]:
    snapshot: Snapshot = assemble(read([str(WAITING)], known_schedulers()).manifests, known_schedulers()).snapshot
    return explained(snapshot, state_of(snapshot.part(ElasticQuotaState)), None)


def about(explainer: PodExplainer[Why], *names: str) -> Sequence[Why]:
    subjects = explainer.subjects.named(names, "research", anywhere=True)
    return [*explainer.about([*subjects])]


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("job/sweep", Verdict.NOT_NOW, Reason.OVER_POOL),
        ("research/sweep-3", Verdict.NOT_NOW, Reason.OVER_POOL),
        ("sweep-1", Verdict.RUNNING, Reason.PLACED),
        ("serve-next", Verdict.WAITING, Reason.NEXT_PREEMPTION),
        ("wide", Verdict.NOT_NOW, Reason.SCATTERED),
        ("huge", Verdict.NEVER, Reason.OVER_MAX),
        ("gated", Verdict.WAITING, Reason.GATED),
        ("stray", Verdict.UNMANAGED, Reason.OTHER_SCHEDULER),
        ("small", Verdict.WAITING, Reason.NEXT_ATTEMPT),
        ("done", Verdict.FINISHED, Reason.FINISHED),
        ("deployment/web", Verdict.NOT_NOW, Reason.REFUSED),
        ("job/nightly", Verdict.WAITING, Reason.SUSPENDED),
    ],
)
def test_each_object_of_the_scenario_has_its_reason(
    explainer: PodExplainer[Why], name: str, verdict: Verdict, reason: Reason
) -> None:
    (why,) = about(explainer, name)
    assert (why.verdict, why.reason) == (verdict, reason)


def test_waiting_pods_of_a_job_that_are_alike_are_answered_together(explainer: PodExplainer[Why]) -> None:
    (why,) = about(explainer, "job/sweep")
    assert why.job is not None
    assert why.key is not None
    assert (why.key.name, [key.name for key in why.alike]) == ("sweep-3", ["sweep-4"])


def test_who_holds_and_who_is_tried_first_is_told(explainer: PodExplainer[Why]) -> None:
    (why,) = about(explainer, "sweep-3")
    assert [(each.pod.key.name, each.amount) for each in why.held] == [(f"sweep-{i}", 2) for i in range(3)]
    assert [pod.key.name for pod in why.ahead] == ["serve-next"]
    assert (why.equals, why.rivals) == (4, 6)


def test_who_preempts_a_placed_pod_now_is_told(explainer: PodExplainer[Why]) -> None:
    (why,) = about(explainer, "sweep-2")
    assert why.holding is not None
    assert [(each.pod.key.name, each.node) for each in why.holding.now] == [("serve-next", "gpu-2")]


def test_what_the_cluster_recorded_is_told(explainer: PodExplainer[Why]) -> None:
    (why,) = about(explainer, "sweep-3")
    assert why.record is not None
    assert why.record.unscheduled is not None
    assert [event.count for event in why.record.events] == [7]
    assert why.since == why.record.unscheduled.moment


def test_pods_that_are_not_created_are_counted(explainer: PodExplainer[Why]) -> None:
    (why,) = about(explainer, "web")
    assert (why.missing, [refusal.name for refusal in why.refusals]) == (3, ["requests.cpu"])


def test_all_that_wait_are_listed_once(explainer: PodExplainer[Why]) -> None:
    names = [(why.job or why.key) for why in explainer.waiting(None)]
    wanted = ["gated", "huge", "serve-next", "small", "stray", "sweep", "web", "wide"]
    assert sorted(key.name for key in names if key is not None) == wanted
    assert {key.namespace for why in explainer.waiting("research") if (key := why.job or why.key)} == {"research"}


def test_the_list_does_not_search_for_what_would_help(explainer: PodExplainer[Why]) -> None:
    assert all(why.plan is None or why.plan.remedies == () for why in explainer.waiting(None))
    (why,) = about(explainer, "sweep-3")
    assert why.plan is not None
    assert why.plan.remedies != ()
