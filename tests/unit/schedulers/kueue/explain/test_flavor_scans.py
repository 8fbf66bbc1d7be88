"""Never and not now where Kueue's scan of flavors takes several cycles, in every command that says one of them.

The right values are Kueue's: ``findFlavorForPodSets`` starts behind ``LastTriedFlavorIdx``, and
``requeueIfNotPresent`` takes a workload with ``PendingFlavors`` back at once.
"""

from collections.abc import Callable

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
REPORTS = "testdata/reports"


@pytest.mark.parametrize("state", ["state", "ended"])
def test_the_second_cycle_of_a_scan_lets_a_job_in_once_running_work_has_ended(run: Run, state: str) -> None:
    path = f"{REPORTS}/kueue-never-later-cycle/{state}.yaml"
    assert run(f"kubectl-fairshare cycle -f {path}").stdout.startswith("1 not now")
    assert "1 never" not in run(f"kubectl-fairshare why -A -f {path}").stdout


def test_the_screen_shows_the_cycles_that_let_it_in(run: Run) -> None:
    path = f"{REPORTS}/kueue-never-later-cycle/state.yaml"
    screen = " ".join(run(f"kubectl-fairshare why -n q workload.kueue.x-k8s.io/job -f {path}").stdout.split())
    plan = " ".join(
        run(f"kubectl-fairshare plan -f {path} -w {REPORTS}/kueue-never-later-cycle/ask.yaml").stdout.split()
    )
    assert "cycle 1 of the scan puts driver in large, and worker fails: needs 6 cpu in large" in plan
    assert "then cycle 2 of the scan puts driver in small, worker in large" in plan
    assert "can never fit" not in " ".join(screen.split())
    # what cycle 2 takes and is not free, not what cycle 1 exceeds whatever ends
    assert "needs 4, can reach now 0: 4 too few" in plan
    assert "needs 2, can reach now 0: 2 too few" in plan
    assert "could ever reach" not in plan


def test_a_job_that_fits_in_no_cycle_of_its_scan_never_fits(run: Run) -> None:
    path = f"{REPORTS}/kueue-topology-never-text/state.yaml"
    reason = run(f"kubectl-fairshare why w0 -n a -q -f {REPORTS}/kueue-topology-never-text").stdout
    assert "never: no flavor matches pod set p0: f1 passed over: it has no topology" in " ".join(reason.split())
    screen = run(f"kubectl-fairshare plan -f {path} -w {REPORTS}/kueue-topology-never-text/ask.yaml").stdout
    assert "can never fit" in screen
    assert "f0: has quota, but pod set p0 gets 2 pods, fewer than a slice of 3" in screen


def test_a_topology_without_a_place_sends_the_scan_to_the_next_cycle(run: Run) -> None:
    path = f"{REPORTS}/kueue-cycle-never-topology/state.yaml"
    assert run(f"kubectl-fairshare cycle -f {path}").stdout.startswith("1 not now")
    screen = run(f"kubectl-fairshare why -n q workload.kueue.x-k8s.io/job -f {path}").stdout
    assert "can never" not in screen
    assert "another flavor is preferred" not in screen
