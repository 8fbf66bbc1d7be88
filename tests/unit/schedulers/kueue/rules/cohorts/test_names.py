"""Rules: cohorts that exist by being named: legal, and often a slip of the pen."""

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import cohort, flavor, local_queue, queue


def test_a_slip_is_told_at_the_name_and_can_be_mended() -> None:
    (found,) = reported(
        "K059",
        *(flavor(), cohort("research"), queue("a", "research"), queue("b", "research"), queue("c", "reserch")),
        complete=True,
    )
    assert (found.severity, str(found.finding.place)) == ("warning", "ClusterQueue c spec.cohortName")
    assert [str(r.place) for r in found.finding.related] == ["Cohort research metadata.name"]
    assert not found.finding.remedy.safe
    assert len(found.finding.remedy.edits) == 1


def test_of_two_names_that_nobody_declares_the_rarer_is_the_slip() -> None:
    queues = [queue("a", "reserch"), queue("b", "reserch"), queue("c", "research")]
    assert places("K059", flavor(), *queues) == ["info ClusterQueue c spec.cohortName"]


def test_two_declared_cohorts_may_have_names_alike() -> None:
    both = (cohort("research"), cohort("reserch"))
    assert places("K059", flavor(), *both, queue("a", "research"), queue("b", "reserch")) == []


def test_a_parent_that_is_nearly_another_is_a_slip() -> None:
    cohorts = (cohort("everyone"), cohort("left", "everyone"), cohort("right", "everyon"))
    assert places("K059", *cohorts, complete=True) == ["warning Cohort right spec.parentName"]


def test_a_lonely_name_is_information() -> None:
    assert places("K059", flavor(), queue("a", "org"), complete=True) == ["info ClusterQueue a spec.cohortName"]
    assert places("K059", flavor(), queue("a", "org"), cohort("org"), complete=True) == []


def test_a_refused_cohort_is_declared() -> None:
    refused = cohort("org", None, {"default": {"cpu": (1, 1, None)}})
    assert places("K059", flavor(), refused, queue("a", "org"), complete=True) == []


def test_undeclared_cohorts_are_advice() -> None:
    queues = (queue("a", "org"), queue("b", "org"))
    assert places("K060", flavor(), *queues) == ["info ClusterQueue a spec.cohortName"]
    assert places("K060", flavor(), *queues, cohort("org")) == []
    assert places("K060", flavor(), queues[0], local_queue(target="a")) == []
