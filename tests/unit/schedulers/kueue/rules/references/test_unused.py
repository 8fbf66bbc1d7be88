"""Rules: objects that nothing leads to: dead configuration."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import places, reported
from tests.unit.schedulers.kueue.rules.organisation import (
    GROUP,
    ORGANISATION,
    cohort,
    flavor,
    job,
    kueue,
    local_queue,
    queue,
)

TOPOLOGY = kueue("Topology", "racks", spec={"levels": [{"nodeLabel": "example.com/rack"}]})


CHECK = kueue("AdmissionCheck", "budget", spec={"controllerName": "example.com/budget"})


def test_a_queue_that_no_local_queue_leads_to_is_a_warning() -> None:
    assert places("K063", *ORGANISATION, queue("other"), complete=True) == ["warning ClusterQueue other metadata.name"]


def test_a_queue_that_lends_may_be_a_pool() -> None:
    found = places("K063", flavor(), queue("team", "org"), queue("pool", "org"), local_queue(), complete=True)
    assert found == ["info ClusterQueue pool metadata.name"]
    kept = queue("pool", "org", (8, None, 0))
    assert places("K063", flavor(), queue("team", "org"), kept, local_queue(), complete=True) == [
        "warning ClusterQueue pool metadata.name"
    ]


def test_without_local_queues_nothing_is_known_of_their_targets() -> None:
    assert places("K063", flavor(), queue()) == []
    assert len(places("K063", flavor(), queue(), complete=True)) == 1


def test_a_refused_local_queue_may_lead_anywhere() -> None:
    refused = local_queue("bad", "other", stopPolicy="Sometimes")
    assert places("K063", *ORGANISATION, queue("other"), refused, complete=True) == []


@pytest.mark.parametrize(
    ("unused", "place"),
    [
        (flavor("spot"), "ResourceFlavor spot metadata.name"),
        (CHECK, "AdmissionCheck budget metadata.name"),
        (TOPOLOGY, "Topology racks metadata.name"),
    ],
)
def test_what_nothing_names_is_unused(unused: str, place: str) -> None:
    assert places("K064", *ORGANISATION, unused, complete=True) == [f"warning {place}"]
    assert places("K064", *ORGANISATION, unused) == [f"info {place}"]


def test_what_something_names_is_used() -> None:
    checks = {"admissionChecks": [{"name": "budget"}]}
    placed = flavor("placed", {"pool": "gpu"}, topologyName="racks")
    of_cohort = cohort("org", None, {"placed": {"cpu": 4}})
    texts = (flavor(), placed, TOPOLOGY, CHECK, of_cohort, queue("team", "org", admissionChecksStrategy=checks))
    assert places("K064", *texts, complete=True) == []


def test_a_refused_queue_may_use_anything_that_it_mentions() -> None:
    refused = queue("bad", quota=[{"spot": {"cpu": -1}}])
    assert places("K064", *ORGANISATION, refused, flavor("spot"), flavor("other"), complete=True) == [
        "warning ResourceFlavor other metadata.name"
    ]


def test_an_empty_cohort_is_told_at_the_top_of_what_is_empty() -> None:
    cohorts = (cohort("root"), cohort("dead", "root"), cohort("deader", "dead"))
    found = places("K067", flavor(), *cohorts, queue("team", "root"), complete=True)
    assert found == ["warning Cohort dead metadata.name"]


def test_an_empty_cohort_that_lends_to_others_is_of_use() -> None:
    lending = cohort("reserve", "root", {"default": {"cpu": 8}})
    keeping = cohort("reserve", "root", {"default": {"cpu": (8, None, 0)}})
    assert places("K067", flavor(), cohort("root"), lending, queue("team", "root")) == []
    assert len(places("K067", flavor(), cohort("root"), keeping, queue("team", "root"))) == 1


def test_a_class_that_no_job_names_is_advice() -> None:
    classes = [kueue("WorkloadPriorityClass", name, value=1) for name in ("low", "high")]
    named = job(labels={f"{GROUP}/priority-class": "low"})
    assert places("K068", *ORGANISATION, *classes, named, complete=True) == [
        "info WorkloadPriorityClass high metadata.name"
    ]


def test_local_queues_alike_are_told_once() -> None:
    (found,) = reported("K069", *ORGANISATION, local_queue("a"), local_queue("b"), local_queue("c", namespace="x"))
    assert str(found.finding.place) == "LocalQueue team/b spec.clusterQueue"
    assert found.finding.message == "3 LocalQueues of namespace `team` point to ClusterQueue `team`"


def test_a_cohort_is_empty_when_its_name_is_misspelt_and_that_is_told() -> None:
    texts = (flavor(), cohort("research"), queue("team", "reserch"))
    assert places("K067", *texts, complete=True) == []
    assert len(places("K059", *texts, complete=True)) == 1
