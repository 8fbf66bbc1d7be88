"""Past usage on the command line: from files, by name, and from a server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens import Screen
from tests.unit.input.prometheus_server import Asked, prometheus, said, vector

ORG = "testdata/kai/org"
DEMO = "testdata/demo"
NOW = "--now 2026-08-05T12:00:00Z"
Run = Callable[[str], Screen]


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def telling(asked: Asked, handler: Any) -> None:
    """A server on which product held half of everything, and a queue that is gone the rest."""
    held = vector(({"queue_name": "product"}, "480"), ({"queue_name": "gone"}, "480"))
    said(vector(({}, "960")) if "capacity" in asked.query else held)(asked, handler)


def shard(folder: Path, **params: Any) -> str:
    """A folder of the organisation's queues with a shard that counts usage."""
    config = {"clientType": "prometheus", "connectionString": "http://p", "usageParams": params}
    body = {
        "apiVersion": "kai.scheduler/v1",
        "kind": "SchedulingShard",
        "metadata": {"name": "default"},
        "spec": {"usageDBConfig": config},
    }
    path = folder / "shard.json"
    path.write_text(json.dumps(body, indent=1), encoding="utf-8")
    return f"-f {ORG} --overlay {path}"


def usage(screen: Screen) -> dict[str, float]:
    """The usage of GPUs by queue in a document."""
    queues = json.loads(screen.stdout)["queues"]
    return {one["name"]: one["resources"][2]["usage"] for one in queues if one["resources"][2]["usage"]}


def test_names_go_over_files_and_files_over_a_server(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "usage.json"
    path.write_text('{"product": {"cpu": 0.2}, "research": {"gpu": 0.3}}', encoding="utf-8")
    with prometheus(telling) as running:
        options = f"--usage vision=gpu=0.1 --usage vision=cpu=0.05 --usage {path} --prometheus {running.url}"
        screen = run(f"kubectl-fairshare shares {shard(tmp_path)} {options} {NOW} -o json")
    assert (screen.code, screen.stderr) == (0, "")
    assert usage(screen) == {"product": 0.5, "research": 0.3, "vision": 0.1}
    document = json.loads(screen.stdout)
    vision = next(one for one in document["queues"] if one["name"] == "vision")
    assert vision["resources"][0]["usage"] == 0.05
    names = [running.url, "--usage vision=gpu=0.1", "--usage vision=cpu=0.05", str(path)]
    assert document["usage"]["sources"] == names
    assert document["usage"]["window"] == {
        "type": "sliding",
        "since": "2026-07-29T12:00:00Z",
        "until": "2026-08-05T12:00:00Z",
        "halfLifeSeconds": None,
        "resolutionSeconds": 60.0,
        "offered": {"cpu": 960.0, "memory": 960.0, "gpu": 960.0},
        "asKai": True,
    }
    assert document["timeAware"] == "kai"


def test_a_file_may_come_on_standard_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "usage.yaml"
    path.write_text("vision: {gpu: 0.5}\n", encoding="utf-8")
    screen = run(f"kubectl-fairshare shares -f {ORG} --usage - -o json < {path}")
    assert usage(screen) == {"vision": 0.5}


@pytest.mark.parametrize("given", ["-f -", f"-f {ORG} --overlay -", f"-f {ORG} --usage -"])
def test_standard_input_is_read_once(run: Run, given: str) -> None:
    screen = run(f"kubectl-fairshare shares {given} --usage -")
    assert screen.code == 2
    assert "read only once" in screen.stderr


def test_a_window_that_kai_never_gets_is_asked_for_as_it_is_meant_and_that_is_said(run: Run, tmp_path: Path) -> None:
    params = {"windowType": "cron", "cronString": "0 0 * * 1", "halfLifePeriod": "24h"}
    with prometheus(telling) as running:
        command = f"kubectl-fairshare shares {shard(tmp_path, **params)} --prometheus {running.url} {NOW}"
        text = " ".join(run(command).stdout.split())
        document = json.loads(run(f"{command} -o json").stdout)
    assert "cron from 2026-08-03T00:00:00Z until 2026-08-05T12:00:00Z, half-life 1d, a sample every 1m" in text
    assert "KAI v0.17 itself sends a query for a cron window that every Prometheus rejects" in text
    assert document["usage"]["window"]["asKai"] is False
    assert "[2d12h:1m]" in running.asked[0].query


def test_without_usagedbconfig_the_defaults_are_taken_and_that_is_told(run: Run) -> None:
    with prometheus(telling) as running:
        screen = run(f"kubectl-fairshare shares -f {ORG} --prometheus {running.url} {NOW} -o json")
        quiet = run(f"kubectl-fairshare shares -f {ORG} --prometheus {running.url} {NOW} -o json -q")
    assert usage(screen) == {"product": 0.5}
    assert "no SchedulingShard of the input has usageDBConfig" in screen.stderr
    assert quiet.stderr == ""


def test_without_a_moment_a_server_is_asked_about_now(run: Run, tmp_path: Path) -> None:
    with prometheus(telling) as running:
        screen = run(f"kubectl-fairshare shares {shard(tmp_path)} --prometheus {running.url} -o json")
    assert screen.code == 0
    assert float(running.asked[0].form["time"][0]) > 1785931200


def test_a_configuration_that_stops_kai_is_told_at_its_line(run: Run, tmp_path: Path) -> None:
    given = shard(tmp_path, windowType="tumbling", windowSize="1.5d")
    screen = run(f"kubectl-fairshare shares {given} --prometheus http://127.0.0.1:1 {NOW}")
    assert screen.code == 3
    assert "shard.json:13:19" in screen.stderr
    assert "`windowSize` cannot be read: `1.5d`" in screen.stderr


def test_a_token_is_sent_and_shown_nowhere(run: Run, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("s3cret\n", encoding="utf-8")
    with prometheus(telling) as running:
        options = f"--prometheus {running.url} --prometheus-token @{tmp_path}/token {NOW}"
        screen = run(f"kubectl-fairshare shares {shard(tmp_path)} {options}")
    assert {asked.headers["Authorization"] for asked in running.asked} == {"Bearer s3cret"}
    assert "s3cret" not in screen.stdout + screen.stderr


def test_usage_that_counts_for_nothing_or_can_hardly_be_meant_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "usage.yaml"
    path.write_text("nobody: {gpu: 0.5}\nvision: {gpu: 30}\n", encoding="utf-8")
    screen = run(f"kubectl-fairshare shares -f {ORG} --usage {path}")
    assert screen.code == 0
    assert f"{path}:1:9: queue `nobody` does not exist" in screen.stderr
    assert f"{path}:2:15: `vision` used more gpu than the whole cluster has" in screen.stderr


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--k-value inf", "finite"),
        ("--k-value nan", "0 or more"),
        ("--k-value -1", "0 or more"),
        ("--now yesterday", "is not a moment"),
        ("--prometheus-insecure", "needs `--prometheus`"),
        ("--usage vision=", "does not state a usage"),
        ("--usage vision=gpu", "does not state a usage"),
        ("--usage vision=gpu=inf", "does not state a usage"),
        ("--usage vision=tpu=1", "does not state a usage"),
    ],
)
def test_options_that_say_nothing_are_refused(run: Run, options: str, named: str) -> None:
    screen = run(f"kubectl-fairshare shares -f {ORG} {options}")
    assert screen.code == 2
    assert named in screen.stderr


@pytest.mark.parametrize("command", [f"shares -f {DEMO}/org", f"plan -f {DEMO}/org -w {DEMO}/jobs/finetune.yaml"])
@pytest.mark.parametrize("option", ["--usage a=gpu=1", "--time-aware kai", NOW, "--prometheus http://p"])
def test_kueues_queues_have_no_past(run: Run, command: str, option: str) -> None:
    screen = run(f"kubectl-fairshare {command} {option}")
    assert screen.code == 2
    assert "is an option for KAI, but this input is for Kueue" in screen.stderr


def test_a_plan_rests_on_past_usage(run: Run) -> None:
    plan = f"kubectl-fairshare plan -f {ORG} -w testdata/kai/train.yaml -o json"
    document = json.loads(run(f"{plan} --usage vision=gpu=0.9 --time-aware proposal").stdout)
    assert (document["timeAware"], document["k"]) == ("proposal", None)
    assert document["usage"] == {"sources": ["--usage vision=gpu=0.9"], "window": None}
    assert json.loads(run(plan).stdout)["usage"] is None
