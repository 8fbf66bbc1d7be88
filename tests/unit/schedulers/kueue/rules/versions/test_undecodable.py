"""Rules: values that Kueue cannot decode: refused by its webhooks, or stored and in the way of everything."""

from tests.unit.schedulers.kueue.rules.asking import cohort, places


def test_such_a_weight_of_a_cohort_is_refused() -> None:
    text = cohort("c", "  fairSharing:\n    weight: 1e1.5\n")
    assert places("K002", text) == ["error Cohort c spec.fairSharing.weight"]
