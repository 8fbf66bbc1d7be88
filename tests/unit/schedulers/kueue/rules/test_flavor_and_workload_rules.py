"""The rules about flavors, topologies, MultiKueue and Workloads, each by itself."""

import pytest

from kubectl_fairshare.finding import Insert, Remove, Reorder, Replace
from tests.unit.schedulers.kueue.rules.asking import KUEUE, configuration, places, reported

V1BETA1 = "kueue.x-k8s.io/v1beta1"


def document(kind: str, body: str = "", version: str = KUEUE, namespace: str = "") -> str:
    where = f"  namespace: {namespace}\n" if namespace else ""
    return f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: x\n{where}{body}"


def flavor(spec: str) -> str:
    return document("ResourceFlavor", f"spec:\n{spec}")


@pytest.mark.parametrize(
    ("toleration", "field"),
    [
        ("{key: a, operator: Exists}", None),
        ("{key: a, value: b}", None),
        ("{key: '', operator: Equal}", None),
        ("{operator: Exists}", None),
        ("{operator: Equal, value: b}", "operator"),
        ("{key: a, operator: Exists, value: ''}", "value"),
        ("{key: a, operator: Lt, value: '1'}", "operator"),
        ("{key: a, operator: Exists, tolerationSeconds: 5}", "tolerationSeconds"),
        ("{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 5}", None),
        ("{key: a, operator: Exists, effect: ''}", "effect"),
    ],
)
def test_tolerations_are_held_against_each_condition(toleration: str, field: str | None) -> None:
    found = [each.finding.place.path[-1] for each in reported("K025", flavor(f"  tolerations:\n  - {toleration}\n"))]
    assert found == ([] if field is None else [field])


def test_a_misspelt_effect_is_guessed() -> None:
    (found,) = reported("K024", flavor("  nodeTaints:\n  - {key: a, effect: noSchedule}\n"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "NoSchedule"),)


def test_a_taint_twice_tells_where_it_is_first() -> None:
    (found,) = reported(
        "K024", flavor("  nodeTaints:\n  - {key: a, effect: NoSchedule}\n" * 1 + "  - {key: a, effect: NoSchedule}\n")
    )
    assert found.finding.related[0].place.path == ("spec", "nodeTaints", 0)
    assert [type(edit) for edit in found.finding.remedy.edits] == [Remove]


def test_a_bad_label_is_found_at_the_label() -> None:
    assert places("K023", flavor("  nodeLabels:\n    good: a\n    pool/: a\n")) == [
        "error ResourceFlavor x spec.nodeLabels[pool/]"
    ]


def test_hostname_is_moved_to_the_end() -> None:
    levels = "".join(f"  - nodeLabel: {name}\n" for name in ("kubernetes.io/hostname", "rack", "row"))
    (found,) = reported("K028", document("Topology", f"spec:\n  levels:\n{levels}"))
    (edit,) = found.finding.remedy.edits
    assert isinstance(edit, Reorder)
    assert edit.order == (1, 2, 0)


@pytest.mark.parametrize("version", [KUEUE, V1BETA1])
def test_a_cluster_named_twice_is_found_in_both_versions(version: str) -> None:
    text = document("MultiKueueConfig", "spec:\n  clusters: [a, b, a]\n", version)
    assert places("K030", text) == ["error MultiKueueConfig x spec.clusters[2]"]


def test_a_cluster_of_two_sources_has_one_too_many() -> None:
    source = "spec:\n  clusterSource:\n    kubeConfig: {location: a}\n    clusterProfileRef: {name: a}\n"
    (found,) = reported("K029", document("MultiKueueCluster", source))
    assert "both `kubeConfig` and `clusterProfileRef`" in found.finding.message


def test_a_kube_config_of_v1beta1_goes_below_its_source_and_nothing_else_is_said() -> None:
    text = document("MultiKueueCluster", "spec:\n  kubeConfig:\n    location: a\n")
    (found,) = reported("K003", text)
    insert, remove = found.finding.remedy.edits
    assert isinstance(insert, Insert)
    assert isinstance(remove, Remove)
    assert insert.value == {"kubeConfig": {"location": "a"}}
    assert reported("M004", text) == ()


@pytest.mark.parametrize(("gates", "severity"), [(None, "info"), ("false", "warning"), ("true", None)])
def test_automated_quotas_need_their_gate(gates: str | None, severity: str | None) -> None:
    text = document("MultiKueueConfig", "spec:\n  clusters: [a]\n  quotaManagement: Automated\n")
    given = [] if gates is None else [configuration(f"featureGates:\n  MultiKueueManagerQuotaAutomation: {gates}\n")]
    assert [each.severity for each in reported("K048", text, *given)] == ([] if severity is None else [severity])


def workload(spec: str, version: str = KUEUE, annotations: str = "") -> str:
    template = "    template:\n      spec:\n        containers:\n        - name: main\n"
    body = f"{annotations}spec:\n{spec.replace('<template>', template)}"
    return document("Workload", body, version, namespace="team")


@pytest.mark.parametrize(("least", "found"), [(1, 0), (4, 0), (5, 1)])
def test_a_minimum_is_at_most_the_count(least: int, found: int) -> None:
    text = workload(f"  podSets:\n  - name: main\n    count: 4\n    minCount: {least}\n<template>")
    assert len(reported("K031", text)) == found


def test_one_pod_set_may_have_a_minimum() -> None:
    pod_set = "  - name: {}\n    count: 4\n    minCount: 2\n<template>"
    text = workload("  podSets:\n" + pod_set.format("a") + pod_set.format("b"))
    assert places("K031", text) == ["error Workload team/x spec.podSets[1].minCount"]


def test_a_priority_class_without_source_is_lost() -> None:
    spec = "  priority: 5\n  priorityClassName: high\n  podSets:\n  - name: main\n<template>"
    (found,) = reported("K038", workload(spec, V1BETA1))
    assert [type(edit) for edit in found.finding.remedy.edits] == [Insert]
    sourced = spec + "  priorityClassSource: kueue.x-k8s.io/workloadpriorityclass\n"
    assert reported("K038", workload(sourced, V1BETA1)) == ()
    assert reported("K005", workload(spec, V1BETA1)) == ()


def test_a_value_under_the_spec_of_a_priority_class_goes_to_the_top_and_nothing_else_is_said() -> None:
    text = document("WorkloadPriorityClass", "spec:\n  value: 5\n")
    (found,) = reported("M008", text)
    assert [type(edit) for edit in found.finding.remedy.edits] == [Remove, Insert]
    assert reported("M004", text) == ()


def test_a_minimum_without_its_gate_is_found_in_jobs_too() -> None:
    off = configuration("featureGates:\n  PartialAdmission: false\n")
    job = (
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n  namespace: team\n  annotations:\n"
        "    kueue.x-k8s.io/job-min-parallelism: '2'\n"
    )
    assert len(reported("K042", off, job)) == 1
    assert reported("K042", job) == ()


@pytest.mark.parametrize(("seconds", "found"), [(-1, 1), (0, 0)])
def test_a_retry_is_not_negative(seconds: int, found: int) -> None:
    strategy = f"  provisioningClassName: a\n  retryStrategy:\n    backoffBaseSeconds: {seconds}\n"
    text = document("ProvisioningRequestConfig", f"spec:\n{strategy}")
    assert len(reported("K047", text)) == found


def test_a_namespace_is_of_no_use_on_what_lies_in_none() -> None:
    assert places("K043", document("Cohort", namespace="team")) == ["info Cohort x metadata.namespace"]
    assert reported("K043", document("LocalQueue", namespace="team")) == ()


def test_a_status_is_dropped_unless_a_server_wrote_it() -> None:
    spec = "  podSets:\n  - name: main\n<template>"
    text = workload(spec) + "status:\n  conditions: []\n"
    assert places("K040", text) == ["info Workload team/x status"]
    assert reported("K040", text.replace("  name: x\n", "  name: x\n  uid: a\n", 1)) == ()


@pytest.mark.parametrize("status", ["null", "[null]", "5", "{flavorUsage: 5}"])
@pytest.mark.parametrize("kind", ["LocalQueue", "MultiKueueConfig"])
def test_a_status_that_says_nothing_is_in_nobodys_way(kind: str, status: str) -> None:
    spec = "spec:\n  clusters: [a]\n" if kind == "MultiKueueConfig" else ""
    assert reported("M009", document(kind, f"{spec}status: {status}\n", V1BETA1, namespace="team")) == ()
