"""A chart of a stranger: no program starts for it unasked, and one that starts gets nothing of its reader."""

import os
from pathlib import Path

import pytest

from tests.screens import Screen, shown

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {stopPolicy: Hold}\n"
TOKEN = "private-9f2c"
HELMS_OWN = ("HELM_PLUGINS", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "HELM_CACHE_HOME", "XDG_CONFIG_HOME", "HOME")
SECRETS = ("GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "KUBECONFIG", "HELM_KUBETOKEN", "SSH_AUTH_SOCK", "HTTPS_PROXY")


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a chart, and a helm of its reader that keeps what it gets."""
    chart = tmp_path / "repository" / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: chart\nversion: 0.1.0\n")
    (chart / "values.yaml").write_text("a: b\n")
    (chart / "templates" / "q.yaml").write_text(QUEUE)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config").write_text(TOKEN)
    program(tmp_path / "bin" / "helm", f'env > {tmp_path}/environment\nprintf "%s|" "$@" > {tmp_path}/words')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


def program(path: Path, script: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def started(repository: Path) -> bool:
    return (repository.parent / "words").exists()


def asked(words: str) -> Screen:
    return shown(f"kubectl-fairshare {words}")


@pytest.mark.parametrize(
    "command",
    [
        "lint .",
        "lint chart",
        "shares -f .",
        "why -A -f .",
        "cycle -f .",
        "capacity -f .",
        "diff . .",
        "snapshot -f . -o x.gz",
    ],
)
def test_no_command_starts_helm_unasked(repository: Path, command: str) -> None:
    asked(command)
    assert not started(repository)
    asked(f"{command} --helm")
    assert started(repository)  # otherwise nothing could be noticed


@pytest.mark.parametrize("settings", ["helm: true", "lint: {helm: true}", "input: {helm: true}", "charts: render"])
def test_no_setting_of_a_repository_starts_helm(repository: Path, settings: str) -> None:
    (repository / ".fairshare.yaml").write_text(f"{settings}\n")
    for command in ("lint .", "shares -f ."):
        asked(command)
    assert not started(repository)


@pytest.mark.parametrize("name", [*HELMS_OWN, *SECRETS])
def test_helm_gets_no_variable_of_its_reader(repository: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, TOKEN)
    asked("shares -f . --helm")
    assert started(repository)
    assert TOKEN not in (repository.parent / "environment").read_text()


@pytest.mark.parametrize(
    "name", ["--post-renderer=evil", "-f", "--set-file=a=b", "$(touch evil)", "; touch evil", "a b"]
)
def test_the_name_of_a_chart_is_one_word_and_no_option(repository: Path, name: str) -> None:
    os.rename("chart", name)
    asked("shares -f . --helm")
    words = (repository.parent / "words").read_text().split("|")
    assert words[2:] == ["--", "release-name", os.path.join(".", name), ""]
    assert not (repository / "evil").exists()


@pytest.mark.parametrize(
    ("at", "target"),
    [
        ("values.yaml", "../../home/config"),
        ("secret.txt", "../../home/config"),
        ("files", "../../home"),
        ("templates/t.yaml", "../../../home/config"),
        ("templates/deep", "../../../home"),
        ("charts", "../../home"),
        (".helmignore", "../../home/config"),
        ("chain", "secret"),
    ],
)
def test_helm_does_not_read_through_a_link_that_leads_out(repository: Path, at: str, target: str) -> None:
    chart = repository / "chart"
    (chart / at).unlink(missing_ok=True)
    if at == "chain":
        (chart / "secret").symlink_to("../../home/config")
    (chart / at).symlink_to(target)
    screen = asked("lint . --helm")
    assert not started(repository)
    assert "leads out of" in screen.stderr
    assert TOKEN not in screen.stdout + screen.stderr


@pytest.mark.parametrize("path", ["", ".", "bin", "./bin", ":", "repository"])
def test_a_helm_of_the_repository_is_not_started(repository: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (repository, repository / "bin"):
        program(folder / "helm", f"touch {repository}/evil")
    monkeypatch.setenv("PATH", path)
    asked("shares -f . --helm")
    assert not (repository / "evil").exists()
