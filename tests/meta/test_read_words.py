"""The words that a redacted snapshot keeps are those of the code that reads them."""

import subprocess
import sys

import pytest

from tests.meta.repository import ROOT


@pytest.mark.slow
def test_the_lists_are_up_to_date() -> None:
    command = [sys.executable, ".ci/read_words.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
