"""The repository as the meta tests read it."""

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "kubectl_fairshare"


def python_files(*folders: str) -> list[Path]:
    """The Python files under ``folders`` of the repository, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def rooms() -> list[str]:
    """The modules and packages right under the package, by name."""
    found = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    return sorted(found | {path.parent.name for path in PACKAGE.glob("*/__init__.py")})


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    with _unwatched():
        return ast.parse(path.read_text(encoding="utf-8"), str(path))


@contextmanager
def _unwatched() -> Iterator[None]:
    """What is made inside stays out of the garbage collector's sight, which would walk over millions of nodes."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes(module: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a tree, walked once."""
    with _unwatched():
        return tuple(ast.walk(module))


def here(path: Path, node: ast.AST | None = None) -> str:
    """A place as an editor opens it: ``path:line``."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{name}:{getattr(node, 'lineno', 1)}"


@cache
def functions(module: ast.AST) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    """Every function in a module, nested ones and methods too."""
    return tuple(node for node in nodes(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@cache
def imported(module: ast.AST) -> frozenset[str]:
    """The top-level names of all that a module imports, inside functions too."""
    names: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return frozenset(names)
