"""Rules: what of KAI's API is served, and what its own programs cannot decode."""

from tests.unit.schedulers.kai.rules.objects import kai, usage
from tests.unit.schedulers.kueue.rules.asking import places


def test_spans_with_days_cannot_be_decoded_but_windows_may_have_them() -> None:
    assert places("A038", usage(windowSize="1w", halfLifePeriod="1d", fetchInterval="1m")) == [
        "error SchedulingShard default spec.usageDBConfig.usageParams.halfLifePeriod"
    ]


def test_other_versions_are_not_served() -> None:
    texts = kai("scheduling.run.ai/v1", "Queue", {"name": "a"}, {"resources": {}})
    assert places("A037", texts) == ["error Queue a apiVersion"]
