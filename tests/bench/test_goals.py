"""The goals of ``python -m tests.bench``, with slack for a busy machine."""

from pathlib import Path

import pytest

from tests.bench.linting import lint_table
from tests.bench.run import table
from tests.bench.simulation import simulation_table
from tests.bench.topology import topology_table
from tests.bench.waiting import waiting_row

SLACK = 1.5


@pytest.mark.bench
def test_ratios_stay_below_their_goals() -> None:
    rows = list(table(rounds=3, scales=[1, 10]))
    assert [str(row) for row in rows if row.goal is not None and row.reached > SLACK * row.goal] == []


@pytest.mark.bench
def test_lint_stays_below_its_goals(tmp_path: Path) -> None:
    rows = list(lint_table(tmp_path, rounds=3, scales=[1, 10]))
    assert [str(row) for row in rows if row.goal is not None and row.reached > SLACK * row.goal] == []


@pytest.mark.bench
def test_a_list_of_all_that_waits_grows_with_what_waits() -> None:
    row = waiting_row(rounds=2)
    assert row.goal is not None
    assert row.reached < row.goal


@pytest.mark.bench
def test_plans_with_a_topology_stay_below_their_goals(tmp_path: Path) -> None:
    rows = list(topology_table(tmp_path, rounds=3))
    assert [str(row) for row in rows if row.goal is not None and row.reached > SLACK * row.goal] == []


@pytest.mark.bench
def test_simulations_stay_below_their_goals() -> None:
    rows = list(simulation_table())
    assert [str(row) for row in rows if row.goal is not None and row.reached > SLACK * row.goal] == []
