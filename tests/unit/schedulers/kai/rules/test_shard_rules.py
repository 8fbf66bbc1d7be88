"""What a SchedulingShard says and KAI passes over, or refuses."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Insert, Rename, Replace, Severity
from tests.unit.schedulers.kai.rules.objects import kai, node, queue, shard, usage
from tests.unit.schedulers.kueue.rules.asking import places, reported

READ = "relcaimerSaturationMultiplier"


def arguments(plugin: str, **given: str) -> dict[str, Any]:
    return {"plugins": {plugin: {"arguments": given}}}


@pytest.mark.parametrize("name", ["reclaimerUtilizationMultiplier", "reclaimerSaturationMultiplier"])
def test_the_multiplier_is_read_under_its_misspelt_name(name: str) -> None:
    (found,) = reported("A025", shard(**arguments("proportion", **{name: "1.5"})))
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == ((Rename(found.finding.place, READ),), True)
    assert reported("A020", shard(**arguments("proportion", **{name: "1.5"}))) == ()


def test_the_multiplier_under_both_names_keeps_the_one_that_is_read() -> None:
    (found,) = reported("A025", shard(**arguments("proportion", reclaimerUtilizationMultiplier="2", **{READ: "1.5"})))
    assert found.finding.remedy.edits == ()
    assert dict(found.finding.evidence)["in force"] == "1.5"


def test_unknown_arguments_are_told_of_plugins_that_are_known() -> None:
    (found,) = reported("A020", shard(**arguments("proportion", kvalue="2")))
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == ((Rename(found.finding.place, "kValue"),), True)
    assert reported("A020", shard(**arguments("nodeplacement", anything="2"))) == ()
    assert len(reported("A020", usage(extraParams={"queryResolutions": "1m"}))) == 1


@pytest.mark.parametrize(
    ("plugin", "name", "value", "taken"),
    [
        ("proportion", "kValue", "2.5", None),
        ("proportion", "kValue", "two", "1"),
        ("proportion", "kValue", "-1", "0"),
        ("proportion", READ, "1", None),
        ("proportion", READ, "0.9", "1"),
        ("minruntime", "defaultReclaimMinRuntime", "1d12h", None),
        ("minruntime", "defaultReclaimMinRuntime", "-5m", "0s"),
        ("minruntime", "defaultPreemptMinRuntime", "5", "0s"),
        ("minruntime", "reclaimResolveMethod", "queue", None),
        ("minruntime", "reclaimResolveMethod", "LCA", "lca"),
    ],
)
def test_values_out_of_range_are_told_with_what_is_taken(plugin: str, name: str, value: str, taken: str | None) -> None:
    found = reported("A026", shard(**arguments(plugin, **{name: value})))
    assert [dict(r.finding.evidence)["in force"] for r in found] == ([] if taken is None else [taken])


def test_settings_of_the_shard_itself_are_held_against_the_same_ranges() -> None:
    assert places("A026", shard(kValue=-1, minRuntime={"preemptMinRuntime": "soon"})) == [
        "warning SchedulingShard default spec.kValue",
        "warning SchedulingShard default spec.minRuntime.preemptMinRuntime",
    ]


def test_arguments_drop_what_the_shard_says() -> None:
    (found,) = reported("A027", shard(kValue=2, **arguments("proportion", **{READ: "1.5"})))
    (edit,) = found.finding.remedy.edits
    assert isinstance(edit, Insert)
    assert (edit.key, edit.value) == ("kValue", "2")


@pytest.mark.parametrize(
    "said",
    [
        {"kValue": 2},
        {"kValue": 1, **arguments("proportion")},
        {"kValue": 2, **arguments("proportion", kValue="3")},
        {"minRuntime": {"preemptMinRuntime": "0s"}, **arguments("minruntime")},
        {"minRuntime": {"preemptMinRuntime": "5m"}, **arguments("proportion")},
    ],
)
def test_nothing_is_dropped_where_nothing_changes(said: dict[str, Any]) -> None:
    assert reported("A027", shard(**said)) == ()


def test_empty_arguments_replace_as_well() -> None:
    dropped = shard(minRuntime={"reclaimMinRuntime": "5m"}, **arguments("minruntime"))
    assert places("A027", dropped) == ["warning SchedulingShard default spec.minRuntime.reclaimMinRuntime"]


def test_k_needs_usage() -> None:
    assert len(reported("A033", shard(kValue=2))) == 1
    assert reported("A033", shard(kValue=1)) == ()


@pytest.mark.parametrize(
    ("params", "rule"),
    [
        ({}, None),
        ({"windowType": "sliding"}, None),
        ({"windowType": "tumbling"}, "A029"),
        ({"windowType": "tumbling", "tumblingWindowStartTime": "2026-03-01T00:00:00Z"}, "A028"),
        ({"windowType": "cron"}, "A029"),
        ({"windowType": "cron", "cronString": "0 0 * *"}, "A029"),
        ({"windowType": "cron", "cronString": "0 0 * * MON-FRI"}, "A028"),
        ({"windowType": "cron", "cronString": "@weekly"}, "A028"),
        ({"windowType": "cron", "cronString": "0 0 1 */3 ? 2026"}, "A028"),
        ({"windowType": "cron", "cronString": "@midnight"}, "A029"),
        ({"windowType": "cron", "cronString": "TZ=Europe/Berlin 0 0 1 */3 ?"}, "A029"),
        ({"windowType": "Sliding"}, "A030"),
        ({"windowType": "rolling"}, "A030"),
    ],
)
def test_a_window_is_told_by_one_rule(params: dict[str, str], rule: str | None) -> None:
    found = {r.rule.id for name in ("A028", "A029", "A030") for r in reported(name, usage(**params))}
    assert found == ({rule} if rule else set())


def test_a_sliding_window_is_the_way_out() -> None:
    (found,) = reported("A028", usage(windowType="cron", cronString="@daily"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "sliding"),)


@pytest.mark.parametrize(
    ("config", "severity"),
    [
        ({"clientType": "prometheus"}, Severity.WARNING),
        ({"clientType": "prometheus", "connectionStringEnvVar": "URL"}, None),
        ({"clientType": "prometheus", "connectionString": "x", "connectionStringEnvVar": "URL"}, Severity.ERROR),
        ({"clientType": "influx", "connectionString": "x"}, Severity.ERROR),
        ({"clientType": "fake"}, None),
    ],
)
def test_usage_has_one_source(config: dict[str, str], severity: Severity | None) -> None:
    found = reported("A031", shard(usageDBConfig=config))
    assert [r.severity for r in found] == ([] if severity is None else [severity])


def test_the_prometheus_of_kais_config_is_a_source() -> None:
    config = kai("kai.scheduler/v1", "Config", {"name": "kai-config"}, {"prometheus": {"enabled": True}})
    assert reported("A031", shard(usageDBConfig={"clientType": "prometheus"}), config) == ()


def test_usage_needs_gpus_somewhere() -> None:
    assert reported("A035", usage()) == ()
    assert reported("A035", usage(), node(gpu=0), node("n2"), queue("a")) == ()
    assert len(reported("A035", usage(), node(gpu=0))) == 1


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"queueDepthPerAction": {"reclaim": 5}}, ""),
        ({"queueDepthPerAction": {"reclam": 5}}, "queueDepthPerAction.reclam"),
        ({"queueDepthPerAction": {"consolidation": 5}}, ""),
        (
            {"queueDepthPerAction": {"consolidation": 5}, "placementStrategy": {"cpu": "spread"}},
            "queueDepthPerAction.consolidation",
        ),
        (
            {
                "queueDepthPerAction": {"consolidation": 5},
                "placementStrategy": {"cpu": "spread"},
                "actions": {"consolidation": {"enabled": True}},
            },
            "",
        ),
        (
            {"queueDepthPerAction": {"preempt": 5}, "actions": {"preempt": {"enabled": False}}},
            "queueDepthPerAction.preempt",
        ),
        (
            {"scenarioSearchBudgets": {"maxActionSearchDuration": {"evict": "1m"}}},
            "scenarioSearchBudgets.maxActionSearchDuration.evict",
        ),
    ],
)
def test_settings_are_for_actions_that_run(said: dict[str, Any], place: str) -> None:
    found = [str(r.finding.place) for r in reported("A032", shard(**said))]
    assert found == ([f"SchedulingShard default spec.{place}"] if place else [])


@pytest.mark.parametrize(
    ("budgets", "place"),
    [
        ({"minJobSearchDuration": "1m", "maxJobSearchDuration": "61s"}, ""),
        ({"minJobSearchDuration": "1m", "maxJobSearchDuration": "60s"}, "minJobSearchDuration"),
        ({"maxActionSearchDuration": {"reclaim": "-1s"}}, "maxActionSearchDuration.reclaim"),
        ({"maxJobSearchDuration": "-1s"}, "maxJobSearchDuration"),
    ],
)
def test_budgets_are_positive_and_the_right_way_round(budgets: dict[str, Any], place: str) -> None:
    found = [str(r.finding.place) for r in reported("A036", shard(scenarioSearchBudgets=budgets))]
    assert found == ([f"SchedulingShard default spec.scenarioSearchBudgets.{place}"] if place else [])


def test_spans_with_days_cannot_be_decoded_but_windows_may_have_them() -> None:
    assert places("A038", usage(windowSize="1w", halfLifePeriod="1d", fetchInterval="1m")) == [
        "error SchedulingShard default spec.usageDBConfig.usageParams.halfLifePeriod"
    ]


def test_other_versions_are_not_served() -> None:
    texts = kai("scheduling.run.ai/v1", "Queue", {"name": "a"}, {"resources": {}})
    assert places("A037", texts) == ["error Queue a apiVersion"]
