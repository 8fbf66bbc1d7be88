"""Outside of the houses no module names a scheduler, in code, texts, comments or docstrings."""

import ast
import re
from pathlib import Path

import pytest

from tests.meta.repository import PACKAGE, tree

NAMED = re.compile(r"kueue|elasticquota|koordinator|\bkai\b", re.IGNORECASE)
SOURCE = re.compile(r"\bSources?: .*?(?=\n\n|\Z)", re.DOTALL)
"""The paragraph of a docstring from the word on: where a law was read."""

NAMERS = {
    "cli/completing/grammar.py",  # generated from what the houses bring
    "schedulers/__init__.py",  # the one list
}
LEFT: dict[str, int] = {}
"""Modules that still name one, and in how many lines: this list only gets shorter."""


def documented_lines(module: ast.Module) -> set[int]:
    """The lines of the docstrings of a module in which a source is named."""
    lines: set[int] = set()
    for node in ast.walk(module):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if not ast.get_docstring(node, clean=False):
            continue
        text = node.body[0]
        assert isinstance(text, ast.Expr)
        assert isinstance(text.value, ast.Constant)
        for source in SOURCE.finditer(str(text.value.value)):
            first = text.lineno + str(text.value.value).count("\n", 0, source.start())
            lines.update(range(first, first + source[0].count("\n") + 1))
    return lines


def naming_lines(path: Path) -> list[int]:
    """The lines of a file, from 1, that name a scheduler, but for sources of docstrings."""
    named = [n for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if NAMED.search(line)]
    if not named or path.suffix != ".py":
        return named
    sources = documented_lines(tree(path))
    return [number for number in named if number not in sources]


def in_a_house(name: str) -> bool:
    """Whether a path below the package leads into a scheduler's house."""
    return name.startswith("schedulers/") and name.count("/") > 1


def namers(package: Path) -> dict[str, list[int]]:
    """The files outside of the houses that name a scheduler, by path below the package, with the lines."""
    files = {
        path.relative_to(package).as_posix(): path
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    named = {name: naming_lines(path) for name, path in files.items() if not in_a_house(name) and name not in NAMERS}
    return {name: lines for name, lines in named.items() if lines}


def test_no_generic_module_names_a_scheduler() -> None:
    named = namers(PACKAGE)
    fresh = {name: lines for name, lines in named.items() if len(lines) > LEFT.get(name, 0)}
    assert fresh == {}, "what only one scheduler needs belongs into its house"


def test_the_list_of_what_is_left_only_gets_shorter() -> None:
    lines = {name: len(lines) for name, lines in namers(PACKAGE).items()}
    spare = {name: lines.get(name, 0) for name, most in LEFT.items() if lines.get(name, 0) < most}
    assert spare == {}, "fewer lines name one now: say so in LEFT, so that no more come back"


def test_the_allowed_namers_exist() -> None:
    assert [name for name in sorted(NAMERS) if not naming_lines(PACKAGE / name)] == []


@pytest.mark.parametrize(
    "text",
    [
        "from kubectl_fairshare.schedulers.kueue import tree",
        "name = 'elasticquota'",
        "# as KAI does",
        '"""Borrowing, as Kueue allows it.\n\nSource: its documents.\n"""',
        "class ElasticQuotaState: ...",
    ],
)
def test_a_planted_name_is_noticed(text: str, tmp_path: Path) -> None:
    for name in ("report/fresh.py", "schedulers/fresh.py", "schedulers/kai/fresh.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert namers(tmp_path) == {"report/fresh.py": [1], "schedulers/fresh.py": [1]}


@pytest.mark.parametrize(
    "text",
    [
        '"""Division of what is left.\n\nSource: Kueue v0.19,\nand KAI\'s documents.\n"""',
        'def f():\n    """A claim. Source: Kueue\'s API."""',
        "kaiser = makai",
    ],
)
def test_sources_and_other_words_are_let_through(text: str, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "fresh.py").write_text(text)
    assert namers(tmp_path) == {}
