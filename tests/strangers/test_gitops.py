"""Ten commits with one mistake each: what ``diff`` says of them, in each format, and in the hook."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.hostile.test_action import judged
from tests.meta.repository import ROOT
from tests.sampling import sampled
from tests.screens import Screen
from tests.strangers.gitops import EXPECTED, GATES, LINTED, STATE, Expected, git, repository

Run = Callable[[str], Screen]
UNITS = ["overlays/gpu-eu", "overlays/gpu-us"]


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Goes to the repository with a change."""

    def _at(change: str) -> None:
        monkeypatch.chdir(repository(tmp_path / "repository", change))

    return _at


def asked(run: Run, output: str) -> Screen:
    return run(f"kubectl-fairshare diff git:main . --state {STATE} --fail-on {GATES} -o {output}")


@pytest.mark.parametrize("output", ["text", "markdown", "json"])
@pytest.mark.parametrize(("change", "expected"), sampled(EXPECTED.items(), 5), ids=EXPECTED)
def test_each_mistake_is_answered(
    run: Run, at: Callable[[str], None], change: str, expected: Expected, output: str
) -> None:
    at(change)
    screen = asked(run, output)
    assert screen.code == expected.code, screen
    assert not [text for text in expected.errors if text not in screen.stderr]
    said = " ".join(screen.stdout.split())
    if output == "json" and screen.stdout:
        said = json.dumps(json.loads(screen.stdout), ensure_ascii=False)
        expected = expected._replace(shows=tuple(text for text in expected.shows if "→" not in text))
    assert not [text for text in expected.shows if text not in said]
    if expected.errors:
        assert screen.stdout == ""


@pytest.mark.parametrize(("change", "expected"), [each for each in EXPECTED.items() if each[1].linted])
def test_lint_names_what_is_meant(run: Run, at: Callable[[str], None], change: str, expected: Expected) -> None:
    at(change)
    screen = run("kubectl-fairshare lint .")
    assert screen.code == 0
    assert not [text for text in expected.linted if text not in screen.stdout]


@pytest.mark.slow
def test_no_change_is_no_change(run: Run, at: Callable[[str], None]) -> None:
    at("")
    assert asked(run, "text").stdout.startswith("✔ 2 units: no change\n")
    document: Any = json.loads(asked(run, "json").stdout)
    assert (document["kind"], document["exitCode"]) == ("DiffList", 0)
    assert [(item["units"], item["found"]) for item in document["items"]] == [(UNITS, "both")]


@pytest.mark.slow
def test_units_of_one_answer_are_named_together_and_others_alone(run: Run, at: Callable[[str], None]) -> None:
    at("09-quota-cut-under-running-work")
    assert "units overlays/gpu-eu, overlays/gpu-us\n" in asked(run, "text").stdout
    held = Path("overlays/gpu-eu/vision.yaml")
    held.write_text(held.read_text() + "  stopPolicy: Hold\n")
    document: Any = json.loads(asked(run, "json").stdout)
    assert [item["units"] for item in document["items"]] == [["overlays/gpu-eu"], ["overlays/gpu-us"]]
    alone = run(f"kubectl-fairshare diff git:main . --state {STATE} --each overlays/gpu-us -o json")
    assert [item["units"] for item in json.loads(alone.stdout)["items"]] == [["overlays/gpu-us"]]
    assert run("kubectl-fairshare diff git:main . --each nothing").code == 2


@pytest.mark.slow
def test_one_overlay_is_compared_with_its_patches_and_its_base(run: Run, at: Callable[[str], None]) -> None:
    at("09-quota-cut-under-running-work")
    for words in (
        "git:main:overlays/gpu-eu overlays/gpu-eu",
        "git:main overlays/gpu-eu",
        "git:main -k overlays/gpu-eu",
    ):
        screen = run(f"kubectl-fairshare diff {words} --state {STATE} --fail-on {GATES}")
        assert screen.code == 1, screen
        assert "2 running workloads may be preempted by more queues" in " ".join(screen.stdout.split())
        assert "unit " not in screen.stdout


@pytest.mark.slow
def test_a_unit_of_one_version_is_new_or_gone(run: Run, at: Callable[[str], None]) -> None:
    at("")
    Path("overlays/gpu-us").rename("overlays/gpu-asia")
    text = Path("overlays/gpu-asia/vision.yaml").read_text()
    assert "unit overlays/gpu-us → overlays/gpu-asia" not in asked(run, "text").stdout  # moved, and nothing else
    Path("overlays/gpu-new").mkdir()
    Path("overlays/gpu-new/kustomization.yaml").write_text(Path("overlays/gpu-eu/kustomization.yaml").read_text())
    Path("overlays/gpu-new/vision.yaml").write_text(text.replace('"1"', '"7"'))
    shown = asked(run, "text").stdout
    assert "unit overlays/gpu-new (new)" in shown
    document: Any = json.loads(asked(run, "json").stdout)
    assert {item["found"] for item in document["items"]} == {"both", "new"}


@pytest.mark.parametrize("output", sampled(["html", "csv", "name", "svg", "yaml", "wide"], 6))
def test_every_other_format_has_all_units(run: Run, at: Callable[[str], None], output: str) -> None:
    at("09-quota-cut-under-running-work")
    screen = asked(run, output)
    assert screen.code == 1
    assert "vision" in screen.stdout
    if output not in ("name", "svg"):
        assert "overlays/gpu-us" in screen.stdout


def test_a_finding_of_a_base_names_all_units_that_have_it(run: Run, at: Callable[[str], None]) -> None:
    at("01-negative-nominal")
    assert "overlays/gpu-eu and 1 more: base/chat.yaml:20:29: error[" in run("kubectl-fairshare lint .").stdout
    document: Any = json.loads(run("kubectl-fairshare lint . -o json").stdout)
    assert UNITS in [finding["units"] for finding in document["findings"]]
    log: Any = json.loads(run("kubectl-fairshare lint . -o sarif").stdout)
    errors = [[each["level"] for each in one["results"]].count("error") for one in log["runs"]]
    assert errors.count(0) == 1
    assert len(errors) == 3
    assert len(json.dumps(log)) < 60_000


@pytest.mark.slow
def test_a_report_is_about_the_unit_that_is_picked(run: Run, at: Callable[[str], None]) -> None:
    at("")
    page = run(f"kubectl-fairshare report -f . -f {STATE} --each overlays/gpu-eu --no-lint")
    assert page.code == 0, page
    assert "pretrain" in page.stdout
    assert "overlays/gpu-us" not in page.stdout
    both = run(f"kubectl-fairshare report -f . -f {STATE} --no-lint")
    assert both.code == 0, both
    assert both.stdout.count('<section class="cluster"') == 2
    assert run("kubectl-fairshare report -f . --each 'overlays/*' --no-lint").stdout.count("<option>overlays/") == 2
    assert run("kubectl-fairshare report -f . --metrics").code == 2, "metrics are about one cluster"
    assert "overlays/gpu-us" in run("kubectl-fairshare report -f . --each nothing").stderr


def hook() -> list[str]:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (found,) = [each for each in hooks if each["id"] == "fairshare-diff"]
    return [*shlex.split(found["entry"]), *found["args"]]


@pytest.mark.parametrize("change", sampled(EXPECTED, 2))
def test_the_hook_says_of_each_mistake_what_diff_does(run: Run, at: Callable[[str], None], change: str) -> None:
    at(change)
    screen = run(shlex.join([*hook(), "--state", str(STATE)]))
    expected = EXPECTED[change]
    assert screen.code == expected.code, screen
    said = " ".join(screen.stdout.split())
    assert not [text for text in expected.shows if text not in said]
    assert not [text for text in expected.errors if text not in screen.stderr]


def test_the_hook_lets_a_change_of_nothing_pass(run: Run, at: Callable[[str], None]) -> None:
    at("")
    screen = run(shlex.join(hook()))
    assert screen.code == 0, screen


@pytest.mark.slow
@pytest.mark.parametrize("change", EXPECTED)
def test_the_action_has_the_gates_of_the_hook(tmp_path: Path, change: str) -> None:
    repository(tmp_path / "work", change)
    inputs = {"diff-before": "git:main", "diff-args": f"--state {STATE}", "settings": "head"}
    _, printed, runner = judged(tmp_path / "work", inputs)
    expected = EXPECTED[change]
    assert runner.values["steps.diff.outputs.exit-code"] == str(expected.code), printed
    summary = " ".join(Path(runner.values["steps.diff.outputs.diff-file"]).read_text().split())
    assert not [text for text in (*expected.shows, *expected.errors) if text not in summary]
    assert ("not compared" in summary) == bool(expected.errors)


@pytest.mark.slow
@pytest.mark.parametrize("change", EXPECTED)
def test_the_job_of_gitlab_compares_with_what_it_fetched(run: Run, at: Callable[[str], None], change: str) -> None:
    at(change)
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    jobs = [yaml.safe_load(block.partition("```")[0]) for block in text.split("```yaml\n")[1:]]
    (job,) = [job["fairshare"] for job in jobs if "fairshare" in job]
    (script,) = [line for line in job["script"] if " diff " in line]
    git(Path.cwd(), "fetch", "--quiet", ".", "main")
    screen = run(f"{script.partition(' > ')[0]} --state {STATE}")
    expected = EXPECTED[change]
    assert screen.code == expected.code, screen
    assert screen.stdout.startswith({0: "### ⚠️", 1: "### ❌", 3: ""}[expected.code])
    said = " ".join(screen.stdout.split())
    assert not [text for text in expected.shows if text not in said]
    assert not [text for text in expected.errors if text not in screen.stderr]
    (linting,) = [line for line in job["script"] if " lint " in line]
    quality = run(linting.partition(" > ")[0].replace("clusters/prod", "."))
    assert quality.code == LINTED[change][0]
    assert LINTED[change][1] in quality.stdout


@pytest.mark.parametrize("output", ["text", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown"])
@pytest.mark.parametrize("change", sampled(LINTED, 4))
def test_lint_finds_each_mistake_in_every_format(run: Run, at: Callable[[str], None], change: str, output: str) -> None:
    at(change)
    screen = run(f"kubectl-fairshare lint . --complete -o {output}")
    code, rule = LINTED[change]
    assert screen.code == code, screen
    assert rule in screen.stdout


@pytest.mark.slow
@pytest.mark.parametrize("output", ["yaml", "wide", "html", "name", "csv", "svg"])
@pytest.mark.parametrize("change", EXPECTED)
def test_each_mistake_has_its_exit_code_in_every_format(
    run: Run, at: Callable[[str], None], change: str, output: str
) -> None:
    at(change)
    screen = asked(run, output)
    assert screen.code == EXPECTED[change].code, screen
    if EXPECTED[change].errors or output != "name":  # which has nothing where no queue is concerned
        assert bool(screen.stdout) != bool(EXPECTED[change].errors)


def test_where_there_is_nothing_to_compare_it_is_no_success(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n")
    screen = run(f"kubectl-fairshare diff {tmp_path} {tmp_path}/a.yaml")
    assert screen.code == 3
    assert "there is nothing to compare" in screen.stderr
