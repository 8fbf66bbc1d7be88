"""Large states: what commands keep of their objects, and what more of them costs."""

import io
from collections import Counter
from pathlib import Path

import pytest

from kubectl_fairshare.cli.main import main
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed
from tests.bench.large import COMMANDS, measured, write

QUEUES = 100
"""A thousand workloads: a list that is long enough to stay text."""
FEW = 5
"""What a question about one workload may decode for good."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    write(folder, QUEUES)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_keeps_no_decoded_objects(command: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: Counter[str] = Counter()
    read = Manifest.data.fget  # type: ignore[attr-defined]

    def keeping(manifest: Manifest) -> object:
        kept[manifest.key.kind] += isinstance(manifest.held_data, Packed)
        return read(manifest)

    monkeypatch.setattr(Manifest, "data", property(keeping))
    words = [str(place / word) if word.endswith(".json") else word for word in COMMANDS[command]]
    if command == "why NAME":
        words[words.index("-n") + 1] = "team-0007"
    code = main(words, None, io.StringIO(), io.StringIO())
    assert code in (0, 1, 4, 5)
    assert all(kept[kind] <= FEW for kind in ("Workload", "ClusterQueue", "LocalQueue", "Cohort")), kept


@pytest.mark.slow
def test_costs_grow_no_faster_than_the_state() -> None:
    """Loose: other programs run beside this one. ``python -m tests.bench.large`` has the goals."""
    _, small, before = measured(500, [*COMMANDS], 1)
    _, large, after = measured(1000, [*COMMANDS], 1)
    for name in COMMANDS:
        assert after[name][0] < 3 * before[name][0], name
        assert after[name][1] - before[name][1] < 6 * (large - small), name
