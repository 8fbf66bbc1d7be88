"""``.fairshare.yaml``: where it is found, what it sets, what is said of a wrong one."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.files.paths import find_settings
from tests.screens import ROOT, Screen, shown

CYCLE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: NAME}\nspec: {parentName: NAME}\n"
SCHEMA = json.loads((ROOT / "schemas" / "fairshare" / "v1alpha1" / "settings.json").read_text())
NAME = ".fairshare.yaml"
EVERYTHING = """\
# every setting there is
select: [advice, K041]
ignore: [namespace-selector-absent]
fail-on: warning
complete: true
kueue-version: "0.18"
baseline: known.json
severity:
  K041: warning
per-path:
- path: legacy/
  ignore: [K041]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a cohort cycle in ``a.yaml``, in which the program runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(CYCLE.replace("NAME", "a"))
    return tmp_path


def lint(arguments: str) -> Screen:
    return shown(f"kubectl-fairshare lint {arguments}")


def test_the_settings_of_the_directory_are_found(here: Path) -> None:
    assert lint("a.yaml").code == 1
    (here / NAME).write_text("ignore: [K041]\n")
    assert lint("a.yaml").code == 0


def test_settings_above_are_found_up_to_the_root_of_the_repository(here: Path) -> None:
    below = here / "repository" / "clusters" / "prod"
    below.mkdir(parents=True)
    (here / NAME).write_text("")
    assert find_settings(str(below)) is None
    (here / "repository" / ".git").mkdir()
    assert find_settings(str(below)) is None
    (here / "repository" / NAME).write_text("")
    assert find_settings(str(below)) == f"../../{NAME}"
    (below / NAME).write_text("")
    assert find_settings(str(below)) == NAME


def test_a_named_file_goes_before_one_that_is_found(here: Path) -> None:
    (here / NAME).write_text("ignore: [K041]\n")
    (here / "other.yaml").write_text("fail-on: never\n")
    screen = lint("a.yaml --config other.yaml")
    assert "K041" in screen.stdout
    assert screen.code == 0


@pytest.mark.parametrize("text", ["", "---\n", "# nothing\n", "{}\n"])
def test_settings_that_say_nothing_change_nothing(here: Path, text: str) -> None:
    (here / NAME).write_text(text)
    assert lint("a.yaml").code == 1


def test_options_go_before_settings(here: Path) -> None:
    (here / NAME).write_text("ignore: [K041]\nfail-on: never\nselect: [K042]\n")
    assert lint("a.yaml").stdout.startswith("✔")
    assert lint("a.yaml --select K041 --ignore K042").code == 0
    assert lint("a.yaml --select K041 --ignore K042 --fail-on error").code == 1


def test_a_severity_is_what_the_finding_counts_as(here: Path) -> None:
    (here / NAME).write_text("severity:\n  K0: info\n  cohort-cycle: warning\n")
    screen = lint("a.yaml --fail-on warning")
    assert "warning[K041]" in screen.stdout
    assert screen.code == 1


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("legacy/", True),
        ("legacy/**", True),
        ("**/old/*.yaml", True),
        ("legacy/*/a.yaml", True),
        ("legacy/*.yaml", False),
        ("legacy", False),
        ("*.yaml", False),
    ],
)
def test_rules_are_ignored_where_a_path_matches(here: Path, pattern: str, ignored: bool) -> None:
    (here / "legacy" / "old").mkdir(parents=True)
    (here / "legacy" / "old" / "a.yaml").write_text(CYCLE.replace("NAME", "b"))
    (here / NAME).write_text(f"per-path:\n- path: '{pattern}'\n  ignore: [K041]\n")
    assert lint("legacy").code == int(not ignored)


def test_paths_count_from_the_settings(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / ".git").mkdir()
    (here / NAME).write_text("per-path:\n- path: sub/a.yaml\n  ignore: [K041]\nbaseline: known.json\n")
    (here / "sub").mkdir()
    (here / "sub" / "a.yaml").write_text(CYCLE.replace("NAME", "b"))
    lint("a.yaml --write-baseline known.json")
    monkeypatch.chdir(here / "sub")
    assert lint("a.yaml").code == 0
    assert "1 in the baseline" in lint("../a.yaml").stdout


def test_settings_are_no_manifest_of_their_directory(here: Path) -> None:
    (here / NAME).write_text("ignore: [K041]\n")
    screen = lint(".")
    assert (screen.code, screen.stderr) == (0, "")


WRONG = [
    ("selct: [K041]", "1:1", "unknown setting `selct`"),
    ("fail_on: error", "1:1", "did you mean `fail-on`?"),
    ("ignore: [K4O1x]", "1:10", "unknown rule `K4O1x`"),
    ("ignore: K041", "1:9", "`ignore` must be a list"),
    ("ignore: [41]", "1:10", "`ignore[0]` must be text: put it in quotes"),
    ("fail-on: bad", "1:10", "`fail-on` must be one of `error`, `warning`, `info`, `never`"),
    ("fail-on: [error]", "1:10", "`fail-on` must be one of"),
    ("complete: yes please", "1:11", "`complete` must be `true` or `false`"),
    ("kueue-version: 0.18", "1:16", "`kueue-version` must be text: put it in quotes"),
    ("severity: {K041: bad}", "1:18", "`severity.K041` must be one of `error`, `warning`, `info`"),
    ("severity: {nope: error}", "1:12", "unknown rule `nope`"),
    ("per-path: [{path: x}]", "1:12", "`ignore` is missing"),
    ("per-path: [{path: x, ignore: [], more: 1}]", "1:34", "unknown setting `more`"),
    ("[]", "1:1", "the whole must be a mapping"),
    ("a: 1\n---\nb: 2", "", "contains more than one document"),
]


@pytest.mark.parametrize(("text", "where", "message"), WRONG)
def test_what_is_wrong_is_told_at_its_place(here: Path, text: str, where: str, message: str) -> None:
    (here / NAME).write_text(text + "\n")
    screen = lint("a.yaml")
    assert screen.code == 2
    assert message in screen.stderr
    assert f"error: {NAME}{':' if where else ''}{where}: " in screen.stderr


def test_everything_that_is_wrong_is_told_at_once(here: Path) -> None:
    (here / NAME).write_text("selct: []\nfail-on: x\nignore: [nope]\n")
    assert lint("a.yaml").stderr.count("error: ") == 3


def test_an_unknown_release_is_a_wrong_call(here: Path) -> None:
    (here / NAME).write_text('kueue-version: "9.9"\n')
    assert lint("a.yaml").code == 2


def test_settings_that_cannot_be_read_are_told(here: Path) -> None:
    assert lint("a.yaml --config nothing.yaml").code == 3
    (here / NAME).write_text("a: [\n")
    assert lint("a.yaml").code == 3


def test_the_schema_takes_what_the_program_takes(here: Path) -> None:
    import yaml

    (here / "known.json").write_text('{"apiVersion": "fairshare.dev/v1alpha1", "kind": "LintBaseline", "findings": []}')
    (here / NAME).write_text(EVERYTHING)
    assert lint("a.yaml").code == 1
    validator = Draft202012Validator(SCHEMA)
    assert list(validator.iter_errors(yaml.safe_load(EVERYTHING))) == []
    assert set(SCHEMA["properties"]) == set(yaml.safe_load(EVERYTHING))
    structural = [text for text, _, message in WRONG if "unknown rule" not in message and "---" not in text]
    assert [text for text in structural if validator.is_valid(yaml.safe_load(text))] == []


def test_the_settings_in_the_documentation_are_read(here: Path) -> None:
    text = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    example = text.partition("$schema=")[2].partition("\n")[2].partition("```")[0]
    (here / NAME).write_text(example)
    lint("a.yaml --write-baseline .fairshare-known.json")
    assert lint("a.yaml").code == 0
    assert "per-path" in example


def test_the_schema_names_every_severity() -> None:
    severities = [severity.value for severity in Severity]
    assert SCHEMA["properties"]["severity"]["additionalProperties"]["enum"] == severities
    assert SCHEMA["properties"]["fail-on"]["enum"] == [*severities, "never"]
