"""Profiles of the scheduler: which run the plugin, and which of them decide in another way than is reproduced."""

from typing import Any

import pytest

from kubectl_fairshare.input.text.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.schedulers.elasticquota.reading.profiles import profiles_of
from kubectl_fairshare.schedulers.recording import manifests_of

PLUGIN = {"name": "CapacityScheduling"}
WHOLE = {"multiPoint": {"enabled": [PLUGIN], "disabled": [{"name": "DefaultPreemption"}]}}
BY_POINT = {
    "preFilter": {"enabled": [PLUGIN]},
    "postFilter": {"enabled": [PLUGIN], "disabled": [{"name": "*"}]},
    "reserve": {"enabled": [PLUGIN]},
}


def configuration(plugins: Any, *, root: Any = None, **profile: Any) -> dict[str, Any]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "metadata": {"name": "c"},
        "profiles": [{"schedulerName": "capacity", "plugins": plugins, **profile}],
        **(root or {}),
    }


def roots(written: Any) -> list[Field]:
    return [*scheduler_configurations(manifests_of([written], "test"))]


def altered(plugins: Any, *, root: Any = None, **profile: Any) -> list[str]:
    """Where the profile says that it decides in another way."""
    problems: list[Problem] = []
    names, places = profiles_of(roots(configuration(plugins, root=root, **profile)), problems)
    assert (names, problems) == (("capacity",), [])
    return [".".join(map(str, place.path)) for place in places.values()]


@pytest.mark.parametrize("plugins", [WHOLE, BY_POINT])
def test_the_plugin_with_the_defaults_is_what_is_reproduced(plugins: Any) -> None:
    assert altered(plugins) == []


def test_more_plugins_that_score_change_nothing() -> None:
    assert altered({**WHOLE, "score": {"enabled": [{"name": "Trimaran"}], "disabled": [{"name": "*"}]}}) == []


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"multiPoint": {"enabled": [PLUGIN]}}, "profiles.0.plugins"),
        ({**BY_POINT, "reserve": {}}, "profiles.0.plugins"),
        ({**WHOLE, "permit": {"enabled": [{"name": "Coscheduling"}]}}, "profiles.0.plugins.permit"),
        ({**WHOLE, "queueSort": {"enabled": [{"name": "Coscheduling"}]}}, "profiles.0.plugins.queueSort"),
        ({**WHOLE, "filter": {"disabled": [{"name": "NodeResourcesFit"}]}}, "profiles.0.plugins.filter"),
        ({**WHOLE, "filter": {"disabled": [{"name": "*"}]}}, "profiles.0.plugins.filter"),
    ],
)
def test_what_decides_beside_the_plugin_is_told_at_its_place(changed: Any, place: str) -> None:
    assert altered(changed) == [place]


def test_arguments_of_filters_and_extenders_decide_too() -> None:
    arguments = [{"name": "NodeAffinity", "args": {"addedAffinity": {"x": 1}}}]
    assert altered(WHOLE, pluginConfig=arguments) == ["profiles.0.pluginConfig.0.args.addedAffinity"]
    assert altered(WHOLE, pluginConfig=[{"name": "NodeResourcesFit", "args": {"scoringStrategy": {}}}]) == []
    assert altered(WHOLE, root={"extenders": [{"urlPrefix": "http://x"}]}) == ["extenders"]


def test_a_configuration_without_the_plugin_has_no_profile_with_it() -> None:
    assert profiles_of(roots(configuration({})), []) == ((), {})
    assert profiles_of((), []) == (None, {})


def test_what_cannot_be_read_is_told() -> None:
    problems: list[Problem] = []
    profiles_of(roots(configuration({"multiPoint": {"enabled": "all"}})), problems)
    assert len(problems) == 1
