"""Rules: MultiKueue's clusters: how each is reached, and which are named."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import KUEUE, V1BETA1, configuration, document, places, reported


@pytest.mark.parametrize("version", [KUEUE, V1BETA1])
def test_a_cluster_named_twice_is_found_in_both_versions(version: str) -> None:
    text = document("MultiKueueConfig", "spec:\n  clusters: [a, b, a]\n", version)
    assert places("K030", text) == ["error MultiKueueConfig x spec.clusters[2]"]


def test_a_cluster_of_two_sources_has_one_too_many() -> None:
    source = "spec:\n  clusterSource:\n    kubeConfig: {location: a}\n    clusterProfileRef: {name: a}\n"
    (found,) = reported("K029", document("MultiKueueCluster", source))
    assert "both `kubeConfig` and `clusterProfileRef`" in found.finding.message


@pytest.mark.parametrize(("gates", "severity"), [(None, "info"), ("false", "warning"), ("true", None)])
def test_automated_quotas_need_their_gate(gates: str | None, severity: str | None) -> None:
    text = document("MultiKueueConfig", "spec:\n  clusters: [a]\n  quotaManagement: Automated\n")
    given = [] if gates is None else [configuration(f"featureGates:\n  MultiKueueManagerQuotaAutomation: {gates}\n")]
    assert [each.severity for each in reported("K048", text, *given)] == ([] if severity is None else [severity])
