"""What KAI says that a node lacks for a pod."""

from pathlib import Path

from tests.unit.schedulers.kai.inputs import NODES, Asked, Run, job, queues, running


def test_a_resource_that_a_pod_does_not_ask_for_is_not_missing(run: Run, tmp_path: Path) -> None:
    """Running pods hold more of it than the nodes have."""
    nodes = NODES.replace("memory: 128Gi,", "memory: 128Gi, ephemeral-storage: 1Gi,")
    busy = running(8, "a").replace('requests: {cpu: "1",', 'requests: {cpu: "1", ephemeral-storage: 2Gi,')
    found = Asked(run, tmp_path)("plan", queues(0) + nodes + busy, job())
    assert (found["outcome"], found["fidelity"]["exact"]) == ("Waits", True)
    assert "2 node(s) didn't have enough resources: GPUs" in found["placement"]["condition"]
    assert "ephemeral" not in found["placement"]["condition"]
