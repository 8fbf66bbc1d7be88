"""Rules: fair sharing weights that the API server rejects, or that no program can read."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import cohort, local_queue, queue, reported


@pytest.mark.parametrize(("weight", "found"), [("-1n", 1), ("0", 0), ("1n", 1), ("2n", 0), ("1", 0)])
@pytest.mark.parametrize("kind", ["ClusterQueue", "Cohort"])
def test_a_weight_is_zero_or_above_one_billionth(kind: str, weight: str, found: int) -> None:
    sharing = f"  fairSharing:\n    weight: {weight}\n"
    text = queue("q", sharing) if kind == "ClusterQueue" else cohort("q", sharing)
    assert len(reported("K017", text)) == found


@pytest.mark.parametrize(("weight", "found"), [("1e1.5", 1), ("1e1", 0), ("15", 0)])
def test_a_weight_that_no_parser_reads_is_found_in_a_local_queue(weight: str, found: int) -> None:
    assert len(reported("K039", local_queue("lq", "q", f"  fairSharing:\n    weight: {weight}\n"))) == found
