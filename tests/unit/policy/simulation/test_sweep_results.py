"""Results of a sweep are kept as they come: after a stop the sweep goes on, and nothing is there twice."""

from pathlib import Path

import pytest

from kubectl_fairshare.cli.policy import sweep_results as results
from kubectl_fairshare.cli.policy.sweep_results import SweepResults
from kubectl_fairshare.model.errors import UsageError

STUDY = {"vary": ["arrivals=1,2"], "seeds": 2}


def result(number: int) -> results.Result:
    return {"cell": f"c-{number:04}", "arrivals": "1", "seed": number, "evictions": 3.0}


def test_a_result_is_kept_before_the_sweep_has_ended(tmp_path: Path) -> None:
    begun = SweepResults(str(tmp_path), STUDY)
    begun.add(result(1))
    again = SweepResults(str(tmp_path), STUDY)  # the first one was never closed: its process died
    assert again.has("c-0001")
    assert not again.has("c-0002")
    assert again.rows == [result(1)]


def test_a_line_that_was_cut_off_is_not_a_result(tmp_path: Path) -> None:
    begun = SweepResults(str(tmp_path), STUDY)
    begun.add(result(1))
    with (tmp_path / "cells.jsonl").open("ab") as journal:
        journal.write(b'{"cell":"c-0002","ari')
    assert [row["cell"] for row in SweepResults(str(tmp_path), STUDY).rows] == ["c-0001"]


def test_results_move_to_parquet_and_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(results, "_PART", 3)
    begun = SweepResults(str(tmp_path), STUDY)
    for number in range(7):
        begun.add(result(number))
    begun.close()
    assert len(list(tmp_path.glob("cells-*.parquet"))) == 3
    assert (tmp_path / "cells.jsonl").read_bytes() == b""
    again = SweepResults(str(tmp_path), STUDY)
    assert again.rows == [result(number) for number in range(7)]


def test_without_pyarrow_the_lines_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "find_spec", lambda _: None)
    begun = SweepResults(str(tmp_path), STUDY)
    begun.add(result(1))
    begun.close()
    assert SweepResults(str(tmp_path), STUDY).rows == [result(1)]
    assert not list(tmp_path.glob("*.parquet"))


def test_another_sweep_does_not_go_into_the_folder(tmp_path: Path) -> None:
    SweepResults(str(tmp_path), STUDY).close()
    with pytest.raises(UsageError, match="holds the results of another sweep"):
        SweepResults(str(tmp_path), {**STUDY, "seeds": 3})
