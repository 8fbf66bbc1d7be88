"""A play of 200 Jobs on a living Kueue is traced and replayed: jobs wait as long in the replay as they did.

FAIRSHARE_LIVE_JOBS says how many Jobs are played, FAIRSHARE_LIVE_SEED which.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.live.plays.timed import TimedPlay, create_policy, timetable
from tests.live.stage.kueue import manager
from tests.live.stage.organisation import API, PRIORITIES
from tests.live.stage.server import Server, missing, server
from tests.screens import Screen

JOBS: Final = int(os.environ.get("FAIRSHARE_LIVE_JOBS", "200"))
SEED: Final = int(os.environ.get("FAIRSHARE_LIVE_SEED", "1"))
pytestmark = [
    pytest.mark.live,
    pytest.mark.alone,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "kueue-manager")),
        reason=f"not built: {missing('kube-apiserver', 'etcd', 'kueue-manager')}; see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module", params=[False], ids=["classical"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Kueue on which all Jobs of the timetable have come and ended."""
    with server(tmp_path_factory.mktemp("timed")) as started, manager(started, fair=request.param):
        for name, value in PRIORITIES.items():
            body = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
            started.api.create("/apis/kueue.x-k8s.io/v1beta2/workloadpriorityclasses", body)
        create_policy(started.api)
        TimedPlay(started.api, timetable(JOBS, SEED)).run()
        yield started


def test_a_replay_does_what_kueue_did(
    played: Server, run: Callable[[str], Screen], tmp_path: Path, count: Callable[[str], None]
) -> None:
    saved, week = tmp_path / "cluster.json.gz", tmp_path / "week.jsonl.gz"
    assert run(f"kubectl-fairshare snapshot --kubeconfig {played.kubeconfig} -o {saved} -q").code == 0
    assert run(f"kubectl-fairshare trace -f {saved} -o {week} -q").code == 0
    screen = run(f"kubectl-fairshare simulate -f {saved} --trace {week} --calibrate --stopping 500ms -o json")
    found = json.loads(screen.stdout)
    assert found["compared"] > JOBS * 0.95, screen.stdout
    errors = found["waitErrorSeconds"]
    steps = found["steps"]
    pairs = f"{found['swapped']} of {found['pairs']} pairs of admissions in another order"
    evictions = f"evictions {found['recordedEvictions']} and {found['simulatedEvictions']}"
    count(
        f"calibration of play {SEED}: {found['compared']} of {JOBS} jobs, median error of waiting "
        f"{errors['median']:.2f} s, {found['relativeError']:.2%} of the median run of "
        f"{found['medianRunSeconds']:.0f} s; {pairs} ({by_cause(found['causes'])}; {found['unexplained']} without a "
        f"cause); {evictions}, {len(found['evictions'])} on one side alone, {found['unexplainedEvictions']} without a "
        f"cause; of {steps['total']} admissions and evictions, one by one: {by_cause(steps['causes'])}; "
        f"{len(steps['unexplained'])} not simulated"
    )
    assert found["relativeError"] < 0.05
    assert (found["unexplained"], found["unexamined"]) == (0, 0), found["swaps"]
    assert found["unexplainedEvictions"] == 0, found["evictions"]
    assert len(steps["unexplained"]) + steps["unexamined"] <= 0.01 * steps["total"], steps
    assert steps["causes"]["earlier"] > 0.95 * steps["total"], steps


def by_cause(found: dict[str, int]) -> str:
    return ", ".join(f"{cause} {pairs}" for cause, pairs in found.items()) or "none"
