"""A release is a value that chooses laws."""

import pytest

from kubectl_fairshare.schedulers.kueue.admission.feature_gates import complaints, enabled_gates, is_known
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease, release_named

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
        ("v0.20.3-rc.1", "v0.20.3", 5, False),
        ("0.18", "v0.18", 0, False),
        ("0.21", "v0.21", 5, False),
    ],
)
def test_each_patch_level_brings_its_laws(text: str, shown: str, laws: int, measured: bool) -> None:
    found = release_named(text)
    assert (str(found), found.measured) == (shown, measured)
    assert [getattr(found, law) for law in LAWS] == [True] * laws + [False] * (len(LAWS) - laws)


def test_the_default_is_the_newest_that_was_measured_in_whole() -> None:
    assert release_named("0.19") == DEFAULT
    assert KueueRelease("v0.19") == DEFAULT


def test_v1beta1_is_served_before_0_20() -> None:
    assert [release_named(text).serves_v1beta1 for text in ("0.19.14", "0.20")] == [True, False]


@pytest.mark.parametrize("text", ["", "x", "1", "0.19.2.1", "0,19"])
def test_other_texts_are_not_releases(text: str) -> None:
    with pytest.raises(ValueError, match="is not a release"):
        release_named(text)


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
