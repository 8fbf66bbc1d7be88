"""Measures Kueue's plan with a topology: 5,000 nodes in three levels, 2,000 workloads on them, and a Pod on each.

Times are processor time inside one process that has loaded the input, and of whole processes; medians of several
rounds, as ratios to ``orjson.loads`` of the same bytes. ``python -m tests.bench.topology`` prints them.
"""

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import orjson

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.bench.elasticquota import PARSE
from tests.bench.run import Medians, Row, cost, run

T = TypeVar("T")
KUEUE = "kueue.x-k8s.io/v1beta2"
HOST = "kubernetes.io/hostname"
NODES, WORKLOADS = 5_000, 2_000
ASKED: dict[str, tuple[int, dict[str, Any], int]] = {
    "fits a rack": (8, {"required": "rack"}, 0),
    "spreads over blocks": (900, {"preferred": "rack"}, 0),
    "anywhere": (100, {"unconstrained": True}, 0),
    "preempts for a rack": (20, {"required": "rack"}, 9),
    "never": (9_000, {"required": "block"}, 0),
}
"""Pods of four GPUs each, what they ask of the topology, and their priority."""


def node(number: int) -> dict[str, Any]:
    """One of twenty hosts in a rack, of ten racks in a block, as large as a real cluster prints it."""
    name = f"node-{number:05}"
    labels = {"pool": "gpu", "block": f"b{number // 200:03}", "rack": f"b{number // 200:03}-r{number // 20 % 10}"}
    labels |= {HOST: name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "node.kubernetes.io/type": "p5"}
    moment = "2026-01-01T00:00:00Z"
    conditions = [
        {
            "type": kind,
            "status": "True" if kind == "Ready" else "False",
            "reason": f"Kubelet{kind}",
            "message": f"kubelet says {kind}",
            "lastHeartbeatTime": moment,
            "lastTransitionTime": moment,
        }
        for kind in ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")
    ]
    amounts = {"cpu": "192", "memory": "2048Gi", "nvidia.com/gpu": "8", "pods": "250", "ephemeral-storage": "900Gi"}
    status = {"allocatable": amounts, "capacity": amounts, "conditions": conditions}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": {}} | {
        "status": status
    }


def pod(number: int) -> dict[str, Any]:
    """What a DaemonSet runs on a node."""
    requests = {"cpu": "250m", "memory": "512Mi"}
    spec = {"nodeName": f"node-{number:05}", "containers": [{"name": "agent", "resources": {"requests": requests}}]}
    metadata = {"name": f"agent-{number:05}", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running"}}


def workload(name: str, pods: int, topology: dict[str, Any], priority: int) -> dict[str, Any]:
    """A workload that waits."""
    requests = {"cpu": "16", "nvidia.com/gpu": "4"}
    resources = {"requests": requests, "limits": {"nvidia.com/gpu": "4"}}
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "resources": resources}]}}
    pod_set = {"name": "main", "count": pods, "template": template, "topologyRequest": topology}
    metadata = {"name": name, "namespace": "team", "uid": name, "creationTimestamp": "2026-01-01T00:00:00Z"}
    metadata["resourceVersion"] = "1"
    spec = {"queueName": "main", "priority": priority, "podSets": [pod_set]}
    return {"apiVersion": KUEUE, "kind": "Workload", "metadata": metadata, "spec": spec}


def running(number: int) -> dict[str, Any]:
    """Four pods on two hosts; of every five hosts one is left free."""
    made = workload(f"run-{number:05}", 4, {"required": "rack"}, number % 5)
    first = number // 2 * 5 + number % 2 * 2
    hosts = {
        "domainCount": 2,
        "valuesPerLevel": [{"individual": {"prefix": "node-", "roots": [f"{first:05}", f"{first + 1:05}"]}}],
    }
    assignment = {
        "name": "main",
        "count": 4,
        "flavors": {"cpu": "gpus", "nvidia.com/gpu": "gpus"},
        "resourceUsage": {"cpu": "64", "nvidia.com/gpu": "16"},
        "topologyAssignment": {"levels": [HOST], "slices": [hosts | {"podCounts": {"universal": 2}}]},
    }
    conditions = [
        {"type": kind, "status": "True", "reason": kind, "message": "", "lastTransitionTime": "2026-01-01T00:00:01Z"}
        for kind in ("QuotaReserved", "Admitted")
    ]
    admission = {"clusterQueue": "all", "podSetAssignments": [assignment]}
    return made | {"status": {"admission": admission, "conditions": conditions}}


def objects() -> Iterator[dict[str, Any]]:
    """The whole cluster."""

    def kueue(kind: str, name: str, spec: dict[str, Any], **more: str) -> dict[str, Any]:
        return {"apiVersion": KUEUE, "kind": kind, "metadata": {"name": name, **more}, "spec": spec}

    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    yield kueue("Topology", "racks", {"levels": [{"nodeLabel": each} for each in ("block", "rack", HOST)]})
    yield kueue("ResourceFlavor", "gpus", {"nodeLabels": {"pool": "gpu"}, "topologyName": "racks"})
    quotas = [{"name": "cpu", "nominalQuota": "999999"}, {"name": "nvidia.com/gpu", "nominalQuota": "60000"}]
    group = {"coveredResources": ["cpu", "nvidia.com/gpu"], "flavors": [{"name": "gpus", "resources": quotas}]}
    preemption = {"withinClusterQueue": "LowerPriority"}
    spec = {"namespaceSelector": {}, "resourceGroups": [group], "preemption": preemption}
    yield kueue("ClusterQueue", "all", spec)
    yield kueue("LocalQueue", "main", {"clusterQueue": "all"}, namespace="team")
    for number in range(NODES):
        yield node(number)
        yield pod(number)
    yield from map(running, range(WORKLOADS))
    for name, asked in ASKED.items():
        yield workload(name.replace(" ", "-"), *asked)


def topology_table(folder: Path, rounds: int) -> Iterator[Row]:
    """All rows; each is a ratio to the parse unless it says otherwise."""
    path = folder / "cluster.json"
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects())}))
    known = _medians(path, rounds)
    yield Row(f"Kueue, {NODES} nodes, {WORKLOADS} workloads; orjson.loads in seconds", known["parse"])
    yield Row("  loading", known["load"] / known["parse"])
    yield Row("  tree of nodes and what is left of them", known["tree"] / known["parse"])
    for name in ASKED:
        yield Row(f"  decision, {name}", known[name] / known["parse"], 0.1)
    yield Row("  whole plan to the parse in a process of its own", known["plan"] / known["alone"], 4)


def _medians(path: Path, rounds: int) -> Medians:
    program = [sys.executable, "-m", "kubectl_fairshare", "plan", "-q", "-f", str(path), "-n", "team"]
    figures: list[Medians] = []
    for _ in range(rounds):
        found: Medians = json.loads(run([sys.executable, "-m", "tests.bench.topology", str(path)]))
        found["alone"] = cost([sys.executable, "-c", PARSE, str(path)])[0]
        found["plan"] = cost([*program, "--queue", "main", "--request", "nvidia.com/gpu=4", "--count", "10"])[0]
        figures.append(found)
    return {name: median(f[name] for f in figures) for name in figures[0]}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of processor time that ``work`` takes, and what it gives."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def round_of(path: Path) -> Medians:
    """All figures of one round, in this process; the collector is off, as the program has it while it loads."""
    gc.disable()
    data = path.read_bytes()
    figures: Medians = {"parse": median(timed(lambda: orjson.loads(data))[0] for _ in range(3))}
    schedulers = known_schedulers()
    figures["load"], snapshot = timed(
        lambda: assemble(read((str(path),), schedulers=schedulers).manifests, schedulers).snapshot
    )
    other = state_of(snapshot)
    for each in other.kueue.pending:  # what a process does once, for any state, is part of the whole plan alone
        nominate(other, each)
    rounds = [_decided(state_of(snapshot)) for _ in range(5)]
    return figures | {name: median(each[name] for each in rounds) for name in rounds[0]}


def _decided(state: State) -> Medians:
    """The figures of all decisions on one state that nobody has asked before."""
    tree = state.occupancy.landscape.tree
    figures = {"tree": timed(lambda: state.occupancy.remaining(tree("gpus")))[0]}  # type: ignore[arg-type]
    waiting = {w.key.name: w for w in state.kueue.pending}
    for name in ASKED:
        figures[name], _ = timed(lambda: nominate(state, waiting[name.replace(" ", "-")]))  # noqa: B023 - called at once
    return figures


def main(arguments: Sequence[str]) -> int:
    """Prints the table, 1 where a goal is missed; with a file, the figures of one round on it."""
    if arguments:
        print(json.dumps(round_of(Path(arguments[0]))))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        rows = list(topology_table(Path(folder), 3))
    for row in rows:
        print(row)
    return int(any(row.goal is not None and not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
