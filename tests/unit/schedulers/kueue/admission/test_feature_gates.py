"""The feature gates of the manager."""

import re

import pytest

from kubectl_fairshare.schedulers.kueue.admission.feature_gates import complaints, enabled_gates, is_known


def test_beta_gates_are_on_and_alpha_gates_off() -> None:
    on = enabled_gates({})
    assert {"TopologyAwareScheduling", "HierarchicalCohorts"} <= on
    assert not on & {"ConcurrentAdmission", "UnadmittedWorkloadsExplicitStatus", "MultiKueueAllowInsecureKubeconfigs"}


def test_the_setting_of_a_gate_overrides_that_of_its_group() -> None:
    on = enabled_gates({"AllAlpha": True, "PriorityBoost": False, "AllBeta": False, "MultiKueue": True})
    assert {"ConcurrentAdmission", "MultiKueue", "HierarchicalCohorts"} <= on
    assert not on & {"PriorityBoost", "TopologyAwareScheduling"}


def test_what_is_known() -> None:
    assert is_known("AllBeta")
    assert is_known("TASReplaceNodeDueToNotReadyOverFixedTime")
    assert not is_known("allbeta")


@pytest.mark.parametrize(
    ("gates", "blamed"),
    [
        ({}, []),
        ({"PriorityBoost": True, "HierarchicalCohorts": True}, []),
        ({"Priorityboost": True}, ["Priorityboost"]),
        ({"HierarchicalCohorts": False}, ["HierarchicalCohorts"]),
        ({"MultiKueueAllowInsecureKubeconfigs": True}, ["MultiKueueAllowInsecureKubeconfigs"]),
        ({"TASBalancedPlacement": True, "AllBeta": False}, ["TASBalancedPlacement"]),
        ({"UnadmittedWorkloadsExplicitStatus": True}, ["UnadmittedWorkloadsExplicitStatus"]),
    ],
)
def test_what_keeps_the_manager_from_starting(gates: dict[str, bool], blamed: list[str]) -> None:
    assert [gate for gate, _ in complaints(gates)] == blamed


def test_gates_that_are_on_and_need_one_that_is_off_are_one_complaint() -> None:
    """The manager of v0.19.2 does not start with TopologyAwareScheduling alone off."""
    ((gate, text),) = complaints({"TopologyAwareScheduling": False})
    assert gate == "TopologyAwareScheduling"
    assert text.startswith("feature gates that are on need `TopologyAwareScheduling`: `TASFailedNodeReplacement`, ")
    assert text.count("`TAS") == 8
    alone = dict.fromkeys(re.findall(r"`(TAS\w+)`", text), False)
    assert not [*complaints({"TopologyAwareScheduling": False, **alone})]
