"""No file of a repository holds up its reader: no pipe, no device, no expression, no pattern, no list of lists."""

import io
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from kubectl_fairshare.cli.completing.program import complete
from kubectl_fairshare.input.files.globs import folders_matching, matches
from tests.screens import Screen, shown

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {stopPolicy: Hold}\n"
LONG = QUEUE.replace("name: q", f"name: {'a' * 250}")
SECONDS = 20
ENDLESS = ["(a*)*b", "(a|aa)+b", "(a+)+b", "(.*)*b", "(a?){100}a{100}b", "((a+)*)*b", "(a|b|ab)*c", r"(\w+)*-"]


class TooLongError(Exception):
    """Raised where a call takes too long."""


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to be read in, for so many seconds."""

    def end(*_: object) -> NoReturn:
        raise TooLongError

    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "q.yaml").write_text(LONG)
    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS)
    try:
        yield tmp_path
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def linted() -> Screen:
    screen = shown("kubectl-fairshare lint . --select all")
    assert screen.code in (0, 1, 2, 3), screen
    return screen


def linked_pipe(name: str) -> None:
    os.mkfifo("p.txt")
    os.symlink(os.path.abspath("p.txt"), name)


SPECIAL: dict[str, Callable[[str], None]] = {
    "pipe": os.mkfifo,
    "link to a pipe": linked_pipe,
    "endless device": lambda name: os.symlink("/dev/zero", name),
    "terminal": lambda name: os.symlink("/dev/tty", name),
    "random numbers": lambda name: os.symlink("/dev/urandom", name),
    "the kernel's log": lambda name: os.symlink("/dev/kmsg", name),
}
PLACES = {
    "manifest": ("a.yaml", ""),
    "settings": (".fairshare.yaml", ""),
    "kustomization": ("kustomization.yaml", ""),
    "patch": ("x", "patches: [{path: x}]"),
    "resource": ("x", "resources: [x]"),
    "config map": ("x", "configMapGenerator: [{name: a, files: [x]}]"),
    "chart": ("c/Chart.yaml", ""),
    "baseline": ("x", ""),
    "suite": ("fairshare-test.yaml", ""),
}


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_is_not_waited_for(folder: Path, place: str, kind: str) -> None:
    name, text = PLACES[place]
    (folder / "c" / "templates").mkdir(parents=True)
    SPECIAL[kind](name)
    if text:
        (folder / "kustomization.yaml").write_text(text)
    if place == "baseline":
        (folder / ".fairshare.yaml").write_text("baseline: x\n")
    linted()
    for command in ("shares -f .", "test .", "shares -f '*.yaml'"):
        assert shown(f"kubectl-fairshare {command}").code in (0, 1, 2, 3)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/stdin", "pipe", "/proc/kmsg", "/dev/random", "/dev/full"])
@pytest.mark.parametrize("field", ["paths", "overlay", "snapshot"])
def test_a_suite_waits_for_no_device(folder: Path, path: str, field: str) -> None:
    os.mkfifo(folder / "pipe")
    given = {"paths": ["q.yaml"], field: path if field == "snapshot" else [path]}
    tests = [{"name": "a", "then": {"held": {}}}]
    (folder / "fairshare-test.yaml").write_text(json.dumps({"given": given, "tests": tests}))
    assert shown("kubectl-fairshare test .").code in (2, 3)


def test_completion_waits_for_no_pipe(folder: Path) -> None:
    os.mkfifo(folder / "a.yaml")
    for where in (".", "a.yaml", "*.yaml"):
        complete(["why", "-f", where, ""], io.BytesIO())


@pytest.mark.parametrize("field", ["name", "namespace", "kind", "group", "version"])
@pytest.mark.parametrize("pattern", ENDLESS)
def test_no_expression_of_a_patch_is_endless(folder: Path, pattern: str, field: str) -> None:
    target = json.dumps({field: pattern})
    text = f"resources: [q.yaml]\npatches: [{{target: {target}, patch: '[{{op: remove, path: /spec/stopPolicy}}]'}}]\n"
    (folder / "kustomization.yaml").write_text(text)
    linted()


@pytest.mark.parametrize("pattern", ENDLESS)
def test_no_expression_of_a_suite_is_endless(folder: Path, pattern: str) -> None:
    submit = {"submit": {"queue": "a" * 250, "request": {"cpu": 1}}}
    tests = [{"name": "a", "when": submit, "then": {"message": f"/{pattern}/"}}]
    (folder / "fairshare-test.yaml").write_text(json.dumps({"given": {"paths": ["q.yaml"]}, "tests": tests}))
    assert shown("kubectl-fairshare test .").code in (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("a/" * 200 + "a", "**/" * 60 + "b"),
        ("a/" * 200 + "a", "**/a/" * 60 + "b"),
        ("a/" * 200 + "a", "**/*/" * 60 + "b"),
        ("a/" * 100 + "a", "*/**/" * 40 + "?b"),
        ("a" * 5_000, "*a" * 200 + "b"),
        ("a" * 5_000, "*" * 2_000 + "b"),
        ("a" * 5_000, "?*" * 1_000 + "b"),
        ("a" * 2_000, "[a]*" * 200 + "b"),
        ("a/" * 2_000 + "a", "**"),
        ("a/" * 500 + "b", "**/a/**/b/**/c"),
    ],
)
def test_no_glob_is_endless(path: str, pattern: str) -> None:
    assert matches(path, pattern) == (pattern == "**")


@pytest.mark.slow
def test_no_exclusion_of_an_application_set_is_endless(folder: Path) -> None:
    (folder / "/".join("a" * 60)).mkdir(parents=True)
    directories: list[dict[str, object]] = [{"path": "/".join("*" * n)} for n in range(1, 60)]
    directories += [{"path": "**/" * 60 + "b", "exclude": True}] * 50
    generators = [{"git": {"directories": directories}}]
    app = {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "metadata": {"name": "a", "namespace": "b"}}
    (folder / "app.json").write_text(json.dumps({**app, "spec": {"generators": generators}}))
    linted()


def test_links_do_not_multiply_folders(folder: Path) -> None:
    """Ten links to the same folder in each of ten folders are ten folders, not 10^10."""
    for level in range(10):
        below = folder / f"l{level}"
        below.mkdir()
        for number in range(10):
            (below / str(number)).symlink_to(f"../l{level + 1}")
    (folder / "l10").mkdir()
    assert len(folders_matching("l0/" + "/".join("*" * 10), ".")) == 1
    linted()


@pytest.mark.parametrize("field", ["resources", "bases", "components"])
def test_kustomizations_that_read_each_other_twice_are_read_once(folder: Path, field: str) -> None:
    """Each of sixty folders reads the next one in two ways: 2^60 ways to the last."""
    for number in range(60):
        (folder / f"k{number}").mkdir()
        named = [f"../k{number + 1}", f"../k{number}/../k{number + 1}"] if number < 59 else ["q.yaml"]
        (folder / f"k{number}" / "kustomization.yaml").write_text(json.dumps({field: named}))
    (folder / "k59" / "q.yaml").write_text(QUEUE)
    linted()


@pytest.mark.slow
def test_one_large_file_of_patches_that_is_named_often_is_read_once(folder: Path) -> None:
    (folder / "p.txt").write_text("".join(f"---\n{QUEUE}" for _ in range(2_000)))
    (folder / "kustomization.yaml").write_text(
        json.dumps({"resources": ["q.yaml"], "patches": [{"path": "p.txt"}] * 50})
    )
    linted()


def test_a_chain_of_links_ends(folder: Path) -> None:
    for number in range(60):
        (folder / f"{number}.yaml").symlink_to(f"{(number + 1) % 60}.yaml")
    (folder / "self").symlink_to(".")
    linted()
