"""Helm charts in a folder are rendered by the user's helm; without it, and where it fails, a note says so."""

import os
import time
from pathlib import Path

import pytest

from kubectl_fairshare.input.files import charts, programs
from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.text.texts import config_map, write

CHART = "apiVersion: v2\nname: quota\nversion: 0.1.0\n"
TEMPLATE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{ .Values.name }}\n"
PRINTS = f"printf -- '---\\n# Source: quota/templates/a.yaml\\n%s' '{config_map('rendered')}'"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (
        ("org/plain.yaml", config_map("plain")),
        ("org/quota/Chart.yaml", CHART),
        ("org/quota/values.yaml", "name: a\n"),
        ("org/quota/templates/a.yaml", TEMPLATE),
        ("org/quota/charts/inner/Chart.yaml", CHART),
        ("org/quota/charts/inner/templates/b.yaml", TEMPLATE),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path / name, text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


def helm(folder: Path, script: str) -> None:
    """A helm that keeps its arguments and runs the script."""
    path = folder / "bin" / "helm"
    write(path, f'#!/bin/sh\nprintf "%s " "$@" > {folder}/called\n{script}\n')
    path.chmod(0o755)


def reading(name: str = "org") -> tuple[Reading, tuple[Problem, ...]]:
    return read_what_can_be([name], known_schedulers(), among_others=True, helm=True)


def names(found: Reading) -> list[str]:
    return [manifest.key.name for manifest in found.manifests]


def test_what_describes_a_chart_is_not_read_as_a_manifest(folder: Path) -> None:
    helm(folder, PRINTS)
    write(folder / "org/quota/values-prod.yaml", "name: b\n")
    write(folder / "org/quota/Chart.lock", "digest: a\n")
    assert [source for source in reading()[0].texts if "org/quota/" in source] == []


def test_a_chart_is_rendered_once_with_those_below_it(folder: Path) -> None:
    helm(folder, PRINTS)
    found, problems = reading()
    assert (names(found), problems, found.templates, found.notes) == (["plain", "rendered"], (), (), ())
    assert found.manifests[1].origin.source == "helm template org/quota"
    assert (folder / "called").read_text() == "template --skip-tests -- quota ./org/quota "


def test_a_chart_can_be_the_folder_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helm(folder, PRINTS)
    monkeypatch.chdir(folder / "org" / "quota")
    found, problems = reading(".")
    assert (names(found), problems, found.templates) == (["rendered"], (), ())


def test_a_chart_is_a_unit_beside_the_other_files(folder: Path) -> None:
    queue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: any}\n"
    helm(folder, f"printf '%s' '{queue}'")
    write(folder / "org/plain.yaml", queue)
    found, _ = read_what_can_be(["org"], known_schedulers(), among_others=True, divided=True, helm=True)
    assert [(each.unit.name, each.unit.kind) for each in found.units] == [
        ("org", "folder"),
        ("org/quota", "Helm chart"),
    ]


def test_without_helm_a_note_says_so_and_templates_are_skipped(folder: Path) -> None:
    assert folder.is_dir()
    found, problems = reading()
    (note,) = found.notes
    assert (names(found), problems, len(found.templates)) == (["plain"], (), 2)
    assert (note.message, note.place) == ("Helm chart, not rendered: helm is not installed", "org/quota")
    assert "helm template org/quota" in str(note.help)


def test_without_helm_an_action_in_quotes_makes_a_template_too(folder: Path) -> None:
    quoted = config_map("'{{ .Values.name }}'")
    write(folder / "org/quota/templates/c.yaml", quoted)
    (folder / "org/quota/templates/b.yaml").write_bytes(b"a: \xff\nb: '{{ .Values.name }}'\n")
    write(folder / "org/quota/templates/d.yaml", config_map("for-all"))
    write(folder / "org/quoted.yaml", quoted)
    found, problems = reading()
    assert (names(found), problems) == (["for-all", "plain", "{{ .Values.name }}"], ())
    assert [str(each) for each in found.templates][-2:] == [
        f"org/quota/templates/{at}" for at in ("b.yaml:2:5", "c.yaml:4:10")
    ]


def test_without_helm_many_charts_are_one_note() -> None:
    few, many = (charts.unrendered((f"chart-{number}" for number in range(size)), wanted=True) for size in (3, 5))
    assert [note.place for note in few] == ["chart-0", "chart-1", "chart-2"]
    (note,) = many
    assert (note.message, note.place) == (
        "5 Helm charts, not rendered: helm is not installed",
        "chart-0, chart-1, chart-2 and 2 more",
    )
    assert "`helm template CHART | kubectl fairshare … -f -`" in str(note.help)


def test_what_helm_refuses_is_a_note_in_its_words(folder: Path) -> None:
    helm(folder, 'echo "Error: no\nvalues" >&2; echo "Use --debug flag to render out invalid YAML" >&2; exit 1')
    found, problems = reading()
    assert (names(found), problems, found.templates) == (["plain"], (), ())
    assert [note.message for note in found.notes] == ["Helm chart, not rendered: no values"]


def test_a_helm_that_never_ends_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "_SECONDS", 0.05)
    helm(folder, "exec /bin/sleep 20")
    assert ["took more than" in note.message for note in reading()[0].notes] == [True]


@pytest.mark.parametrize("kept", ["", ">/dev/null", "2>/dev/null"])
def test_what_a_helm_leaves_running_holds_nothing_up(folder: Path, monkeypatch: pytest.MonkeyPatch, kept: str) -> None:
    monkeypatch.setattr(charts, "_SECONDS", 0.5)
    helm(folder, f"{PRINTS}\n/bin/sleep 600 {kept} &")
    before = time.monotonic()
    reading()
    assert time.monotonic() - before < 60


def test_an_interruption_ends_what_was_started(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    helm(folder, "exec /bin/sleep 600")
    monkeypatch.setattr(programs, "of_stream", interrupted)
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        reading()
    assert time.monotonic() - before < 60


def test_a_helm_that_cannot_be_run_is_a_note(folder: Path) -> None:
    path = folder / "bin" / "helm"
    write(path, "#!/no/such/interpreter\n")
    path.chmod(0o755)
    assert [note.message for note in reading()[0].notes] == ["cannot run helm"]


def test_a_library_chart_renders_nothing(folder: Path) -> None:
    helm(folder, "exit 1")
    write(folder / "org/quota/Chart.yaml", f"{CHART}type: library\n")
    found, _ = reading()
    assert (names(found), found.notes) == (["plain"], ())
    assert not charts.is_library("org/none")


@pytest.mark.parametrize(
    ("source", "template", "file"),
    [
        ("helm template org/quota", "quota/templates/a.yaml", os.path.join("org", "quota", "templates", "a.yaml")),
        ("helm template org/quota", "odd", "odd"),
        ("<stdin>", "quota/templates/a.yaml", "quota/templates/a.yaml"),
    ],
)
def test_the_file_of_a_template(source: str, template: str, file: str) -> None:
    assert charts.file_of(source, template) == file


@pytest.mark.parametrize("name", ["Quota_1", "a" * 60])
def test_a_folder_that_names_no_release_gets_helms_own(folder: Path, name: str) -> None:
    helm(folder, PRINTS)
    os.rename("org/quota", f"org/{name}")
    reading()
    assert (folder / "called").read_text() == f"template --skip-tests -- release-name ./org/{name} "


def test_helm_is_started_only_on_demand(folder: Path) -> None:
    """A note names the chart; its templates are skipped, as without helm."""
    helm(folder, PRINTS)
    found, problems = read_what_can_be(["org"], known_schedulers(), among_others=True)
    assert (names(found), problems) == (["plain"], ())
    assert [(note.message, note.place) for note in found.notes] == [
        ("Helm chart, not rendered: helm is not started for it", "org/quota")
    ]
    assert not (folder / "called").exists()


def test_helm_gets_nothing_of_the_users(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "KUBECONFIG",
        "AWS_SECRET_ACCESS_KEY",
        "HELM_PLUGINS",
        "HELM_KUBETOKEN",
        "GITHUB_TOKEN",
        "HTTPS_PROXY",
    ):
        monkeypatch.setenv(name, "mine")
    monkeypatch.setenv("HOME", "mine")
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
    helm(folder, f"env > {folder}/given\n{PRINTS}")
    assert names(reading()[0]) == ["plain", "rendered"]
    given = (folder / "given").read_text()
    assert "mine" not in given
    assert "GITHUB_TOKEN" not in given


def test_a_chart_with_a_link_that_leads_out_is_not_rendered(folder: Path) -> None:
    helm(folder, PRINTS)
    (folder / "org/quota/secret.txt").symlink_to("/etc/passwd")
    found, _ = reading()
    assert names(found) == ["plain"]
    assert "leads out of" in found.notes[0].message
    assert not (folder / "called").exists()
