"""Objects of a dump that somebody has changed by hand: judged anew where no server can have stored them."""

import io

import pytest

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.input.files.files import read, read_what_can_be
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.run import run
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState

HEAD = "apiVersion: %s\nkind: %s\nmetadata: {name: a%s, resourceVersion: '7'}\nspec: %s\n"
KUEUE = f"{GROUP}/v1beta2"
GROUPS = "{resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: %s}]}]}"


def given(*manifest: str) -> Given:
    return examine(
        read(["-"], stdin=io.BytesIO((HEAD % manifest).encode()), schedulers=known_schedulers()), lint_houses()
    )


@pytest.mark.parametrize(
    ("manifest", "field"),
    [
        ((KUEUE, "ClusterQueue", "", "{stopPolicy: {}}"), "spec.stopPolicy"),
        ((KUEUE, "ClusterQueue", "", GROUPS % "[{name: [cpu], nominalQuota: 1}]"), "flavors[0].resources[0].name"),
        ((KUEUE, "Cohort", "", GROUPS % "7"), "flavors[0].resources"),
        ((KUEUE, "LocalQueue", ", namespace: b", "[]"), "spec"),
        (("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", ", namespace: b", "{min: [1]}"), "spec.min"),
        (("scheduling.run.ai/v2", "Queue", "", "{resources: {gpu: x}}"), "spec.resources.gpu"),
    ],
)
def test_a_value_of_another_type_is_found_as_if_it_were_new(manifest: tuple[str, ...], field: str) -> None:
    found = run(known_rules(), given(*manifest))
    wrong = [str(each.finding.place) for each in found if each.rule.name == "wrong-type"]
    assert len(wrong) == 1
    assert wrong[0].endswith(field)


@pytest.mark.parametrize("kind", ["ClusterQueue", "Cohort", "Workload"])
def test_nothing_is_stored_without_a_name(kind: str) -> None:
    text = (HEAD % (KUEUE, kind, "", "{}")).replace("name: a", "name: null")
    reading, _ = read_what_can_be(
        ["-"], stdin=io.BytesIO(text.encode()), among_others=True, schedulers=known_schedulers()
    )
    found = examine(reading, lint_houses())
    (examined,) = found.of(kind, GROUP)
    assert examined.judgement is not None
    assert [cause.field for cause in examined.judgement.all_causes if "name" in cause.field] == ["metadata.name"]
    run(known_rules(), found)


def test_what_can_be_stored_is_not_judged_whatever_it_says() -> None:
    (examined,) = given(KUEUE, "ClusterQueue", "", "{stopPolicy: Sometimes, unknown: 5}").of("ClusterQueue", GROUP)
    assert examined.judgement is None


def test_rules_read_none_of_the_fields_that_nobody_knows() -> None:
    spec = "{provisioningClassName: p, retryStrategy: {unknown: x, backoffLimitCount: -1}}"
    found = run(known_rules(), given(KUEUE, "ProvisioningRequestConfig", "", spec))
    told = [str(each.finding.place) for each in found if each.rule.name == "negative-retry"]
    assert told == ["ProvisioningRequestConfig a spec.retryStrategy.backoffLimitCount"]


def test_an_object_of_a_version_that_nobody_serves_is_left_as_it_is() -> None:
    (examined,) = given("kueue.x-k8s.io/v1alpha9", "ClusterQueue", "", "[]").of("ClusterQueue", GROUP)
    assert examined.manifest.stored


def test_a_queue_without_a_quota_that_it_must_have_is_read_by_nobody() -> None:
    two = "{resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: f, resources: [%s]}]}]}"
    found = given(KUEUE, "ClusterQueue", "", two % "{name: cpu, nominalQuota: 1}")
    assert found.snapshot.part(KueueState).cluster_queues == {}
    assert len(found.problems) == 1
    run(known_rules(), found)
