"""Rules: settings of a ClusterQueue that do not go together."""

import pytest

from kubectl_fairshare.finding import Replace
from tests.unit.schedulers.kueue.rules.asking import configuration, queue, reported


def test_a_default_is_said_to_be_one() -> None:
    text = queue("q", "  preemption:\n    borrowWithinCohort:\n      policy: LowerPriority\n")
    (found,) = reported("K019", text)
    assert "`reclaimWithinCohort` Never by default" in found.finding.message


def test_a_preference_names_the_search_in_its_way() -> None:
    fungibility = "  flavorFungibility:\n    whenCanBorrow: TryNextFlavor\n    whenCanPreempt: MayStopSearch\n"
    (found,) = reported("K018", queue("q", f"{fungibility}    preference: BorrowingOverPreemption\n"))
    assert "`whenCanPreempt` is MayStopSearch:" in found.finding.message
    assert len(found.finding.related) == 1


def test_a_misspelt_flavor_of_a_check_is_guessed() -> None:
    checks = "  admissionChecksStrategy:\n    admissionChecks:\n    - name: c\n      onFlavors: [defualt]\n"
    (found,) = reported("K021", queue("q", checks))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "default"),)
    assert not found.finding.remedy.safe


CONCURRENT = "  concurrentAdmissionPolicy:\n    migration:\n      mode: {}\n"


LAST = "      constraints:\n        lastAcceptableFlavorName: {}\n"


ON = configuration("featureGates:\n  ConcurrentAdmission: true\n")


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (CONCURRENT.format("TryPreferredFlavors"), None),
        (CONCURRENT.format("TryPreferredFlavors") + LAST.format("default"), None),
        (CONCURRENT.format("TryPreferredFlavors") + LAST.format("other"), "lastAcceptableFlavorName"),
        (CONCURRENT.format("RetainFirstAdmission") + LAST.format("default"), "constraints"),
        ("  queueingStrategy: StrictFIFO\n" + CONCURRENT.format("RetainFirstAdmission"), "queueingStrategy"),
    ],
)
def test_concurrent_admission_asks_for_a_fitting_queue_when_its_gate_is_on(spec: str, field: str | None) -> None:
    found = [each.finding.place.path[-1] for each in reported("K022", ON, queue("q", spec))]
    assert found == ([] if field is None else [field])
    assert reported("K022", queue("q", spec)) == ()


@pytest.mark.parametrize(("count", "found"), [(16, 0), (17, 1)])
def test_concurrent_admission_takes_sixteen_flavors(count: int, found: int) -> None:
    flavors = tuple(f"f{i}" for i in range(count))
    text = queue("q", CONCURRENT.format("RetainFirstAdmission"), flavors)
    assert len(reported("K022", ON, text)) == found
