"""A release is a value that chooses laws."""

import pytest

from kubectl_fairshare.schedulers.kueue.admission.feature_gates import complaints, enabled_gates, is_known
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease, release_named

LAWS_BEFORE = ("own_label_keys", "keeps_scan", "hopeless_last", "every_misfit", "reason_tokens", "namespace_words")
LAWS = ("limits_first", "uncovered_counts", "exact_amounts", "pod_level_at_least", "pods_are_freed")


@pytest.mark.parametrize(
    ("text", "shown", "laws", "measured"),
    [
        ("0.19", "v0.19", 0, True),
        ("v0.19.2", "v0.19", 0, True),
        ("0.19.3", "v0.19.3", 1, True),
        ("v0.19.4", "v0.19.4", 2, True),
        ("v0.19.5", "v0.19.5", 3, True),
        ("v0.19.6", "v0.19.6", 4, True),
        ("v0.19.7", "v0.19.7", 5, True),
        ("v0.19.8", "v0.19.8", 5, False),
        ("0.19.1", "v0.19.1", 0, False),
        ("0.20", "v0.20", 5, True),
        ("v0.20.0", "v0.20", 5, True),
        ("v0.20.3-rc.1", "v0.20.3-rc.1", 5, False),
        ("0.18", "v0.18", 0, True),
        ("v0.18.6", "v0.18", 0, True),
        ("v0.18.0", "v0.18.0", 0, True),
        ("v0.18.7", "v0.18.7", 0, False),
        ("v1.18.6", "v1.18.6", 5, False),
        ("0.21", "v0.21", 5, False),
    ],
)
def test_each_patch_level_brings_its_laws(text: str, shown: str, laws: int, measured: bool) -> None:
    found = release_named(text)
    assert (str(found), found.measured) == (shown, measured)
    assert [getattr(found, law) for law in LAWS] == [True] * laws + [False] * (len(LAWS) - laws)


@pytest.mark.parametrize(
    ("text", "laws"), [("0.18.1", 0), ("0.18.2", 1), ("0.18.4", 1), ("0.18.5", 6), ("0.18", 6), ("0.19.1", 6)]
)
def test_laws_came_with_patch_levels_of_each_line(text: str, laws: int) -> None:
    found = release_named(text)
    held = [getattr(found, law) for law in LAWS_BEFORE]
    assert held == [True] * laws + [False] * (len(LAWS_BEFORE) - laws)


def test_older_lines_have_laws_of_their_own() -> None:
    """The pages of v0.17.8 and v0.16.9; each law was recorded with that release's own code."""
    both = ("crashes_without_cohort", "wrapping_amounts", "negative_requests", "pods_are_freed")
    lines = {text: release_named(text) for text in ("0.16", "0.17", "0.18")}
    assert [str(release) for release in lines.values()] == ["v0.16", "v0.17", "v0.18"]
    assert [release.measured for release in map(release_named, ("0.16.9", "0.16.8", "0.17.8", "0.17.1"))] == [
        *(True, False, True, False)
    ]
    held = {text: [getattr(release, law) for law in both] for text, release in lines.items()}
    assert held == {"0.16": [True] * 4, "0.17": [True] * 4, "0.18": [False] * 4}
    assert [(r.zero_counts, r.borrowing_by_share, r.whole_inputs) for r in lines.values()] == [
        *((True,) * 3, (False,) * 3, (False,) * 3)
    ]
    assert [release.own_label_keys for release in lines.values()] == [False, True, True]
    assert [release.most_pod_sets for release in lines.values()] == [8, 8, 10]


def test_laws_of_older_lines_differ_for_a_reason() -> None:
    assert [release_named(text).waits_for_pods for text in ("0.18", "0.19")] == [False, True]
    assert [release_named(text).most_pod_sets for text in ("0.18", "0.19")] == [10, 18]
    assert [release_named(text).changed_features for text in ("0.18", "0.19")] == [frozenset()] * 2
    assert "TopologyAwareScheduling" in release_named("0.17.7").later_features
    assert not release_named("0.18.5").later_features


def test_the_default_is_the_newest_that_was_measured_in_whole() -> None:
    assert release_named("0.19") == DEFAULT
    assert KueueRelease("v0.19") == DEFAULT


def test_v1beta1_is_served_before_0_20() -> None:
    assert [release_named(text).serves_v1beta1 for text in ("0.19.14", "0.20")] == [True, False]


@pytest.mark.parametrize("text", ["", "x", "1", "0.19.2.1", "0,19"])
def test_other_texts_are_not_releases(text: str) -> None:
    with pytest.raises(ValueError, match="is not a release"):
        release_named(text)


def test_an_older_release_knows_other_gates() -> None:
    older = release_named("0.18")
    assert "TASMultiLayerTopology" not in enabled_gates({}, older)
    assert "TASMultiLayerTopology" in enabled_gates({"TASMultiLayerTopology": True}, older)
    assert not is_known("DisableWaitForPodsReady", older)
    assert is_known("VectorizedResourceRequests", older)
    assert not is_known("VectorizedResourceRequests", release_named("0.18.3"))
    assert list(complaints({"LendingLimit": True, "ManagedJobsNamespaceSelectorAlwaysRespected": False}, older)) == []
    locked = "is locked and cannot be changed"
    assert list(complaints({"LendingLimit": False}, older)) == [
        ("LendingLimit", f"feature gate `LendingLimit` {locked}")
    ]
    turned_on = {"DynamicResourceAllocation": True}
    assert [gate for gate, _ in complaints(turned_on, older)] == ["DynamicResourceAllocation"]


def test_feature_gates_follow_the_release() -> None:
    later = release_named("0.20")
    recomputed = "RecomputeAssignmentUponPreemptionTargetsOverlap"
    assert recomputed not in enabled_gates({})
    assert recomputed in enabled_gates({}, later)
    assert recomputed not in enabled_gates({recomputed: False}, later)
    assert recomputed not in enabled_gates({"AllAlpha": False}, later)
    assert not is_known("FairSharingRefill")
    assert is_known("FairSharingRefill", later)
    gone = {"HierarchicalCohorts": True}
    assert list(complaints(gone)) == []
    assert list(complaints(gone, later)) == [
        ("HierarchicalCohorts", "Kueue v0.20 knows no feature gate `HierarchicalCohorts`")
    ]
