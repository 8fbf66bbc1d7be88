"""Rules: usage over time: windows that never work, sources that do not exist."""

import pytest

from kubectl_fairshare.finding import Replace, Severity
from tests.unit.schedulers.kai.rules.objects import kai, node, queue, shard, usage
from tests.unit.schedulers.kueue.rules.asking import reported


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
        ({"clientType": "prometheus"}, Severity.INFO),
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
