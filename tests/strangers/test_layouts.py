"""Every layout of ``layouts.yaml``: what each command must say of it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.screens import shown
from tests.strangers.__main__ import main
from tests.strangers.running import COMMANDS

LAYOUTS = yaml.load((Path(__file__).parent / "layouts.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


@pytest.fixture
def repository(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    layout: dict[str, Any] = request.param
    for name, text in layout["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return layout


@pytest.mark.parametrize("repository", LAYOUTS, indirect=True, ids=lambda layout: str(layout["layout"]))
def test_each_command_says_what_it_must(repository: dict[str, Any]) -> None:
    for call in repository["calls"]:
        screen = shown(f"kubectl-fairshare {call['args']}")
        out = " ".join(screen.stdout.split())
        assert screen.code == call["exit"], str(screen)
        assert [text for text in call.get("shows", ()) if text not in out] == [], str(screen)
        assert [text for text in call.get("says", ()) if text not in screen.stderr] == [], str(screen)
        assert [text for text in call.get("hides", ()) if text in screen.stdout + screen.stderr] == [], str(screen)


@pytest.mark.slow
@pytest.mark.parametrize("repository", LAYOUTS[:1], indirect=True, ids=lambda layout: str(layout["layout"]))
def test_the_harness_runs_every_command(repository: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert repository["files"]
    assert main(["."]) == 0
    printed = capsys.readouterr().out
    assert all(f"\n  {command}" in printed for command in COMMANDS)
    assert "tracebacks: 0" in printed


def test_the_harness_wants_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "FOLDER" in capsys.readouterr().err
