#!/usr/bin/env python3
"""Counts the package's lines by room, at any commit: ``.ci/lines.py [COMMIT]``.

Columns: files, all lines, lines of code (without docstrings, imports, comments and blank lines), docstrings, imports.
A room is a folder of the package; a scheduler's house counts as one.
"""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ("files", "lines", "code", "docstrings", "imports")


def git(*words: str) -> str:
    """What git prints. Raises ``CalledProcessError`` where it fails."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def sources(commit: str) -> Iterator[tuple[str, str]]:
    """The room and the text of each module."""
    for path in git("ls-tree", "-r", "--name-only", commit, "kubectl_fairshare").split():
        if path.endswith(".py"):
            _, *folders = Path(path).parent.parts
            deep = 2 if folders[:1] in (["schedulers"], ["engines"]) else 1
            yield "/".join(folders[:deep]) or ".", git("show", f"{commit}:{path}")


def counts(text: str) -> tuple[int, ...]:
    """One module, column by column."""
    lines = text.splitlines()
    nodes = list(ast.walk(ast.parse(text)))
    imports = sum(height(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    docstrings = sum(height(node) for node in nodes if isinstance(node, ast.Expr) and is_text(node.value))
    other = sum(not line.strip() or line.lstrip().startswith("#") for line in lines)
    return 1, len(lines), len(lines) - imports - docstrings - other, docstrings, imports


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a bare text: a docstring, or the description of a name above it."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def height(node: ast.stmt) -> int:
    """The lines of a statement."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def main(commit: str = "HEAD") -> None:
    """Prints a row for each room, the largest first, then the sum."""
    rooms: defaultdict[str, tuple[int, ...]] = defaultdict(lambda: (0,) * len(COLUMNS))
    for room, text in sources(commit):
        rooms[room] = tuple(map(sum, zip(rooms[room], counts(text), strict=True)))
    rows = sorted(rooms.items(), key=lambda row: -row[1][1])
    rows.append(("sum", tuple(map(sum, zip(*rooms.values(), strict=True)))))
    sys.stdout.write(f"{'':28}{''.join(f'{name:>12}' for name in COLUMNS)}\n")
    for room, figures in rows:
        sys.stdout.write(f"{room:28}{''.join(f'{figure:>12,}' for figure in figures)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
