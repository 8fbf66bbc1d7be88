"""Several releases in one call: each finding once, with the releases in which it holds; the worst decides."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.screens import shown

INPUT = """
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: f}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
integrations: {frameworks: [ray.io/rayservice, batch/job]}
"""


@pytest.fixture
def given(tmp_path: Path) -> Path:
    path = tmp_path / "given.yaml"
    path.write_text(INPUT, "utf-8")
    return path


def found(given: Path, releases: str) -> list[dict[str, Any]]:
    document = json.loads(shown(f"kubectl-fairshare lint {given} --release {releases} -o json").stdout)
    return [*document["findings"]]


def test_each_finding_says_the_releases_that_it_is_about(given: Path) -> None:
    several = found(given, "0.16,0.19,0.20")
    assert [(each["rule"], each["severity"], each["releases"]) for each in several] == [
        ("K005", "error", ["v0.20"]),
        ("K005", "info", ["v0.16", "v0.19"]),
        ("K118", "error", ["v0.16"]),
    ]


@pytest.mark.parametrize("release", ["0.16", "0.19", "0.20", "0.16.3"])
def test_one_release_says_what_it_says_among_several(given: Path, release: str) -> None:
    alone = found(given, release)
    among = [each for each in found(given, f"{release},0.18") if f"v{release}" in each["releases"]]
    assert [(each["rule"], each["message"]) for each in alone] == [(each["rule"], each["message"]) for each in among]
    assert not any(each["releases"] for each in alone)


@pytest.mark.parametrize(("releases", "code"), [("0.19", 0), ("0.17,0.19", 0), ("0.19,0.16", 1), ("0.19,0.20", 1)])
def test_the_exit_code_is_that_of_the_worst(given: Path, releases: str, code: int) -> None:
    assert shown(f"kubectl-fairshare lint {given} --release {releases}").code == code


def test_every_format_has_the_releases(given: Path) -> None:
    call = f"kubectl-fairshare lint {given} --release 0.16,0.19 -o"
    assert "in v0.16, v0.19" in shown(f"{call} text").stdout
    assert "(in v0.16, v0.19)" in shown(f"{call} concise").stdout
    assert "<br>in v0.16, v0.19<br>" in shown(f"{call} markdown").stdout
    for form in ("github", "junit", "gitlab"):
        assert "in v0.16, v0.19" in shown(f"{call} {form}").stdout, form
    reported = json.loads(shown(f"kubectl-fairshare lint {given} --release 0.16,0.19,0.20 -o gitlab").stdout)
    assert len({each["fingerprint"] for each in reported}) == len(reported) == 3
    results = json.loads(shown(f"{call} sarif").stdout)["runs"][0]["results"]
    assert [each["properties"]["releases"] for each in results] == [["v0.16", "v0.19"], ["v0.16"]]


def test_texts_that_differ_by_the_name_of_the_release_are_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "given.yaml"
    gates = "featureGates: {Misspelt: true}"
    path.write_text(f"apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n{gates}\n", "utf-8")
    (several,) = found(path, "0.16,0.19")
    (alone,) = found(path, "0.19")
    assert (several["message"], several["releases"]) == (alone["message"], ["v0.16", "v0.19"])


def test_what_makes_no_sense_with_several_is_refused(given: Path) -> None:
    fixing = shown(f"kubectl-fairshare lint {given} --release 0.16,0.19 --fix")
    assert (fixing.code, "a fix is for one release" in fixing.stderr) == (2, True)
    unknown = shown(f"kubectl-fairshare lint {given} --release 0.16,new")
    assert (unknown.code, "`new` is not a release" in unknown.stderr) == (2, True)
    document = shown("kubectl-fairshare diff testdata/demo/org testdata/demo/org --release 0.16,0.19 -o json")
    assert (document.code, "`-o json` is for one release" in document.stderr) == (2, True)
    both = shown("kubectl-fairshare diff testdata/demo/org --release 0.16,0.17..0.19")
    assert (both.code, "one list of releases, or one range" in both.stderr) == (2, True)


@pytest.mark.parametrize("releases", ["0.16,", ",0.19", "0.16,,0.19"])
def test_a_list_with_a_gap_is_refused(given: Path, releases: str) -> None:
    screen = shown(f"kubectl-fairshare lint {given} --release {releases}")
    assert (screen.code, "`` is not a release" in screen.stderr) == (2, True)
    screen = shown(f"kubectl-fairshare diff {given} {given} --release {releases}")
    assert (screen.code, "a release is missing" in screen.stderr) == (2, True)


def test_a_release_that_is_named_twice_is_judged_once(given: Path) -> None:
    call = f"kubectl-fairshare lint {given} --release"
    assert shown(f"{call} 0.16,0.16").stdout == shown(f"{call} 0.16").stdout


def test_an_empty_release_names_none() -> None:
    call = "kubectl-fairshare shares -f testdata/demo/org"
    assert shown(f"{call} --release ''").stdout == shown(call).stdout


def test_settings_with_several_releases_are_for_lint(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".fairshare.yaml").write_text("kueue-version: 0.16,0.19\n")
    monkeypatch.chdir(tmp_path)
    assert "in v0.16, v0.19" in shown(f"kubectl-fairshare lint {given}").stdout
    screen = shown(f"kubectl-fairshare shares -f {given}")
    assert (screen.code, "`0.16,0.19` are several releases" in screen.stderr) == (2, True)
    assert ".fairshare.yaml" in screen.stderr


@pytest.mark.slow
def test_diff_compares_under_each_release_and_ends_with_the_highest_code() -> None:
    call = "kubectl-fairshare diff testdata/demo/org testdata/demo/org --release 0.16,0.19"
    screen = shown(call)
    assert screen.code == 0
    headings = [line for line in screen.stdout.splitlines() if line.startswith("under ")]
    assert headings == ["under v0.16", "under v0.19"]
    assert "exact (Kueue v0.16)" in screen.stdout
    assert "## under v0.19" in shown(f"{call} -o markdown").stdout
