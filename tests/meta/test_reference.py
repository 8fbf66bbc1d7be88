"""The pages of the reference are what the program and its schemas say."""

import subprocess
import sys

from tests.meta.repository import ROOT


def test_the_reference_is_up_to_date() -> None:
    command = [sys.executable, ".ci/reference.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
