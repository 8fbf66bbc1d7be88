"""``--baseline``: what was known is not told again, and what is gone is."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.screens import ROOT, Screen, shown

CYCLE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: NAME}\nspec: {parentName: NAME}\n"
SCHEMA = json.loads((ROOT / "schemas" / "fairshare" / "v1alpha1" / "lintbaseline.json").read_text())


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with two cohort cycles, of which those in ``a.yaml`` are known, in which the program runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(CYCLE.replace("NAME", name))
    assert lint("a.yaml --write-baseline known.json").code == 0
    return tmp_path


def lint(arguments: str) -> Screen:
    return shown(f"kubectl-fairshare lint {arguments}")


@pytest.mark.usefixtures("here")
def test_known_findings_are_counted_and_not_told() -> None:
    screen = lint("a.yaml --baseline known.json")
    assert screen.stdout == "✔ no findings in 1 file (1 object) · 1 in the baseline\n"
    assert (screen.code, screen.stderr) == (0, "")


@pytest.mark.usefixtures("here")
def test_new_findings_are_told() -> None:
    screen = lint("a.yaml b.yaml --baseline known.json")
    assert "b.yaml:4:" in screen.stdout
    assert "a.yaml:4:" not in screen.stdout
    assert screen.code == 1


def test_known_findings_are_known_after_their_lines_moved(here: Path) -> None:
    (here / "a.yaml").write_text("# moved\n\n" + CYCLE.replace("NAME", "a"))
    assert lint("a.yaml --baseline known.json").code == 0


@pytest.mark.usefixtures("here")
def test_entries_that_no_longer_occur_are_told() -> None:
    screen = lint("b.yaml --baseline known.json --fail-on never")
    assert "1 finding in the baseline no longer occurs: K041 of Cohort a spec.parentName" in screen.stderr
    assert screen.code == 0
    assert lint("b.yaml --baseline known.json --fail-on never -q").stderr == ""


@pytest.mark.usefixtures("here")
def test_entries_of_rules_that_did_not_run_are_not_called_gone() -> None:
    assert lint("b.yaml --baseline known.json --ignore K041").stderr == ""


def test_a_baseline_is_the_same_however_often_and_from_where_it_is_written(here: Path) -> None:
    lint("a.yaml b.yaml --write-baseline one.json")
    lint("b.yaml a.yaml --write-baseline two.json")
    assert (here / "one.json").read_bytes() == (here / "two.json").read_bytes()
    document = json.loads((here / "one.json").read_text())
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) == []
    assert [each["object"] for each in document["findings"]] == ["Cohort a", "Cohort b"]


@pytest.mark.usefixtures("here")
def test_writing_a_baseline_tells_how_much_is_in_it_and_keeps_known_findings() -> None:
    screen = lint("a.yaml b.yaml --baseline known.json --write-baseline known.json")
    assert screen.stdout == "2 findings written to known.json\n"
    assert screen.code == 0


def test_no_baseline_is_written_of_half_the_input(here: Path) -> None:
    (here / "c.yaml").write_text("a: [\n")
    assert lint("a.yaml c.yaml --write-baseline new.json").code == 3
    assert not (here / "new.json").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "this baseline does not exist"),
        ("{}", "this is not a baseline"),
        ("[", "not valid"),
        (
            '{"kind": "LintBaseline", "apiVersion": "fairshare.dev/v9"}',
            "must be `fairshare.dev/v1alpha1`, not",
        ),
        ('{"kind": "LintBaseline", "apiVersion": "fairshare.dev/v1alpha1"}', "`findings` is missing"),
        (
            '{"kind": "LintBaseline", "apiVersion": "fairshare.dev/v1alpha1", "findings": [{}]}',
            "`fingerprint` is missing",
        ),
    ],
)
def test_what_is_no_baseline_is_told(here: Path, text: str | None, message: str) -> None:
    if text is not None:
        (here / "wrong.json").write_text(text)
    screen = lint("a.yaml --baseline wrong.json")
    assert screen.code == 3
    assert message in screen.stderr
    assert "wrong.json" in screen.stderr
