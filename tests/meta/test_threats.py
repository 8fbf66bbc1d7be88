"""Each threat of the page is met by tests that exist, one of them among the attacks."""

import ast
import re
from pathlib import Path

import pytest

from tests.meta.repository import ROOT, tree

PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROWS = [line for line in PAGE.splitlines() if line.startswith("|")][2:]


def missing(page: str) -> list[str]:
    """The tests that a page names and that the repository lacks."""
    return [f"{path}::{name}" for path, name in NAMED.findall(page) if name not in functions(ROOT / path)]


def functions(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    return {each.name for each in tree(path).body if isinstance(each, ast.FunctionDef)}


def unmet(row: str) -> bool:
    """Whether a row names no test among the attacks, or something that is not one test."""
    tests = row.split("|")[4]
    left = NAMED.sub("", tests).replace(",", "").strip()
    return bool(left) or "`tests/hostile/" not in tests


def test_each_test_that_the_page_names_exists() -> None:
    assert len(NAMED.findall(PAGE)) > 30
    assert missing(PAGE) == []


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_each_threat_has_its_test_among_the_attacks(row: str) -> None:
    assert not unmet(row)


def test_each_file_of_attacks_is_on_the_page() -> None:
    files = {path.name for path in (ROOT / "tests" / "hostile").glob("test_*.py")}
    assert files == {Path(path).name for path, _ in NAMED.findall(PAGE) if "/hostile/" in path}


@pytest.mark.parametrize(
    "tests",
    [
        "",
        "`tests/hostile`",
        "`tests/hostile/test_git.py`",
        "`tests/unit/x.py::test_a`",
        "`tests/hostile/x.py::test_a` and `y`",
    ],
)
def test_a_threat_without_its_test_is_noticed(tests: str) -> None:
    assert unmet(f"| a | b | c | {tests} |")


def test_a_test_that_is_gone_is_noticed() -> None:
    gone = ["tests/hostile/test_git.py::test_gone", "tests/hostile/test_none.py::test_gone"]
    assert missing(" ".join(f"`{each}`" for each in gone)) == gone
