#!/usr/bin/env python3
"""Writes what each scheduler's code knows by name: the fields that it reads, and the words that it compares with.

A redacted snapshot keeps those and nothing else. The lists are taken from the source: a field that no line of a
house mentions cannot be read by it. ``reading/read_words.txt`` in a house has a word on each line, and after an
empty line the words of its sentences, which stay in messages. ``--check`` writes nothing and fails when a file
differs.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "kubectl_fairshare"
HOUSES = PACKAGE / "schedulers"
SHARED = (
    *("jobs", "api", "model", "lint", "input/kinds.py", "input/objects.py", "input/known.py", "input/cluster"),
    "input/units/installed_charts.py",
)
NAME = "read_words.txt"
WORD = re.compile(r"[A-Za-z][-\w./]{0,62}")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
TOKEN = re.compile(r"[A-Za-z][A-Za-z']*")


def texts_of(path: Path) -> Iterator[str]:
    """Every string in a module, but for its documentation; every name and value in a data file."""
    if path.suffix == ".json":
        yield from _strings(json.loads(path.read_text(encoding="utf-8")))
        return
    documentation: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):  # what is documented before its documentation
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            yield node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id  # a field that is decoded by its name
        elif isinstance(node, DOCUMENTED) and node.body and isinstance(node.body[0], ast.Expr):
            documentation.add(node.body[0].value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (name for name in value if not name.startswith("$"))
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(each)


def sources(*places: Path) -> Iterator[Path]:
    """The modules and the structures of kinds under some places."""
    for place in places:
        if place.is_file():
            yield place
            continue
        yield from sorted(place.rglob("*.py"))
        yield from sorted(each for each in place.rglob("*.json") if each.name not in ("core.json", "known.json"))


def listed(*places: Path) -> str:
    """The text of a list."""
    words, tokens = set(), set()
    for text in (text for path in sources(*places) for text in texts_of(path)):
        if WORD.fullmatch(text):
            words.add(text)
        elif " " in text:
            tokens.update(TOKEN.findall(text))
    return "".join(f"{word}\n" for word in sorted(words)) + "\n" + "".join(f"{t}\n" for t in sorted(tokens - words))


def lists() -> dict[Path, str]:
    """The lists, by file: one for the rooms that all houses share, and one for each house."""
    top = sorted(each for each in HOUSES.glob("*.py") if each.name != "__init__.py")
    top += sorted(each for each in HOUSES.iterdir() if each.is_dir() and not (each / "reads.py").exists())
    found = {PACKAGE / "jobs" / NAME: listed(*(PACKAGE / each for each in SHARED), *top)}
    for house in sorted(each for each in HOUSES.iterdir() if (each / "reads.py").exists()):
        found[house / "reading" / NAME] = listed(house)
    return found


def main() -> int:
    """Writes the lists, or compares them."""
    stale = [path for path, text in lists().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what .ci/read_words.py writes")
        return bool(stale)
    for path in stale:
        path.write_text(lists()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
