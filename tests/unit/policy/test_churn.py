"""What is evicted again and again: from conditions, counts and Events, from a trace, on the page."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.answers.churn import QueuePair
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.jobs.history import PastWork
from kubectl_fairshare.model.job_trace import TracedEviction, TracedJob, TracedPods
from kubectl_fairshare.policy.churn import churn, cycles_of
from kubectl_fairshare.schedulers import chosen_scheduler, known_schedulers
from tests.schemas import problems
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
CALL = "kubectl-fairshare why -A --churn -f testdata/churn/cluster.yaml"
SECOND = 10**9


def traced(name: str, admitted: int | None, evicted: list[int], readmitted: tuple[int, ...] = ()) -> TracedJob:
    pods = (TracedPods("main", 2, {"nvidia.com/gpu": 4}),)
    evictions = tuple(TracedEviction(at * SECOND, "Preempted") for at in evicted)
    return TracedJob(
        name, "lab", "main", 0, pods,
        admitted=None if admitted is None else admitted * SECOND,
        readmitted=tuple(at * SECOND for at in readmitted),
        evictions=evictions,
    )  # fmt: skip


def test_conditions_counts_and_events_are_put_together(run: Run) -> None:
    """Of five evictions that Kueue counted, two have a moment: one in an Event, one in a condition."""
    document = json.loads(run(f"{CALL} -o json").stdout)
    assert problems(document) == []
    sweep, train = document["jobs"]
    assert (sweep["name"], sweep["evictions"], sweep["counted"]) == ("sweep", 5, 2)
    assert (train["name"], train["evictions"], train["last"]) == ("train", 2, "2026-03-02T09:11:00Z")
    (cause,) = sweep["causes"]
    assert (cause["by"], cause["byQueue"], cause["rule"]) == ("train", "owners", "preemption.reclaimWithinCohort")
    assert document["cycles"] == [["guests", "owners"]]
    assert [(pair["queue"], pair["byQueue"], pair["evictions"]) for pair in document["pairs"]] == [
        ("guests", "owners", 2),
        ("owners", "guests", 2),
    ]


def test_the_screen_names_who_and_the_ring(run: Run) -> None:
    screen = run(CALL)
    assert screen.code == 0
    assert "ring: guests evicts owners evicts guests" in screen.stdout
    assert len(run(f"{CALL} -o csv").stdout.splitlines()) == 3
    assert run("kubectl-fairshare why --churn -f testdata/plan/org.yaml").stdout.startswith("no workload was evicted")


def test_what_is_lost_is_the_time_between_a_known_admission_and_an_eviction() -> None:
    jobs = (
        traced("known", 0, [1800, 7200], (3600,)),
        traced("half", None, [1800, 7200], (3600,)),
        traced("once", 0, [60]),
    )
    found = churn(PastWork("kueue", "trace", jobs), {}, "kueue")
    assert [(each.job.name, each.evictions, each.spans) for each in found.jobs] == [("half", 2, 1), ("known", 2, 2)]
    assert found.every == 5
    assert found.lost == {"nvidia.com/gpu": 8 * (3600 + 1800 + 3600) * SECOND}
    assert found.notes


def test_a_trace_is_asked_as_well(run: Run) -> None:
    trace = "testdata/traces/replayed.jsonl"
    document = json.loads(
        run(f"kubectl-fairshare why --churn -f testdata/plan/org.yaml --trace {trace} -o json").stdout
    )
    assert document["kind"] == "Churn"
    wrong = run("kubectl-fairshare why -f testdata/plan/org.yaml --trace x.jsonl")
    assert (wrong.code, "add `--churn`" in wrong.stderr) == (2, True)
    assert run(f"{CALL} job/x").code == 2


@pytest.mark.parametrize(
    ("pairs", "rings"),
    [
        ([("a", "a")], []),
        ([("a", "b")], []),
        ([("a", "b"), ("b", "a")], [("a", "b")]),
        ([("b", "a"), ("c", "b"), ("a", "c")], [("a", "b", "c")]),
        ([("b", "a"), ("a", "b"), ("c", "b"), ("a", "c")], [("a", "b"), ("a", "b", "c")]),
    ],
)
def test_rings_are_found_once_each(pairs: list[tuple[str, str]], rings: list[tuple[str, ...]]) -> None:
    """A pair is a queue and the one for which its work is evicted."""
    found = list(cycles_of([QueuePair(queue, by, 1, {}) for queue, by in pairs]))
    assert sorted(found) == sorted(rings)


def test_the_page_has_a_block_of_it(run: Run, tmp_path: Path) -> None:
    run(f"kubectl-fairshare report -f testdata/churn/cluster.yaml -o {tmp_path}/page.html --now 2026-03-02T10:00:00Z")
    page = (tmp_path / "page.html").read_text()
    assert "Evicted again and again" in page
    assert "guests evicts owners" in page


@pytest.mark.parametrize("path", ["testdata/churn/cluster.yaml", "testdata/demo/org", "testdata/why/fair.json.gz"])
def test_jobs_that_were_never_evicted_need_not_be_read(path: str) -> None:
    """``history`` of those alone that were evicted gives the same list."""
    snapshot = assemble(read([str(ROOT / path)], known_schedulers()).manifests, known_schedulers()).snapshot
    house = chosen_scheduler(snapshot, None)
    whole, some = house.history(snapshot), house.history(snapshot, evicted=True)
    noted = house.evictions(snapshot)
    assert churn(some, noted, "x", 1) == churn(whole, noted, "x", 1)
    assert all(job.evictions or job.uncounted for job in some.jobs)
