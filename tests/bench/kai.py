"""Measures KAI's engine: divisions among 1,000 and 10,000 queues, reclaim questions over 1,000 and 10,000 pods.

And a gang that reclaims from 40 candidates on 100 full nodes with 500 jobs, and on 1,000 nodes with 5,000. KAI's own
code searches 2 ms and 6 ms for these two, without reading.
Times are processor time inside one process that has loaded the input, and of whole processes; medians of several
rounds, as ratios to ``orjson.loads`` of the same bytes. ``python -m tests.bench.kai`` prints them.
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
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kai.division.fair_share import fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import formula_of
from kubectl_fairshare.schedulers.kai.explain.cycle import kai_cycle
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kai.session.session import open_session
from tests.bench.run import Medians, Row, cost, run

T = TypeVar("T")
SIZES = (1_000, 10_000)
ASKED = {"reclaims": "asker", "may not": "beyond", "never": "vast"}
"""A job that reclaims, one of a queue beyond its fair share, and one that no node takes."""


def queues(count: int) -> Iterator[dict[str, Any]]:
    """A tree of so many queues: ten departments, and teams below them."""
    for i in range(count):
        share = {"quota": i % 7, "limit": -1, "overQuotaWeight": 1 + i % 5}
        free = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
        spec: dict[str, Any] = {"resources": {"gpu": share, "cpu": free, "memory": free}, "priority": 100 + i % 3}
        if i >= 10:
            spec["parentQueue"] = f"queue-{i % 10:05}"
        made = f"2026-01-01T{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}Z"
        yield _object("scheduling.run.ai/v2", "Queue", f"queue-{i:05}", spec, created=made)


def running(count: int) -> Iterator[dict[str, Any]]:
    """So many pods, each a job of its own, in 200 queues on full nodes, and the jobs that are asked about."""
    yield from queues(210)
    free = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
    spec = {"resources": {"gpu": {"quota": 8, "limit": -1, "overQuotaWeight": 1}, "cpu": free, "memory": free}}
    yield _object("scheduling.run.ai/v2", "Queue", "owed", spec)
    for i in range(count // 8):
        node = _object("v1", "Node", f"node-{i:05}", {})
        allocatable = {"cpu": "96", "memory": "512Gi", "nvidia.com/gpu": "8", "pods": "110"}
        yield node | {"status": {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]}}
    for i in range(count):
        yield from _job(f"run-{i:05}", f"queue-{11 + i % 199:05}", 1, f"node-{i // 8:05}")
    yield from _job("asker", "owed", 4)
    yield from _job("beyond", "queue-00011", 8)
    yield from _job("vast", "owed", 9)


CLUSTERS = (100, 1_000)
_PER_NODE = (2, 2, 2, 1, 1)
_RICH_NODES = 8
_WAITING = 60


def cluster(count: int) -> Iterator[dict[str, Any]]:
    """So many full nodes of 8 GPUs with five jobs each. The jobs of eight nodes hold what their queue borrowed."""
    free = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
    quotas = {"owed": 16.0, "rich": 0.0, **{f"own-{i:02}": count * 8 / 20 for i in range(20)}}
    for name, quota in quotas.items():
        share = {"quota": quota, "limit": -1, "overQuotaWeight": 1}
        yield _object("scheduling.run.ai/v2", "Queue", name, {"resources": {"gpu": share, "cpu": free, "memory": free}})
    for name, value in (("train", 50), ("build", 100)):
        yield {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": name},
            "value": value,
        }
    for i in range(count):
        node = _object("v1", "Node", f"node-{i:05}", {})
        allocatable = {"cpu": "96", "memory": "512Gi", "nvidia.com/gpu": "8", "pods": "110"}
        yield node | {"status": {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]}}
        rich = i % (count // _RICH_NODES) == 0 and i // (count // _RICH_NODES) < _RICH_NODES
        for place, gpus in enumerate(_PER_NODE):
            queue, priority = ("rich", "train") if rich else (f"own-{i % 20:02}", "build")
            yield from _job(f"run-{i:05}-{place}", queue, gpus, f"node-{i:05}", priority=priority)
    yield from _job("asker", "owed", 4, pods=2)


def waiting_jobs(count: int) -> Iterator[dict[str, Any]]:
    """The same cluster with more jobs that wait, of several queues and sizes."""
    yield from cluster(count)
    for i in range(_WAITING):
        yield from _job(f"wait-{i:03}", ("owed", "rich", f"own-{i % 20:02}")[i % 3], (1, 2, 4)[i % 3], pods=1 + i % 2)


def _job(
    name: str, queue: str, gpus: int, node: str = "", *, pods: int = 1, priority: str = ""
) -> Iterator[dict[str, Any]]:
    spec = {"queue": queue, "minMember": pods, **({"priorityClassName": priority} if priority else {})}
    yield _object("scheduling.run.ai/v2alpha2", "PodGroup", name, spec, "team")
    for number in range(pods):
        yield _pod(name, number, gpus, node)


def _pod(name: str, number: int, gpus: int, node: str) -> dict[str, Any]:
    requests = {"cpu": "1", "memory": "4Gi", "nvidia.com/gpu": str(gpus)}
    container = {"name": "main", "image": "example.com/i", "resources": {"requests": requests, "limits": requests}}
    spec = {"schedulerName": "kai-scheduler", "containers": [container], **({"nodeName": node} if node else {})}
    pod = _object("v1", "Pod", f"{name}-{number}", spec, "team")
    pod["metadata"]["annotations"] = {"pod-group-name": name}
    return pod | {"status": {"phase": "Running" if node else "Pending"}}


def _object(
    api: str, kind: str, name: str, spec: Any, namespace: str = "", created: str = "2026-02-01T00:00:00Z"
) -> dict[str, Any]:
    metadata = {"name": name, "resourceVersion": "1", "uid": f"{kind}-{name}", "creationTimestamp": created}
    return {"apiVersion": api, "kind": kind, "metadata": {**metadata, "namespace": namespace}, "spec": spec}


def kai_table(folder: Path, rounds: int, sizes: Sequence[int] = SIZES) -> Iterator[Row]:
    """All rows, size by size; each is a ratio to the parse unless it says otherwise."""
    found: dict[int, Medians] = {}
    for size in sizes:
        paths = [folder / f"queues-{size}.json", folder / f"pods-{size}.json"]
        for path, objects in zip(paths, (queues(size), running(size)), strict=True):
            path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}))
        found[size] = known = _medians(paths, rounds)
        yield Row(f"KAI, {size} queues; orjson.loads in seconds", known["queues parse"])
        yield Row("  loading", known["queues load"] / known["queues parse"])
        yield Row("  division alone", known["division"] / known["queues parse"], 10)
        yield Row("  whole shares, with start-up", known["shares"] / known["queues parse"])
        yield Row(f"KAI, {size} running pods; orjson.loads in seconds", known["pods parse"])
        yield Row("  loading", known["pods load"] / known["pods parse"])
        yield Row("  session", known["session"] / known["pods parse"], 8)
        for name in ASKED:
            yield Row(f"  plan, {name}", known[f"plan {name}"] / known["pods parse"], 40)
    yield from _cluster_rows(folder, rounds)
    if len(found) > 1:
        small, large = found[sizes[0]], found[sizes[-1]]
        for name in ("division", "shares", "session", *(f"plan {name}" for name in ASKED)):
            yield Row(f"growth of {name}, tenfold", large[name] / small[name], 18)


def _cluster_rows(folder: Path, rounds: int) -> Iterator[Row]:
    """A reclaim from 40 candidates, as a ratio to reading the input: less than one, and less than five."""
    for count, goal in zip(CLUSTERS, (1, 5), strict=True):
        path = folder / f"cluster-{count}.json"
        path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(cluster(count))}))
        rows: list[Medians] = [
            json.loads(run([sys.executable, "-m", "tests.bench.kai", str(path)])) for _ in range(rounds)
        ]
        known = {name: median(row[name] for row in rows) for name in rows[0]}
        yield Row(
            f"KAI, {count} nodes, {count * len(_PER_NODE)} jobs, 40 candidates; reading in seconds", known["read"]
        )
        yield Row("  session", known["session"] / known["read"])
        yield Row("  plan, reclaims", known["plan"] / known["read"], goal)
        yield Row("  cycle", known["cycle"] / known["read"])
        waiting = folder / f"waiting-{count}.json"
        waiting.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(waiting_jobs(count))}))
        listed = [sys.executable, "-m", "kubectl_fairshare", "why", "-A", "-q", "-f", str(waiting)]
        yield Row(f"  why -A of {_WAITING} more jobs that wait, with start-up", cost(listed)[0] / known["read"])


def cluster_round(path: Path) -> Medians:
    """The times of one round on a cluster with places, in this process."""
    gc.disable()
    figures: Medians = {}
    figures["read"], state = timed(lambda: _loaded(path))
    figures["session"], session = timed(lambda: open_session(state))
    figures["plan"], found = timed(lambda: plan(session, "asker"))
    assert found.placement is not None
    assert len(found.victims) == len(_PER_NODE)
    figures["cycle"], _ = timed(lambda: kai_cycle(session))
    return figures


def _medians(paths: Sequence[Path], rounds: int) -> Medians:
    figures: list[Medians] = []
    for _ in range(rounds):
        found: Medians = json.loads(run([sys.executable, "-m", "tests.bench.kai", *map(str, paths)]))
        program = [sys.executable, "-m", "kubectl_fairshare", "shares", "-q", "-f", str(paths[0])]
        found["shares"] = cost(program)[0]
        figures.append(found)
    return {name: median(f[name] for f in figures) for name in figures[0]}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of processor time that ``work`` takes, and what it yields."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def round_of(tree: Path, cluster: Path) -> Medians:
    """All figures of one round, in this process; the collector is off, as the program has it while it loads."""
    gc.disable()
    figures: Medians = {}
    for name, path in (("queues", tree), ("pods", cluster)):
        data = path.read_bytes()
        figures[f"{name} parse"] = median(timed(lambda: orjson.loads(data))[0] for _ in range(3))  # noqa: B023
        figures[f"{name} load"], state = timed(lambda: _loaded(path))  # noqa: B023 - called at once
        seconds, session = timed(lambda: open_session(state))  # noqa: B023 - called at once
        if name == "queues":
            claimants = [standing.claimant() for standing in session.standings.values()]
            total, formula = session.totals.total._replace(gpu=50_000.0), formula_of(session.shard)
            asking = [replace(c, request=c.request._replace(gpu=10.0)) for c in claimants]
            figures["division"], _ = timed(lambda: fair_shares(total, formula, asking))  # noqa: B023
        else:
            figures["session"] = seconds
            for what, job in ASKED.items():
                figures[f"plan {what}"], _ = timed(lambda: plan(session, job))  # noqa: B023 - called at once
    return figures


def _loaded(path: Path) -> KaiState:
    return assemble(read((str(path),), schedulers=known_schedulers()).manifests, known_schedulers()).snapshot.part(
        KaiState
    )


def main(arguments: Sequence[str]) -> int:
    """Prints the table, 1 where a goal is missed; with files, the figures of one round on them."""
    if arguments:
        found = cluster_round(Path(arguments[0])) if len(arguments) == 1 else round_of(*map(Path, arguments))
        print(json.dumps(found))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        rows = list(kai_table(Path(folder), 3))
    for row in rows:
        print(row)
    return int(any(row.goal is not None and not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
