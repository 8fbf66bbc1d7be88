"""Rules: queues that order by past usage, and their LocalQueues."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import configuration, local_queue, queue, reported

SCOPE = "  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n"
CHECK = "  admissionChecksStrategy: {admissionChecks: [{name: c}]}\n"
PREEMPTING = "  preemption: {withinClusterQueue: LowerPriority}\n"


def on(weights: str = "{cpu: 1}") -> str:
    block = f"  usageHalfLifeTime: 168h\n  usageSamplingInterval: 5m\n  resourceWeights: {weights}\n"
    return configuration(f"admissionFairSharing:\n{block}")


def messages(rule: str, *documents: str) -> list[str]:
    return [each.finding.message for each in reported(rule, *documents)]


def test_weights_for_some_of_the_covered_resources() -> None:
    assert messages("K202", on(), queue("team", SCOPE)) == []
    assert "a unit of `cpu` counts 1" in messages("K202", on("{memory: 0}"), queue("team", SCOPE))[0]
    assert messages("K202", on("{memory: 0}"), queue("team")) == []
    assert messages("K202", queue("team", SCOPE)) == []


def test_local_queues_of_one_name() -> None:
    other = local_queue("jobs", "team").replace("namespace: team", "namespace: vision")
    both = local_queue("jobs", "team"), other
    assert len(messages("K203", on(), queue("team", SCOPE + PREEMPTING), *both)) == 1
    assert messages("K203", on(), queue("team", SCOPE), *both) == []
    assert messages("K203", on(), queue("team", PREEMPTING), *both) == []


def test_a_single_local_queue() -> None:
    alone = on(), queue("team", SCOPE), local_queue("jobs", "team")
    assert len(messages("K204", *alone)) == 1
    assert messages("K204", *alone, local_queue("other", "team")) == []


def test_penalties_that_wait_for_checks() -> None:
    assert len(messages("K205", on(), queue("team", SCOPE + CHECK))) == 1
    assert messages("K205", on(), queue("team", CHECK)) == []


@pytest.mark.parametrize(("weight", "number"), [("500m", 0), ("1", 0), ("1n", 1), ("0.0000000001", 1)])
def test_weights_with_too_many_digits(weight: str, number: int) -> None:
    local = local_queue("jobs", "team", f'  fairSharing: {{weight: "{weight}"}}\n')
    assert len(messages("K206", on(), queue("team", SCOPE), local)) == number
    assert messages("K206", on(), queue("team"), local) == []
