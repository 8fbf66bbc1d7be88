"""Measures Koordinator's questions: 10,000 quotas in a tree of four levels with 50,000 pods, and a tenth of that.

Times are processor time of whole processes; medians of several rounds, as ratios to ``orjson.loads`` of the same
bytes. ``python -m tests.bench.koordinator`` prints them.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import orjson

from tests.bench.elasticquota import PARSE
from tests.bench.run import Medians, Row, cost

API: Final = "scheduling.sigs.k8s.io/v1alpha1"
PREFIX: Final = "quota.scheduling.koordinator.sh/"
FULL: Final = 10
LEVELS: Final = (1, 10, 100, 889)
"""Quotas of each level in a tenth of the full size: one thousand."""


def objects(scale: int, levels: Sequence[int] = LEVELS) -> Iterator[dict[str, Any]]:
    """``scale`` tenths of the full size: nodes, quotas from the top down, and pods in the quotas at the bottom."""
    chance = Random(scale)
    for number in range(sum(levels) // 10 * scale):
        allocatable = {"cpu": "64", "memory": "256Gi", "nvidia.com/gpu": "8", "pods": "110"}
        yield _object("v1", "Node", f"node-{number:05}", status={"allocatable": allocatable})
    above: list[str] = []
    for level, count in enumerate(levels):
        names = [f"level-{level}-{number:05}" for number in range(count * scale)]
        for number, name in enumerate(names):
            yield _quota(name, above[number % len(above)] if above else "", level, last=level == len(levels) - 1)
        above = names
    for number in range(sum(levels) * 5 * scale):
        yield _pod(number, above[chance.randrange(len(above))], f"node-{number // 50:05}", chance)


def _quota(name: str, parent: str, level: int, *, last: bool) -> dict[str, Any]:
    share = 10 ** (len(LEVELS) - 1 - level)
    spec = {
        "min": {"cpu": str(4 * share), "memory": f"{16 * share}Gi"},
        "max": {"cpu": str(16 * share), "memory": f"{64 * share}Gi"},
    }
    labels = {f"{PREFIX}is-parent": str(not last).lower(), **({f"{PREFIX}parent": parent} if parent else {})}
    weight = {f"{PREFIX}shared-weight": orjson.dumps(spec["max"]).decode()}
    found = _object(API, "ElasticQuota", name, "quotas", spec=spec)
    found["metadata"] |= {"labels": labels, "annotations": weight}
    return found


def _object(api: str, kind: str, name: str, namespace: str = "", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, "resourceVersion": "1"}
    return {"apiVersion": api, "kind": kind, "metadata": metadata, **more}


def _pod(number: int, quota: str, node: str, chance: Random) -> dict[str, Any]:
    """A pod with what a dump of a cluster has beside; one of ten waits."""
    requests = {"cpu": chance.choice(("500m", "1", "2")), "memory": chance.choice(("1Gi", "2Gi"))}
    container = {"name": "main", "image": "example.com/i", "resources": {"requests": requests, "limits": requests}}
    waits = number % 10 == 0
    spec = {
        **({} if waits else {"nodeName": node}),
        "priority": chance.choice((0, 10, 100)),
        "preemptionPolicy": "PreemptLowerPriority",
        "schedulerName": "koord-scheduler",
        "containers": [{**container, "terminationMessagePath": "/dev/termination-log", "imagePullPolicy": "Always"}],
        "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}],
        "serviceAccountName": "default",
        "volumes": [{"name": "token", "projected": {"defaultMode": 420, "sources": []}}],
    }
    status = {
        "phase": "Pending" if waits else "Running",
        "startTime": f"2026-01-{1 + number % 28:02}T{number % 24:02}:{number % 60:02}:00Z",
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
    }
    found = _object("v1", "Pod", f"pod-{number:06}", "team", spec=spec, status=status)
    found["metadata"] |= {"uid": f"uid-{number}", "labels": {"app": f"app-{number % 9}", f"{PREFIX}name": quota}}
    return found


def write(path: Path, scale: int) -> None:
    """Writes a state as kubectl prints one."""
    path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects(scale))}))


def koordinator_table(folder: Path, rounds: int, scales: Sequence[int]) -> Iterator[Row]:
    """All rows; scales are tenths of the full size."""
    found: dict[int, Medians] = {}
    for scale in scales:
        path = folder / f"state-{scale}.json"
        write(path, scale)
        found[scale] = _medians(path, rounds)
        parse = found[scale]["parse"]
        yield Row(f"Koordinator, quotas: {scale * 1000}, pods: {scale * 5000}; orjson.loads in seconds", parse)
        yield Row("  whole shares to that", found[scale]["shares"] / parse, 3 if scale == FULL else None)
        yield Row("  whole plan to that", found[scale]["plan"] / parse, 8)
    if {1, FULL} <= found.keys():
        for name in ("shares", "plan"):
            yield Row(f"growth of {name}, tenfold", found[FULL][name] / found[1][name], 12)


def _medians(path: Path, rounds: int) -> Medians:
    program = [sys.executable, "-m", "kubectl_fairshare"]
    shares = [*program, "shares", "-q", "-f", str(path)]
    plan = [*program, "plan", "-q", "-f", str(path), "-n", "team", "--queue", "level-3-00001", "--request", "cpu=1"]
    figures: list[Medians] = []
    for _ in range(rounds):
        parse = cost([sys.executable, "-c", PARSE, str(path)])[0]
        figures.append({"shares": cost(shares)[0], "plan": cost(plan)[0], "parse": parse})
    return {name: median(f[name] for f in figures) for name in figures[0]}


def main() -> int:
    """Prints the table; 1 where a goal is missed."""
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        for row in koordinator_table(Path(folder), 3, [1, FULL]):
            print(row, flush=True)
            missed = missed or not row.holds
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
