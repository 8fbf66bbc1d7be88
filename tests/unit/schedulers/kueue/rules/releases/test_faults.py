"""Rules: faults of releases that later ones fixed, each for the releases that have it."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import cohort, places, queue, reported

LARGEST = "9223372036854775807"


def manager(release: str) -> str:
    container = f"{{name: manager, image: registry.k8s.io/kueue/kueue:{release}}}"
    metadata = "metadata: {name: kueue-controller-manager, namespace: kueue-system}"
    spec = f"{{template: {{spec: {{containers: [{container}]}}}}}}"
    return f"apiVersion: apps/v1\nkind: Deployment\n{metadata}\nspec: {spec}\n"


def with_own(name: str, amount: str, resource: str = "cpu") -> str:
    flavors = f"[{{name: default, resources: [{{name: {resource}, nominalQuota: {amount}}}]}}]"
    groups = f"[{{coveredResources: [{resource}], flavors: {flavors}}}]"
    return cohort(name, f"  resourceGroups: {groups}")


def with_quota(amount: str, spec: str = "") -> str:
    return queue("q", spec).replace("nominalQuota: 10", f"nominalQuota: {amount}")


@pytest.mark.parametrize(("release", "found"), [("v0.16.9", 1), ("v0.17.8", 1), ("v0.18.0", 0), ("v0.19.2", 0)])
def test_amounts_beyond_64_bits_are_about_releases_before_0_18(release: str, found: int) -> None:
    assert len(reported("K213", manager(release), with_quota(LARGEST))) == found


def test_a_cohorts_own_amount_counts_and_stands_in_the_message_as_written() -> None:
    (found,) = reported("K213", manager("v0.17.8"), with_own("all", "10Ei", "memory"))
    where = "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"
    assert str(found.finding.place) == f"Cohort all {where}"
    assert found.finding.message == "nominalQuota 10Ei of memory counts as another amount in Kueue v0.17"


def test_the_amounts_of_cohorts_and_queues_add_up() -> None:
    half = "5000000000000000"  # in cores; Kueue counts thousandths
    two = (with_own("all", half), with_quota(half, "  cohortName: all\n"))
    assert [each.finding.message for each in reported("K213", manager("v0.17.8"), *two)] == [
        "the quotas of cpu in `default` below cohort `all` add up to a negative amount in Kueue v0.17"
    ]
    assert reported("K213", manager("v0.17.8"), with_own("all", half), with_quota("1", "  cohortName: all\n")) == ()


def preferring(preference: str, spec: str = "  cohortName: all\n") -> str:
    searches = "whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor"
    fungibility = f"  flavorFungibility: {{{searches}, preference: {preference}}}\n"
    return queue("q", spec + fungibility, flavors=("default", "spot"))


@pytest.mark.parametrize(("release", "found"), [("v0.16.0", 1), ("v0.16.1", 1), ("v0.16.2", 0), ("v0.17.0", 0)])
@pytest.mark.parametrize("preference", ["BorrowingOverPreemption", "PreemptionOverBorrowing"])
def test_preferences_are_swapped_before_0_16_2(release: str, found: int, preference: str) -> None:
    where = ["error ClusterQueue q spec.flavorFungibility.preference"]
    assert places("K214", manager(release), preferring(preference)) == where * found


@pytest.mark.parametrize(
    ("release", "found"),
    [("v0.16.9", 1), ("v0.17.8", 1), ("v0.18.4", 1), ("v0.18.5", 0), ("v0.19.0", 1), ("v0.19.1", 0), ("v0.20.0", 0)],
)
def test_a_flavor_without_candidates_wins_before_0_18_5_and_0_19_1(release: str, found: int) -> None:
    assert len(reported("K215", manager(release), preferring("PreemptionOverBorrowing"))) == found
    assert reported("K215", manager(release), preferring("BorrowingOverPreemption")) == ()
    assert reported("K215", manager(release), preferring("PreemptionOverBorrowing", "")) == ()
