"""The pages of the reference are what the program, its schemas and its tables of laws by release say."""

import subprocess
import sys

import pytest

from kubectl_fairshare.schedulers.kueue.release.decisions import DECISIONS
from kubectl_fairshare.schedulers.kueue.release.writes import WRITES
from tests.meta.repository import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("script", ["reference", "releases"])
def test_the_reference_is_up_to_date(script: str) -> None:
    command = [sys.executable, f".ci/{script}.py", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_of_releases_has_each_law_once_and_is_on_the_site() -> None:
    page = (ROOT / "docs" / "reference" / "releases.md").read_text("utf-8")
    for law in (*DECISIONS, *WRITES):
        assert page.count(law.sentence) == 1, law.field
    assert "reference/releases.md" in (ROOT / "mkdocs.yml").read_text("utf-8")
