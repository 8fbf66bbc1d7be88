"""What a stranger needs to trust a release is there, and the workflows can be trusted themselves."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import kubectl_fairshare
from tests.meta.repository import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}")
WRITES = {"publish": {"contents", "id-token", "attestations"}}
"""What jobs may write: only the one that publishes a release."""


def content(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for job in content(path)["jobs"].values():
            yield from ((path.name, step) for step in job["steps"])
    yield from (("action.yml", step) for step in content(ROOT / "action.yml")["runs"]["steps"])


def test_actions_are_pinned_by_hash_with_their_version_beside() -> None:
    used = [(where, step["uses"]) for where, step in steps() if "uses" in step]
    assert used
    assert [each for each in used if not PINNED.fullmatch(each[1])] == []
    for path in (*WORKFLOWS, ROOT / "action.yml"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "uses:" not in line or re.search(r"# v\d+\.\d+\.\d+$", line), line


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_permissions_are_least(path: Path) -> None:
    workflow = content(path)
    assert set(workflow["permissions"].values() if workflow["permissions"] else ()) <= {"read"}
    for name, job in workflow["jobs"].items():
        writes = {what for what, how in job.get("permissions", {}).items() if how == "write"}
        assert writes <= WRITES.get(name, set())
        assert job["timeout-minutes"] <= 60


def test_a_release_has_what_every_other_job_builds() -> None:
    jobs = content(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}
    uploads = [step for name in jobs["publish"]["needs"] for step in jobs[name]["steps"] if "upload" in str(step)]
    assert len(uploads) == len(jobs) - 1
    assert all(step["with"]["if-no-files-found"] == "error" for step in uploads)


def test_no_workflow_puts_a_users_text_into_a_script() -> None:
    scripts = [step.get("run", "") for _, step in steps()]
    assert [script for script in scripts if "${{ github.event" in script or "${{ inputs" in script] == []
    assert [
        where for where, step in steps() if "checkout" in step.get("uses", "") and step["with"]["persist-credentials"]
    ] == []


def test_the_image_is_pinned_by_its_digest_and_does_not_run_as_root() -> None:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    bases = [line for line in lines if line.startswith("FROM")]
    assert all(re.search(r"@sha256:[0-9a-f]{64}( AS \w+)?$", line) for line in bases)
    assert len({line.split()[1] for line in bases}) == 1
    assert "USER 65532:65532" in lines


def test_the_image_is_built_from_that_file_wherever_it_is_built() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (*WORKFLOWS, ROOT / "Containerfile", ROOT / "docs" / "ci.md")]
    built = [line for text in texts for line in text.splitlines() if "docker build" in line]
    assert len(built) == 3
    assert [line for line in built if "docker build -f Containerfile " not in line] == []  # docker looks for Dockerfile


def test_the_image_gets_all_that_the_wheel_is_made_of() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    sent = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert [name for name in (*wheel["only-include"], "README.md", "LICENSE") if f"!{name}" not in sent] == []


def test_a_release_leaves_nothing_unreleased(tmp_path: Path) -> None:
    jobs = content(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    script = next(step["run"] for step in jobs["packages"]["steps"] if "TAG" in step.get("env", {}))
    (tmp_path / "kubectl_fairshare").mkdir()
    (tmp_path / "kubectl_fairshare" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    codes = {}
    for entries in ("", "### Added\n\n- A line.\n\n"):
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n{entries}## [1.2.3]\n\n- A line.\n")
        for tag in ("v1.2.3", "v1.2.4"):
            call = ["bash", "-e", "-o", "pipefail", "-c", script]
            done = subprocess.run(call, cwd=tmp_path, env={**os.environ, "TAG": tag}, check=False, capture_output=True)
            codes[bool(entries), tag] = done.returncode
    assert codes == {(False, "v1.2.3"): 0, (False, "v1.2.4"): 1, (True, "v1.2.3"): 1, (True, "v1.2.4"): 1}


def test_the_changelog_has_a_section_for_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{kubectl_fairshare.__version__}]" in text


def test_pages_name_no_tag_and_no_registry_of_ours() -> None:
    pages = [ROOT / "README.md", ROOT / "action.yml", *(ROOT / "docs").rglob("*.md")]
    named = re.compile(r"kubectl-fairshare[@/]v\d|rev: v\d|ghcr\.io/\S*fairshare|pypi\.org/\S*fairshare")
    assert [path.name for path in pages if named.search(path.read_text(encoding="utf-8"))] == []


def test_the_lowest_versions_are_those_that_are_declared() -> None:
    done = subprocess.run([sys.executable, ".ci/lowest.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lines = done.stdout.splitlines()
    assert len(lines) > 5
    assert all(f'"{line.replace("==", ">=")}"' in project for line in lines)


@pytest.mark.parametrize(
    "name",
    [
        "SECURITY.md",
        ".github/CODEOWNERS",
        ".github/PULL_REQUEST_TEMPLATE.md",
        ".github/dependabot.yml",
        ".github/ISSUE_TEMPLATE/bug.yml",
        ".github/ISSUE_TEMPLATE/wrong-answer.yml",
    ],
)
def test_a_stranger_finds_where_to_report_and_who_reviews(name: str) -> None:
    assert (ROOT / name).stat().st_size > 100


def test_security_says_which_versions_are_supported() -> None:
    minor = ".".join(kubectl_fairshare.__version__.split(".")[:2])
    assert f"| {minor}.x | yes |" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


LOCKED = sorted((ROOT / ".ci" / "locked").glob("*.txt"))


@pytest.mark.parametrize("path", LOCKED, ids=lambda path: path.stem)
def test_each_package_of_a_list_has_its_version_and_hashes(path: Path) -> None:
    entries = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").replace("\\\n", ""))
    assert len(entries) > 10
    assert [each for each in entries if not re.match(r"[a-z0-9-]+==\S+.* --hash=sha256:[0-9a-f]{64}", each)] == []


def test_the_lists_have_what_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[><=~]", each)[0].lower().replace(".", "-") for each in project["dependencies"]}
    for path in LOCKED:
        names = {line.partition("==")[0] for line in path.read_text(encoding="utf-8").splitlines()}
        assert path.stem == "sign" or declared <= names, path


def test_what_is_published_is_installed_from_lists_with_hashes() -> None:
    """All that pip fetches for the action, the image and a release; what is on the machine already has no index."""
    texts = [ROOT / "action.yml", ROOT / "Containerfile", ROOT / ".github" / "workflows" / "release.yml"]
    for path in texts:
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.search(r"pip(\[@\]\}\")? (install|download|wheel)|\{pip\[@\]\}", line) and "pip=(" not in line:
                assert any(word in line for word in ("--require-hashes", "--no-deps", "--no-index")), line
