"""Every ``*.txt`` here is a screen. A new one is its first line (``$ kubectl-fairshare …``) and --rewrite-goldens."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.screens import ROOT, Screen, command_of, words

HERE = Path(__file__).parent
KEPT = sorted(HERE.rglob("*.txt"))
NAMES = [str(path.relative_to(HERE).with_suffix("")) for path in KEPT]


@pytest.mark.parametrize("path", KEPT, ids=NAMES)
def test_the_program_still_shows(path: Path, run: Callable[[str], Screen], golden: Callable[[str, str], None]) -> None:
    screen = run(command_of(path.read_text(encoding="utf-8")))
    golden(str(path.relative_to(HERE)), str(screen))


def installed() -> list[ParameterSet]:
    """The first screen of each folder, and every sixth: most say the same of standard streams. Few are not slow."""
    first = {name.partition("/")[0]: name for name in reversed(NAMES)}.values()
    soon, asked = list(first)[::4], {*first, *NAMES[::6]}
    named = ((path, name) for path, name in zip(KEPT, NAMES, strict=True) if name in asked)
    return [pytest.param(path, id=name, marks=() if name in soon else pytest.mark.slow) for path, name in named]


@pytest.mark.parametrize("path", installed())
def test_the_installed_program_shows_the_same(path: Path, run: Callable[[str], Screen]) -> None:
    command = command_of(path.read_text(encoding="utf-8"))
    here = run(command)
    arguments, given = words(command)
    there = subprocess.run(
        [sys.executable, "-m", "kubectl_fairshare", *arguments],
        input=given,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert there.stdout.decode().replace(str(ROOT), "/repo") == here.stdout
    assert there.stderr.decode() == here.stderr
    assert there.returncode == here.code
