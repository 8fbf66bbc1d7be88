"""How many workloads run and wait is one figure, whichever question is asked."""

from pathlib import Path

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers import ALL, known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.question import SharesQuestion
from tests.screens import ROOT

FOLDERS = ("demo/org", "why", "kai/org", "kai/why", "elasticquota", "koordinator")
"""Where files are states of their own, or parts of one."""
STATES = sorted(path for folder in FOLDERS for path in (ROOT / "testdata" / folder).glob("*.yaml"))


@pytest.mark.parametrize("path", STATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_counts_are_those_of_shares(path: Path) -> None:
    known = known_schedulers()
    try:
        snapshot = assemble(read([str(path)], known).manifests, known).snapshot
    except FairshareError as error:
        pytest.skip(f"no state: {error}")
    held = [house for house in map(scheduler_named, ALL) if house.holds(snapshot)]
    for house in held:
        counts, shares = house.counts(snapshot), house.shares(snapshot, SharesQuestion()).counts
        assert (counts.running, counts.pending) == (shares.running, shares.pending), house.name
