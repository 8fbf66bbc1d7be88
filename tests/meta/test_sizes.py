"""The house rules that can be counted."""

import ast
import re
from functools import cache
from pathlib import Path
from statistics import median, quantiles

import pytest

from tests.meta.repository import PACKAGE, ROOT, functions, here, nodes, python_files, tree

LONGEST_MODULE = 499
LONGEST_FUNCTION = 60
FORBIDDEN_NAMES = {"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"}
MARKS = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")) + r")\b")
TEXTS = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".txt"}
FOLDERS = ("kubectl_fairshare", "tests", "docs", "schemas", ".ci", ".github")


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from ``def`` to its end."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function only pretends: nothing but ``pass``, ``...`` or ``raise NotImplementedError`` in its body."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if not all(isinstance(each, ast.Pass | ast.Expr | ast.Raise) for each in body):
        return False
    texts = {ast.unparse(statement) for statement in body}  # none where there is a docstring alone
    return texts <= {"pass", "...", "raise NotImplementedError", "raise NotImplementedError()"}


def broad(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches everything."""
    if handler.type is None:
        return True
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(name, ast.Name) and name.id in ("Exception", "BaseException") for name in named)


@cache
def promises(module: ast.Module) -> set[ast.AST]:
    """The methods of protocols and overloads: they have no body to write."""
    found: set[ast.AST] = set()
    for node in nodes(module):
        if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(base) for base in node.bases):
            found.update(functions(node))
    marked = ("overload", "abstractmethod", "typing.overload", "abc.abstractmethod")
    found.update(f for f in functions(module) if any(ast.unparse(d) in marked for d in f.decorator_list))
    return found


def test_modules_are_short() -> None:
    sizes = {
        path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files("kubectl_fairshare", "tests")
    }
    assert {here(path): size for path, size in sizes.items() if size > LONGEST_MODULE} == {}


def test_functions_are_short() -> None:
    long = [
        f"{here(path, function)} {function.name} has {length(function)} lines"
        for path in python_files("kubectl_fairshare", "tests", ".ci")
        for function in functions(tree(path))
        if length(function) > LONGEST_FUNCTION
    ]
    assert long == []


def test_most_functions_are_very_short() -> None:
    sizes = [length(function) for path in python_files("kubectl_fairshare") for function in functions(tree(path))]
    assert median(sizes) < 10
    assert quantiles(sizes, n=10)[-1] < 30


def test_no_module_is_a_drawer() -> None:
    drawers = [
        here(path) for path in python_files("kubectl_fairshare", "tests") if {*path.stem.split("_")} & FORBIDDEN_NAMES
    ]
    assert drawers == []


def test_nothing_catches_everything() -> None:
    handlers = [
        here(path, node)
        for path in python_files("kubectl_fairshare", "tests", ".ci")
        for node in nodes(tree(path))
        if isinstance(node, ast.ExceptHandler) and broad(node)
    ]
    assert handlers == []


def test_nothing_only_pretends() -> None:
    stubs = [
        f"{here(path, function)} {function.name}"
        for path in python_files("kubectl_fairshare")
        for function in functions(tree(path))
        if stub(function) and function not in promises(tree(path))
    ]
    assert stubs == []


def test_no_marks_are_left() -> None:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in TEXTS]
    marked = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in [*sorted(ROOT.glob("*.*")), *paths]
        if path.is_file() and path.suffix in TEXTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MARKS.search(line)
    ]
    assert marked == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        here(path)
        for path in python_files("kubectl_fairshare")
        if path.stat().st_size and ast.get_docstring(tree(path)) is None
    ]
    assert silent == []


@pytest.mark.parametrize("code", ["def f(): pass", "def f():\n '''Claim.'''", "def f(): raise NotImplementedError"])
def test_a_stub_is_recognised(code: str) -> None:
    (function,) = functions(ast.parse(code))
    assert stub(function)


@pytest.mark.parametrize("clause", ["except:", "except Exception:", "except (ValueError, BaseException) as e:"])
def test_a_broad_handler_is_recognised(clause: str) -> None:
    module = ast.parse(f"try:\n    x\n{clause}\n    y")
    assert [broad(node) for node in ast.walk(module) if isinstance(node, ast.ExceptHandler)] == [True]


def test_the_package_is_where_we_look() -> None:
    assert Path(PACKAGE, "model", "amounts.py") in python_files("kubectl_fairshare")
