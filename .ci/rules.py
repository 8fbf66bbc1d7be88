#!/usr/bin/env python3
"""Writes the tables of rules, ``known.json`` beside the rules of each house; ``--check`` compares only."""

import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import orjson  # noqa: E402

from kubectl_fairshare.lint.house import TABLE, House  # noqa: E402
from kubectl_fairshare.lint.registry import ANY  # noqa: E402
from kubectl_fairshare.schedulers import lint_houses  # noqa: E402


def table(house: House) -> bytes:
    """The table of a house, a rule a line."""
    return b"[\n" + b",\n".join(orjson.dumps(row) for row in house.rows()) + b"\n]\n"


def main(args: list[str]) -> int:
    """Writes the tables, or with ``--check`` names those that are out of date; returns the exit code."""
    code = 0
    for house in (ANY, *lint_houses()):
        path = Path(import_module(house.rules_package).__path__[0]) / TABLE
        text = table(house)
        if path.is_file() and path.read_bytes() == text:
            continue
        if "--check" in args:
            print(f"out of date: {path.relative_to(ROOT)}; run .ci/rules.py", file=sys.stderr)
            code = 1
        else:
            path.write_bytes(text)
            print(f"written: {path.relative_to(ROOT)}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
