"""Rules: versions of Kueue's API: what is served, what was renamed, what an old one lets pass."""

from kubectl_fairshare.finding import Insert, Remove, Rename, Replace
from tests.unit.schedulers.kueue.rules.asking import KUEUE, V1BETA1, document, queue, reported


def test_a_kube_config_of_v1beta1_goes_below_its_source_and_nothing_else_is_said() -> None:
    text = document("MultiKueueCluster", "spec:\n  kubeConfig:\n    location: a\n")
    (found,) = reported("K003", text)
    insert, remove = found.finding.remedy.edits
    assert isinstance(insert, Insert)
    assert isinstance(remove, Remove)
    assert insert.value == {"kubeConfig": {"location": "a"}}
    assert reported("M004", text) == ()


def test_a_field_of_the_other_version_is_renamed_in_either_direction() -> None:
    for text, wrong, right in (
        (queue("q", "  cohort: c\n"), "cohort", "cohortName"),
        (queue("q", "  cohortName: c\n").replace(KUEUE, V1BETA1), "cohortName", "cohort"),
    ):
        (found,) = reported("K003", text)
        assert found.finding.place.path == ("spec", wrong)
        assert found.finding.remedy.edits == (Rename(found.finding.place, right),)
        assert found.finding.remedy.safe


def test_an_old_name_beside_the_new_one_is_taken_out_when_they_say_the_same() -> None:
    (alike,) = reported("K003", queue("q", "  cohort: c\n  cohortName: c\n"))
    assert [type(edit) for edit in alike.finding.remedy.edits] == [Remove]
    (unlike,) = reported("K003", queue("q", "  cohort: b\n  cohortName: c\n"))
    assert unlike.finding.remedy.edits == ()


def test_a_flat_list_of_checks_becomes_a_strategy() -> None:
    (found,) = reported("K003", queue("q", "  admissionChecks: [a, b]\n"))
    insert, remove = found.finding.remedy.edits
    assert getattr(insert, "value", None) == {"admissionChecks": [{"name": "a"}, {"name": "b"}]}
    assert isinstance(remove, Remove)


def test_a_kind_that_kueue_does_not_have_is_guessed() -> None:
    (found,) = reported("K001", queue("q").replace("kind: ClusterQueue", "kind: ClusterQueu"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "ClusterQueue"),)
