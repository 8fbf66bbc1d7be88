"""The alerts of the page on metrics, read and played by Prometheus' own tool: each fires where it is meant to."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.live.stage.server import ASSETS, missing
from tests.screens import ROOT, shown

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(bool(missing("promtool")), reason=f"not there: {missing('promtool')}; see .ci/assets/build"),
]
_BLOCKS: Final = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "metrics.md").read_text("utf-8"), re.DOTALL)
_QUEUE: Final = 'scheduler="kueue",queue="a"'
_OWN: Final = f'{_QUEUE},kind="ClusterQueue"'
_WAITING: Final = f"fairshare_queue_waiting_workloads{{{_OWN}}}"
_LENT: Final = f'fairshare_queue_lent{{{_OWN},pool="f"}}'
FIRING: Final = [
    ("WorkloadNeverAdmitted", {f'fairshare_waiting_workloads{{{_QUEUE},verdict="Never"}}': "1x40"}, 20),
    ("QueueWaitsWhileOthersHoldItsQuota", {_LENT: "4x60", _WAITING: "2x60"}, 40),
    ("WorkloadWaitsLong", {f"fairshare_queue_oldest_waiting_timestamp_seconds{{{_OWN}}}": "0x500"}, 400),
    ("FairshareMetricsOld", {"fairshare_report_timestamp_seconds": "0x500"}, 30),
]
"""Alerts, the series by which they fire, each a sample a minute, and after how many minutes they do."""
SILENT: Final = [
    ("WorkloadNeverAdmitted", {f'fairshare_waiting_workloads{{{_QUEUE},verdict="NotNow"}}': "1x40"}, 20),
    ("QueueWaitsWhileOthersHoldItsQuota", {_LENT: "4x60", _WAITING: "0x60"}, 40),
    ("QueueWaitsWhileOthersHoldItsQuota", {_LENT: "0x60", _WAITING: "2x60"}, 40),
    ("WorkloadWaitsLong", {f"fairshare_queue_oldest_waiting_timestamp_seconds{{{_OWN}}}": "0x500"}, 300),
    ("FairshareMetricsOld", {"fairshare_report_timestamp_seconds": "0x500"}, 15),
]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """The alerts as a file."""
    path = tmp_path / "alerts.yaml"
    path.write_text(_BLOCKS[1], "utf-8")
    return path


def played(rules: Path, name: str, series: dict[str, str], minutes: int) -> tuple[int, str]:
    """What the tool says of an alert that is expected to be silent: its exit code and text."""
    given = [{"series": each, "values": values} for each, values in series.items()]
    expected: dict[str, Any] = {"eval_time": f"{minutes}m", "alertname": name, "exp_alerts": []}
    test = {"interval": "1m", "input_series": given, "alert_rule_test": [expected]}
    path = rules.parent / "test.yaml"
    path.write_text(json.dumps({"rule_files": [rules.name], "evaluation_interval": "1m", "tests": [test]}), "utf-8")
    done = subprocess.run([ASSETS / "promtool", "test", "rules", path], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_tool_reads_all_four(rules: Path) -> None:
    done = subprocess.run([ASSETS / "promtool", "check", "rules", rules], capture_output=True, text=True, check=False)
    assert (done.returncode, "4 rules found" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize(("name", "series", "minutes"), FIRING)
def test_an_alert_fires(rules: Path, name: str, series: dict[str, str], minutes: int) -> None:
    code, said = played(rules, name, series, minutes)
    assert code == 1, said
    assert f'alertname="{name}"' in said


@pytest.mark.parametrize(("name", "series", "minutes"), SILENT)
def test_an_alert_is_silent_otherwise(rules: Path, name: str, series: dict[str, str], minutes: int) -> None:
    assert played(rules, name, series, minutes)[0] == 0


def test_the_tool_finds_the_metrics_of_the_demo_well_named() -> None:
    text = shown(f"kubectl-fairshare report --metrics -q -f {ROOT / 'testdata' / 'demo' / 'org'}").stdout
    command = [str(ASSETS / "promtool"), "check", "metrics"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
