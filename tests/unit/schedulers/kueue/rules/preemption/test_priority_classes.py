"""Rules: PriorityClasses: which one jobs get that name none."""

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    manifest,
)


def test_of_several_global_defaults_the_lowest_counts() -> None:
    classes = [
        manifest("scheduling.k8s.io/v1", "PriorityClass", name, value=value, globalDefault=default)
        for name, value, default in (("a", 50, True), ("b", 10, True), ("c", 0, False))
    ]
    (found,) = reported("K062", *classes)
    assert str(found.finding.place) == "PriorityClass a globalDefault"
    assert "`b` counts" in found.finding.message
    assert places("K062", classes[0], classes[2]) == []
