"""Rules: what KAI's operator refuses of a SchedulingShard."""

from typing import Any

import pytest

from tests.unit.schedulers.kai.rules.objects import shard
from tests.unit.schedulers.kueue.rules.asking import reported


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
        (
            {"scenarioSearchBudgets": {"maxActionSearchDuration": {"allocate": "1m"}}},
            "scenarioSearchBudgets.maxActionSearchDuration.allocate",
        ),
        ({"scenarioSearchBudgets": {"maxActionSearchDuration": {"default": "1m", "consolidation": "1m"}}}, ""),
        ({"queueDepthPerAction": {"own": 5}, "actions": {"own": {}}}, ""),
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
        ({"minJobSearchDuration": "1m", "maxJobSearchDuration": "0s"}, ""),
        ({"minJobSearchDuration": "3m"}, ""),
        ({"minJobSearchDuration": "4m"}, "minJobSearchDuration"),
    ],
)
def test_budgets_are_positive_and_the_right_way_round(budgets: dict[str, Any], place: str) -> None:
    found = [str(r.finding.place) for r in reported("A036", shard(scenarioSearchBudgets=budgets))]
    assert found == ([f"SchedulingShard default spec.scenarioSearchBudgets.{place}"] if place else [])
