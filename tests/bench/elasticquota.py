"""Measures ``plan`` under ElasticQuotas: 500 namespaces, 2,000 nodes, 50,000 pods, and a tenth of that.

Times are processor time of whole processes; medians of several rounds, as ratios to ``orjson.loads`` of the same
bytes. ``python -m tests.bench.elasticquota`` prints them.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import orjson

from tests.bench.run import Medians, Row, cost

API = "scheduling.x-k8s.io/v1alpha1"
FULL = 10
PARSE = "import sys, orjson; orjson.loads(open(sys.argv[1], 'rb').read())"
# A pod that fits at once, one that preempts, one that a full pool keeps out, and one that no node has room for.
ASKED = {
    "easy": ("cpu=1",),
    "preempts": ("nvidia.com/gpu=1", "--priority", "101"),
    "refused": ("nvidia.com/gpu=8",),
    "never": ("cpu=200",),
}


def objects(scale: int, per_node: int = 25) -> Iterator[dict[str, Any]]:
    """``scale`` tenths of the full size: quotas, nodes and the pods on them, all GPUs in use."""
    chance = Random(scale)
    namespaces, nodes = 50 * scale, 200 * scale
    for i in range(nodes):
        allocatable = {"cpu": "64", "memory": "256Gi", "nvidia.com/gpu": "8", "pods": "110"}
        yield _object("v1", "Node", f"node-{i:05}", status={"allocatable": allocatable})
    for i in range(namespaces):
        spec = {
            "min": {"cpu": "256", "memory": "1Ti", "nvidia.com/gpu": "32"},
            "max": {"cpu": "512", "memory": "2Ti", "nvidia.com/gpu": "64"},
        }
        yield _object(API, "ElasticQuota", "quota", f"team-{i:03}", spec=spec)
    for i in range(nodes * per_node):
        requests = {"cpu": chance.choice(("500m", "1", "2")), "memory": chance.choice(("1Gi", "2Gi"))}
        if i % per_node < 8:
            requests["nvidia.com/gpu"] = "1"
        yield _pod(i, f"team-{chance.randrange(namespaces):03}", f"node-{i // per_node:05}", requests, chance)


def _object(api: str, kind: str, name: str, namespace: str = "", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, "resourceVersion": "1"}
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **more}


def _pod(number: int, namespace: str, node: str, requests: dict[str, str], chance: Random) -> dict[str, Any]:
    """A pod with what a dump of a cluster has beside."""
    container = {"name": "main", "image": "example.com/i", "resources": {"requests": requests, "limits": requests}}
    spec = {
        "nodeName": node,
        "priority": chance.choice((0, 10, 100)),
        "preemptionPolicy": "PreemptLowerPriority",
        "schedulerName": "capacity",
        "containers": [{**container, "terminationMessagePath": "/dev/termination-log", "imagePullPolicy": "Always"}],
        "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}],
        "serviceAccountName": "default",
        "volumes": [{"name": "token", "projected": {"defaultMode": 420, "sources": []}}],
    }
    state = {"name": "main", "ready": True, "resources": {"requests": requests}, "allocatedResources": requests}
    status = {
        "phase": "Running",
        "podIP": "10.0.0.1",
        "startTime": f"2026-01-{1 + number % 28:02}T{number % 24:02}:{number % 60:02}:00Z",
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
        "containerStatuses": [state],
    }
    found = _object("v1", "Pod", f"pod-{number:06}", namespace, spec=spec, status=status)
    found["metadata"] |= {"uid": f"uid-{number}", "labels": {"app": f"app-{number % 9}"}}
    return found


def write(path: Path, scale: int) -> None:
    """Writes a state as kubectl prints one."""
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects(scale))}))


def elasticquota_table(folder: Path, rounds: int, scales: Sequence[int]) -> Iterator[Row]:
    """All rows; scales are tenths of the full size."""
    found: dict[int, Medians] = {}
    for scale in scales:
        path = folder / f"state-{scale}.json"
        write(path, scale)
        found[scale] = _medians(path, rounds)
        yield Row(f"ElasticQuota, pods: {scale * 5000}; orjson.loads in seconds", found[scale]["parse"])
        for name in ASKED:
            yield Row(f"  whole plan to that, {name}", found[scale][name] / found[scale]["parse"], 8)
    if {1, FULL} <= found.keys():
        for name in ASKED:
            yield Row(f"growth of a plan, tenfold, {name}", found[FULL][name] / found[1][name], 12)


def _medians(path: Path, rounds: int) -> Medians:
    program = [sys.executable, "-m", "kubectl_fairshare", "plan", "-q", "-f", str(path), "-n", "team-001"]
    figures: list[Medians] = []
    for _ in range(rounds):
        found = {name: cost([*program, "--request", *request])[0] for name, request in ASKED.items()}
        found["parse"] = cost([sys.executable, "-c", PARSE, str(path)])[0]
        figures.append(found)
    return {name: median(f[name] for f in figures) for name in figures[0]}


def main() -> int:
    """Prints the table; 1 where a goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        rows = list(elasticquota_table(Path(folder), 3, [1, FULL]))
    for row in rows:
        print(row)
    return int(any(row.goal is not None and not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main())
