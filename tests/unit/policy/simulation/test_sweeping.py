"""``simulate sweep``: every cell once, in any process, and on from where a sweep stopped."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_fairshare.cli.policy import sweeping
from kubectl_fairshare.cli.policy.sweep_results import CELL, Result, SweepResults
from kubectl_fairshare.cli.policy.sweeping import PortableStudy, house_settings, run_sweep, study_text
from kubectl_fairshare.cli.policy.workers import Workers
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.policy.simulation.sweep import Axis, grid
from kubectl_fairshare.schedulers import scheduler_named
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
STATE: Final = ROOT / "testdata" / "simulate" / "org.yaml"
TRACE: Final = ROOT / "testdata" / "traces" / "replayed.jsonl"
QUOTA: Final = "ClusterQueue/speech:spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"
SWEEP: Final = f"simulate sweep -q -f {STATE} --trace {TRACE} --jobs 1"


def swept(run: Run, folder: Path, options: str) -> Any:
    screen = run(f"kubectl-fairshare {SWEEP} --results {folder} {options} -o json")
    assert screen.code == 0, screen.stderr
    return json.loads(screen.stdout)


def test_every_combination_is_simulated_with_every_seed(run: Run, tmp_path: Path) -> None:
    found = swept(run, tmp_path, f"--vary {QUOTA}=8,16 --vary arrivals=1,2 --seeds 2")
    assert len(found["cells"]) == 4
    assert {cell["seeds"] for cell in found["cells"]} == {2}
    waits = {(c["settings"][QUOTA], c["settings"]["arrivals"]): c["measures"]["waiting, mean"] for c in found["cells"]}
    assert waits["16", "1"] < waits["8", "1"], "a larger quota lets jobs in earlier"
    assert any(cell["front"] for cell in found["cells"])


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        ("ClusterQueue/speech:spec.nope.x=1,2", "ClusterQueue has no field `spec.nope`"),
        ("ClusterQueue:spec.preemption.reclaimWithCohort=Any,Never", "no field `spec.preemption.reclaimWithCohort`"),
        ("option.fair_sharing=true,maybe", "`maybe` is not a value of `option.fair_sharing`"),
        ("option.preemption_strategy=LessThanInitialShare,X", "`X` is not a value of `option.preemption_strategy`"),
    ],
)
def test_an_axis_that_changes_nothing_is_refused(run: Run, tmp_path: Path, axis: str, message: str) -> None:
    screen = run(f"kubectl-fairshare {SWEEP} --results {tmp_path / 'results'} --vary {axis}")
    assert screen.code == 2
    assert message in screen.stderr


def test_a_sweep_goes_on_where_it_stopped(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    whole = sweeping.cell_result

    def counted(packed: bytes, plain: sweeping.PlainCell) -> Result:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(str(plain))
        return whole(packed, plain)

    monkeypatch.setattr(sweeping, "cell_result", counted)
    assert run(f"kubectl-fairshare {SWEEP} --results {tmp_path} --vary arrivals=1,2,3").code != 0
    assert len(results_in(tmp_path)) == 2
    done.clear()
    monkeypatch.setattr(sweeping, "cell_result", counted)
    swept(run, tmp_path, "--vary arrivals=1,2,3")
    assert len(done) == 1


ALONE: Final = Workers(1, "loky")
NOTHING: Final = PortableStudy((), frozenset(), True, frozenset(), "kueue", {}, b"", (None, 0, None))


def test_a_worker_that_dies_takes_only_its_cell_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = list(grid([Axis("arrivals", ("1", "2", "3"))], (0,)))
    calls: list[str] = []

    def outcomes(_packed: bytes, left: Any, *_: object) -> Any:
        for number, cell in enumerate(left):
            calls.append(cell.name)
            if number == 1 and len(calls) < 3:
                raise ConnectionError("a worker is gone")
            yield {CELL: cell.name, "seed": cell.seed}

    monkeypatch.setattr(sweeping, "_outcomes", outcomes)
    results = SweepResults(str(tmp_path), {})
    run_sweep(NOTHING, cells, results, ALONE)
    assert [row[CELL] for row in results.rows] == sorted(cell.name for cell in cells)
    assert calls.count(cells[0].name) == 1, "a result that is there is not computed again"


def test_results_of_another_form_or_program_are_not_continued(tmp_path: Path) -> None:
    study = study_text(NOTHING, [], 1)
    SweepResults(str(tmp_path), study).close()
    SweepResults(str(tmp_path), study_text(NOTHING, [], 1)).close()
    for other in ({"form": 1}, {"program": "kubectl-fairshare 0.0.9"}):
        with pytest.raises(UsageError):
            SweepResults(str(tmp_path), {**study, **other})


def test_workers_that_always_die_end_the_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def outcomes(*_: object) -> Any:
        raise ConnectionError("a worker is gone")
        yield

    monkeypatch.setattr(sweeping, "_outcomes", outcomes)
    cells = list(grid([Axis("arrivals", ("1",))], (0,)))
    with pytest.raises(UsageError, match="workers died 5 times"):
        run_sweep(NOTHING, cells, SweepResults(str(tmp_path), {}), ALONE)


def test_a_schedulers_own_option_is_an_axis() -> None:
    scheduler = scheduler_named("kueue")
    assert house_settings(scheduler, [("option.fair_sharing", "false")]) == {"fair_sharing": False}
    both = ("LessThanInitialShare", "LessThanOrEqualToFinalShare")
    assert house_settings(scheduler, [("option.preemption-strategy", "+".join(both))]) == {"preemption_strategy": both}
    with pytest.raises(UsageError, match="is not an option of Kueue"):
        house_settings(scheduler, [("option.k", "1")])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "a sweep has at least one axis"),
        ("--vary arrivals=1", "a sweep needs a folder"),
        ("--vary arrivals=fast --results x", "`fast` is not a scale of arrivals"),
        ("--vary Cohort/x:spec.a=1 --results x", "the input has no Cohort `x`"),
        ("--vary arrivals=1 --results x --calibrate", "a sweep takes no `--overlay-set`"),
    ],
)
def test_a_wrong_call_says_what_to_write(run: Run, options: str, expected: str) -> None:
    screen = run(f"kubectl-fairshare {SWEEP} {options}")
    assert screen.code == 2
    assert expected in screen.stderr


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask", "ray"])
def test_two_workers_of_which_one_is_killed_do_all_cells(tmp_path: Path, backend: str) -> None:
    """Workers on loopback; one of them is killed once the first results are there."""
    if backend != "loky":
        pytest.importorskip({"dask": "distributed"}.get(backend, backend))
    mark = f"FAIRSHARE_SWEEP={tmp_path}"
    options = f"--vary arrivals={','.join(map(str, range(1, 21)))} --seeds 4 --jobs 2 --backend {backend}"
    command = [sys.executable, "-m", "kubectl_fairshare", *SWEEP.replace("--jobs 1", options).split()]
    environment = {**os.environ, "FAIRSHARE_SWEEP": str(tmp_path), "RAY_DISABLE_MEMORY_MONITOR": "1"}
    with subprocess.Popen([*command, "--results", str(tmp_path), "-o", "json"], env=environment, stdout=-1) as sweep:
        killed = kill_a_worker(sweep, mark, tmp_path / "cells.jsonl", backend)
        output, _ = sweep.communicate(timeout=280)
    assert killed, "the sweep ended before a worker could be killed"
    assert sweep.returncode == 0
    assert len(json.loads(output)["cells"]) == 20
    assert len({row[CELL] for row in results_in(tmp_path)}) == 80


def results_in(folder: Path) -> list[Result]:
    study = json.loads((folder / "sweep.json").read_text("utf-8"))
    return list(SweepResults(str(folder), study).rows)


WORKERS: Final = {"loky": b"loky", "dask": b"multiprocessing", "ray": b"ray::cell_result"}
"""A word in the command line of a backend's workers that run a cell: Ray stops its node if one of its agents dies."""


def kill_a_worker(sweep: "subprocess.Popen[bytes]", mark: str, journal: Path, backend: str) -> bool:
    """Kills one worker of this sweep once there are results; whether it was there."""
    import signal
    import time

    while sweep.poll() is None:
        time.sleep(0.2)
        if not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            continue
        for process in Path("/proc").glob("[0-9]*"):
            if int(process.name) != sweep.pid and _is_worker(process, mark.encode(), WORKERS[backend]):
                os.kill(int(process.name), signal.SIGKILL)
                return True
    return False


def _is_worker(process: Path, mark: bytes, word: bytes) -> bool:
    try:
        command, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
    except OSError:
        return False
    helper = b"resource_tracker" in command or b"forkserver" in command
    return mark in environment and word in command and not helper
