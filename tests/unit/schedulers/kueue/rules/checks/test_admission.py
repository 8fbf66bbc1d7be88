"""Rules: what stands between quota and start: admission checks of a ClusterQueue, and concurrent admission."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    configuration,
    places,
    queue,
    reported,
)

OFF = configuration()


def checks(*entries: str) -> str:
    listed = "".join(f"    - {{{entry}}}\n" for entry in entries)
    return f"  admissionChecksStrategy:\n    admissionChecks:\n{listed}"


def test_an_empty_list_of_flavors_means_all() -> None:
    assert places("K162", queue("q", checks("name: a", "name: b, onFlavors: []"))) == [
        "warning ClusterQueue q spec.admissionChecksStrategy.admissionChecks[1].onFlavors"
    ]
    assert places("K162", queue("q", checks("name: b, onFlavors: [default]"))) == []


def test_flavors_without_a_check_are_named() -> None:
    (found,) = reported("K163", queue("q", checks("name: a, onFlavors: [u]"), ("u", "v", "w")))
    assert "`v`, `w`" in found.finding.message
    assert reported("K163", queue("q", checks("name: a, onFlavors: [v, u]"), ("u", "v"))) == ()


@pytest.mark.parametrize(
    ("everywhere", "first", "second", "count"), [(8, 0, 0, None), (9, 0, 0, 9), (4, 4, 4, None), (4, 5, 4, 9)]
)
def test_checks_count_for_one_choice_of_flavors(everywhere: int, first: int, second: int, count: int | None) -> None:
    entries = [f"name: e{i}" for i in range(everywhere)]
    entries += [f"name: u{i}, onFlavors: [u]" for i in range(first)]
    entries += [f"name: v{i}, onFlavors: [v]" for i in range(second)]
    found = reported("K164", queue("q", checks(*entries), ("u", "v")))
    assert [dict(r.finding.evidence)["checks"] for r in found] == ([] if count is None else [str(count)])


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ([], ["info"]),
        ([OFF], ["warning"]),
        ([configuration("featureGates: {ConcurrentAdmission: true}\n")], []),
        ([configuration("featureGates: {ConcurrentAdmission: yes please}\n")], []),
    ],
)
def test_a_policy_without_its_gate(before: list[str], found: list[str]) -> None:
    spec = "  concurrentAdmissionPolicy: {migration: {mode: RetainFirstAdmission}}\n"
    told = places("K165", *before, queue("q", spec))
    assert [place.partition(" ")[0] for place in told] == found
