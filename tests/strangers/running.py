"""The commands, run over one repository, and what each says."""

import json
import os
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
    """Every command over the repository."""
    return (_course(folder, command, args) for command, args in COMMANDS.items())


def _help(line: str) -> str:
    """The remedy of an error, if the line below it is one."""
    return line.removeprefix("  help:") if line.startswith("  help:") else ""


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
    for each in _answers(document):
        fidelity = each.get("fidelity")
        if fidelity is not None:
            exact = "exact" if fidelity["exact"] else "not exact"
            yield f"{each['outcome']} {exact}" if "outcome" in each else exact


def _doubts(document: dict[str, Any]) -> Iterator[str]:
    for each in _answers(document):
        for gap in each.get("fidelity", {}).get("notModelled", ()):
            if gap["touches"]:
                yield gap["feature"]


def _answers(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The answers in a document: those of each unit, and of each workload."""
    if document.get("kind") == "UnitList":
        for item in document["items"]:
            yield from _answers(item["answer"])
    else:
        yield from document.get("items", [document])
