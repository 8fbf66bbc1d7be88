"""A repository of a stranger: git reads what is in it, and neither runs, fetches nor leaves it."""

import json
import os
import shutil
import subprocess
import tracemalloc
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.screens import Screen, shown

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {stopPolicy: Hold}\n"
TOKEN = "private-9f2c"


def git(folder: Path, *words: str) -> str:
    words = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words)
    done = subprocess.run(["git", *words], check=True, cwd=folder, capture_output=True, text=True)
    return done.stdout.strip()


def committed(folder: Path, name: str = "q.yaml", text: str = QUEUE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    (folder / name).write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


@pytest.fixture(name="repository")
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = committed(tmp_path / "repository")
    committed(tmp_path / "private", "secret.yaml", QUEUE.replace("name: q", f"name: {TOKEN}"))
    monkeypatch.chdir(folder)
    return folder


def asked(word: str = "git:HEAD", *more: str) -> Screen:
    return shown(" ".join(["kubectl-fairshare shares -f", f"'{word}'", *more]))


def without_a_blob(repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD:q.yaml")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


@pytest.mark.usefixtures("repository")
def test_it_is_read_where_nothing_is_wrong() -> None:
    assert asked().code == 0, asked()


PROGRAMS: dict[str, Callable[[str], list[tuple[str, str]]]] = {
    "monitor of files": lambda run: [("core.fsmonitor", run)],
    "pager": lambda run: [("core.pager", run), ("pager.ls-tree", run), ("pager.cat-file", run)],
    "ssh": lambda run: [("core.sshCommand", run), ("remote.a.url", "ssh://a/b"), ("remote.a.promisor", "true")],
    "helper of a protocol": lambda run: [("remote.a.url", f"ext::{run}"), ("remote.a.promisor", "true")],
    "allowed protocol": lambda run: [
        ("remote.a.url", f"ext::{run}"),
        ("remote.a.promisor", "true"),
        ("protocol.ext.allow", "always"),
    ],
    "a program that serves": lambda run: [
        ("remote.a.url", "."),
        ("remote.a.promisor", "true"),
        ("remote.a.uploadpack", run),
    ],
    "alias": lambda run: [("alias.ls-tree", f"!{run}"), ("alias.cat-file", f"!{run}")],
    "credentials": lambda run: [("credential.helper", f"!{run}"), ("remote.a.url", "http://127.0.0.1:9/a")],
    "filter": lambda run: [("filter.a.smudge", run), ("filter.a.clean", run), ("filter.a.process", run)],
    "text conversion": lambda run: [("diff.a.textconv", run), ("diff.external", run)],
    "editor and hooks": lambda run: [("core.editor", run), ("core.hooksPath", "hooks")],
}


@pytest.mark.parametrize("attack", PROGRAMS)
@pytest.mark.parametrize("lacks", [True, False], ids=["lacks a blob", "whole"])
def test_its_configuration_starts_nothing(repository: Path, tmp_path: Path, attack: str, lacks: bool) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "run.sh"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    for name, value in PROGRAMS[attack](str(program)):
        git(repository, "config", name, value)
    git(repository, "config", "extensions.partialClone", "a")
    git(repository, "config", "core.repositoryFormatVersion", "1")
    (repository / ".gitattributes").write_text("*.yaml filter=a diff=a\n")
    if lacks:
        without_a_blob(repository)
    assert asked().code == (3 if lacks else 0), asked()
    assert not ran.exists()


def test_a_content_that_is_missing_is_named(repository: Path) -> None:
    without_a_blob(repository)
    screen = asked()
    assert (screen.code, screen.stdout) == (3, "")
    assert "git has no such content" in screen.stderr


@pytest.mark.parametrize(
    "word",
    [
        "git:--output=x",
        "git:HEAD:../private",
        "git:HEAD:/etc",
        "git:-p",
        "git:HEAD:*",
        "git::",
        "git:",
    ],
)
def test_a_word_is_no_option_and_no_way_out(repository: Path, word: str) -> None:
    screen = asked(word)
    assert screen.code == 3
    assert TOKEN not in screen.stdout + screen.stderr
    assert sorted(os.listdir(repository)) == [".git", "q.yaml"]


@pytest.mark.parametrize("word", ["git:HE\0AD", "git:HEAD:q\0.yaml", "git:\0"])
def test_a_null_byte_that_a_suite_names_is_an_error(repository: Path, word: str) -> None:
    """No command line has one: a file may."""
    case = {"name": "x", "when": {"submit": {"queue": "q", "request": {"cpu": 1}}}, "then": {"outcome": ["Admitted"]}}
    (repository / "fairshare-test.yaml").write_text(json.dumps({"given": {"paths": [word]}, "tests": [case]}))
    screen = shown("kubectl-fairshare test fairshare-test.yaml")
    assert screen.code == 3, screen
    assert "null byte" in screen.stderr


def test_a_link_in_a_revision_is_no_file(repository: Path) -> None:
    (repository / "link.yaml").symlink_to("../private/secret.yaml")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "second")
    for word in ("git:HEAD", "git:HEAD:link.yaml"):
        screen = asked(word)
        assert TOKEN not in screen.stdout + screen.stderr


@pytest.mark.parametrize("way", ["file", "link", "common folder", "work tree of another"])
def test_a_folder_does_not_lend_itself_a_repository_of_its_reader(repository: Path, way: str) -> None:
    private = repository.parent / "private" / ".git"
    if way == "common folder":
        (repository / ".git" / "commondir").write_text(str(private))
    else:
        shutil.rmtree(repository / ".git")
        if way == "file":
            (repository / ".git").write_text(f"gitdir: {private}\n")
        elif way == "link":
            (repository / ".git").symlink_to(private)
        else:
            git(private.parent, "worktree", "add", "-q", str(repository.parent / "linked"))
            shutil.copy(repository.parent / "linked" / ".git", repository / ".git")
    for word in ("git:HEAD", "git:HEAD:secret.yaml", "git:master", "git:main"):
        screen = asked(word)
        assert screen.code == 3
        assert TOKEN not in screen.stdout + screen.stderr


def test_a_work_tree_and_a_submodule_of_ones_own_are_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "worktree", "add", "-q", str(repository.parent / "linked"))
    monkeypatch.chdir(repository.parent / "linked")
    assert asked().code == 0, asked()
    above = committed(repository.parent / "above", "a.yaml")
    git(above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "below")
    monkeypatch.chdir(above / "below")
    assert asked().code == 0, asked()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_DIR", "../private/.git"),
        ("GIT_WORK_TREE", "../private"),
        ("GIT_OBJECT_DIRECTORY", "../private/.git/objects"),
        ("GIT_NAMESPACE", "a"),
        ("GIT_EXEC_PATH", "."),
        ("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=touch ran'"),
    ],
)
def test_the_environment_changes_nothing(
    repository: Path, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    screen = asked()
    assert screen.code == 0
    assert TOKEN not in screen.stdout
    assert not (repository / "ran").exists()


def test_a_program_called_git_in_the_folder_is_not_started(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "git").write_text("#!/bin/sh\ntouch ran\n")
    (repository / "git").chmod(0o755)
    for first in (".", "", "./"):
        monkeypatch.setenv("PATH", f"{first}{os.pathsep}{os.environ['PATH']}")
        assert asked().code == 0
    assert not (repository / "ran").exists()


def test_objects_that_replace_others_do_not_count(repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD:q.yaml")
    (repository / "other").write_text("kind: [")
    git(repository, "replace", blob, git(repository, "hash-object", "-w", "other"))
    assert asked().code == 0


def written(repository: Path, kind: bytes, data: bytes) -> bytes:
    """Writes an object as git does; returns its name."""
    whole = kind + b" %d\0" % len(data) + data
    name = sha1(whole).hexdigest()
    path = repository / ".git" / "objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole))
    return bytes.fromhex(name)


@pytest.mark.slow
def test_trees_that_name_each_other_end(repository: Path) -> None:
    """Ten folders in each of ten folders, and so on: 10^10 files in eleven objects. Their names are long."""
    long = b"x" * 200
    at = written(repository, b"blob", QUEUE.encode())
    mode, ending = b"100644", b".yaml"
    for _ in range(10):
        at = written(repository, b"tree", b"".join(mode + b" %d" % n + long + ending + b"\0" + at for n in range(10)))
        mode, ending = b"40000", b""
    about = b"tree %s\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nx\n" % at.hex().encode()
    commit = written(repository, b"commit", about)
    screen = asked(f"git:{commit.hex()}")
    assert screen.code == 3
    assert "the limit" in screen.stderr


@pytest.mark.parametrize("part", [b"..", b".git", b"."])
def test_a_tree_does_not_climb_out_of_its_folder(
    repository: Path, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No git writes such a tree, but a file of objects may hold it."""
    temporary = repository.parent / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    blob = written(repository, b"blob", QUEUE.encode())
    inner = written(repository, b"tree", b"100644 evil.yaml\0" + blob)
    climbing = written(repository, b"tree", b"40000 " + part + b"\0" + inner)
    top = written(repository, b"tree", b"40000 " + part + b"\0" + climbing + b"100644 q.yaml\0" + blob)
    about = b"tree %s\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nx\n" % top.hex().encode()
    commit = written(repository, b"commit", about)
    screen = asked(f"git:{commit.hex()}:")
    assert screen.code in (0, 3)
    assert "evil.yaml" not in screen.stdout
    assert os.listdir(temporary) == []
    assert not [*repository.parent.rglob("evil.yaml")]


def test_a_kustomization_of_a_revision_reads_nothing_of_the_work_tree(repository: Path) -> None:
    (repository / "kustomization.yaml").write_text("resources: [q.yaml, ../private/secret.yaml, new.yaml]\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "second")
    (repository / "new.yaml").write_text(QUEUE.replace("name: q", f"name: {TOKEN}"))
    screen = asked()
    assert screen.code == 3
    assert TOKEN not in screen.stdout + screen.stderr


@pytest.mark.parametrize("size", sampled([1, 200], 2))
def test_a_large_content_is_refused_before_it_is_read(repository: Path, size: int) -> None:
    (repository / "large.yaml").write_bytes(bytes(size << 20))
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "large")
    tracemalloc.start()
    try:
        screen = asked("git:HEAD", f"--max-input {1 << 19}")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert screen.code == 3
    assert f"has {(size << 20) + len(QUEUE):,} bytes" in screen.stderr
    assert peak < 64 << 20


def test_a_name_with_signs_that_a_terminal_obeys_is_shown_without(repository: Path) -> None:
    (repository / "a\x1b]0;x\x07\nb.yaml").write_text("kind: [")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "odd")
    screen = asked()
    assert screen.code == 3
    assert not set("\x1b\x07") & set(screen.stderr)
