"""``plan`` from the command line to the screen and the document, by a table of cases (``testdata/plan``)."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sampling import sampled
from tests.schemas import problems
from tests.screens import ROOT, Screen, shown

HERE = ROOT / "testdata" / "plan"
CASES: list[dict[str, Any]] = yaml.load((HERE / "cases.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
ANSWERED = [case for case in CASES if case["exit"] in (0, 4, 5)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, in which the calls are made; 80 columns, no colour."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


def called(case: dict[str, Any], output: str = "text") -> Screen:
    """The call of a case, its files written first."""
    for name, documents in case.get("files", {}).items():
        Path(f"{name}.yaml").write_text(yaml.safe_dump_all(documents, sort_keys=False), encoding="utf-8")
    return shown(f"kubectl-fairshare plan -f {HERE}/org.yaml {case['args']} -o {output}")


def found(document: Any, path: str) -> Any:
    """The value at a dotted path."""
    for part in path.split("."):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_screen(case: dict[str, Any]) -> None:
    screen = called(case)
    assert screen.code == case["exit"], str(screen)
    words = " ".join(screen.stdout.split())
    assert [text for text in case.get("shows", []) if " ".join(text.split()) not in words] == [], str(screen)
    assert [text for text in case.get("says", []) if text not in screen.stderr] == [], screen.stderr


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["name"])
def test_the_document(case: dict[str, Any]) -> None:
    screen = called(case, "json")
    document = json.loads(screen.stdout)
    assert problems(document) == []
    assert {path: found(document, path) for path in case.get("finds", {})} == case.get("finds", {})
    assert screen.code == case["exit"]


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["name"])
def test_only_kueues_own_message_may_be_wider_than_the_screen(case: dict[str, Any]) -> None:
    message = json.loads(called(case, "json").stdout).get("condition", {}).get("message", "")
    wide = [line for line in called(case).stdout.splitlines() if len(line) > 80 and "couldn't assign" not in line]
    assert [line for line in wide if line.strip() != message and "requests must not" not in line] == []


@pytest.mark.parametrize("case", sampled(ANSWERED, 4), ids=lambda case: case["name"])
def test_yaml_says_what_json_says(case: dict[str, Any]) -> None:
    assert yaml.safe_load(called(case, "yaml").stdout) == json.loads(called(case, "json").stdout)


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["name"])
def test_names_are_those_of_the_victims(case: dict[str, Any]) -> None:
    screen = called(case, "name")
    document = json.loads(called(case, "json").stdout)
    victims = [v for plan in document.get("items", [document]) for v in plan.get("victims", [])]
    names = [f"workload.kueue.x-k8s.io/{v['object']['namespace']}/{v['object']['name']}" for v in victims]
    names += [f"workload.kueue.x-k8s.io/{v['namespace']}/{v['name']}" for v in document.get("displaced", [])]
    assert screen.stdout.splitlines() == list(dict.fromkeys(names))
    assert screen.code == case["exit"]


def test_colour_changes_no_word() -> None:
    case = next(case for case in CASES if case["name"] == "preempts by share")
    plain = called(case).stdout
    coloured = called({**case, "args": f"{case['args']} --color always"}).stdout
    assert "\x1b[" in coloured
    assert (
        coloured.replace("\x1b[0m", "").replace("\x1b[32m", "").replace("\x1b[2m", "").replace("\x1b[33m", "") == plain
    )
