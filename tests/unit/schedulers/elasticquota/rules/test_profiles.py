"""Rules: profiles of the scheduler that run CapacityScheduling in part."""

import json
from typing import Any

import pytest

from kubectl_fairshare.finding import Insert
from tests.unit.schedulers.elasticquota.rules.objects import (
    pod,
    quota,
    scheduler,
)
from tests.unit.schedulers.kueue.rules.asking import places, reported

PLUGIN = {"name": "CapacityScheduling"}


RIVAL = {"disabled": [{"name": "DefaultPreemption"}]}


COMPLETE = {"multiPoint": {"enabled": [PLUGIN]}, "postFilter": RIVAL}


def profile(plugins: dict[str, Any], name: str = "capacity") -> dict[str, Any]:
    return {"schedulerName": name, "plugins": plugins}


@pytest.mark.parametrize(
    ("plugins", "said"),
    [
        (COMPLETE, ""),
        ({"multiPoint": {"enabled": [PLUGIN], "disabled": [{"name": "*"}]}}, ""),
        ({"multiPoint": {"enabled": [PLUGIN]}, "postFilter": {"disabled": [{"name": "*"}], "enabled": [PLUGIN]}}, ""),
        ({"multiPoint": {"enabled": [PLUGIN]}}, "DefaultPreemption runs before CapacityScheduling"),
        ({"preFilter": {"enabled": [PLUGIN]}, "postFilter": RIVAL}, "does not run at `postFilter`, `reserve`"),
        ({"multiPoint": {"enabled": [PLUGIN]}, "postFilter": {"disabled": [{"name": "*"}]}}, "at `postFilter`"),
        ({"multiPoint": {"enabled": [{"name": "Coscheduling"}]}}, ""),
    ],
)
def test_a_profile_runs_the_plugin_everywhere_and_alone(plugins: dict[str, Any], said: str) -> None:
    found = reported("E029", scheduler(profile(plugins)))
    assert len(found) == bool(said)
    assert all(said in r.finding.message for r in found)


def test_default_preemption_is_disabled_where_it_is_missing() -> None:
    (found,) = reported("E029", scheduler(profile({"multiPoint": {"enabled": [PLUGIN]}})))
    assert found.finding.remedy.edits == (Insert(found.finding.place, "postFilter", RIVAL),)


def test_garbage_in_the_schedulers_configuration_is_passed_over() -> None:
    assert reported("E029", scheduler(profile({"multiPoint": [], "preFilter": {"enabled": [1]}}))) == ()


def test_the_schedulers_configuration_is_found_in_a_config_map() -> None:
    inside = scheduler(profile({"multiPoint": {"enabled": [PLUGIN]}}))
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "s"}}
    text = json.dumps({**data, "data": {"scheduler-config.yaml": inside, "notes": "kubescheduler.config.k8s.io: ["}})
    assert places("E029", text) == ["error ConfigMap s/c data[scheduler-config.yaml].profiles[0].plugins"]
    assert len(reported("E028", text, quota("a", {"cpu": 4}), pod("a", requests={"cpu": 1}))) == 1
