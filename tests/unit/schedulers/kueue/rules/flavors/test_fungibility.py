"""Rules: how a ClusterQueue goes from flavor to flavor: settings without a choice, and choices that surprise."""

import pytest

from kubectl_fairshare.finding import Remove
from kubectl_fairshare.model.location import Place
from tests.unit.schedulers.kueue.rules.asking import (
    places,
    queue,
    reported,
)
from tests.unit.schedulers.kueue.rules.organisation import preemption

ORG = "  cohortName: org\n"


TWO = ("a", "b")


@pytest.mark.parametrize(
    ("fungibility", "flavors", "policy", "found"),
    [
        ("whenCanBorrow: TryNextFlavor", ("a",), "Any", ["whenCanBorrow"]),
        ("whenCanBorrow: TryNextFlavor", TWO, "Any", []),
        ("whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor", ("a",), "Any", []),
        ("whenCanPreempt: MayStopSearch", TWO, "Never", ["whenCanPreempt"]),
        ("whenCanPreempt: MayStopSearch", TWO, "Any", []),
        (
            "whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: PreemptionOverBorrowing",
            ("a",),
            "Any",
            ["preference", "whenCanBorrow"],
        ),
    ],
)
def test_settings_without_a_choice(fungibility: str, flavors: tuple[str, ...], policy: str, found: list[str]) -> None:
    text = queue("q", f"{ORG}{preemption(policy)}  flavorFungibility: {{{fungibility}}}\n", flavors)
    removed = [
        edit.place.path[-1]
        for r in reported("K149", text)
        for edit in r.finding.remedy.edits
        if isinstance(edit, Remove)
    ]
    assert removed == found


def test_the_old_values_of_fungibility_are_told_alike() -> None:
    text = queue("q", ORG + "  flavorFungibility: {whenCanPreempt: Preempt}\n", ("a",))
    old = text.replace("v1beta2", "v1beta1").replace("cohortName", "cohort")
    assert places("K149", old) == ["info ClusterQueue q spec.flavorFungibility.whenCanPreempt"]


TRY_NEXT = "whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor"


@pytest.mark.parametrize(
    ("spec", "flavors", "count"),
    [
        (ORG + preemption("Any"), TWO, 1),
        (ORG + preemption(), TWO, 0),
        (preemption(within="LowerPriority"), TWO, 0),
        (ORG + preemption("Any"), ("a",), 0),
    ],
)
def test_preemption_over_borrowing_needs_both(spec: str, flavors: tuple[str, ...], count: int) -> None:
    text = f"{spec}  flavorFungibility: {{{TRY_NEXT}, preference: PreemptionOverBorrowing}}\n"
    assert len(places("K148", queue("q", text, flavors))) == count


def test_own_quota_in_a_later_flavor_is_passed_over() -> None:
    text = queue("q", ORG, TWO)
    assert len(places("K151", text)) == 1
    assert places("K151", text.replace("nominalQuota: 10", "nominalQuota: 0")) == []
    assert places("K151", queue("q", "", TWO)) == []


def test_preempting_before_the_next_flavor() -> None:
    text = ORG + preemption("Any") + "  flavorFungibility: {whenCanPreempt: MayStopSearch}\n"
    (found,) = reported("K150", queue("q", text, TWO))
    assert found.finding.place == Place(found.finding.place.object, ("spec", "flavorFungibility", "whenCanPreempt"))
    assert (
        reported("K150", queue("q", text.replace("reclaimWithinCohort: Any", "reclaimWithinCohort: Never"), TWO)) == ()
    )
