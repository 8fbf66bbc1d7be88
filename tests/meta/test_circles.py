"""No module imports itself through others, not even within a function: each can be read after those that it names."""

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.meta.repository import ROOT, python_files, tree

KNOWN = (
    {"report.page.charts", "report.page.frame"},
    {"input.text.text_places", "input.text.texts"},
)
"""Pairs that import each other: this list only gets shorter."""
OURS = "kubectl_fairshare"


def module(path: Path) -> str:
    """The name of a file's module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(of: ast.AST) -> Iterator[str]:
    """The modules and names that a text imports at the top or in functions; not what only its types name."""
    for node in ast.iter_child_nodes(of):
        if isinstance(node, ast.expr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        yield from imported(node)


@cache
def graph() -> Mapping[str, set[str]]:
    """The modules that each module imports."""
    paths = {module(path): path for path in python_files(OURS)}
    found = {name: {_module_of(each, paths) for each in imported(tree(path))} for name, path in paths.items()}
    return {name: (each & paths.keys()) - {name} for name, each in found.items()}


def _module_of(name: str, modules: Collection[str]) -> str:
    """The module that a name is, or is in."""
    return name if name in modules else name.rpartition(".")[0]


def circle(of: Mapping[str, set[str]]) -> list[str]:
    """The modules of one circle; none where there is none."""
    try:
        TopologicalSorter(of).prepare()
    except CycleError as error:
        return sorted({each.removeprefix(f"{OURS}.") for each in error.args[1]})
    return []


def without(of: Mapping[str, set[str]], pair: set[str]) -> Mapping[str, set[str]]:
    """The same where neither of two modules imports the other."""
    names = {f"{OURS}.{each}" for each in pair}
    return {name: each - names if name in names else each for name, each in of.items()}


def test_no_module_imports_itself_through_others() -> None:
    found = graph()
    for pair in KNOWN:
        found = without(found, pair)
    assert circle(found) == []


@pytest.mark.parametrize("pair", KNOWN, ids=min)
def test_a_pair_that_is_known_is_still_one(pair: set[str]) -> None:
    names = {f"{OURS}.{each}" for each in pair}
    assert all(graph()[name] & names for name in names), "it is none any more: take it off the list"


def test_a_circle_through_a_function_is_noticed_and_one_of_types_is_not() -> None:
    text = "import a\ndef f():\n    from b import c\nif TYPE_CHECKING:\n    import d\n"
    assert [*imported(ast.parse(text))] == ["a", "b.c"]
    assert circle({f"{OURS}.a": {f"{OURS}.b"}, f"{OURS}.b": {f"{OURS}.a"}}) == ["a", "b"]
