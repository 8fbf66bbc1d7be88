"""A stranger's pull request runs nothing in the action, overwrites nothing, and does not choose how it is judged."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.hostile.test_git import git
from tests.meta.installation import package_folders
from tests.meta.repository import ROOT
from tests.meta.test_ci_integration import BAD, BORROWING_PYTHON, GOOD, Runner, environment
from tests.screens import shown

pytestmark = pytest.mark.slow
STEPS = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
EVIL = "import os; open(os.environ['RAN'], 'w').close()\n"
MODULES = [
    *("venv.py", "pip/__init__.py", "pip/__main__.py", "site.py", "sitecustomize.py", "usercustomize.py", "re.py"),
    *("encodings/__init__.py", "kubectl_fairshare/__init__.py", "click.py", "hatchling/__init__.py", "ensurepip.py"),
    *("setuptools/__init__.py", "json/__init__.py", "pip.conf", "setup.cfg", "pyvenv.cfg", "pyproject.toml"),
]


def python_of(folder: Path) -> Path:
    """The Python of a step that was done: it starts the one that runs here, and the program beside it."""
    folder.mkdir(parents=True)
    (folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (folder / "python").chmod(0o755)
    (folder / "kubectl-fairshare").write_text("from kubectl_fairshare.cli.main import process\nprocess()\n")
    return folder


@pytest.fixture(name="work")
def _work(tmp_path: Path) -> Path:
    """A checkout of a change that adds a mistake to its base branch."""
    origin, work = tmp_path / "origin", tmp_path / "work"
    origin.mkdir()
    git(origin, "init", "-q", "--initial-branch=main")
    (origin / "policy.yaml").write_text(GOOD.read_text())
    (origin / "known.json").write_text(
        '{"kind": "LintBaseline", "apiVersion": "fairshare.dev/v1alpha1", "findings": []}'
    )
    committed(origin)
    git(tmp_path, "clone", "-q", origin.as_uri(), str(work))
    (work / "policy.yaml").write_text(BAD.read_text())
    return work


def committed(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def judged(work: Path, inputs: dict[str, str] | None = None, base: str = "main") -> tuple[str, str, Runner]:
    """The exit code of lint in the action, what was printed, and the runner."""
    temporary = work.parent / "temporary"
    python_of(temporary / "out" / "python" / "bin")
    runner = Runner(temporary, Path(sys.executable), {"diff-before": "git:HEAD", **(inputs or {})}, work)
    runner.values["github.base_ref"] = base
    runner.values["steps.install.outputs.out"] = str(temporary / "out")
    printed = ""
    for step in STEPS:
        if step.get("id") in ("lint", "diff"):
            done = runner._step(step)
            printed += done.stdout + done.stderr
    return runner.values.get("steps.lint.outputs.exit-code", ""), printed, runner


def test_a_mistake_is_found_and_reports_are_outside_of_the_workspace(work: Path) -> None:
    code, printed, runner = judged(work)
    assert code == "1", printed
    for name in ("steps.lint.outputs.sarif-file", "steps.diff.outputs.diff-file"):
        path = Path(runner.values[name])
        assert path.stat().st_size > 100
        assert not path.is_relative_to(work)


def test_no_module_of_the_workspace_is_installed_with(tmp_path: Path, work: Path) -> None:
    for name in MODULES:
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text(EVIL)
    python = tmp_path / "python3"
    borrowed = " ".join(map(shlex.quote, package_folders()))
    python.write_text(BORROWING_PYTHON.format(python=sys.executable, borrowed=borrowed))
    python.chmod(0o755)
    runner = Runner(tmp_path, python, {}, work)
    step = next(step for step in STEPS if step.get("id") == "install")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAN", str(tmp_path / "ran"))
        done = runner._step(step)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("module", [name for name in MODULES if name.endswith(".py")])
def test_no_module_of_the_workspace_is_run_with(work: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / module).parent.mkdir(exist_ok=True)
    (work / module).write_text(EVIL)
    monkeypatch.setenv("RAN", str(work.parent / "ran"))
    code, printed, _ = judged(work)
    assert code == "1", printed
    assert not (work.parent / "ran").exists()


@pytest.mark.parametrize("name", ["fairshare.sarif", "fairshare-diff.md", "output", "comment.md"])
def test_a_link_with_the_name_of_a_report_is_not_written_through(work: Path, name: str) -> None:
    target = work.parent / "program"
    target.write_text("program\n")
    (work / name).symlink_to(target)
    code, printed, _ = judged(work)
    assert (code, target.read_text()) == ("1", "program\n"), printed


@pytest.mark.parametrize("name", ["fairshare.sarif", "fairshare-diff.md"])
def test_a_report_overwrites_nothing_that_is_there(work: Path, name: str) -> None:
    """Outputs go to a new folder; should something be in it, it is left alone."""
    target = work.parent / "program"
    target.write_text("program\n")
    out = work.parent / "temporary" / "out"
    out.mkdir(parents=True)
    (out / name).symlink_to(target)
    assert judged(work)[0] in ("1", "")
    assert target.read_text() == "program\n"


@pytest.mark.parametrize(
    "name",
    [
        *("--select=K001", "--ignore=K", "--fail-on=never", "--settings=evil.yaml", "--exit-zero", "-h", "--help"),
        *("--version", "--baseline=known.json", "--max-input=1", "--fix", "-o=json"),
    ],
)
def test_a_file_that_is_called_like_an_option_is_a_file(work: Path, name: str) -> None:
    (work / name).write_text(GOOD.read_text())
    before = (work / "policy.yaml").read_text()
    code, printed, _ = judged(work, {"paths": "*.yaml -* --*"})
    assert code in ("1", "3"), printed
    assert "K041" in printed
    assert (work / "policy.yaml").read_text() == before


SETTINGS = {
    "ignores the rule": "ignore: [K041]\n",
    "selects another": "select: [K001]\n",
    "never fails": "fail-on: never\n",
    "calls it information": "severity: {K041: info}\n",
    "spares the path": "per-path: [{path: '**', ignore: [K041]}]\n",
    "knows the finding": "baseline: mine.json\n",
    "is of an older release": 'kueue-version: "0.16"\nfail-on: never\n',
}


@pytest.mark.parametrize("attack", SETTINGS)
@pytest.mark.parametrize("base_has", [True, False], ids=["changed", "new"])
def test_settings_of_the_change_do_not_count(
    work: Path, attack: str, base_has: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = work.parent / "origin"
    if base_has:
        (origin / ".fairshare.yaml").write_text("fail-on: error\nbaseline: known.json\n")
        committed(origin)
    (work / ".fairshare.yaml").write_text(SETTINGS[attack])
    monkeypatch.chdir(work)
    shown("kubectl-fairshare lint policy.yaml --write-baseline mine.json --settings /dev/null")
    shown("kubectl-fairshare lint policy.yaml --write-baseline known.json --settings /dev/null")
    code, printed, _ = judged(work)
    assert code == "1", printed
    assert "K041" in printed


@pytest.mark.parametrize(("settings", "version"), [("base", "v0.17"), ("head", "v0.16")])
def test_the_release_of_the_change_does_not_count_for_what_is_compared(work: Path, settings: str, version: str) -> None:
    origin = work.parent / "origin"
    (origin / ".fairshare.yaml").write_text('kueue-version: "0.17"\n')
    committed(origin)
    (work / "policy.yaml").write_text(GOOD.read_text())
    (work / ".fairshare.yaml").write_text('kueue-version: "0.16"\n')
    _, printed, runner = judged(work, {"settings": settings})
    assert f"({version})" in Path(runner.values["steps.diff.outputs.diff-file"]).read_text(), printed


@pytest.mark.parametrize(
    "path",
    [
        "git:refs/fairshare/base:.fairshare.yaml",
        "git:refs/fairshare/base:known.json",
        "git:HEAD",
        ".git-evil",
    ],
)
def test_a_file_that_is_called_like_a_revision_is_none(work: Path, path: str) -> None:
    (work / path).parent.mkdir(parents=True, exist_ok=True)
    (work / path).write_text("ignore: [K041]\nfail-on: never\n")
    code, printed, _ = judged(work)
    assert code == "1", printed


def test_settings_of_the_base_branch_count(work: Path) -> None:
    origin = work.parent / "origin"
    (origin / ".fairshare.yaml").write_text("ignore: [K041]\n")
    committed(origin)
    assert judged(work)[0] == "0"


def test_head_asks_for_those_of_the_change(work: Path) -> None:
    (work / ".fairshare.yaml").write_text("ignore: [K041]\n")
    assert judged(work, {"settings": "head"})[0] == "0"


@pytest.mark.parametrize("base", ["no-such-branch", "$(touch ran)", "a;touch ran", "--upload-pack=touch ran", "a b"])
def test_a_base_that_cannot_be_read_fails(work: Path, base: str) -> None:
    (work / ".fairshare.yaml").write_text("ignore: [K041]\n")
    code, printed, _ = judged(work, base=base)
    assert code == "", printed
    assert "::error::the settings of the base branch cannot be read" in printed
    assert not (work / "ran").exists()


def test_the_steps_are_whole_scripts() -> None:
    for step in STEPS:
        if "run" in step:
            subprocess.run(["bash", "-n", "-c", step["run"]], check=True, env=environment())
