"""How ``why -A --limit 20`` grows with the work that waits: processor time for each workload, whole processes."""

import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.organisation import Organisation, Size, listed
from tests.bench.run import Row, cost

_SIZE: Final = Size(queues=20, cohorts=8, running=200, departments=2)
_WAITING: Final = (2_000, 20_000)
_GOAL: Final = 3.0


def waiting_row(rounds: int) -> Row:
    """The time for each of 20,000 waiting workloads to that for each of 2,000: the least of the rounds, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        places = [_written(Path(folder), number) for number in _WAITING]
        program = (sys.executable, "-m", "kubectl_fairshare", "why", "-A", "--limit", "20", "-q", "-f")
        taken = [[cost([*program, str(place)])[0] for place in places] for _ in range(rounds)]
    few, many = (min(times) / number for times, number in zip(zip(*taken, strict=True), _WAITING, strict=True))
    return Row(f"why -A --limit 20 per workload, {_WAITING[1]:,} to {_WAITING[0]:,}", many / few, _GOAL)


def _written(folder: Path, waiting: int) -> Path:
    """An organisation in which so many workloads wait."""
    path = folder / f"{waiting}.json"
    path.write_bytes(listed(Organisation(_SIZE).objects(heads=True, behind=waiting // _SIZE.queues - 1)))
    return path
