"""Objects of KAI's APIs among what rules look at."""

import io

from kubectl_fairshare.api.judgement import NOT_FOUND
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from kubectl_fairshare.schedulers.kai.model import kinds as kai

QUEUE = "{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: a%s}, spec: %s}\n"


def given(text: str) -> Given:
    return examine(read(["-"], stdin=io.BytesIO(text.encode()), schedulers=known_schedulers()), lint_houses())


def test_what_a_server_has_taken_is_not_judged_again() -> None:
    (examined,) = given(QUEUE % (", resourceVersion: '7'", "{}")).of("Queue", kai.QUEUE_GROUP)
    assert examined.judgement is None
    assert examined.stored == examined.manifest.data


def test_what_kais_webhook_refuses_has_a_law() -> None:
    assert [law for law in ("L1", "L19") if given(QUEUE % ("", "{}")).causes(law)] == ["L1"]
    spans = "{resources: {}, preemptMinRuntime: 1d}"
    assert [law for law in ("L1", "L19") if given(QUEUE % ("", spans)).causes(law)] == ["L19"]


def test_other_versions_are_not_served() -> None:
    (examined,) = given(QUEUE.replace("/v2", "/v3") % ("", "{}")).of("Queue", kai.QUEUE_GROUP)
    assert examined.judgement is not None
    assert examined.judgement.stage == NOT_FOUND
    assert [cause.path for cause in examined.judgement.causes] == [("apiVersion",)]


def test_other_kinds_of_the_groups_are_left_alone() -> None:
    assert given("{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: a}}\n").examined == {}
