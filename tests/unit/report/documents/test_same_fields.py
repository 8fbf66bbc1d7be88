"""Each row of the page about fields that say the same is true of documents that have such fields."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.meta.repository import ROOT
from tests.screens import shown

PAGE = ROOT / "docs" / "reference" / "same-fields.md"
ROW = re.compile(r"^\| (\w+) \| `([^`]+)` \| `([^`]+)` \|$", re.MULTILINE)
STEP = re.compile(r"(\w+)(?:(\[)(?:(\w+)=(\w+))?\])?\.?")
COMMANDS = (
    "plan -f testdata/plan/org.yaml --fair-sharing --queue us/gpus --request nvidia.com/gpu=1 --count 7",
    "plan -f testdata/plan/org.yaml --queue us/cpus --request cpu=5",
    "plan -f testdata/rules/K132/good.yaml -w testdata/rules/K132/good.yaml",
    "plan -f testdata/reports/kueue-check-missing/state.yaml -w testdata/reports/kueue-check-missing/state.yaml",
    "plan -f testdata/kai/org -w testdata/kai/train.yaml",
    "plan -f testdata/elasticquota/cluster.yaml -n production --request nvidia.com/gpu=3",
    "plan -f testdata/koordinator/ties.yaml -w testdata/koordinator/asked.yaml",
    "shares -f testdata/demo/org",
)
Row = tuple[str, str, str, str]


def rows() -> Iterator[Row]:
    """Kind of document, scheduler, the field that is written twice, the one to read."""
    for section in PAGE.read_text("utf-8").split("\n## ")[1:]:
        kind = section.partition("\n")[0]
        yield from ((kind, *match) for match in ROW.findall(section))


def values(of: Any, path: str) -> list[Any]:
    """What a document has at a path of the page, without what is empty."""
    step = STEP.match(path)
    if step is None:
        return [] if of in (None, "") else [of]
    name, listed, key, wanted = step.groups()
    entries = of.get(name) if isinstance(of, dict) else None
    if not listed:
        entries = [entries]
    kept = (each for each in entries or () if key is None or json.dumps(each[key]).strip('"') == wanted)
    return [value for each in kept for value in values(each, path[step.end() :])]


@pytest.fixture(scope="module")
def documents() -> list[dict[str, Any]]:
    """Documents that have such fields."""
    found = [json.loads(shown(f"kubectl-fairshare {command} -o json").stdout) for command in COMMANDS]
    return [each for document in found for each in document.get("items", [document])]


@pytest.mark.parametrize("row", [*rows()], ids=" ".join)
def test_both_fields_have_the_same_values(row: Row, documents: list[dict[str, Any]]) -> None:
    kind, scheduler, twice, read = row
    of = [each for each in documents if (each["kind"], each["scheduler"]) == (kind, scheduler)]
    assert [values(each, twice) for each in of] == [values(each, read) for each in of]
    assert any(values(each, twice) for each in of), "no document of this test has the field"


def test_a_path_may_pick_entries_of_a_list() -> None:
    of = {
        "spared": [{"putBack": True, "queue": "a"}, {"putBack": False, "queue": "b"}, {"putBack": False, "queue": ""}]
    }
    assert values(of, "spared[putBack=false].queue") == ["b"]
    assert values(of, "spared[].queue") == ["a", "b"]
    assert values(of, "victims[].queue") == []
