"""``simulate`` with several policies or seeds, and ``--calibrate``: from the command line to each form of output."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
DATA = ROOT / "testdata" / "simulate"
LARGER = f"--overlay-set larger={DATA}/speech-grows.yaml"
TRACE = ROOT / "testdata" / "traces" / "replayed.jsonl"


def simulated(run: Run, options: str) -> Any:
    screen = run(f"kubectl-fairshare simulate -q -f {DATA}/org.yaml --trace {TRACE} {options} -o json")
    assert screen.code == 0, screen.stderr
    return json.loads(screen.stdout)


def measure(policy: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in policy["measures"] if each["name"] == name)
    return found


def test_policies_are_compared_with_the_input_as_it_is(run: Run) -> None:
    found = simulated(run, f"{LARGER} --seeds 2")
    assert [policy["name"] for policy in found["policies"]] == ["as it is", "larger"]
    assert found["seeds"] == [0, 1]
    waiting = measure(found["policies"][1], "waiting, mean")
    assert waiting["difference"] < 0, "a larger quota lets jobs in earlier"
    assert waiting["low"] <= waiting["difference"] <= waiting["high"]


def test_an_overlay_is_a_policy_of_its_own_and_files_of_one_name_belong_together(run: Run) -> None:
    twice = f"--overlay {DATA}/speech-grows.yaml {LARGER} --overlay-set larger={DATA}/speech-grows.yaml"
    found = simulated(run, twice)
    names = [policy["name"] for policy in found["policies"]]
    assert names == ["as it is", "with overlay", "larger"]
    assert found["policies"][1]["measures"] == found["policies"][2]["measures"]


def test_a_page_and_csv_have_the_same_policies(run: Run) -> None:
    command = f"kubectl-fairshare simulate -q -f {DATA}/org.yaml --trace {TRACE} {LARGER}"
    page = run(f"{command} -o html").stdout
    assert page.startswith("<!doctype html>")
    assert "uPlot" in page
    lines = run(f"{command} -o csv").stdout.splitlines()
    assert {line.partition(",")[0] for line in lines[1:]} == {"as it is", "larger"}


def test_a_replay_is_compared_with_what_was_recorded(run: Run) -> None:
    found = simulated(run, "--calibrate")
    assert (found["kind"], found["compared"], found["swapped"]) == ("Calibration", 3, 0)
    assert found["waitErrorSeconds"]["most"] == 0
    assert found["relativeError"] == 0


def test_figures_of_a_calibration_are_not_shortened_in_a_terminal_of_80_columns(run: Run) -> None:
    screen = run(
        "kubectl-fairshare simulate -f testdata/simulate/org.yaml --trace testdata/traces/replayed.jsonl --calibrate"
    )
    rows = [line.rsplit("  ", 1)[0].strip() for line in screen.stdout.splitlines() if "error of waiting, " in line]
    assert rows == [f"error of waiting, {each}" for each in ("median", "95th percentile", "mean")]
    assert "…" not in screen.stdout


def test_a_calibration_with_evictions_asks_how_long_pods_take_to_stop(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    assert run(f"kubectl-fairshare trace -f testdata/traces/kueue.yaml --redact none -o {trace}").code == 0
    command = f"kubectl-fairshare simulate -f testdata/traces/kueue.yaml --trace {trace} --calibrate -o json"
    assert any("--stopping" in note for note in json.loads(run(command).stdout)["notes"])
    assert not any("--stopping" in note for note in json.loads(run(f"{command} --stopping 1s").stdout)["notes"])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--overlay-set larger", "`larger` is not NAME=PATH"),
        ("--overlay-set 'as it is=x.yaml'", "is not NAME=PATH"),
        ("--calibrate --overlay-set a=x.yaml", "`--calibrate` replays the policy that was in force"),
        ("--vary arrivals=1", "`--vary` and `--results` are options for a sweep"),
        ("-o svg", "`svg` is a form of a file of queues"),
        ("--calibrate --seeds 2", "`--calibrate` replays the policy that was in force"),
    ],
)
def test_a_wrong_call_says_what_to_write(run: Run, options: str, expected: str) -> None:
    screen = run(f"kubectl-fairshare simulate -f {DATA}/org.yaml --trace {TRACE} {options}")
    assert screen.code == 2
    assert expected in screen.stderr


def test_policies_are_not_compared_on_a_cluster(run: Run) -> None:
    screen = run(f"kubectl-fairshare simulate --trace {TRACE} --overlay-set a=b.yaml")
    assert screen.code == 2
    assert "compared on files, not on a cluster" in screen.stderr


def test_parquet_has_the_rows_of_csv(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    from kubectl_fairshare.cli.policy.sweep_results import parquet_bytes

    (tmp_path / "x.parquet").write_bytes(parquet_bytes([{"policy": "a", "waitMean": 1.5}]))
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == [{"policy": "a", "waitMean": 1.5}]
