"""Configurations of kube-scheduler among manifests, and which plugins their profiles run."""

from typing import Any

import pytest

from kubectl_fairshare.input.text.scheduler_configuration import enabled_at, runs, scheduler_configurations
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest

API = "kubescheduler.config.k8s.io"
TEXT = f"apiVersion: {API}/v1\nkind: KubeSchedulerConfiguration\nprofiles: []\n"


def manifest(group: str, kind: str, data: dict[str, Any]) -> Manifest:
    return Manifest(ObjectKey(group, kind, "a", "c"), "v1", data, Origin("", 0))


def test_a_configuration_is_an_object_or_a_text_in_a_config_map() -> None:
    texts = {"config": TEXT, "broken": f"{API}: [", "other": f"kind: Other # {API}", "plain": "x"}
    found = scheduler_configurations(
        [
            manifest(API, "KubeSchedulerConfiguration", {"profiles": []}),
            manifest("", "ConfigMap", {"data": texts}),
            manifest("", "Secret", {"data": texts}),
        ]
    )
    assert [str(each.place) for each in found] == ["KubeSchedulerConfiguration a/c", "ConfigMap a/c data.config"]


def profile(**plugins: Any) -> Field:
    named = {
        point: {which: [{"name": name} for name in names] for which, names in several.items()}
        for point, several in plugins.items()
    }
    return Field(ObjectKey("", "ConfigMap", "a", "c"), (), {"plugins": named})


@pytest.mark.parametrize(
    ("plugins", "default", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"filter": {"enabled": ["P"], "disabled": ["*"]}}, False, True),
        ({"filter": {"disabled": ["P"]}, "multiPoint": {"enabled": ["P"]}}, True, False),
        ({"filter": {"disabled": ["*"]}}, True, False),
        ({"multiPoint": {"enabled": ["P"], "disabled": ["*"]}}, False, True),
        ({"multiPoint": {"disabled": ["*"]}}, True, False),
        ({"multiPoint": {"disabled": ["Q"]}}, True, True),
    ],
)
def test_a_point_goes_before_all_points_and_enabled_before_disabled(
    plugins: dict[str, Any], default: bool, expected: bool
) -> None:
    assert runs(profile(**plugins), "filter", "P", default=default) is expected


def test_what_is_enabled_at_a_point() -> None:
    assert enabled_at(profile(filter={"enabled": ["P", "Q"]}), "filter") == {"P", "Q"}
    assert enabled_at(profile(), "filter", "disabled") == set()
