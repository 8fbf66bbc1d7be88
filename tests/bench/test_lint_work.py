"""How much lint does, counted in calls: it grows with what is written and with what is found, and no faster."""

from pathlib import Path

import pytest

from kubectl_fairshare.cli.main import main
from tests.bench.linting import one_line
from tests.bench.manifests import Extent, in_one_file
from tests.bench.test_work import Calls
from tests.screens import stream

SMALL = Extent(queues=40, departments=2, teams=8)


def calls(path: Path) -> int:
    with Calls() as counted:
        main(["lint", "-q", str(path)], stream(b""), stream(b""), stream(b""))
    return counted.all


def test_it_grows_with_the_manifests(tmp_path: Path) -> None:
    for factor in (1, 2, 4):
        in_one_file(SMALL.times(factor), tmp_path / f"{factor}.yaml")
    calls(tmp_path / "1.yaml")  # imports and compiles
    once, twice, four_times = (calls(tmp_path / f"{factor}.yaml") for factor in (1, 2, 4))
    assert four_times - twice < 2.2 * (twice - once)


@pytest.mark.slow
def test_it_grows_with_the_findings_of_one_line(tmp_path: Path) -> None:
    for number in (200, 400, 800):
        (tmp_path / f"{number}.json").write_bytes(one_line(number))
    calls(tmp_path / "200.json")
    few, more, most = (calls(tmp_path / f"{number}.json") for number in (200, 400, 800))
    assert most - more < 2.2 * (more - few)
