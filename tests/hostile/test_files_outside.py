"""A repository names files of its reader: none of them is read, each is named."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import sampled
from tests.screens import Screen, shown

TOKEN = "kubeconfig-token-9f2c"
SECRET = f"apiVersion: v1\nkind: Config\nusers: [{{name: me, user: {{token: {TOKEN}}}}}]\nmetadata: {{name: q}}\n"
QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {stopPolicy: Hold}\n"
CHANGE = f"{QUEUE}# {TOKEN}\n".replace("Hold", TOKEN)
ARGO = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a, namespace: argocd}\nspec: "
OUTPUTS = ("text", "sarif", "github", "json")

KUSTOMIZATIONS = {
    "patch": "patches: [{path: %s}]",
    "patch with a target": "patches: [{path: %s, target: {kind: ClusterQueue, name: .*}}]",
    "patchesStrategicMerge": "patchesStrategicMerge: ['%s']",
    "patchesJson6902": "patchesJson6902: [{path: %s, target: {kind: ClusterQueue, name: q}}]",
    "resource": "resources: ['%s']",
    "base": "bases: ['%s']",
    "component": "components: ['%s']",
    "replacement": "replacements: [{path: %s}]",
    "config map": "configMapGenerator: [{name: a, files: [key=%s]}]",
    "config map of an environment": "configMapGenerator: [{name: a, envs: ['%s']}]",
    "secret": "secretGenerator: [{name: a, files: ['%s']}]",
    "transformer": "transformers: ['%s']",
    "configuration": "configurations: ['%s']",
    "crd": "crds: ['%s']",
    "values of a chart": "helmCharts: [{name: a, valuesFile: %s}]",
    "open api": "openapi: {path: %s}",
}


@pytest.fixture(name="repository", params=["repository", "folder"])
def _repository(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, or a folder that is none, beside files that are nothing of its authors' business."""
    outside = tmp_path / "home"
    outside.mkdir()
    (outside / "config.yaml").write_text(SECRET)
    (outside / "change.yaml").write_text(CHANGE)
    inside = tmp_path / "work" / "repository"
    inside.mkdir(parents=True)
    (inside / "q.yaml").write_text(QUEUE)
    if request.param == "repository":
        (inside / ".git").mkdir()
    monkeypatch.chdir(inside)
    return inside


def linted(output: str = "text") -> Screen:
    return shown(f"kubectl-fairshare lint . -o {output} --select all")


def silent(screen: Screen) -> None:
    assert TOKEN not in screen.stdout + screen.stderr, screen
    assert screen.code in (0, 1, 2, 3), screen


@pytest.mark.parametrize("way", ["climbs", "absolute", "link", "through a folder"])
@pytest.mark.parametrize("field", sampled(KUSTOMIZATIONS, 4))
def test_a_kustomization_reads_nothing_outside(repository: Path, field: str, way: str) -> None:
    target = repository.parents[1] / "home" / "change.yaml"
    named = {
        "climbs": "../../home/change.yaml",
        "absolute": str(target),
        "link": "in.txt",
        "through a folder": "d/../x",
    }
    if way == "link":
        (repository / "in.txt").symlink_to(target)
    if way == "through a folder":
        (repository / "d").symlink_to(target.parent)
        named[way] = "d/change.yaml"
    text = f"resources: [q.yaml]\n{KUSTOMIZATIONS[field] % named[way]}\n"
    (repository / "kustomization.yaml").write_text(text.removeprefix("resources: [q.yaml]\n" * (field == "resource")))
    screen = linted()
    silent(screen)
    assert "leads out of `repository`: not read" in screen.stderr
    silent(linted("sarif"))


QUESTIONS = ["shares -f .", "cycle -f .", "why -A -f .", "diff . ."]


@pytest.mark.parametrize("way", ["a resource", "a linked folder"])
@pytest.mark.parametrize("command", QUESTIONS)
def test_what_was_left_out_may_decide(repository: Path, way: str, command: str) -> None:
    """The objects of a resource outside of the root are not known: no answer is exact, and lint has not read all."""
    assert "not exact" not in shown(f"kubectl-fairshare {command}").stdout
    assert linted().code == 1
    if way == "a resource":
        (repository / "kustomization.yaml").write_text("resources: [q.yaml, ../../home/change.yaml]\n")
    else:
        (repository / "more").symlink_to(repository.parents[1] / "home")
    assert "not exact" in shown(f"kubectl-fairshare {command}").stdout
    assert linted().code == 3


def test_what_stays_inside_is_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A patch of a folder above, in the same repository, is read as before; of a folder that is none it is not."""
    (repository / "clusters").mkdir()
    (repository / "clusters" / "kustomization.yaml").write_text("resources: [../q.yaml]\npatches: [{path: ../p.txt}]\n")
    (repository / "p.txt").write_text(CHANGE)
    assert TOKEN in linted("json").stdout
    monkeypatch.chdir("clusters")
    screen = linted()
    assert ("leads out of" in screen.stderr) == (not (repository / ".git").exists())


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(
    "name", ["queues.yaml", "kustomization.yaml", "Chart.yaml", ".hidden.yaml", "fairshare-test.yaml"]
)
def test_a_link_is_not_read(repository: Path, name: str, output: str) -> None:
    (repository / name).symlink_to("../../home/config.yaml")
    silent(linted(output))


@pytest.mark.parametrize(
    "command", ["shares -f .", "shares -f '*.yaml'", "shares -f '**/*.yaml'", "why -A -f .", "test ."]
)
def test_no_command_follows_a_link_out_of_a_folder(repository: Path, command: str) -> None:
    (repository / "stolen.yaml").symlink_to("../../home/change.yaml")
    (repository / "fairshare-test.yaml").symlink_to("../../home/config.yaml")
    screen = shown(f"kubectl-fairshare {command}")
    silent(screen)
    assert "leads out of" in screen.stderr


def test_a_link_to_a_folder_outside_is_not_entered(repository: Path) -> None:
    (repository / "all").symlink_to("../../home")
    screen = linted()
    silent(screen)
    assert "`./all` leads out of `repository`: not read" in screen.stderr


def test_a_file_that_its_reader_names_is_read(repository: Path) -> None:
    """A link is followed where the reader names it."""
    (repository / "mine.yaml").symlink_to("../../home/change.yaml")
    assert TOKEN in shown("kubectl-fairshare lint mine.yaml -o json").stdout


@pytest.mark.parametrize(
    "words",
    [
        ["../../home/change.yaml"],
        ["/etc/passwd"],
        ["in.yaml"],
        ["d"],
        ["d/*.yaml"],
        ["../../home"],
        ["../../home/*.yaml"],
        ["*/../../../home/*.yaml"],
        ["../../**/change.yaml"],
        ["/dev/zero"],
        ["/proc/self/environ"],
        ["git:HEAD:../../home"],
    ],
)
@pytest.mark.parametrize("field", ["paths", "overlay", "snapshot"])
def test_a_suite_reads_nothing_outside(repository: Path, words: list[str], field: str) -> None:
    (repository / "in.yaml").symlink_to("../../home/change.yaml")
    (repository / "d").symlink_to("../../home")
    given = {"paths": ["q.yaml"], field: words[0] if field == "snapshot" else words}
    tests = [{"name": "a", "then": {"held": {"q": {"cpu": 1}}}}]
    (repository / "fairshare-test.yaml").write_text(json.dumps({"given": given, "tests": tests}))
    screen = shown("kubectl-fairshare test fairshare-test.yaml")
    silent(screen)
    assert screen.code in (2, 3), screen


@pytest.mark.parametrize("path", ["../../home/config.yaml", "/etc/passwd", "in.json"])
def test_settings_name_no_baseline_outside(repository: Path, path: str) -> None:
    (repository / "in.json").symlink_to("../../home/config.yaml")
    (repository / ".fairshare.yaml").write_text(f"baseline: {path}\n")
    screen = linted()
    silent(screen)
    assert (screen.code, f"`{path}` leads out of" in screen.stderr) == (2, True)


def test_settings_are_no_link_to_outside(repository: Path) -> None:
    (repository / ".fairshare.yaml").symlink_to("../../home/config.yaml")
    for screen in (linted(), shown("kubectl-fairshare shares -f q.yaml")):
        silent(screen)
        assert screen.code == 2
        assert "leads out of" in screen.stderr


@pytest.mark.parametrize("path", ["../../*", "*/../../*", "/../../home", "d", "../../home", "..", "*/*/../../../home"])
def test_no_application_set_climbs_out(repository: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "d").symlink_to("../../home")
    looked_at: list[str] = []
    real = os.scandir

    def scandir(at: str = ".") -> Any:
        looked_at.append(os.path.realpath(at))
        return real(at)

    monkeypatch.setattr(os, "scandir", scandir)
    generators = [{"git": {"directories": [{"path": path}]}}]
    (repository / "app.yaml").write_text(ARGO + json.dumps({"generators": generators}))
    silent(linted())
    assert all(each.startswith(str(repository)) for each in looked_at)


@pytest.mark.parametrize("path", ["../../home/change.yaml", "/etc/passwd", "in.yaml", "*/../../../home/*.yaml"])
def test_a_scenario_overlays_nothing_outside(repository: Path, path: str) -> None:
    (repository / "in.yaml").symlink_to("../../home/change.yaml")
    change = {"at": "1s", "overlay": [path]}
    (repository / "scenario.yaml").write_text(json.dumps({"until": "10s", "changes": [change], "jobs": []}))
    screen = shown("kubectl-fairshare simulate -f q.yaml --scenario scenario.yaml")
    silent(screen)
    assert screen.code in (2, 3), screen
