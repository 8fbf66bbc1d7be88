"""A week of jobs over ClusterQueues in Cohorts, for measuring simulations. The same for a seed on every machine."""

from collections.abc import Iterator

import orjson

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.chance import Chance
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers import known_schedulers

SECOND = 10**9
WEEK = 7 * 24 * 3600
_GPU = "nvidia.com/gpu"
_API = "kueue.x-k8s.io/v1beta2"


class Week(Value, frozen=True):
    """``jobs`` over ``queues`` ClusterQueues in ``cohorts``; ``load`` is the part of all quota that they need."""

    jobs: int
    queues: int = 100
    cohorts: int = 10
    load: float = 0.95
    seed: int = 0

    def objects(self) -> Iterator[dict[str, object]]:
        """The policy: fair sharing, every queue may reclaim, and prefers its own high priorities."""
        yield {"apiVersion": _API, "kind": "ResourceFlavor", "metadata": {"name": "a100"}}
        yield {
            "apiVersion": "config.kueue.x-k8s.io/v1beta2",
            "kind": "Configuration",
            "fairSharing": {"preemptionStrategies": ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]},
        }
        for number in range(self.queues):
            name = f"queue-{number:03}"
            quota = [{"name": "cpu", "nominalQuota": 256}, {"name": _GPU, "nominalQuota": 32}]
            groups = [{"coveredResources": ["cpu", _GPU], "flavors": [{"name": "a100", "resources": quota}]}]
            preemption = {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"}
            spec = {
                "cohortName": f"cohort-{number % self.cohorts:02}",
                "namespaceSelector": {},
                "resourceGroups": groups,
                "preemption": preemption,
            }
            yield {"apiVersion": _API, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}
            metadata = {"namespace": f"team-{number:03}", "name": "main"}
            yield {"apiVersion": _API, "kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": name}}
            yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"team-{number:03}"}}

    def snapshot(self, folder: str) -> Snapshot:
        """The policy, read."""
        path = f"{folder}/policy.json"
        with open(path, "wb") as file:
            file.write(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": list(self.objects())}))
        return assemble(read((path,), schedulers=known_schedulers()).manifests, known_schedulers()).snapshot

    def trace(self) -> Iterator[TracedJob]:
        """The jobs: in bursts, of few sizes and two priorities, with durations that fill the quota to the load."""
        chance = Chance(self.seed)
        sizes = (1, 1, 1, 2, 2, 4, 8, 16)
        mean = WEEK * 32 * self.queues * self.load / self.jobs / (sum(sizes) / len(sizes))
        at = 0.0
        for number in range(self.jobs):
            at += chance.exponential(WEEK / self.jobs)
            size = sizes[chance.bits() % len(sizes)]
            queue = int(chance.fraction() ** 1.3 * self.queues)
            pods = TracedPods("main", size, {"cpu": 8000, _GPU: 1})
            yield TracedJob(
                f"job-{number:06}",
                f"team-{queue:03}",
                "main",
                created=int(at * SECOND),
                pod_sets=(pods,),
                priority=100 if chance.fraction() < 0.2 else 0,
                duration=max(SECOND, int(chance.exponential(mean) * SECOND)),
            )
