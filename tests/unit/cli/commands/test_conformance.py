"""``conformance`` from the outside: what it prints, what it writes, its exit codes."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
KEPT = "testdata/conformance/kueue-saturated.jsonl.gz"
CASES = 4
CASE = {"now": "2026-01-01T00:00:00Z", "config": {}, "objects": []}


@pytest.fixture
def differing(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    recorded = [
        {"name": "a", **CASE, "expected": {"usage": {}}},
        {"name": "b", **CASE, "expected": {"usage": {"q": 7}}},
    ]
    path.write_text("".join(json.dumps(case) + "\n" for case in recorded))
    return path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A few of the recorded cases."""
    path = tmp_path / "kept.jsonl"
    path.write_bytes(b"".join(gzip.decompress((ROOT / KEPT).read_bytes()).splitlines(keepends=True)[:CASES]))
    return path


@pytest.mark.slow
def test_agreement_exits_0(run: Run, kept: Path) -> None:
    screen = run(f"kubectl-fairshare conformance --engine kueue-saturated {kept}")
    assert (screen.code, screen.stderr) == (0, "")
    heading, _, *fields, _, verdict = screen.stdout.splitlines()
    assert verdict == f"⇒ all agree · {CASES} cases of kueue-saturated"
    assert heading == f"kueue-saturated · {CASES} cases" + "all agree".rjust(55)
    assert [line.split() for line in fields] == [["FIELD", "AGREE", "OF"], ["usage", str(CASES), str(CASES)]]


def test_a_difference_exits_1_and_is_shown(run: Run, differing: Path) -> None:
    screen = run(f"kubectl-fairshare conformance --engine kueue-saturated {differing}")
    assert screen.code == 1
    assert "1 agrees, 1 differs" in screen.stdout
    difference = "1 difference\n  b  usage/q\n     recorded  7\n     ours      null\n"
    assert screen.stdout.endswith(f"{difference}\n⇒ 1 agrees, 1 differs · 2 cases of kueue-saturated\n")


def test_as_a_document(run: Run, differing: Path) -> None:
    screen = run(f"kubectl-fairshare conformance --engine kueue-saturated {differing} -o json")
    document = json.loads(screen.stdout)
    assert screen.code == 1
    assert (document["kind"], document["cases"], document["agree"]) == ("Conformance", 2, 1)
    assert document["fields"] == [{"name": "usage", "agree": 1, "cases": 2}]
    assert document["differences"] == [{"case": "b", "field": "usage/q", "expected": "7", "got": "null"}]


def test_answers_are_written_whole(run: Run, differing: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.write_text("as it was")
    assert run(f"kubectl-fairshare conformance --engine kueue-saturated {differing} --emit {out}").code == 1
    assert out.read_text() == '{"name":"a","expected":{"usage":{}}}\n{"name":"b","expected":{"usage":{}}}\n'
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answers.jsonl", "cases.jsonl"]


def test_answers_are_not_written_in_part(run: Run, differing: Path, tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    out.write_text("as it was")
    differing.write_text(differing.read_text() + "{\n")
    screen = run(f"kubectl-fairshare conformance --engine kueue-saturated {differing} --emit {out}")
    assert (screen.code, out.read_text()) == (3, "as it was")
    assert screen.stderr.startswith(f"error: {differing}:3:2: this line is not JSON")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answers.jsonl", "cases.jsonl"]


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        ("--engine kueu FILE", 2, "did you mean `kueue`?"),
        ("FILE", 2, "--engine"),
        ("--engine kueue nowhere.jsonl", 3, "no such file"),
        ("--engine kueue FILE --emit nowhere/answers.jsonl", 3, "can't be written"),
        ("--engine kueue FILE --emit .", 3, "can't be written"),
    ],
)
def test_a_wrong_call_is_told(run: Run, differing: Path, call: str, code: int, said: str) -> None:
    screen = run("kubectl-fairshare conformance " + call.replace("FILE", str(differing)))
    assert screen.code == code
    assert said in screen.stderr
    assert "Traceback" not in screen.stderr
