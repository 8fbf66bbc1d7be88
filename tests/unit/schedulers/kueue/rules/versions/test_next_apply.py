"""Rules: what is created once and refused at the next apply of the same text."""

from kubectl_fairshare.finding import Replace
from tests.unit.schedulers.kueue.rules.asking import places, queue, reported


def with_quota(text: str) -> str:
    return queue("q").replace("nominalQuota: 10", f"nominalQuota: {text}")


def test_spaces_are_trimmed() -> None:
    (found,) = reported("K006", with_quota('"8 "'))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "8"),)


def test_null_among_the_values_of_a_selector_is_refused_later() -> None:
    selector = "  namespaceSelector:\n    matchExpressions:\n    - {key: a, operator: In, values: [null]}\n"
    assert places("K006", queue("q", selector)) == [
        "error ClusterQueue q spec.namespaceSelector.matchExpressions[0].values[0]"
    ]
