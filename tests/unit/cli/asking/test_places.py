"""Symbolic places as lines and columns."""

import io

import pytest

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import ColumnPart, LinePart
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key

OLD = b"""\
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: old}
spec:
  cohort: all
"""
COHORT = Place(cluster_key("ClusterQueue", "old"), ("spec", "cohortName"))
ABSENT = Place(cluster_key("ClusterQueue", "absent"), ("spec",))


def places_of(text: bytes) -> Places:
    reading = read(["-"], stdin=io.BytesIO(text), schedulers=known_schedulers())
    return Places(reading.manifests, reading.texts)


def test_a_field_is_found_under_the_name_of_the_version_it_is_written_in() -> None:
    places = places_of(OLD)
    assert places[COHORT] == Location("<stdin>", 5, 11)
    assert list(places) == [COHORT]
    assert len(places) == 1


def test_an_object_that_was_not_read_has_no_place() -> None:
    assert places_of(OLD).get(ABSENT) is None


def test_a_job_beside_the_state_goes_first_and_the_state_is_still_found() -> None:
    job = read(
        ["-"], stdin=io.BytesIO(b"\n\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"), schedulers=known_schedulers()
    )
    places = places_of(OLD).under(job.manifests, job.texts)
    assert places[Place(job.manifests[0].key)] == Location("<stdin>", 3, 1)
    assert places[COHORT] == Location("<stdin>", 5, 11)


def test_a_problem_gets_its_line_where_it_has_one() -> None:
    places = places_of(OLD)
    assert places.problem(Problem("x", COHORT)).place == Location("<stdin>", 5, 11)
    assert places.problem(Problem("x", ABSENT)).place == ABSENT
    assert places.problem(Problem("x", "elsewhere")).place == "elsewhere"


INNER = "apiVersion: config.kueue.x-k8s.io/v1beta2\\nkind: Configuration\\nbad: ["


@pytest.mark.parametrize(
    ("value", "place", "message"),
    [
        (f'"{INNER}"', "5:9", "line 3 of its value: x"),
        ("|\n    a: 1\n    b: 2\n    c: [", "8:5", "x"),
    ],
)
def test_a_line_inside_a_text_is_told_where_it_has_none_of_its_own(value: str, place: str, message: str) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m}}\ndata:\n  text: {value}\n"
    key = ObjectKey("", "ConfigMap", "default", "m")
    problem = places_of(text.encode()).problem(Problem("x", Place(key, ("data", "text", LinePart(3), ColumnPart(1)))))
    assert (str(problem.place), problem.message) == (f"<stdin>:{place}", message)
