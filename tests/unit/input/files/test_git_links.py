"""A link in a revision leads where it leads on disk; what leads out is named, and not read."""

import os
import subprocess
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.git_links import TreeLinks
from tests.screens import Screen, shown
from tests.unit.input.units.folders import QUEUE, write

LINKS = TreeLinks(
    {
        "a": "b",
        "deep/up": "../b/c",
        "round": "trip",
        "trip": "round",
        "out": "../secret",
        "etc": "/etc",
        "b/more": "../other",
        "other/back": "../b",
    }
)


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("b/x", "b/x"),
        ("a/x", "b/x"),
        ("deep/up/x", "b/c/x"),
        ("./deep/../a", "b"),
        ("a/more/x", "other/x"),
        ("", ""),
        ("round/x", None),
        ("out/x", None),
        ("etc/passwd", None),
        ("../x", None),
    ],
)
def test_a_path_leads_through_links(path: str, real: str | None) -> None:
    assert LINKS.real(path) == real


def test_what_links_reach_is_found_once() -> None:
    assert sorted(LINKS.reached("b")) == ["other"]
    assert sorted(LINKS.reached("deep")) == ["b/c"]
    assert list(TreeLinks().reached("")) == []


def commit() -> None:
    for words in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"):
        subprocess.run(["git", *words.split()], check=True)


def said(screen: Screen) -> str:
    """What is said, whether of the work tree or of the revision."""
    return screen.stdout.replace("git:HEAD:", "").replace("git:HEAD", ".")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cluster whose base is behind a link, a file behind a link, and links that lead out."""
    at = tmp_path / "repository"
    at.mkdir()
    monkeypatch.chdir(at)
    write(
        {
            "../private/secret.yaml": QUEUE % ("secret", "None"),
            "shared/v2/kustomization.yaml": "resources: [q.yaml]\n",
            "shared/v2/q.yaml": QUEUE % ("a", "None"),
            "shared/one/b.yaml": QUEUE % ("b", "Hold"),
            "clusters/eu/kustomization.yaml": "resources: [base, b.yaml]\n",
        }
    )
    os.symlink("v2", "shared/current")
    os.symlink("../../shared/current", "clusters/eu/base")
    os.symlink("../../shared/one/b.yaml", "clusters/eu/b.yaml")
    os.symlink("clusters/eu", "prod")
    commit()
    return at


@pytest.mark.parametrize("path", ["clusters/eu", "prod", "clusters", "."])
def test_a_revision_with_links_is_what_the_work_tree_is(repository: Path, path: str) -> None:
    on_disk = shown(f"kubectl-fairshare shares -f {path}")
    assert on_disk.code == 0, on_disk
    assert {"a", "b"} <= set(on_disk.stdout.split())
    revision = shown(f"kubectl-fairshare shares -f git:HEAD:{path}")
    assert (revision.code, said(revision)) == (0, on_disk.stdout), revision
    assert repository.name not in revision.stderr


@pytest.mark.parametrize("words", ["git:HEAD prod", "git:HEAD:prod prod", "git:HEAD .", "git:HEAD clusters/eu"])
def test_a_path_through_a_link_is_compared_with_itself(repository: Path, words: str) -> None:
    same = shown(f"kubectl-fairshare diff {words}")
    assert (same.code, "no change" in same.stdout) == (0, True), same
    (repository / "shared/one/b.yaml").write_text(QUEUE % ("b", "None"))
    changed = shown(f"kubectl-fairshare diff {words}")
    assert "stopPolicy" in changed.stdout
    assert "compared as empty" not in changed.stderr


@pytest.mark.parametrize("target", ["../private", "/etc", "../private/secret.yaml"])
def test_what_leads_out_is_named_and_not_read(repository: Path, target: str) -> None:
    name = "more.yaml" if target.endswith(".yaml") else "more"
    os.symlink(os.path.join(os.pardir, target) if not os.path.isabs(target) else target, repository / "clusters" / name)
    commit()
    for word in (".", "git:HEAD"):
        screen = shown(f"kubectl-fairshare shares -f {word}")
        assert "secret" not in screen.stdout
        assert "leads out of" in screen.stderr, screen
        assert "fairshare-git" not in screen.stderr
    named = shown(f"kubectl-fairshare shares -f git:HEAD:clusters/{name}")
    assert (named.code, named.stdout) == (3, ""), named
    assert "a link there leads out of the repository: not read" in named.stderr


def test_links_that_lead_back_end(repository: Path) -> None:
    os.symlink("../clusters", repository / "clusters" / "again")
    os.symlink("there", repository / "here")
    os.symlink("here", repository / "there")
    commit()
    disk, revision = (shown(f"kubectl-fairshare shares -f {word}") for word in (".", "git:HEAD"))
    assert revision.code == disk.code
    assert shown("kubectl-fairshare shares -f git:HEAD:here").code == 3


def test_nothing_is_written_through_a_link_of_a_tree_made_by_hand(repository: Path) -> None:
    """A tree that has a link and a folder of the same name, as git itself would not write it."""
    blob = (
        subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], input=b"apiVersion: v1\n", capture_output=True, check=True
        )
        .stdout.decode()
        .strip()
    )
    link = (
        subprocess.run(
            ["git", "hash-object", "-w", "--stdin"],
            input=os.fsencode(repository.parent),
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    inner = (
        subprocess.run(
            ["git", "mktree"], input=f"100644 blob {blob}\tnew.yaml\n".encode(), capture_output=True, check=True
        )
        .stdout.decode()
        .strip()
    )
    raw = b"".join(
        mode + b" way\0" + bytes.fromhex(identity) for mode, identity in ((b"120000", link), (b"40000", inner))
    )
    tree = (
        subprocess.run(
            ["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
            input=raw,
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    screen = shown(f"kubectl-fairshare shares -f git:{tree}")
    assert screen.code != 0
    assert not (repository.parent / "new.yaml").exists()
