"""A revision is read as a folder is: with what its kustomizations name, and under the names of the revision."""

import os
import subprocess
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read, read_what_can_be
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.input.units.checkout import checked_out
from kubectl_fairshare.schedulers import known_schedulers
from tests.screens import shown
from tests.unit.input.units.folders import QUEUE, write


def commit() -> None:
    for words in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"):
        subprocess.run(["git", *words.split()], check=True)


@pytest.fixture
def repository() -> None:
    """An overlay whose base and patches are elsewhere, one of them in a file that is not called as a manifest."""
    write(
        {
            "base/kustomization.yaml": "resources: [q.yaml]\n",
            "base/q.yaml": QUEUE % ("a", "None"),
            "base/other.yaml": QUEUE % ("unused", "None"),
            "org/eu/kustomization.yaml": "resources: [../../base]\npatches: [{path: ../hold}]\n",
            "org/hold": QUEUE % ("a", "Hold"),
        }
    )
    commit()
    write({"base/q.yaml": QUEUE % ("changed", "None"), "org/hold": "no: yaml: {"})


def policy(word: str) -> dict[str, str]:
    reading = read([word], known_schedulers())
    return {m.key.name: m.data["spec"]["stopPolicy"] for m in reading.manifests}


@pytest.mark.usefixtures("repository")
def test_an_overlay_has_its_base_and_its_patches_from_the_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    assert policy("git:HEAD:org/eu") == {"a": "Hold"}
    monkeypatch.chdir("org")
    assert policy("git:HEAD:eu") == policy("git:HEAD") == {"a": "Hold"}


@pytest.mark.usefixtures("repository")
def test_sources_have_the_names_of_the_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    (manifest,) = read(["git:HEAD:org/eu"], known_schedulers()).manifests
    assert manifest.origin.source == "git:HEAD:base/q.yaml"
    assert [origin.source for origin, _ in manifest.patches] == ["git:HEAD:org/hold"]
    monkeypatch.chdir("org")
    reading = read(["git:HEAD:eu"], known_schedulers())
    assert {*reading.texts} >= {"git:HEAD:../base/q.yaml", "git:HEAD:hold"}
    assert not any("fairshare-git" in name for name in reading.texts)


@pytest.mark.usefixtures("repository")
def test_units_are_called_by_their_paths() -> None:
    write({"org/us/kustomization.yaml": "resources: [../../base]\n", "base/q.yaml": QUEUE % ("a", "None")})
    commit()
    reading, problems = read_what_can_be(["git:HEAD"], known_schedulers(), divided=True, among_others=True)
    assert [each.unit.name for each in reading.units] == [".", "org/eu", "org/us"]
    assert not [problem for problem in problems if "fairshare-git" in f"{problem.message} {problem.place}"]


@pytest.mark.usefixtures("repository")
def test_the_folder_is_private_and_goes() -> None:
    with checked_out("git:HEAD", Budget(10_000)) as checkout:
        assert os.stat(checkout.root).st_mode & 0o77 == 0
        assert Path(checkout.named, "base", "q.yaml").read_text().startswith("apiVersion")
    assert not os.path.exists(checkout.root)


@pytest.mark.usefixtures("repository")
def test_an_error_has_the_place_in_the_revision() -> None:
    write({"org/eu/kustomization.yaml": "resources: [../../base, gone.yaml]\n", "base/q.yaml": QUEUE % ("a", "None")})
    commit()
    screen = shown("kubectl-fairshare shares -f git:HEAD:org/eu")
    assert screen.code == 3
    assert "error: git:HEAD:org/eu/kustomization.yaml:1:25: this kustomization names `gone.yaml`" in screen.stderr
