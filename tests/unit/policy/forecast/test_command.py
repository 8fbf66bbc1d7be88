"""``forecast``: the screen, the document, other forms, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.schemas import problems
from tests.screens import Screen

Run = Callable[[str], Screen]
FORECAST = "kubectl-fairshare forecast -f testdata/forecast/cluster.yaml --now 2026-11-30T01:00:00Z"


@pytest.mark.slow
def test_the_document_follows_its_schema_and_agrees_with_the_table(run: Run) -> None:
    document = json.loads(run(f"{FORECAST} -o json").stdout)

    assert problems(document) == []
    lines = run(f"{FORECAST} -o csv").stdout.splitlines()
    assert len(lines) == len(document["waiting"]) + 1 == 4
    assert [each["verdict"] for each in document["waiting"]] == ["starts", "starts", "noStart"]
    train = document["waiting"][1]
    assert train["title"] == "research/train"
    assert train["starts"]["p10"] < train["starts"]["p50"] < train["starts"]["p90"]
    assert [end["title"] for end in train["waitsFor"]] == ["research/nightly-7"]
    assert {each["title"]: each["duration"]["source"] for each in document["running"]} == {
        "research/nightly-7": "past",
        "products/serve": "limit",
    }


@pytest.mark.slow
def test_a_job_is_asked_about_by_its_own_name_and_that_of_its_workload(run: Run) -> None:
    by_job = run(f"{FORECAST} job/chat-tune -n products")
    assert by_job.code == 0
    assert by_job.stdout.startswith("products/chat-tune · starts ≈ 02:30 (01:30–03:30), after research/nightly-7 ends")
    assert by_job.stdout == run(f"{FORECAST} products/workload/chat-1").stdout


@pytest.mark.slow
def test_each_duration_that_matters_has_its_source(run: Run) -> None:
    shown = " ".join(run(f"{FORECAST} research/train").stdout.split())
    assert "runs 3h to 5h: 3 runs of research/nightly-* that were longer than it has run" in shown
    given = " ".join(run(f"{FORECAST} research/train --duration 'nightly-*=4h'").stdout.split())
    assert "starts ≈ 02:30 (02:30–02:30)" in given
    assert "runs 4h: --duration nightly-*" in given
    default = " ".join(run(f"{FORECAST} products/chat-tune --default-duration 90m").stdout.split())
    assert "runs 90m: --default-duration" in default


@pytest.mark.slow
def test_only_given_durations_make_an_answer_exact(run: Run) -> None:
    given = "--duration 'nightly-*=4h' --duration 'serve=24h' --duration 'chat-tune=1h' --duration 'train=1h'"
    assert run(f"{FORECAST} research/train {given} --require exact").code == 0
    assert "· exact (" in " ".join(run(f"{FORECAST} research/train {given}").stdout.split())
    assert run(f"{FORECAST} research/train --require exact").code == 5
    assert run(f"{FORECAST} research/train").code == 0


def test_what_one_of_the_plays_does_not_model_is_said_for_each_seed(run: Run) -> None:
    call = "kubectl-fairshare forecast -f testdata/forecast/one-play.yaml --now 2026-01-01T02:00:00Z"
    for seed in range(2):  # the first play of 0 has no preemption, that of 1 has one
        screen = run(f"{call} --duration r=4h --duration h=1h --seed {seed}")
        assert screen.code == 5
        assert "the devices that its resourceClaims request" in " ".join(screen.stdout.split())


def test_pods_of_a_job_that_end_one_after_the_other_leave_a_doubt(run: Run, tmp_path: Path) -> None:
    text = Path("testdata/forecast/cluster.yaml").read_text("utf-8")
    state = tmp_path / "state.yaml"
    before, after = text.split("name: nightly-7,")
    reclaimed = after.replace("status:\n", "status:\n  reclaimablePods: [{name: main, count: 1}]\n", 1)
    state.write_text(f"{before}name: nightly-7,{reclaimed}", "utf-8")
    screen = run(f"kubectl-fairshare forecast -f {state} --now 2026-11-30T01:00:00Z --duration '*=4h'")
    assert screen.code == 5
    assert "when further pods of running work end before the others" in " ".join(screen.stdout.split())


@pytest.mark.parametrize(("status", "is_named"), [("False", True), ("True", False), (None, False)])
def test_pods_that_are_not_ready_now_are_taken_as_ready_which_is_said(
    run: Run, tmp_path: Path, status: str | None, is_named: bool
) -> None:
    text = Path("testdata/forecast/cluster.yaml").read_text("utf-8")
    state = tmp_path / "state.yaml"
    moment = "lastTransitionTime: '2026-11-29T22:31:00Z'"
    condition = f"{{type: PodsReady, status: '{status}', reason: r, message: m, {moment}}}"
    before, after = text.split("name: nightly-7,")
    unready = after if status is None else after.replace("conditions:\n", f"conditions:\n  - {condition}\n", 1)
    state.write_text(f"{before}name: nightly-7,{unready}", "utf-8")
    screen = run(f"kubectl-fairshare forecast -f {state} --now 2026-11-30T01:00:00Z --duration '*=4h'")
    assert ("pods that are not ready now become so in time" in " ".join(screen.stdout.split())) is is_named
    assert screen.code == 0


@pytest.mark.slow
def test_other_forms(run: Run) -> None:
    assert run(f"{FORECAST} -o name").stdout.splitlines() == ["job/chat-tune", "job/train", "workload/giant"]
    markdown = run(f"{FORECAST} -o markdown").stdout
    assert (
        "| 02:30 | 01:30–03:30 | research/train | research | 4 nvidia.com/gpu | research/nightly-7 ends |" in markdown
    )
    assert run(f"{FORECAST} -o svg").stdout.startswith("<svg")


def test_a_run_that_state_and_trace_both_have_counts_once(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    assert run(f"kubectl-fairshare trace -f testdata/forecast/cluster.yaml --redact none -o {trace}").code == 0
    (longest,) = [line for line in trace.read_text("utf-8").splitlines() if "nightly-6" in line]
    with trace.open("a", encoding="utf-8") as file:
        file.write(longest.replace("nightly-6", "nightly-1") + "\n")
    document = json.loads(run(f"{FORECAST} -o json --trace {trace}").stdout)
    (nightly,) = [each for each in document["running"] if each["title"] == "research/nightly-7"]
    assert nightly["duration"]["seconds"] == [10800, 14400, 18000, 18000]


def test_units_of_every_scheduler_have_an_answer(run: Run) -> None:
    screen = run("kubectl-fairshare forecast -f testdata/demo")
    assert "vision/sweep-3" in screen.stdout
    for name in ("capacity", "koordinator", "kai", "org"):
        assert f"testdata/demo/{name}" in screen.stdout
    assert "has no answer" not in screen.stderr


def test_what_it_refuses(run: Run) -> None:
    wrong = {
        "--duration 2h": "is not NAME=SPAN",
        "--default-duration soon": "is not a span of time",
        "job/nothing": "no job `nothing`",
        "research/nightly-2": "neither waits nor runs",
        "--seeds 0": "--seeds",
    }
    for words, message in wrong.items():
        screen = run(f"{FORECAST} {words}")
        assert screen.code == 2, words
        assert message in screen.stderr, words
    undated = run("kubectl-fairshare forecast -f testdata/demo/org/kueue.yaml -f testdata/demo/org/research.yaml")
    assert undated.code == 2
    assert "no object of the input has a moment" in undated.stderr


def test_why_says_when_a_workload_starts_and_where_that_is_not_known(run: Run) -> None:
    why = "kubectl-fairshare why -f testdata/forecast/cluster.yaml --now 2026-11-30T01:00:00Z --forecast"
    known = " ".join(run(f"{why} products/chat-tune").stdout.split())
    assert "≈ 02:30 (01:30–03:30), after research/nightly-7 ends (forecast from 2026-11-30T01:00:00Z" in known
    assert "does not start, whatever ends" in " ".join(run(f"{why} research/giant").stdout.split())
    assert "after research/nightly-7 ends" in run(f"{why} products/chat-tune -o markdown").stdout
    document = json.loads(run(f"{why} products/chat-tune -o json").stdout)
    assert problems(document) == []
    alone = json.loads(run(f"{FORECAST} products/chat-tune -o json").stdout)["waiting"][0]
    assert (document["forecast"]["starts"], document["forecast"]["after"]) == (alone["starts"], "research/nightly-7")
    assert json.loads(run(f"{why} research/nightly-7 -o json").stdout)["forecast"] is None


def test_why_without_durations_says_how_to_give_them(run: Run) -> None:
    why = "kubectl-fairshare why -f testdata/elasticquota/waiting.yaml --now 2026-11-30T01:00:00Z --forecast"
    said = " ".join(run(f"{why} production/wide").stdout.split())
    assert "starts, but when is not known" in said
    assert "`kubectl fairshare forecast --duration NAME=SPAN` takes durations" in said
    listed = run(f"{why} -o csv").stdout.splitlines()
    assert listed[0].endswith(",start,startP10,startP90")
    assert any(line.startswith("production,wide,") and line.endswith(",untimed,,") for line in listed)
    table = " ".join(run(why).stdout.split())
    assert "without known durations: `forecast --duration NAME=SPAN` takes them" in table


def test_a_list_has_the_interval_of_each_in_a_column_and_in_every_form(run: Run) -> None:
    """As `forecast` says it; without the option there is no column."""
    why = "kubectl-fairshare why -A -f testdata/forecast/cluster.yaml --now 2026-11-30T01:00:00Z"
    screen = run(f"{why} --forecast")
    rows = {line.split()[0]: line for line in screen.stdout.splitlines() if line.startswith(("research/", "products"))}
    assert "≈ 02:30 (01:30–03:30)" in rows["research/train"]
    assert "no start" in rows["research/giant"]
    assert "START: UTC, 10 %–90 % of 20 plays from 2026-11-30T01:00:00Z" in " ".join(screen.stdout.split())
    assert "START" not in run(why).stdout
    assert "| start |" in run(f"{why} --forecast -o markdown").stdout

    alone = {each["title"]: each["starts"] for each in json.loads(run(f"{FORECAST} -o json").stdout)["waiting"]}
    whole = json.loads(run(f"{why} --forecast -o json").stdout)
    assert problems(whole) == []
    starts = [each["forecast"]["starts"] for group in whole["groups"] for each in group["workloads"]]
    assert sorted(map(str, starts)) == sorted(map(str, alone.values()))
    lines = [json.loads(line) for line in run(f"{why} --forecast -o jsonl").stdout.splitlines()]
    assert [problems(line) for line in lines] == [[]] * len(lines)
    assert sorted(str(line["forecast"]["starts"]) for line in lines) == sorted(map(str, alone.values()))
    assert "forecast" not in json.loads(run(f"{why} -o jsonl").stdout.splitlines()[0])


def test_the_page_of_report_has_the_column_where_it_was_asked_for(run: Run) -> None:
    call = "kubectl-fairshare report -q -f testdata/forecast/cluster.yaml --now 2026-11-30T01:00:00Z"
    page = run(f"{call} --forecast").stdout
    assert '<th scope="col">start</th>' in page
    assert "≈ 02:30 (01:30–03:30)" in page
    assert "START: UTC, 10 %–90 % of 20 plays" in page
    assert '<th scope="col">start</th>' not in run(call).stdout


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "needs"), [("loky", "joblib"), ("dask", "distributed"), ("ray", "ray")])
def test_workers_play_what_one_process_plays(
    run: Run, backend: str, needs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(needs)
    alone = run(f"{FORECAST} -o json --jobs 1")
    monkeypatch.setattr("kubectl_fairshare.cli.policy.forecasting._ALONE", 0.0)
    together = run(f"{FORECAST} -o json --jobs 2 --backend {backend}")
    assert together.stdout == alone.stdout
    assert together.code == alone.code == 0


def test_a_short_forecast_needs_no_workers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_fairshare.cli.policy.workers.find_spec", lambda _: None)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert not run(f"{FORECAST} --seeds 3").stderr
    monkeypatch.setattr("kubectl_fairshare.cli.policy.forecasting._ALONE", 0.0)
    assert "note: one process works, as `joblib` is not installed" in run(f"{FORECAST} --seeds 3").stderr
