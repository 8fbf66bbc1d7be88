"""What runs us elsewhere says what is true: its commands are run here, as far as that goes without those services."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pre_commit.clientlib import load_manifest

from tests.meta.installation import package_folders
from tests.meta.repository import ROOT

pytestmark = pytest.mark.slow

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GOOD = ROOT / "testdata" / "rules" / "K041" / "good.yaml"
BAD = ROOT / "testdata" / "rules" / "K041" / "bad.yaml"
BORROWING_PYTHON = """#!/bin/sh
# A Python whose environments borrow the packages of this one, so that none has to be fetched.
"{python}" "$@" || exit
case " $* " in *" -m venv "*) ;; *) exit 0 ;; esac
for word; do folder=$word; done
for packages in "$folder"/lib/python3*/site-packages; do printf '%s\\n' {borrowed} > "$packages/zz_borrowed.pth"; done
"""


@pytest.fixture(scope="module")
def borrowing_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("python") / "python3"
    borrowed = " ".join(map(shlex.quote, package_folders()))
    path.write_text(BORROWING_PYTHON.format(python=sys.executable, borrowed=borrowed))
    path.chmod(0o755)
    return path


def environment(**more: str) -> dict[str, str]:
    """The environment of a runner: nothing of this process's Python, and a pip that reaches for no network."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV", "FAIRSHARE"))}
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_ROOT_USER_ACTION": "ignore"}
    return {**kept, **offline, **more}


def checked_out(folder: Path) -> Path:
    """This repository as the action is checked out, with lists of nothing: what they name is borrowed."""
    folder.mkdir()
    for name in ("kubectl_fairshare", "schemas", "testdata", "docs", "pyproject.toml", "README.md", "LICENSE"):
        (folder / name).symlink_to(ROOT / name)
    lists = folder / ".ci" / "locked"
    lists.mkdir(parents=True)
    for path in (ROOT / ".ci" / "locked").iterdir():
        (lists / path.name).write_text("")
    return folder


class Runner:
    """Runs the steps of the action one by one, as a runner does: expressions put in, outputs kept."""

    def __init__(self, folder: Path, python: Path, inputs: dict[str, str], work: Path | None = None) -> None:
        self.action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
        defaults = {name: spec["default"] for name, spec in self.action["inputs"].items()}
        self.folder = folder
        self.work = work or folder
        self.values = {f"inputs.{k}": v for k, v in {**defaults, "python": str(python), **inputs}.items()}
        self.values["github.action_path"] = str(checked_out(folder / "action"))

    def run(self) -> tuple[int, str]:
        """The exit code of the last step and what all of them printed."""
        printed = ""
        for step in self.action["runs"]["steps"]:
            if "run" not in step:
                continue
            done = self._step(step)
            printed += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, printed
        return 0, printed

    def _step(self, step: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        output = self.folder / "output"
        output.write_text("")
        given = {name: self._filled(text) for name, text in step.get("env", {}).items()}
        env = environment(RUNNER_TEMP=str(self.folder), GITHUB_OUTPUT=str(output), **given)
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=self.work, env=env, capture_output=True, text=True, check=False)
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        return done

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda match: self.values.get(match[1], ""), text)


@pytest.fixture(scope="module")
def runners(
    tmp_path_factory: pytest.TempPathFactory, borrowing_python: Path
) -> dict[str, tuple[int, str, Path, Runner]]:
    found = {}
    for name, file in (("good", GOOD), ("bad", BAD)):
        folder = tmp_path_factory.mktemp(name)
        runner = Runner(folder, borrowing_python, {"paths": str(file)})
        code, printed = runner.run()
        found[name] = (code, printed, folder, runner)
    return found


def test_the_action_passes_on_clean_manifests(runners: dict[str, tuple[int, str, Path, Runner]]) -> None:
    code, printed, _, runner = runners["good"]
    assert code == 0, printed
    assert "::error" not in printed
    assert runner.values["steps.lint.outputs.exit-code"] == "0"


def test_the_action_fails_on_findings_annotates_and_leaves_a_report(
    runners: dict[str, tuple[int, str, Path, Runner]],
) -> None:
    code, printed, folder, runner = runners["bad"]
    assert code == 1, printed
    assert f"::error file={BAD}" in printed
    report = json.loads((folder / runner.values["steps.lint.outputs.sarif-file"]).read_text())
    assert [r["ruleId"] for r in report["runs"][0]["results"]] == ["K041"]


FAKE_GH = """#!/usr/bin/env python3
# GitHub's command line, with comments that are kept in a file.
import json, os, subprocess, sys
words, path = sys.argv[1:], os.environ["FAKE_COMMENTS"]
kept = json.load(open(path))
fields = [word.partition("=@")[2] for word in words if word.startswith("body=@")]
if "graphql" in words:
    print("fairshare[bot]")
elif "--jq" in words:
    print(subprocess.run(["jq", "-r", words[words.index("--jq") + 1]], input=json.dumps(kept), capture_output=True,
                         text=True, check=True).stdout, end="")
elif "PATCH" in words:
    number = next(word for word in words if "/comments/" in word).rpartition("/")[2]
    next(each for each in kept if each["id"] == int(number))["body"] = open(fields[0]).read()
else:
    kept.append({"id": 10 + len(kept), "body": open(fields[0]).read(), "user": {"login": "fairshare[bot]"}})
json.dump(kept, open(path, "w"))
"""


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq, which gh has inside, is not installed")
def test_the_comment_is_written_once_and_later_edited_and_others_stay(tmp_path: Path) -> None:
    (step,) = [step for step in ACTION["runs"]["steps"] if "FAIRSHARE_COMMENT" in step.get("env", {})]
    (tmp_path / "gh").write_text(FAKE_GH)
    (tmp_path / "gh").chmod(0o755)
    comments, diff = tmp_path / "comments.json", tmp_path / "diff.md"
    me, them = {"login": "fairshare[bot]"}, {"login": "stranger"}
    mark = "<!-- kubectl-fairshare prod -->\n"
    forged = {"id": 8, "body": f"{mark}all is well", "user": them}
    longer = {"id": 7, "body": "<!-- kubectl-fairshare prod --> x", "user": me}
    others = [{"id": 9, "body": "coverage fell", "user": me}, longer, forged]
    comments.write_text(json.dumps(others))
    env = {
        **environment(PATH=f"{tmp_path}:{os.environ['PATH']}", RUNNER_TEMP=str(tmp_path), GH_TOKEN="t"),
        "GITHUB_REF": "refs/pull/7/merge",
        "GITHUB_REPOSITORY": "o/r",
        "FAKE_COMMENTS": str(comments),
        "FAIRSHARE_OUT": str(tmp_path),
        "FAIRSHARE_COMMENT": "true",
        "FAIRSHARE_CATEGORY": "prod",
        "FAIRSHARE_DIFF": str(diff),
    }
    for text in ("**one**\n", "**two**\n"):
        diff.write_text(text)
        subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=env, check=True)
        more = {"id": 90, "body": text, "user": them}
        comments.write_text(json.dumps([*json.loads(comments.read_text()), more, {**forged, "id": 91}]))
    found = [each["body"] for each in json.loads(comments.read_text())]
    copied = forged["body"]
    assert found[:3] == [each["body"] for each in others]
    assert found[3:] == [f"{mark}**two**\n", "**one**\n", copied, "**two**\n", copied]


def test_the_action_uploads_what_it_wrote() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    upload = next(step for step in action["runs"]["steps"] if "uses" in step)
    assert upload["with"]["sarif_file"] == "${{ steps.lint.outputs.sarif-file }}"
    assert all(step.get("shell") == "bash" for step in action["runs"]["steps"] if "run" in step)


def test_the_hook_is_one_that_pre_commit_takes_and_its_entry_runs() -> None:
    hooks = {hook["id"]: hook for hook in load_manifest(ROOT / ".pre-commit-hooks.yaml")}
    assert sorted(hooks) == ["fairshare-diff", "fairshare-lint"]
    assert not any(hook["pass_filenames"] for hook in hooks.values())
    program, *arguments = hooks["fairshare-lint"]["entry"].split()
    command = [str(Path(sys.executable).with_name(program)), *arguments, str(BAD)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def blocks(language: str) -> list[str]:
    """The code blocks of a language on the page about continuous integration."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_gitlab_job_writes_both_reports(tmp_path: Path, borrowing_python: Path) -> None:
    (job,) = [parsed["fairshare"] for parsed in map(yaml.safe_load, blocks("yaml")) if "fairshare" in parsed]
    work, base = merge_request(tmp_path)
    subprocess.run([borrowing_python, "-m", "venv", tmp_path / "venv"], check=True)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join([*job["before_script"], *job["script"]])],
        cwd=work,
        env=environment(
            FAIRSHARE=str(ROOT),
            PATH=f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}",
            CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    report = json.loads((work / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [entry["check_name"] for entry in report] == ["K041 cohort-cycle"]
    (path,) = job["artifacts"]["paths"]
    change = (work / path).read_text()
    assert "| Cohort beta |" in change
    assert "later" not in change, "what others changed since is none of this change"
    assert "slim" not in job["image"], "the script and its branch need git"
    assert job["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'}], "else no branch is compared with"


def merge_request(folder: Path) -> tuple[Path, str]:
    """A shallow checkout of a branch that adds a mistake, and its base, which the target branch has left behind."""
    origin, work = folder / "origin", folder / "work"
    policy = origin / "clusters" / "prod"
    policy.mkdir(parents=True)
    git(origin, "init", "--quiet", "--initial-branch=main")
    shutil.copy(GOOD, policy / "policy.yaml")
    base = committed(origin)
    (policy / "later.yaml").write_text("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: later}\n")
    committed(origin)
    git(origin, "checkout", "--quiet", "-b", "change", base)
    shutil.copy(BAD, policy / "policy.yaml")
    committed(origin)
    git(folder, "clone", "--quiet", "--depth=1", "--branch=change", origin.as_uri(), str(work))
    return work, base


def committed(repository: Path) -> str:
    git(repository, "add", ".")
    git(repository, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message=policy")
    return git(repository, "rev-parse", "HEAD").strip()


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_pages_examples_name_what_exists() -> None:
    parsed = [yaml.safe_load(block) for block in blocks("yaml")]
    (hooks,) = [p["repos"][0]["hooks"] for p in parsed if "repos" in p]
    (step,) = [p["jobs"]["lint"]["steps"][1] for p in parsed if "jobs" in p]
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["fairshare-lint"]
    assert step["with"].keys() <= action["inputs"].keys()


def instructions() -> list[tuple[str, str]]:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line and line[0] != "#")]


def test_the_image_is_built_of_what_is_there_and_runs_the_command(tmp_path: Path, borrowing_python: Path) -> None:
    source, target = tmp_path / "src", tmp_path / "opt" / "fairshare"
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    source.mkdir()
    for name in kept:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).symlink_to(ROOT / name)
    lists = source / ".ci" / "locked"
    lists.unlink()
    lists.mkdir()
    for each in (ROOT / ".ci" / "locked").iterdir():
        (lists / each.name).write_text("")
    for command in (rest for word, rest in instructions() if word == "RUN"):
        here = command.replace("/opt/", f"{target.parent}/").replace("/src", str(source))
        path = f"{borrowing_python.parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-ec", here], env=environment(PATH=path), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    said = dict(instructions())
    entry, arguments = json.loads(said["ENTRYPOINT"]), json.loads(said["CMD"])
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "bad.yaml").write_bytes(BAD.read_bytes())
    done = subprocess.run(
        [target / "bin" / entry[0], *entry[1:], *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "K041" in done.stdout
