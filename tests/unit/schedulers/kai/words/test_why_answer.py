"""KAI's reasons in the form that all schedulers share."""

import json

import pytest

from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.report.why import WhyReport
from kubectl_fairshare.schedulers.kai.house import HOUSE
from kubectl_fairshare.schedulers.question import WhyQuestion
from tests.sampling import sampled
from tests.unit.schedulers.kai.build import snapshot_of

SNAPSHOT = snapshot_of("testdata/kai/why")
NOW = nanoseconds("2026-02-01T12:00:00Z")


def test_what_is_short_and_who_holds_it_are_amounts() -> None:
    (answer,) = HOUSE.why(SNAPSHOT, WhyQuestion(("podgroup/sweep",), "ml", now=NOW))
    assert [(each.resource, each.value) for each in answer.short] == [("gpu", 2), ("gpu", 4)]
    assert [(each.key.name, each.amount.value, each.borrows) for each in answer.held] == [("pg-detect", 4, False)]
    assert answer.because == "limit of vision: 4 held + 4 requested > 6 GPU"


def test_the_row_of_a_list_has_place_need_and_shortage() -> None:
    (answer,) = HOUSE.why(SNAPSHOT, WhyQuestion(("podgroup/render-2",), "ml", now=NOW))
    name, queue, place, needs, missing = answer.detail.row()
    assert (name, queue, place, needs, missing) == ("ml/render-2", "product", "3/3", "2 gpu", "4")
    assert answer.detail.rank == ("product", 3)


def test_a_job_is_named_beside_its_pod_group() -> None:
    (answer,) = HOUSE.why(SNAPSHOT, WhyQuestion(("job/detect",), "ml", now=NOW))
    assert (answer.key and answer.key.name, answer.job and answer.job.kind) == ("pg-detect", "Job")
    (answer,) = HOUSE.why(SNAPSHOT, WhyQuestion(("job/fresh",), "ml", now=NOW))
    assert (answer.key, answer.job and answer.job.name) == (None, "fresh")


@pytest.mark.parametrize(
    "folder", sampled(["testdata/kai/org", "testdata/kai/pools", "testdata/kai/why", "testdata/demo/kai"], 4, first=1)
)
def test_every_job_and_pod_of_an_input_has_a_reason_that_can_be_printed(folder: str) -> None:
    snapshot = snapshot_of(folder)
    keys = [key for key in snapshot.manifests if key.kind in ("PodGroup", "Pod", "Job")]
    names = tuple(f"{key.namespace}/{key.kind}/{key.name}" for key in keys)
    report = WhyReport(HOUSE.why(snapshot, WhyQuestion(names, None, now=NOW)))
    assert len(report.answers) >= len(keys)
    assert report.screen(View(wide=True)).count(" · ") >= len(keys)
    assert json.dumps(report.document({}))
