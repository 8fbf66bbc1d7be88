"""Random organisations and Jobs for a living Kueue, small enough that queues are often full or short of little."""

import random
from collections.abc import Iterator
from typing import Final

from tests.live.stage.server import Object

API: Final = "kueue.x-k8s.io/v1beta2"
RESOURCES: Final = ("cpu", "memory")
PRIORITIES: Final = {"low": -10, "normal": 0, "high": 100}


class Organisation:
    """One tree of cohorts with queues; every name begins with ``prefix``."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.prefix = f"o{seed}"
        self.namespace = f"{self.prefix}-team"
        self.flavors = [f"{self.prefix}-f{i}" for i in range(self.chance.choice([1, 2, 2]))]
        self.cohorts = [f"{self.prefix}-c{i}" for i in range(self.chance.choice([1, 2, 3]))]
        self.queues = [f"{self.prefix}-q{i}" for i in range(self.chance.choice([2, 3, 4]))]

    def objects(self) -> Iterator[tuple[str, Object]]:
        """What to create, in order: the plural of the kind and the object."""
        for name in self.flavors:
            yield "resourceflavors", self._object("ResourceFlavor", name, {})
        for i, name in enumerate(self.cohorts):
            spec: Object = {} if i == 0 else {"parentName": self.cohorts[self.chance.randrange(i)]}
            if self.chance.random() < 0.5:
                spec["resourceGroups"] = self._groups(limits=i > 0, most=2)
            if self.chance.random() < 0.5:
                spec["fairSharing"] = {"weight": self.chance.choice(["1", "2", "500m"])}
            yield "cohorts", self._object("Cohort", name, spec)
        for name in self.queues:
            yield "clusterqueues", self._object("ClusterQueue", name, self._queue_spec())
        for name in self.queues:
            queue = self._object("LocalQueue", name, {"clusterQueue": name})
            queue["metadata"]["namespace"] = self.namespace
            yield "localqueues", queue

    def _object(self, kind: str, name: str, spec: Object) -> Object:
        return {"apiVersion": API, "kind": kind, "metadata": {"name": name}, "spec": spec}

    def _groups(self, *, limits: bool, most: int) -> list[Object]:
        flavors = []
        for name in self.flavors:
            resources = []
            for resource in RESOURCES:
                amount = self.chance.randint(0, most)
                quota = {"name": resource, "nominalQuota": self._amount(resource, amount)}
                if limits and self.chance.random() < 0.25:
                    quota["borrowingLimit"] = self._amount(resource, self.chance.randint(0, 3))
                if limits and self.chance.random() < 0.25:
                    quota["lendingLimit"] = self._amount(resource, self.chance.randint(0, amount))
                resources.append(quota)
            flavors.append({"name": name, "resources": resources})
        return [{"coveredResources": list(RESOURCES), "flavors": flavors}]

    def _amount(self, resource: str, amount: int) -> str:
        return str(amount) if resource == "cpu" else f"{2 * amount}Gi"

    def _queue_spec(self) -> Object:
        reclaim = self.chance.choice(["Never", "LowerPriority", "Any", "Any"])
        preemption: Object = {
            "withinClusterQueue": self.chance.choice(["Never", "LowerPriority", "LowerOrNewerEqualPriority"]),
            "reclaimWithinCohort": reclaim,
        }
        if reclaim != "Never" and self.chance.random() < 0.3:
            preemption["borrowWithinCohort"] = {"policy": "LowerPriority"}
        spec: Object = {
            "namespaceSelector": {},
            "cohortName": self.chance.choice(self.cohorts),
            "queueingStrategy": "BestEffortFIFO",
            "preemption": preemption,
            "resourceGroups": self._groups(limits=True, most=5),
        }
        if self.chance.random() < 0.5:
            spec["fairSharing"] = {"weight": self.chance.choice(["1", "2", "3", "500m"])}
        if self.chance.random() < 0.4:
            spec["flavorFungibility"] = {
                "whenCanBorrow": self.chance.choice(["MayStopSearch", "TryNextFlavor"]),
                "whenCanPreempt": self.chance.choice(["MayStopSearch", "TryNextFlavor"]),
            }
        return spec

    def cluster_queue(self, local: str) -> str:
        """The ClusterQueue that a LocalQueue leads to."""
        return local

    def job(self, number: int) -> Object:
        """A Job to submit."""
        pods = self.chance.choice([1, 1, 2, 3])
        cpu, memory = self.chance.choice(["1", "1", "2", "500m", "4"]), self.chance.choice(["1Gi", "2Gi"])
        labels = {"kueue.x-k8s.io/queue-name": self.chance.choice(self.queues)}
        if (priority := self.chance.choice([None, *PRIORITIES])) is not None:
            labels["kueue.x-k8s.io/priority-class"] = priority
        container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": cpu, "memory": memory}}}
        metadata: Object = {"namespace": self.namespace, "name": f"{self.prefix}-job-{number}", "labels": labels}
        if pods > 1 and self.chance.random() < 0.3:
            metadata["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "1"}
        return {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": metadata,
            "spec": {
                "suspend": True,
                "parallelism": pods,
                "completions": pods,
                "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
            },
        }
