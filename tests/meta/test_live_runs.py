"""``.ci/live.py``: live tests that fail once are asked once more, counted and named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meta.repository import ROOT

pytestmark = pytest.mark.slow

TESTS = """
from pathlib import Path
import pytest

pytestmark = pytest.mark.live

@pytest.mark.parametrize("number", range({count}))
def test_flaky(number):
    mark = Path(__file__).with_name(f"asked-{{number}}")
    asked = mark.exists()
    mark.touch()
    assert asked

@pytest.mark.alone
def test_steady():
    assert {steady}
"""


def live(folder: Path, *, count: int, steady: bool = True) -> tuple[int, list[str]]:
    """Exit code and last lines of a run over so many tests that fail once, and one that does not, or always does."""
    (folder / "test_planted.py").write_text(TESTS.format(count=count, steady=steady))
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    live\n    alone\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / ".ci" / "live.py"), "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stdout.splitlines()


def test_nothing_is_asked_again_where_nothing_failed(tmp_path: Path) -> None:
    code, lines = live(tmp_path, count=0)
    assert (code, lines[-1]) == (0, "live tests asked a second time: 0")


def test_what_passes_alone_is_named(tmp_path: Path) -> None:
    code, lines = live(tmp_path, count=2)
    assert code == 0
    assert lines[-3:] == [
        "live tests asked a second time: 2",
        "  test_planted.py::test_flaky[0]: passed alone",
        "  test_planted.py::test_flaky[1]: passed alone",
    ]


def test_what_fails_again_fails_the_run(tmp_path: Path) -> None:
    code, lines = live(tmp_path, count=1, steady=False)
    assert code == 1
    assert lines[-2:] == [
        "  test_planted.py::test_flaky[0]: passed alone",
        "  test_planted.py::test_steady: failed again",
    ]


def test_more_than_three_are_not_asked_again(tmp_path: Path) -> None:
    code, lines = live(tmp_path, count=4)
    assert (code, lines[-1]) == (1, "4 live tests failed: more than 3 are not asked again")
    assert not any("passed alone" in line for line in lines)
