"""Kueue's own manager on the jobs that a simulation plays: processor time for each admission, of both.

``python -m tests.bench.peer [JOBS]`` needs what the live tests need (``.ci/assets/build``). As in Kueue's performance
runner, there are no pods: Workloads are created, and get the condition Finished once they have held quota for their run
time. The manager works through an API server, which it has to; the simulation has none. So this is no contest: it says
what a week of real cycles would cost instead, and how long it would take.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.policy.simulation.run import simulate
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from tests.bench.run import Row
from tests.live.stage.kueue import KUEUE, manager, state
from tests.live.stage.server import Api, Object, Server, missing, server

SECOND: Final = 10**9
QUEUES, QUOTA, RUN = 10, 8, 5
_NAMESPACE: Final = "peer"
_API: Final = "kueue.x-k8s.io/v1beta2"
_LONGEST: Final = 900.0


def create_policy(api: Api) -> None:
    """Ten queues of one cohort, with fair sharing and reclaim."""
    api.create("/api/v1/namespaces", {"metadata": {"name": _NAMESPACE}})
    api.create(f"{KUEUE}/resourceflavors", _object("ResourceFlavor", "flavor", {}))
    for number in range(QUEUES):
        quota = [{"name": "cpu", "nominalQuota": str(QUOTA)}]
        groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "flavor", "resources": quota}]}]
        spec = {"cohortName": "all", "namespaceSelector": {}, "resourceGroups": groups}
        preemption = {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"}
        api.create(f"{KUEUE}/clusterqueues", _object("ClusterQueue", f"q{number}", {**spec, "preemption": preemption}))
        local = _object("LocalQueue", f"q{number}", {"clusterQueue": f"q{number}"})
        api.create(f"{KUEUE}/namespaces/{_NAMESPACE}/localqueues", local)


def _object(kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": _API, "kind": kind, "metadata": {"name": name}, "spec": spec}


def size_of(number: int) -> int:
    """The cpu of a job."""
    return (1, 1, 2, 4)[number % 4]


def workload(number: int) -> Object:
    """A Workload without a job."""
    container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": str(size_of(number))}}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    pods = {"name": "main", "count": 1, "template": template}
    return _object("Workload", f"job-{number:05}", {"queueName": f"q{number % QUEUES}", "podSets": [pods]})


class Played:
    """The Workloads on a living manager. ``run`` returns the seconds from the first to the last."""

    def __init__(self, api: Api, jobs: int) -> None:
        self._api = api
        self._jobs = jobs
        self._path = f"{KUEUE}/namespaces/{_NAMESPACE}/workloads"
        self._since: dict[str, float] = {}
        self._over: set[str] = set()

    def run(self) -> float:
        """Creates all, and finishes each after its run time. Raises ``TimeoutError`` if that takes too long."""
        start = time.monotonic()
        for number in range(self._jobs):
            self._api.create(self._path, workload(number))
        while len(self._over) < self._jobs:
            if time.monotonic() - start > _LONGEST:
                raise TimeoutError(f"{self._jobs - len(self._over)} Workloads are left")
            self._look()
            time.sleep(0.2)
        return time.monotonic() - start

    def _look(self) -> None:
        now = time.monotonic()
        for each in self._api.get(self._path)["items"]:
            name = each["metadata"]["name"]
            conditions = each.get("status", {}).get("conditions", [])
            admitted = any(c["type"] == "Admitted" and c["status"] == "True" for c in conditions)
            if admitted and name not in self._over and now - self._since.setdefault(name, now) >= RUN:
                self._finish(name, conditions)

    def _finish(self, name: str, conditions: list[Any]) -> None:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        done = {
            "type": "Finished",
            "status": "True",
            "reason": "Succeeded",
            "message": "",
            "lastTransitionTime": moment,
        }
        self._api.merge(f"{self._path}/{name}/status", {"status": {"conditions": [*conditions, done]}})
        self._over.add(name)


def processor_seconds(server: Server, program: str) -> float:
    """The processor time that a program of this server has taken."""
    mark = str(server.folder)
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text("utf-8", "replace").split("\0")
            if words[0].endswith(program) and any(mark in word for word in words):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            continue
    raise LookupError(program)


def simulated(policy: bytes, jobs: int) -> float:
    """The processor time of a simulation of the same jobs under the same policy."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "policy.json")
        path.write_bytes(policy)
        snapshot = assemble(read((str(path),), known_schedulers()).manifests, known_schedulers()).snapshot
    trace = [
        TracedJob(
            f"job-{number:05}",
            _NAMESPACE,
            f"q{number % QUEUES}",
            0,
            (TracedPods("main", 1, {"cpu": 1000 * size_of(number)}),),
            duration=RUN * SECOND,
        )
        for number in range(jobs)
    ]
    simulate(scheduler_named("kueue"), snapshot, trace[:10])
    start = time.process_time()
    found = simulate(scheduler_named("kueue"), snapshot, trace)
    assert all(job.finished is not None for job in found.jobs)
    return time.process_time() - start


def peer_table(jobs: int) -> Iterator[Row]:
    """Plays the jobs on the living manager and in a simulation."""
    with ExitStack() as running:
        folder = running.enter_context(tempfile.TemporaryDirectory())
        started = running.enter_context(server(Path(folder)))
        running.enter_context(manager(started, fair=True, verbosity=1))
        create_policy(started.api)
        policy = state(started.api)
        before = [processor_seconds(started, name) for name in ("kueue-manager", "kube-apiserver")]
        elapsed = Played(started.api, jobs).run()
        after = [processor_seconds(started, name) for name in ("kueue-manager", "kube-apiserver")]
    ours = simulated(policy, jobs)
    theirs, serving = (end - start for start, end in zip(before, after, strict=True))
    yield Row(f"Kueue's manager, {jobs:,} jobs, seconds elapsed", elapsed)
    yield Row("  … ms of processor time for a job", 1000 * theirs / jobs)
    yield Row("  … of its API server", 1000 * serving / jobs)
    yield Row("simulation, ms of processor time for a job", 1000 * ours / jobs)
    yield Row("  … as a part of the manager's", ours / theirs, 1)


def main(arguments: list[str]) -> int:
    """Prints the table; 1 where a goal is missed, 2 where the programs are missing."""
    if absent := missing("kube-apiserver", "etcd", "kueue-manager"):
        print(f"not built: {absent}; see .ci/assets/build", file=sys.stderr)
        return 2
    rows = list(peer_table(int(arguments[0]) if arguments else 1_000))
    for row in rows:
        print(row, flush=True)
    return int(any(not row.holds for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
