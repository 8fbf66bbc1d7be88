"""Results of a sweep are kept as they come: after a stop the sweep goes on, and nothing occurs twice."""

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kubectl_fairshare.cli.policy import sweep_results as results
from kubectl_fairshare.cli.policy.sweep_results import SweepResults
from kubectl_fairshare.model.errors import FairshareError, UsageError

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


def killed(work: Callable[[], object], module: Any, name: str, after: int = 0) -> None:
    """Does the work in a process that SIGKILL ends at a call, or at the one that comes ``after`` so many."""
    child = os.fork()
    if not child:
        real, calls = getattr(module, name), iter(range(1000))

        def kill(*args: Any, **more: Any) -> Any:
            if next(calls) >= after:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **more)

        setattr(module, name, kill)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.parametrize(("module", "name"), [(os, "fsync"), (os, "replace"), (os, "truncate")])
def test_a_kill_while_lines_move_loses_no_result_and_doubles_none(tmp_path: Path, module: Any, name: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    begun = SweepResults(str(tmp_path), STUDY)
    for number in range(3):
        begun.add(result(number))
    killed(begun.close, module, name)

    again = SweepResults(str(tmp_path), STUDY)
    assert again.rows == [result(number) for number in range(3)]
    again.add(result(3))
    again.close()

    kept = [row["cell"] for part in sorted(tmp_path.glob("*.parquet")) for row in parquet.read_table(part).to_pylist()]
    assert kept == [f"c-{number:04}" for number in range(4)], "each once, for readers of the folder, too"


def test_a_kill_while_the_folder_is_begun_leaves_one_that_can_be_used(tmp_path: Path) -> None:
    killed(lambda: SweepResults(str(tmp_path / "new"), STUDY), os, "replace")
    assert SweepResults(str(tmp_path / "new"), STUDY).rows == []


@pytest.mark.parametrize("error", ["ENOSPC", "EDQUOT", "EROFS"])
def test_a_disk_that_fails_ends_the_sweep_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    begun = SweepResults(str(tmp_path), STUDY)
    begun.add(result(1))

    def refused(*_: object, **__: object) -> None:
        raise OSError(getattr(errno, error), os.strerror(getattr(errno, error)))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refused)
        with pytest.raises(FairshareError) as raised:
            begun.add(result(2))
    (problem,) = raised.value.problems
    assert (problem.place, problem.help) == (str(tmp_path), "name another folder")
    assert os.strerror(getattr(errno, error)).lower() in problem.message
    assert SweepResults(str(tmp_path), STUDY).rows == [result(1)]


@pytest.mark.parametrize("line", [b"\0\0\0\0", b"[]", b"7", b"{}", b'{"seed": 1}', b"\xff"])
def test_a_journal_that_is_damaged_is_an_error_with_its_line(tmp_path: Path, line: bytes) -> None:
    SweepResults(str(tmp_path), STUDY).add(result(1))
    with (tmp_path / "cells.jsonl").open("ab") as journal:
        journal.write(line + b"\n")
    with pytest.raises(FairshareError) as raised:
        SweepResults(str(tmp_path), STUDY)
    (problem,) = raised.value.problems
    assert problem.place == str(tmp_path / "cells.jsonl")
    assert problem.message.startswith("is damaged: line 2: ")


def test_a_parquet_file_that_is_damaged_is_an_error_and_can_be_deleted(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for number in range(3):
        begun = SweepResults(str(tmp_path), STUDY)
        begun.add(result(number))
        begun.close()
    first, _, _ = sorted(tmp_path.glob("*.parquet"))
    first.write_bytes(first.read_bytes()[:100])
    with pytest.raises(FairshareError, match="is damaged"):
        SweepResults(str(tmp_path), STUDY)
    first.unlink()
    again = SweepResults(str(tmp_path), STUDY)
    assert [row["seed"] for row in again.rows] == [1, 2]
    again.add(result(0))
    again.close()
    assert len(SweepResults(str(tmp_path), STUDY).rows) == 3
