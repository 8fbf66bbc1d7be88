"""``simulate`` with jobs: the screen, the document, a line for each job, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.schemas import problems
from tests.screens import Screen

Run = Callable[[str], Screen]
WEEK = "kubectl-fairshare simulate -f testdata/simulate/org.yaml --scenario testdata/simulate/week.yaml"


def test_the_document_follows_its_schema_and_agrees_with_the_table(run: Run) -> None:
    document = json.loads(run(f"{WEEK} -o json").stdout)

    assert problems(document) == []
    lines = run(f"{WEEK} -o csv").stdout.splitlines()
    assert len(lines) == len(document["jobs"]) + 1 == 44
    evicted = [each for each in document["jobs"] if each["evictions"]]
    assert {each["evictions"][0]["rule"] for each in evicted} == {"nominal entitlement"}
    assert sum(each["lostSeconds"] for each in document["jobs"]) > 0


def test_only_an_exact_simulation_in_which_all_start_is_green(run: Run, tmp_path: Path) -> None:
    def first(words: str) -> str:
        return run(f"kubectl-fairshare simulate -f testdata/simulate/org.yaml {words} --color always").stdout[:5]

    trace = tmp_path / "t.jsonl"
    assert run(f"kubectl-fairshare trace -f testdata/traces/kueue.yaml --redact none -o {trace}").code == 0
    week, green, yellow = "--scenario testdata/simulate/week.yaml", "\x1b[32m", "\x1b[33m"
    assert first(week) == green
    assert first(f"--trace {trace}") == yellow
    for words in (week, f"{week} --seeds 2", "--trace testdata/traces/replayed.jsonl --calibrate"):
        assert first(f"{words} --release 0.1.0") == yellow


def test_a_change_of_the_scenario_counts_from_its_moment_on(run: Run) -> None:
    document = json.loads(run(f"{WEEK} -o json").stdout)
    (speech,) = [each for each in document["queues"] if each["name"] == "speech"]
    assert set(speech["uses"][0]["entitled"]) == {8, 12}


def test_checkpoints_save_work(run: Run) -> None:
    plain, saved = (json.loads(run(f"{WEEK} -o json{more}").stdout) for more in ("", " --checkpoint 1m"))
    lost = [sum(each["lostSeconds"] for each in document["jobs"]) for document in (plain, saved)]
    assert lost[1] < lost[0] / 4


def test_a_trace_is_played_under_another_policy(run: Run, tmp_path: object) -> None:
    trace = f"{tmp_path}/t.jsonl"
    assert run(f"kubectl-fairshare trace -f testdata/traces/kueue.yaml --redact none -o {trace}").code == 0
    document = json.loads(
        run(f"kubectl-fairshare simulate -f testdata/simulate/org.yaml --trace {trace} -o json").stdout
    )
    assert len(document["jobs"]) == 5
    assert {each["refused"] for each in document["jobs"]} == {"LocalQueue main does not exist"}


def test_a_redacted_trace_whose_queues_are_not_in_the_input_is_named_and_one_beside_its_snapshot_is_not(
    run: Run, tmp_path: Path
) -> None:
    trace, state = tmp_path / "t.jsonl", tmp_path / "state.json"
    assert run(f"kubectl-fairshare trace -f testdata/traces/kueue.yaml -o {trace}").code == 0
    assert run(f"kubectl-fairshare snapshot -f testdata/traces/kueue.yaml --redact names -o {state}").code == 0
    said = "names of the trace are redacted, and the input has none of its queues: 1"
    assert said in run(f"kubectl-fairshare simulate -f testdata/traces/kueue.yaml --trace {trace}").stderr
    assert said not in run(f"kubectl-fairshare simulate -f {state} --trace {trace}").stderr
    assert said not in run(f"kubectl-fairshare simulate -f testdata/traces/kueue.yaml --trace {trace} -q").stderr


def test_work_of_the_input_that_no_job_stands_for_is_named(run: Run, tmp_path: Path) -> None:
    played = "kubectl-fairshare simulate -f testdata/traces/kueue.yaml"
    week = f"{played} --scenario testdata/simulate/week.yaml"
    document = json.loads(run(f"{week} -o json").stdout)
    names = {(each["kind"], each["name"]) for each in document["leftOut"]}
    assert names == {("Workload", "job-running-3"), ("Workload", "job-waiting-4")}
    words = " ".join(run(week).stdout.split())
    assert "work of the input is not there: 2, Workload team-vision/job-running-3" in words
    trace = tmp_path / "t.jsonl"
    assert run(f"kubectl-fairshare trace -f testdata/traces/kueue.yaml --redact none -o {trace}").code == 0
    assert json.loads(run(f"{played} --trace {trace} -o json").stdout)["leftOut"] == []


def test_a_simulation_of_a_trace_that_lacks_what_decides_is_not_exact(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    played = f"kubectl-fairshare simulate -f testdata/traces/kueue.yaml --trace {trace}"
    assert run(f"kubectl-fairshare trace -f testdata/traces/kueue.yaml --redact none -o {trace}").code == 0
    assert json.loads(run(f"{played} -o json").stdout)["fidelity"]["exact"]
    header, first, *rest = trace.read_text("utf-8").splitlines()
    lacking = json.dumps(json.loads(first) | {"lacks": ["node affinity"]})
    trace.write_text("\n".join((header, lacking, *rest)))
    assert not json.loads(run(f"{played} -o json").stdout)["fidelity"]["exact"]
    assert "node affinity of jobs, which the trace does not hold" in run(played).stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "no jobs are given"),
        ("-f testdata/simulate --scenario testdata/simulate/week.yaml --cycles 3", "counts cycles of a file of queues"),
        ("-f testdata/simulate --scenario testdata/simulate/week.yaml -o svg", "`svg` is a form of a file of queues"),
        ("-f testdata/simulate --scenario testdata/simulate/week.yaml --until soon", "`soon` is not a span of time"),
        ("-f testdata/kai/simulate/burst.yaml --each 'x*'", "a file of queues is one unit"),
        ("-f testdata/simulate --scenario testdata/simulate/week.yaml --each 'x*'", "--each"),
        ("-f testdata/kai/simulate/burst.yaml --scheduler kueue", "has no answer for Kueue"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_a_remedy(run: Run, options: str, message: str) -> None:
    screen = run(f"kubectl-fairshare simulate {options}")
    assert screen.code == 2
    assert message in screen.stderr
