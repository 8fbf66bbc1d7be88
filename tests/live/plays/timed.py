"""A play with a timetable on a living Kueue: Jobs arrive and end at whole seconds, and Kueue decides what runs.

Moments of the API have whole seconds, and Kueue looks at inadmissible Workloads again a second after quota is released.
So of every three seconds ends are played in the first, arrivals in the last: a trace of the play then has the order
in which things happened. A Job that is evicted starts from zero.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.live.stage.kueue import KUEUE
from tests.live.stage.organisation import API, PRIORITIES
from tests.live.stage.server import Api, Object

NAMESPACE: Final = "timed"
_QUEUES: Final = 4
_QUOTA: Final = 5
ROUND: Final = 3
_LONGEST: Final = 1800.0


@dataclass
class TimedJob:
    """A Job, the seconds that it needs, and when it was last let start (0: it waits)."""

    name: str
    queue: str
    cpu: int
    priority: str
    seconds: int
    since: int = 0
    over: bool = False


def timetable(jobs: int, seed: int, times: int = 1) -> list[TimedJob]:
    """The Jobs in the order of their arrival: few sizes, three priorities, 12 to 32 seconds, so many ``times``."""
    chance = random.Random(seed)
    names = list(PRIORITIES)
    return [
        TimedJob(
            f"job-{number:03}",
            f"timed-q{min(int(chance.random() ** 1.4 * _QUEUES), _QUEUES - 1)}",
            chance.choice((1, 1, 2, 2, 4)),
            chance.choices(names, (3, 5, 2))[0],
            chance.randrange(12, 33, 2) * times,
        )
        for number in range(jobs)
    ]


def create_policy(api: Api, reclaim: str = "Any", quota: int = _QUOTA) -> None:
    """One cohort of queues that borrow, reclaim, and prefer their own higher priorities; ``quota`` is of each."""
    api.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    api.create(f"{KUEUE}/resourceflavors", _object("ResourceFlavor", "timed-flavor", {}))
    for number in range(_QUEUES):
        name = f"timed-q{number}"
        nominal = {"name": "cpu", "nominalQuota": str(quota)}
        spec = {
            "cohortName": "timed-cohort",
            "namespaceSelector": {},
            "resourceGroups": [
                {"coveredResources": ["cpu"], "flavors": [{"name": "timed-flavor", "resources": [nominal]}]}
            ],
            "preemption": {"reclaimWithinCohort": reclaim, "withinClusterQueue": "LowerPriority"},
        }
        api.create(f"{KUEUE}/clusterqueues", _object("ClusterQueue", name, spec))
        local = _object("LocalQueue", name, {"clusterQueue": name})
        api.create(f"{KUEUE}/namespaces/{NAMESPACE}/localqueues", local)


def _object(kind: str, name: str, spec: Object) -> Object:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name}, "spec": spec}


class TimedPlay:
    """The play: call ``run`` once. Raises ``TimeoutError`` if the Jobs do not come to an end.

    A Job arrives ``every`` so many seconds, three or one. Once all have come, ``watch`` is called with the last second
    of each three: what ended in the first has been followed by what starts.
    """

    def __init__(
        self,
        api: Api,
        jobs: list[TimedJob],
        every: int = ROUND,
        watch: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.api = api
        self.jobs = jobs
        self._every = every
        self._watch = watch
        self._path = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"

    def run(self) -> None:
        """Round after round, until all Jobs have ended."""
        coming = list(reversed(self.jobs))
        over = time.monotonic() + _LONGEST
        while not all(job.over for job in self.jobs):
            if time.monotonic() > over:
                raise TimeoutError(f"{sum(not job.over for job in self.jobs)} jobs are left")
            second = self._next_second()
            if coming and second % self._every == self._every - 1:
                self._submit(coming.pop())
            elif not coming and second % ROUND == ROUND - 1:
                self._watch(second)
            if second % ROUND == 0:
                self._look()
                self._end(second)

    def _next_second(self) -> int:
        """Sleeps until just after the next whole second, and returns it."""
        time.sleep(1.01 - time.time() % 1)
        return int(time.time())

    def _submit(self, job: TimedJob) -> None:
        container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": str(job.cpu)}}}
        labels = {"kueue.x-k8s.io/queue-name": job.queue, "kueue.x-k8s.io/priority-class": job.priority}
        pod = {"restartPolicy": "Never", "containers": [container]}
        body = {"metadata": {"name": job.name, "labels": labels}, "spec": {"suspend": True, "template": {"spec": pod}}}
        self.api.create(self._path, body)

    def _look(self) -> None:
        """Which Jobs were let start, and which were stopped, since the last look."""
        by_name = {job.name: job for job in self.jobs}
        for workload in self.api.get(f"{KUEUE}/namespaces/{NAMESPACE}/workloads")["items"]:
            job = by_name[workload["metadata"]["ownerReferences"][0]["name"]]
            holds = {c["type"]: c for c in workload.get("status", {}).get("conditions") or () if c["status"] == "True"}
            job.over = job.over or "Finished" in holds
            admitted = holds.get("Admitted")
            job.since = _seconds(admitted["lastTransitionTime"]) if admitted else 0

    def _end(self, second: int) -> None:
        for job in self.jobs:
            if job.since and not job.over and second >= job.since + job.seconds:
                self._finish(job)

    def _finish(self, job: TimedJob) -> None:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        done = [
            {"type": kind, "status": "True", "reason": "CompletionsReached", "lastTransitionTime": now}
            for kind in ("SuccessCriteriaMet", "Complete")
        ]
        status: Object = {"active": 0, "ready": 0, "startTime": now, "completionTime": now, "succeeded": 1}
        self.api.merge(f"{self._path}/{job.name}/status", {"status": {**status, "conditions": done}})
        job.over = True


def _seconds(text: str) -> int:
    import calendar

    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))
