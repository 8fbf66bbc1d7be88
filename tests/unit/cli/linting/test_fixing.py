"""``lint --fix`` and ``--diff``: what becomes of files, and what is told."""

import gzip
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_fairshare.cli.linting.fixing import mend_in_memory
from kubectl_fairshare.cli.linting.lint_run import LintOptions, LintRun
from kubectl_fairshare.cli.linting.run import find
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.streams import Streams
from tests.screens import ROOT, Screen, shown, stream

BAD = (ROOT / "testdata" / "rules" / "K004" / "bad.yaml").read_text()
UNSAFE = (ROOT / "testdata" / "rules" / "K090" / "bad.yaml").read_text()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory in which the program runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lint(arguments: str) -> Screen:
    return shown(f"kubectl-fairshare lint {arguments}")


def test_a_fix_changes_the_file_and_counts_itself(here: Path) -> None:
    (here / "a.yaml").write_text(BAD)
    screen = lint("a.yaml --fix")
    assert (here / "a.yaml").read_text() == BAD.replace("nominalQuota: 0.5", 'nominalQuota: "0.5"')
    assert "1 fixed" in screen.stdout
    assert screen.code == 0


def test_a_second_fix_has_nothing_to_do(here: Path) -> None:
    (here / "a.yaml").write_text(BAD)
    lint("a.yaml --fix")
    before = (here / "a.yaml").stat()
    screen = lint("a.yaml --fix")
    assert "fixed" not in screen.stdout
    assert (here / "a.yaml").stat().st_ino == before.st_ino


def test_what_is_left_is_told_of_the_changed_file(here: Path) -> None:
    (here / "a.yaml").write_text(BAD)
    (here / "b.yaml").write_text(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: a}\nspec: {parentName: a}\n"
    )
    screen = lint("a.yaml b.yaml --fix")
    assert "error[K041]" in screen.stdout
    assert "K004" not in screen.stdout
    assert "1 fixed" in screen.stdout
    assert screen.code == 1


def test_a_fix_that_wants_a_look_is_made_only_when_asked_for(here: Path) -> None:
    (here / "a.yaml").write_text(UNSAFE)
    lint("a.yaml --fix")
    assert (here / "a.yaml").read_text() == UNSAFE
    lint("a.yaml --fix --unsafe-fixes")
    assert (here / "a.yaml").read_text() == UNSAFE.replace("              borrowingLimit: 10\n", "")


def test_a_diff_changes_nothing_and_ends_as_without(here: Path) -> None:
    (here / "a.yaml").write_text(BAD)
    screen = lint("a.yaml --diff")
    assert (here / "a.yaml").read_text() == BAD
    assert screen.code == lint("a.yaml").code == 1
    assert screen.stdout.splitlines()[:2] == ["--- a.yaml", "+++ a.yaml"]
    assert [line for line in screen.stdout.splitlines()[2:] if line[0] in "+-"] == [
        "-        nominalQuota: 0.5",
        '+        nominalQuota: "0.5"',
    ]


def test_a_diff_can_be_applied(here: Path) -> None:
    text = BAD.rstrip().replace("\n", "\r\n")
    (here / "a.yaml").write_bytes(text.encode())
    (here / "x.diff").write_bytes(lint("a.yaml --diff").stdout.encode())
    assert os.system("patch -s --binary -p0 < x.diff") == 0
    assert (here / "a.yaml").read_bytes() == text.replace("0.5", '"0.5"').encode()


def test_a_diff_of_standard_input_is_shown(here: Path) -> None:
    (here / "a.yaml").write_text(BAD)
    screen = lint("- --diff < a.yaml")
    assert screen.stdout.startswith("--- <stdin>\n+++ <stdin>\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("- --fix < a.yaml", "`--fix` cannot write to standard input"),
        ("a.yaml --unsafe-fixes", "`--unsafe-fixes` needs `--fix` or `--diff`"),
        ("a.yaml --fix --diff", "`--diff` cannot be used with `--fix`"),
        ("a.yaml --diff -o json", "`--diff` does not support `-o`"),
        ("a.yaml --fix --write-baseline b.json", "`--write-baseline` cannot be used with a fix"),
    ],
)
def test_options_that_make_no_sense_together_are_a_wrong_call(here: Path, options: str, message: str) -> None:
    (here / "a.yaml").write_text(BAD)
    screen = lint(options)
    assert screen.code == 2
    assert message in screen.stderr
    assert (here / "a.yaml").read_text() == BAD


def test_the_mode_of_the_file_stays_and_links_are_followed(here: Path) -> None:
    (here / "real").mkdir()
    real = here / "real" / "a.yaml"
    real.write_text(BAD)
    real.chmod(0o640)
    (here / "a.yaml").symlink_to(real)
    lint("a.yaml --fix")
    assert (here / "a.yaml").is_symlink()
    assert '"0.5"' in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["a.yaml"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [(gzip.compress(BAD.encode()), "the file is compressed"), (BAD.encode("utf-16"), "the file is UTF-16")],
)
def test_a_file_that_is_read_in_another_form_is_left_alone(here: Path, data: bytes, reason: str) -> None:
    (here / "a.yaml").write_bytes(data)
    screen = lint("a.yaml --fix")
    assert (here / "a.yaml").read_bytes() == data
    assert f"K004 is not fixed: {reason}" in screen.stderr
    assert screen.code == 1


def test_a_shared_value_is_left_alone_and_told(here: Path) -> None:
    text = BAD.replace("nominalQuota: 0.5", "nominalQuota: &half 0.5\n        borrowingLimit: *half")
    (here / "a.yaml").write_text(text)
    screen = lint("a.yaml --fix")
    assert (here / "a.yaml").read_text() == text
    assert "the value is shared, by its anchor `&half`" in screen.stderr


def test_a_suppressed_finding_is_not_mended(here: Path) -> None:
    text = BAD.replace("nominalQuota: 0.5", "nominalQuota: 0.5  # fairshare: ignore[K004]")
    (here / "a.yaml").write_text(text)
    screen = lint("a.yaml --fix")
    assert (here / "a.yaml").read_text() == text
    assert "1 suppressed" in screen.stdout


def test_findings_of_several_files_are_mended_in_one_go(here: Path) -> None:
    (here / "org").mkdir()
    names = [f"{letter}{number}" for letter in "abc" for number in range(3)]
    for name in names:
        (here / "org" / f"{name}.yaml").write_text(BAD.replace("default", f"f-{name}").replace("research", name))
    screen = lint("org --fix")
    assert f"{len(names)} fixed" in screen.stdout
    assert all('"0.5"' in (here / "org" / f"{name}.yaml").read_text() for name in names)


def test_a_fix_that_mends_nothing_is_made_once(here: Path) -> None:
    (here / "a.yaml").write_text(BAD)
    streams = Streams(stream(b""), stream(b""), stream(b""))
    run = find(Inputs(filename=("a.yaml",)), LintOptions(), streams)
    asked: list[Mapping[str, bytes]] = []

    def as_before(known: Mapping[str, bytes]) -> LintRun:
        asked.append(known)
        return run

    found = mend_in_memory(run, as_before, unsafe=False, barred={})
    assert len(found.fixed) == len(asked) == 1
    assert b'"0.5"' in asked[0]["a.yaml"]


def test_fixes_after_which_less_could_be_read_are_not_made(here: Path) -> None:
    quota = "apiVersion: scheduling.%s/v1alpha1\nkind: ElasticQuota\nmetadata: {name: a, namespace: a}\n---\n"
    text = quota % "sigs.k8s.io" + (quota % "x-k8s.io").replace("namespace: a", "namespace: a, labels: {a: b}")
    (here / "a.yaml").write_text(text)
    (here / "b.yaml").write_text(BAD)
    screen = lint("a.yaml b.yaml --fix --unsafe-fixes --select all")
    assert (here / "a.yaml").read_text() == text
    assert "E027 is not fixed: the fixed file could no longer be read" in screen.stderr
    assert "given twice" not in screen.stderr
    assert '"0.5"' in (here / "b.yaml").read_text()
