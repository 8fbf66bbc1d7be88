"""SARIF of many units, in files that code scanning takes."""

import gzip
import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.screens import shown

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec:\n  stopPolicy: n%s\n"
LIMITS: Final = {
    "runs in a file": 20,
    "results in a run": 25_000,
    "rules in a run": 25_000,
    "locations of a result": 1_000,
    "tags of a rule": 20,
    "bytes, compressed": 10 << 20,
}
"""What code scanning refuses beyond. Source: docs.github.com, SARIF support for code scanning, limits."""


def repository(units: int) -> None:
    for number in range(units):
        folder = Path(f"clusters/c{number:02}")
        folder.mkdir(parents=True)
        (folder / "kustomization.yaml").write_text("resources: [q.yaml]\n")
        (folder / "q.yaml").write_text(QUEUE % number)


def sizes(text: str) -> dict[str, int]:
    """How much a file has of what is limited."""
    runs: list[Any] = json.loads(text)["runs"]
    rules = [rule for run in runs for rule in run["tool"]["driver"]["rules"]]
    results = [result for run in runs for result in run["results"]]
    return {
        "runs in a file": len(runs),
        "results in a run": max(len(run["results"]) for run in runs),
        "rules in a run": max(len(run["tool"]["driver"]["rules"]) for run in runs),
        "locations of a result": max(len(r["locations"]) + len(r.get("relatedLocations", ())) for r in results),
        "tags of a rule": max(len(rule["properties"]["tags"]) for rule in rules),
        "bytes, compressed": len(gzip.compress(text.encode())),
    }


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_each_unit_has_its_run_in_one_of_the_files() -> None:
    repository(43)
    screen = shown("kubectl-fairshare lint . -o sarif --output-dir out/sarif")
    assert (screen.code, screen.stdout) == (1, "3 files written to out/sarif\n")
    texts = [path.read_text() for path in sorted(Path("out/sarif").iterdir())]
    assert all(size <= LIMITS[what] for text in texts for what, size in sizes(text).items())
    runs = [run for text in texts for run in json.loads(text)["runs"]]
    assert sorted(run["automationDetails"]["id"] for run in runs) == [
        f"fairshare/clusters/c{number:02}/" for number in range(43)
    ]
    one = shown("kubectl-fairshare lint . -o sarif").stdout
    assert all(size <= LIMITS[what] for what, size in sizes(one).items())


def test_files_of_an_earlier_call_are_replaced_and_others_stay() -> None:
    repository(2)
    Path("out").mkdir()
    for name in ("fairshare-7.sarif", "other.sarif", "fairshare-notes.sarif"):
        Path("out", name).write_text("{}")
    assert shown("kubectl-fairshare lint . -o sarif --output-dir out").stdout == "1 file written to out\n"
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "fairshare-1.sarif",
        "fairshare-notes.sarif",
        "other.sarif",
    ]


@pytest.mark.parametrize("words", ["", "-o json", "-o sarif --diff", "-o json --list-rules"])
def test_files_are_sarif(words: str) -> None:
    repository(1)
    screen = shown(f"kubectl-fairshare lint . --output-dir out {words}")
    assert screen.code == 2
    assert not Path("out").exists()


def test_a_folder_that_cannot_be_written_is_an_error() -> None:
    repository(1)
    Path("file").write_text("")
    screen = shown("kubectl-fairshare lint . -o sarif --output-dir file/below")
    assert screen.code == 3
    assert "file/below: cannot be written: " in screen.stderr
