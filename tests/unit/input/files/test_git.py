"""Revisions of a git repository as input: which path of them is read, and what kubectl makes of their texts."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
POLICY = ROOT / "testdata" / "diff" / "before.yaml"
OTHER = POLICY.read_text().replace("vision", "audio").replace("speech", "video")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two folders of policies; only one has changed since."""
    for folder, text in (("org", POLICY.read_text()), ("dev", OTHER)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "queues.yaml").write_text(text)
    commit(tmp_path)
    (tmp_path / "org" / "queues.yaml").write_text(POLICY.read_text().replace("nominalQuota: 12", "nominalQuota: 10"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commit(folder: Path) -> None:
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *words.split()], check=True, cwd=folder)


def changed(run: Run, words: str) -> Any:
    """The names of the objects that differ."""
    found = json.loads(run(f"kubectl-fairshare diff {words} -o json").stdout)
    return sorted({each["object"]["name"] for each in found["changed"]})


@pytest.mark.slow
def test_a_revision_without_a_path_has_that_of_the_other_version(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert changed(run, "git:HEAD org/") == changed(run, "org/ git:HEAD") == ["vision"]
    assert changed(run, f"git:HEAD {repository}/org") == changed(run, "git:HEAD org/queues.yaml") == ["vision"]
    assert changed(run, "git:HEAD .") == ["vision"]
    assert changed(run, "git:HEAD git:HEAD:dev") == changed(run, "git:HEAD git:HEAD~0") == []
    monkeypatch.chdir(repository / "dev")
    assert changed(run, "git:HEAD ../org") == ["vision"]


def test_all_of_a_revision_is_compared_where_its_path_is_empty(run: Run, repository: Path) -> None:
    assert {"audio", "video"} < {*changed(run, "git:HEAD: org")}
    outside = repository.parent / f"{repository.name}.yaml"
    outside.write_text(OTHER)
    assert {"speech", "vision"} < {*changed(run, f"git:HEAD {outside}")}


def test_a_folder_that_the_revision_lacks_is_new_and_a_file_is_asked_about(run: Run, repository: Path) -> None:
    for name in ("new/queues.yaml", "new.yaml"):
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(OTHER)
    new = run(f"kubectl-fairshare diff git:HEAD {repository}/new")
    assert "note: git:HEAD:new: the revision has no such path: it is compared as empty" in new.stderr
    screen = run("kubectl-fairshare diff git:HEAD new.yaml")
    assert screen.code == 3
    assert "error: git:HEAD: the revision has no `new.yaml`" in screen.stderr
    assert "`git:HEAD:new.yaml` to compare with nothing, or `git:HEAD:` with all of the revision" in screen.stderr


def test_a_key_that_occurs_twice_is_noted_as_in_a_file(run: Run, repository: Path) -> None:
    spec = "spec:\n  tolerations: []\n  tolerations: [{operator: Exists}]\n"
    (repository / "org" / "pod.yaml").write_text(f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\n{spec}")
    commit(repository)
    of_git, of_files = run("kubectl-fairshare diff git:HEAD:org git:HEAD:org"), run("kubectl-fairshare diff org org")
    assert (of_git.code, of_files.code) == (0, 0)
    assert "note: git:HEAD:org/pod.yaml:6:3: key `tolerations` occurs twice" in of_git.stderr
    assert "note: org/pod.yaml:6:3: key `tolerations` occurs twice" in of_files.stderr


@pytest.mark.parametrize("path", [":/org", ":(top)org", ":(glob)**/queues.yaml", ":!dev", ":^dev"])
def test_a_path_is_no_pattern_and_does_not_start_at_the_top(
    run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(repository / "dev")
    screen = run(f"kubectl-fairshare shares -f 'git:HEAD:{path}'")
    assert (screen.code, screen.stdout) == (3, "")
    assert "the revision holds no manifests there" in screen.stderr


def test_a_repository_within_a_folder_runs_nothing(
    run: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare repository that lacks a blob names a program that would fetch it."""
    bare, ran = repository / "bare", tmp_path / "ran"
    subprocess.run(["git", "clone", "-q", "--bare", str(repository), str(bare)], check=True)
    listed = subprocess.run(["git", "ls-tree", "-r", "HEAD"], check=True, cwd=bare, capture_output=True, text=True)
    blob = listed.stdout.split()[2]
    for pack in (bare / "objects" / "pack").glob("*.pack"):
        kept = pack.rename(bare / "kept")
        subprocess.run(f"git unpack-objects < {kept}", shell=True, cwd=bare, check=True, capture_output=True)
    for index in (bare / "objects" / "pack").glob("*"):
        index.unlink()
    (bare / "objects" / blob[:2] / blob[2:]).unlink(missing_ok=True)
    config = f'[extensions]\n partialClone = evil\n[remote "evil"]\n url = ext::touch {ran}\n promisor = true\n'
    (bare / "config").write_text((bare / "config").read_text() + config + "[protocol]\n allow = always\n")
    monkeypatch.chdir(bare)
    screen = run("kubectl-fairshare shares -f git:HEAD:")
    assert screen.code == 3
    assert not ran.exists()
    monkeypatch.setenv("GIT_DIR", str(bare))  # nor does one that the environment names
    assert run("kubectl-fairshare shares -f git:HEAD:").code == 3
    assert not ran.exists()


def test_a_revision_that_is_too_large_is_not_read(run: Run, repository: Path) -> None:
    size = len(POLICY.read_bytes())
    assert (repository / "org" / "queues.yaml").exists()
    screen = run("kubectl-fairshare shares -f git:HEAD:org --max-input 100")
    assert screen.code == 3
    assert f"has {size:,} bytes" in screen.stderr
    assert "the limit for all input is 100 bytes" in screen.stderr
