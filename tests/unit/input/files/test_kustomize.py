"""Kustomizations are built by the user's own kubectl, and what it says is passed on."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.kubectl import needs_kubectl
from tests.unit.input.text.texts import config_map, write


def raised(directory: Path, max_input: int = 10_000) -> Problem:
    with pytest.raises(FairshareError) as caught:
        read([], kustomizations=[str(directory)], max_input=max_input, schedulers=known_schedulers())
    (problem,) = caught.value.problems
    assert problem.place == f"kustomize {directory}"
    assert problem.help
    return problem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "kustomization.yaml", "resources: [a.yaml]\nnamePrefix: team-\n")
    write(tmp_path / "a.yaml", config_map("a"))
    return tmp_path


@needs_kubectl
def test_a_kustomization_is_built(folder: Path) -> None:
    reading = read([], kustomizations=[str(folder), str(folder)], schedulers=known_schedulers())
    (manifest,) = reading.manifests
    assert manifest.key.name == "team-a"
    assert str(reading.texts.locate(manifest.origin)) == f"kustomize {folder}:1:1"


@needs_kubectl
def test_what_kubectl_refuses_is_told_in_its_words(folder: Path) -> None:
    assert "kubectl cannot build it: " in raised(folder / "none").message
    write(folder / "kustomization.yaml", "resources: [none.yaml]\n")
    assert "none.yaml" in raised(folder).message


@needs_kubectl
def test_a_chart_that_a_kustomization_renders_is_said_with_how_to_build_it(folder: Path) -> None:
    chart = "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: c}\nname: c\nreleaseName: c\n"
    write(folder / "chart.yaml", chart)
    for field in ("helmCharts: [{name: c}]", "generators: [chart.yaml]"):
        write(folder / "kustomization.yaml", f"resources: [a.yaml]\n{field}\n")
        problem = raised(folder)
        assert problem.message == "kubectl cannot build it: it renders a Helm chart, and helm is not started for it"
        assert f"`kustomize build --enable-helm {folder} | kubectl fairshare … -f -`" in str(problem.help)


def test_a_reason_of_several_lines_is_told_without_the_line_of_a_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged = 'E1130 12:00:00.000000   1 run.go:72] "command failed" err=<\\n\\taccumulating: one\\n\\ttwo: `\\n >\\n'
    write(folder / "kubectl", f"#!/bin/sh\nprintf '{logged}' >&2\nexit 1\n")
    (folder / "kubectl").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    assert raised(folder).message == "kubectl cannot build it: accumulating: one two: `"


@needs_kubectl
def test_the_limit_holds_for_what_is_built(folder: Path) -> None:
    assert raised(folder, max_input=10).message.startswith("has more than 10 bytes")


def test_kubectl_that_is_not_there_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    assert raised(folder).message == "cannot run kubectl"
