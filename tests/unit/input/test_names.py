"""Names for completion are those that a full reading finds."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.input.names import names_in, names_of
from kubectl_fairshare.schedulers import known_schedulers


@pytest.mark.parametrize("path", ["demo/org", "plan/org.yaml", "rules/K050/good.yaml", "rules/E007/good.yaml"])
def test_the_quick_way_finds_the_names_that_reading_finds(root: Path, path: str) -> None:
    reading, problems = read_what_can_be([str(root / "testdata" / path)], schedulers=known_schedulers())
    assert problems == ()
    assert {name for name in names_of(reading.manifests) if name[2]} == set(names_in([str(root / "testdata" / path)]))
