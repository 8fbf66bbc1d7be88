"""Charts that HelmReleases and Applications install: their values, and those that are not in the object."""

from typing import Any

import pytest

from kubectl_fairshare.input.units.installed_charts import InstalledChart, installed_charts
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def charts(group: str, kind: str, **spec: Any) -> list[InstalledChart]:
    data = {"apiVersion": f"{group}/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    return [*installed_charts(Manifest(ObjectKey(group, kind, "ns", "a"), "v1", data, Origin("a.yaml", 0)))]


def flux(**spec: Any) -> list[InstalledChart]:
    return charts("helm.toolkit.fluxcd.io", "HelmRelease", **spec)


def argo(**source: Any) -> list[InstalledChart]:
    return charts("argoproj.io", "Application", source=source)


def test_a_helm_release_has_its_values_in_line() -> None:
    (chart,) = flux(chart={"spec": {"chart": "kueue", "version": "0.19.2"}}, values={"a": 1})
    assert (chart.name, chart.version, chart.values, chart.elsewhere) == ("kueue", "0.19.2", {"a": 1}, ())
    assert chart.values_at.path == ("spec", "values")


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"valuesFrom": [{"kind": "ConfigMap", "name": "v"}]}, "valuesFrom"),
        ({"postRenderers": [{"kustomize": {}}]}, "postRenderers"),
    ],
)
def test_values_that_a_helm_release_takes_from_elsewhere_are_named(spec: dict[str, Any], field: str) -> None:
    (chart,) = flux(chart={"spec": {"chart": "./charts/kueue/"}}, **spec)
    assert chart.name == "kueue"
    assert [place.path[-1] for place in chart.elsewhere] == [field]


def test_a_chart_that_another_object_names_is_known_by_that_name() -> None:
    (chart,) = flux(chartRef={"kind": "OCIRepository", "name": "kueue"})
    assert (chart.name, [place.path[-1] for place in chart.elsewhere]) == ("kueue", ["chartRef"])


def test_values_of_an_application_are_an_object_before_they_are_a_text() -> None:
    (both,) = argo(chart="kueue", targetRevision="0.19.2", helm={"valuesObject": {"a": 1}, "values": "a: 2"})
    (text,) = argo(chart="kueue", helm={"values": "a: 2"})
    assert (both.values, both.version, text.values) == ({"a": 1}, "0.19.2", {"a": 2})


@pytest.mark.parametrize(
    ("helm", "field"),
    [
        ({"valueFiles": ["$values/kueue.yaml"]}, "valueFiles"),
        ({"parameters": [{"name": "a", "value": "b"}]}, "parameters"),
        ({"values": "a: ["}, "values"),
    ],
)
def test_values_of_an_application_that_cannot_be_read_are_named(helm: dict[str, Any], field: str) -> None:
    (chart,) = argo(path="charts/kueue", repoURL="https://example.com/Queues/kueue.git", helm=helm)
    assert (chart.name, chart.version, [place.path[-1] for place in chart.elsewhere]) == ("kueue", "", [field])


@pytest.mark.parametrize("address", ["https://example.com/team/gitops.git", "https://example.com/kueue/fork", ""])
def test_a_folder_of_a_foreign_repository_has_values_of_its_own(address: str) -> None:
    (chart,) = argo(path="apps/kueue", repoURL=address, helm={"valuesObject": {"a": 1}})
    assert (chart.name, [place.path[-1] for place in chart.elsewhere]) == ("kueue", ["path"])


def test_each_source_of_an_application_is_a_chart() -> None:
    sources = [{"chart": "a"}, {"repoURL": "https://example.com/x"}, {"path": "b"}]
    assert [chart.name for chart in charts("argoproj.io", "Application", sources=sources)] == ["a", "b"]


def test_what_an_application_set_generates_cannot_be_read() -> None:
    template = {"spec": {"source": {"chart": "kueue", "helm": {"valuesObject": {"a": "{{.x}}"}}}}}
    (chart,) = charts("argoproj.io", "ApplicationSet", template=template)
    assert (chart.name, chart.values, len(chart.elsewhere)) == ("kueue", {}, 1)


def test_other_objects_install_nothing() -> None:
    assert charts("apps", "Deployment", chart={"spec": {"chart": "kueue"}}) == []
