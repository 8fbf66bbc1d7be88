"""What a user wants of every answer, in the folder for configuration."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.cli.user_settings import UserSettings, settings_path, user_settings
from tests.screens import Screen

Run = Callable[[str], Screen]
SHARES = "kubectl-fairshare shares -f testdata/demo/org"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes the user's settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def write(text: str) -> Path:
        path = tmp_path / "kubectl-fairshare" / "config.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write


def test_a_format_and_colours_hold_where_no_option_names_others(run: Run, written: Callable[[str], Path]) -> None:
    plain, wide = run(SHARES).stdout, run(f"{SHARES} -o wide").stdout
    written("output: wide\n")
    assert run(SHARES).stdout == wide != plain
    assert run(f"{SHARES} -o text").stdout == plain
    written("{output: json, color: always}\n")
    assert json.loads(run(SHARES).stdout)["kind"] == "Shares"
    assert "\x1b[" in run(f"{SHARES} -o text").stdout
    assert "\x1b[" not in run(f"{SHARES} -o text --color never").stdout


def test_the_environment_goes_before_the_colours_of_the_user(
    run: Run, written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    written("color: always\n")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run(SHARES).stdout


def test_a_format_that_a_command_does_not_have_is_not_for_it(run: Run, written: Callable[[str], Path]) -> None:
    lint = "kubectl-fairshare lint testdata/demo/org"
    plain, brief = run(lint), run("kubectl-fairshare why -f testdata/demo/org --brief")
    written("output: wide\n")
    assert run(lint) == plain
    assert run("kubectl-fairshare why -f testdata/demo/org --brief") == brief
    demo = run("kubectl-fairshare demo")
    written("output: json\n")
    assert run("kubectl-fairshare demo") == demo


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outputs: wide\n", "config.yaml:1:1: unknown setting `outputs`"),
        ("output: html\n", "config.yaml:1:9"),
        ("pager: [less]\n", "config.yaml:1:8"),
        ("color: [\n", "config.yaml:"),
    ],
)
def test_a_mistake_is_an_error_at_its_line(run: Run, written: Callable[[str], Path], text: str, message: str) -> None:
    written(text)
    screen = run(SHARES)
    assert screen.code in (2, 3)
    assert screen.stdout == ""
    assert message in screen.stderr


def test_they_are_in_the_folder_for_configuration(
    written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert user_settings() == UserSettings()
    written("")
    assert user_settings() == UserSettings()
    assert settings_path() == str(written("color: never\n"))
    assert user_settings() == UserSettings(color="never")
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings_path() == str(tmp_path / ".config" / "kubectl-fairshare" / "config.yaml")


def test_no_folder_of_a_relative_home_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working folder may be a repository of others, and settings name a program."""
    folder = tmp_path / ".config" / "kubectl-fairshare"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text("pager: evil\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", ".")
    assert user_settings() == UserSettings()
