"""The commands, run over one repository, and what each says."""

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
COMMANDS = {
    "lint": ("lint", "."),
    "shares": ("shares", "-f", "."),
    "cycle": ("cycle", "-f", "."),
    "why": ("why", "-f", ".", "-A"),
    "plan": ("plan", "-f", ".", "-w", "."),
}
LONGEST = 600
"""Seconds for one command."""
SHOWN = 5
MOST_UNITS = 12
"""Units of one repository that are asked about one by one."""


class Course(NamedTuple):
    """One command over one repository: errors and warnings by rule, outcomes, and features that made one Unknown."""

    command: str
    code: int
    seconds: float
    outcomes: Counter[str]
    findings: Counter[str]
    doubts: Counter[str]
    refused: tuple[str, ...]
    crashed: bool


def courses(folder: Path) -> Iterator[Course]:
    """Every command over the repository; over each of its units where a document is for one unit."""
    for command, args in COMMANDS.items():
        found = _course(folder, command, args)
        names = [name for line in found.refused for name in _units(line)]
        yield from (_course(folder, command, (*args, "--each", glob(name))) for name in names[:MOST_UNITS])
        if not names:
            yield found


def _units(line: str) -> list[str]:
    """The units that an error names, if it says that a document is for one of them."""
    head, _, names = line.partition(" is for one unit")
    return re.findall("`([^`]+)`", names) if names and "-o json" in head else []


def _help(line: str) -> str:
    """The remedy of an error, if the line below it is one."""
    return line.removeprefix("  help:") if line.startswith("  help:") else ""


def glob(name: str) -> str:
    """A glob that matches this name alone."""
    return re.sub(r"([\[*?])", r"[\1]", name)


def _course(folder: Path, command: str, args: tuple[str, ...]) -> Course:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    call = [sys.executable, "-m", "kubectl_fairshare", *args, "-o", "json", "-q"]
    start = time.monotonic()
    ended = subprocess.run(
        call, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    seconds = time.monotonic() - start
    document = json.loads(ended.stdout) if ended.stdout.strip() else {}
    lines = ended.stderr.splitlines()
    pairs = zip(lines, [*lines[1:], ""], strict=False)
    errors = tuple(line + _help(following) for line, following in pairs if line.startswith("error: "))
    more = (f"and {len(errors) - SHOWN} more",) if len(errors) > SHOWN else ()
    return Course(
        command,
        ended.returncode,
        seconds,
        Counter(_outcomes(document)),
        Counter(f["rule"] for f in document.get("findings", ()) if f["severity"] != "info"),
        Counter(_doubts(document)),
        (*errors[:SHOWN], *more),
        "Traceback (most recent call last)" in ended.stderr,
    )


def _outcomes(document: dict[str, Any]) -> Iterator[str]:
    """The outcomes of plans, and whether each is exact; of other answers, whether they are."""
    for each in document.get("items", [document]):
        fidelity = each.get("fidelity")
        if fidelity is not None:
            exact = "exact" if fidelity["exact"] else "not exact"
            yield f"{each['outcome']} {exact}" if "outcome" in each else exact


def _doubts(document: dict[str, Any]) -> Iterator[str]:
    for each in document.get("items", [document]):
        for gap in each.get("fidelity", {}).get("notModelled", ()):
            if gap["touches"]:
                yield gap["feature"]
