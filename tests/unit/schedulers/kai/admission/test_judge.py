"""What the API server says of one write of a SchedulingShard or a Config; no webhook reads them."""

from typing import Any

import pytest

from kubectl_fairshare.schedulers.kai.admission.judge import judge


def written(kind: str, spec: Any) -> dict[str, Any]:
    return {"apiVersion": "kai.scheduler/v1", "kind": kind, "metadata": {"name": "default"}, "spec": spec}


@pytest.mark.parametrize("ratio", [0, 1.01, -1])
def test_the_ratio_of_memory_is_above_zero_and_at_most_one(ratio: float) -> None:
    judgement = judge(written("SchedulingShard", {"goMemLimitRatio": ratio}))
    assert (judgement.stage, [c.field for c in judgement.causes]) == ("schema", ["spec.goMemLimitRatio"])


@pytest.mark.parametrize("ratio", [0.001, 0.5, 1, 1.0])
def test_a_ratio_in_its_bounds_is_taken(ratio: float) -> None:
    assert judge(written("SchedulingShard", {"goMemLimitRatio": ratio})).accepted


def test_a_usage_database_needs_a_client_type_and_a_window_in_prometheus_units() -> None:
    params = {"usageParams": {"windowSize": "1.5w"}}
    fields = {c.field for c in judge(written("SchedulingShard", {"usageDBConfig": params})).causes}
    assert fields == {"spec.usageDBConfig.clientType", "spec.usageDBConfig.usageParams.windowSize"}


def test_spans_of_time_are_any_text_to_the_schema() -> None:
    assert judge(written("SchedulingShard", {"scenarioSearchBudgets": {"maxJobSearchDuration": "soon"}})).accepted


def test_plugin_arguments_are_texts_under_any_name() -> None:
    plugins = {"proportion": {"arguments": {"relcaimerSaturationMultiplier": "2", "kValue": 1}}}
    (cause,) = judge(written("SchedulingShard", {"plugins": plugins})).causes
    assert cause.field == "spec.plugins.proportion.arguments.kValue"


def test_a_misspelt_part_of_the_configuration_is_dropped_and_named() -> None:
    judgement = judge(written("Config", {"queueController": {"replicas": 1}, "queueControler": {}, "global": {"x": 1}}))
    assert judgement.unknown_fields == (("spec", "global", "x"), ("spec", "queueControler"))
    assert judgement.stored is not None
    assert judgement.stored["spec"] == {"queueController": {"replicas": 1}, "global": {}}


@pytest.mark.parametrize(("kind", "version"), [("Queue", "kai.scheduler/v1"), ("Config", "scheduling.run.ai/v2")])
def test_a_kind_is_served_in_its_own_group(kind: str, version: str) -> None:
    assert judge({**written(kind, {}), "apiVersion": version}).stage == "notFound"
