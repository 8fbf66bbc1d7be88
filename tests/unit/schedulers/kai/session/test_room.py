"""What is idle on nodes, next to what KAI's nodes count."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.session.room import room_of
from kubectl_fairshare.schedulers.kai.solver.ledgers import idle_gpus
from tests.unit.schedulers.kai.solver.scenes import Json, layer, node, one, queue

QUEUES = [queue("a", 4, created=1), queue("b", 4, created=2)]
STATES: dict[str, dict[str, Json]] = {
    "running": {"spec": {"nodeName": "n0"}, "status": {"phase": "Running"}},
    "pending on its node": {"spec": {"nodeName": "n0"}, "status": {"phase": "Pending"}},
    "terminating": {"spec": {"nodeName": "n0"}, "status": {"phase": "Running"}},
    "without a node": {"spec": {}, "status": {"phase": "Pending"}},
}


def reservation(state: str) -> Json:
    """KAI's pod that reserves the GPU ``g0``: it requests all of it."""
    found = STATES[state]
    leaving = {"deletionTimestamp": "2026-08-01T11:59:50Z"} if state == "terminating" else {}
    labels = {"app": "kai-resource-reservation", "runai-gpu-group": "g0"}
    containers = [{"name": "m", "resources": {"requests": {"cpu": "1m", "nvidia.com/gpu": "1"}}}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "r", "namespace": "kai-resource-reservation", "uid": "r", "labels": labels, **leaving},
        "spec": {"containers": containers, **found["spec"]},
        "status": found["status"],
    }


@pytest.mark.parametrize("state", STATES)
def test_a_reservation_pod_takes_no_gpu_from_those_that_share_it(state: str) -> None:
    """Its holder counts by its own state, whatever that of the reservation pod; so says ``AddTask`` of KAI's NodeInfo.

    A half of the GPU is left, and three whole ones.
    """
    holder = one("h", "a", 0.5, "n0", group="g0")
    for asked, outcome in ((3, Outcome.ADMITTED), (4, Outcome.WAITS), (0.5, Outcome.ADMITTED)):
        first = layer([node("n0", 4), *QUEUES], holder, [reservation(state)], one("w", "b", asked))
        session = first.ground.session
        assert room_of(session).idle.gpu == idle_gpus(first.ledgers["n0"])[0] == 3.5
        found = plan(session, "w")
        assert (found.outcome, found.fidelity.exact) == (outcome, True)
        assert session.standings["a"].allocated.gpu == 0.5
