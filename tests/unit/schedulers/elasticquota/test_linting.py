"""ElasticQuotas among what rules look at."""

import io

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from kubectl_fairshare.schedulers.elasticquota.model import kinds as elasticquota

QUOTA = "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: a, namespace: a}, spec: %s}\n"


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


def test_other_kinds_of_the_group_are_left_alone() -> None:
    text = "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {name: a, namespace: a}}\n"
    assert given(text).examined == {}
