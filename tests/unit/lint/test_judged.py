"""Objects of ElasticQuota's and KAI's APIs among what rules look at."""

import io

from kubectl_fairshare.api.judgement import NOT_FOUND
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from kubectl_fairshare.schedulers.elasticquota.model import objects as elasticquota
from kubectl_fairshare.schedulers.kai.model import objects as kai

QUOTA = "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: a, namespace: a}, spec: %s}\n"
QUEUE = "{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: a%s}, spec: %s}\n"


def given(text: str) -> Given:
    return examine(read(["-"], stdin=io.BytesIO(text.encode()), schedulers=known_schedulers()), lint_houses())


def test_a_sound_object_has_its_stored_form() -> None:
    (examined,) = given(QUOTA % "{min: {cpu: 1}, other: 2}").of(elasticquota.KIND, elasticquota.GROUP)
    assert examined.judgement is not None
    assert examined.judgement.unknown_fields == (("spec", "other"),)
    assert examined.stored is not None
    assert examined.stored["spec"] == {"min": {"cpu": 1}}


def test_a_refused_object_has_causes_and_is_no_problem_besides() -> None:
    found = given(QUOTA % "{min: {cpu: x}}")
    (examined,) = found.of(elasticquota.KIND, elasticquota.GROUP)
    assert examined.stored is None
    assert [cause.field for _, cause in found.causes("")] == ["spec.min.cpu"]
    assert found.problems == ()


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


def test_other_kinds_of_the_same_groups_are_left_alone() -> None:
    texts = (
        "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {name: a, namespace: a}}\n---\n"
        "{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: a}}\n"
    )
    assert given(texts).examined == {}
