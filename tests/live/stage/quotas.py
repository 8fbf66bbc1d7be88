"""Random quotas, nodes, budgets and pods for a living CapacityScheduling, small enough that room is often short."""

import random
from collections.abc import Iterator
from typing import Final

from tests.live.stage.server import Object

GPU: Final = "nvidia.com/gpu"
NAMESPACES: Final = ("north", "east", "south", "plain")
QUOTED: Final = NAMESPACES[:3]
CLASSES: Final = {"low": 10, "middle": 100, "high": 1000}
NEVER: Final = "waiting"
APPS: Final = ("web", "batch")
OVERHEAD: Final = {"cpu": "250m", "memory": "64Mi"}
SANDBOX: Final = "sandbox"


def classes() -> Iterator[tuple[str, Object]]:
    """PriorityClasses and a RuntimeClass: where each is created, and the object."""
    for name, value in CLASSES.items():
        yield "/apis/scheduling.k8s.io/v1/priorityclasses", {"metadata": {"name": name}, "value": value}
    waiting: Object = {"metadata": {"name": NEVER}, "value": 500, "preemptionPolicy": "Never"}
    yield "/apis/scheduling.k8s.io/v1/priorityclasses", waiting
    sandbox: Object = {"metadata": {"name": SANDBOX}, "handler": "none", "overhead": {"podFixed": OVERHEAD}}
    yield "/apis/node.k8s.io/v1/runtimeclasses", sandbox


class Cluster:
    """What one seed makes of a cluster, and the pods that come to it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.has_gpus = self._happens(0.5)
        self.greedy = self.chance.choice(QUOTED)

    def _happens(self, probability: float) -> bool:
        return self.chance.random() < probability

    def allocatable(self) -> Object:
        """What a node has."""
        amounts = {"cpu": str(self.chance.choice([4, 6, 8, 10])), "memory": self.chance.choice(["16Gi", "64Gi"])}
        if self.has_gpus and self._happens(0.7):
            amounts[GPU] = str(self.chance.choice([1, 2, 4]))
        return amounts

    def bounds(self) -> tuple[Object, Object | None]:
        """The min and the max of a quota; a max may be absent, or leave out what then is bounded by 0 or not at all."""
        low = {"cpu": str(self.chance.randint(2, 7)), "memory": "20Gi"}
        high = {"cpu": str(int(low["cpu"]) + self.chance.randint(0, 12)), "memory": "64Gi"}
        if self.has_gpus and self._happens(0.9):
            low[GPU] = str(self.chance.randint(1, 3))
            if self._happens(0.6):
                high[GPU] = str(int(low[GPU]) + self.chance.randint(0, 2))
        if self._happens(0.04):
            del high["memory"]
        return low, high if self._happens(0.8) else None

    def budgets(self) -> Iterator[tuple[str, str, int]]:
        """Disruption budgets: namespace, the app that each covers, and how many disruptions it allows."""
        for namespace in NAMESPACES:
            for app in APPS:
                if self._happens(0.5):
                    yield namespace, app, self.chance.choice([0, 0, 1, 2])

    def old_pod(self, name: str) -> Object:
        """A pod that is there before the scheduler is: small, and most often of the greedy namespace."""
        found = self.pod(name)
        for container in found["spec"]["containers"]:
            container["resources"] = {"requests": {"cpu": self.chance.choice(["500m", "1", "2"]), "memory": "1Gi"}}
        if self._happens(0.7):
            found["metadata"]["namespace"] = self.greedy
        return found

    def pod(self, name: str) -> Object:
        """A pod to submit; none of its containers ever runs, and it is gone at once when it is deleted."""
        main = {"cpu": self.chance.choice(["500m", "1", "1", "1", "2", "2", "3", "4"]), "memory": "1Gi"}
        if self.has_gpus and self._happens(0.3):
            main[GPU] = self.chance.choice(["1", "1", "2"])
        if self._happens(0.04):
            main["cpu"] = "9"
        if self._happens(0.04):
            main = {}
        spec: Object = {
            "containers": [self._container("main", main)],
            "terminationGracePeriodSeconds": 0,
            "automountServiceAccountToken": False,
        }
        if priority := self.chance.choice([None, *CLASSES, *CLASSES, NEVER]):
            spec["priorityClassName"] = priority
        if init := list(self._init()):
            spec["initContainers"] = init
        if self._happens(0.15):
            spec["runtimeClassName"] = SANDBOX
        metadata: Object = {"namespace": self.chance.choice(NAMESPACES), "name": name}
        if self._happens(0.8):
            metadata["labels"] = {"app": self.chance.choice(APPS)}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}

    def _init(self) -> Iterator[Object]:
        """Init containers, some of them sidecars."""
        while self._happens(0.15):
            requests = {"cpu": self.chance.choice(["500m", "1", "2", "4"]), "memory": "512Mi"}
            container = self._container(f"init-{self.chance.getrandbits(32)}", requests)
            yield {**container, "restartPolicy": "Always"} if self._happens(0.6) else container

    def _container(self, name: str, requests: Object) -> Object:
        """A container; limits stand for what they bound where nothing is requested, and must be equal for devices."""
        resources: Object = {"requests": requests} if requests else {}
        if GPU in requests:
            resources["limits"] = {GPU: requests[GPU]}
        return {"name": name, "image": "none", "resources": resources}
