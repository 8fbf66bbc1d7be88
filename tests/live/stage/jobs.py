"""Random pods and their surroundings, of which jobs of every kind are made."""

import random
from collections.abc import Sequence
from typing import Final

from tests.live.stage.server import Object

KUEUE: Final = "kueue.x-k8s.io"
QUEUE: Final = "main"
WORKLOAD_CLASSES: Final = {"wpc-low": -5, "wpc-high": 50}
POD_CLASSES: Final = {"pc-low": -20, "pc-high": 1000}
RUNTIME_CLASS: Final = {"name": "sandboxed", "overhead": {"cpu": "250m", "memory": "64Mi"}}
RESOURCES: Final = ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "example.com/token")
LIMITS: Final[dict[str, list[Object]]] = {
    "plain": [],
    "defaults": [
        {
            "type": "Container",
            "default": {"cpu": "2", "memory": "1G"},
            "defaultRequest": {"cpu": "0.3", "memory": "300M"},
        },
        {"type": "Pod", "max": {"cpu": "64"}},
    ],
    "strict": [{"type": "Container", "min": {"memory": "32Mi"}, "max": {"cpu": "6", "memory": "48Gi"}}],
}


class Made:
    """What is to be created for one job, in order; the last of ``objects`` is asked about."""

    def __init__(self, kind: str, *objects: Object) -> None:
        self.kind = kind
        self.objects = objects

    @property
    def asked(self) -> Object:
        return self.objects[-1]


class Jobs:
    """Parts of jobs, by chance."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(seed)

    def begin(self, kind: str, number: int) -> None:
        """Turns to one job; what it is like hangs on the seed, its kind and its number alone."""
        self.chance = random.Random(f"{self.seed}/{kind}/{number}")
        self.namespace = self.chance.choice(list(LIMITS))
        self.name = f"{kind.lower()}-{self.seed}-{number}"

    def some(self, odds: float) -> bool:
        return self.chance.random() < odds

    def metadata(self, **more: Object) -> Object:
        labels = {f"{KUEUE}/queue-name": QUEUE}
        if self.some(0.3):
            labels[f"{KUEUE}/priority-class"] = self.chance.choice(list(WORKLOAD_CLASSES))
        return {"name": self.name, "namespace": self.namespace, "labels": labels, **more}

    def amount(self, resource: str) -> str:
        if resource == "cpu":
            return self.chance.choice(["1", "0.5", "250m", "1500m", "2", "3", "1e0", "100m"])
        if resource == "memory":
            return self.chance.choice(["1Gi", "512Mi", "2G", "1.5Gi", "100M", "1e9", "128974848", "0.5Gi"])
        if resource == "ephemeral-storage":
            return self.chance.choice(["1Gi", "10Gi", "500M"])
        return self.chance.choice(["1", "2", "4"])

    def amounts(self) -> Object:
        odds = {"cpu": 0.8, "memory": 0.7, "ephemeral-storage": 0.1}
        return {r: self.amount(r) for r, chance in odds.items() if self.some(chance)}

    def resources(self) -> Object:
        found: Object = {}
        requests = self.amounts()
        if requests and self.some(0.85):
            found["requests"] = requests
        limits: Object = {}
        if self.some(0.3):
            limits = {r: "8" if r == "cpu" else "64Gi" for r in requests if self.some(0.7)}
        if self.some(0.2):
            limits["nvidia.com/gpu"] = self.amount("nvidia.com/gpu")
            if self.some(0.5):
                found["requests"] = {**found.get("requests", {}), "nvidia.com/gpu": limits["nvidia.com/gpu"]}
        if limits:
            found["limits"] = limits
        return found

    def container(self, name: str, **more: str) -> Object:
        found: Object = {"name": name, "image": f"registry.example/{name}:1", "resources": self.resources(), **more}
        if self.some(0.2):
            found["ports"] = [{"containerPort": self.chance.choice([80, 8080])}]
            if self.some(0.5):
                found["ports"][0] |= {"name": "p", "protocol": "UDP"}
        return found

    def pod(self, main: str = "main", *, restart: str = "", overhead: bool = True) -> Object:
        spec: Object = {"containers": [self.container(main)]}
        spec["containers"] += [self.container(f"side{i}") for i in range(self.chance.choice([0, 0, 0, 1, 2]))]
        if self.some(0.35):
            kinds: Sequence[dict[str, str]] = ({}, {"restartPolicy": "Always"})
            count = self.chance.choice([1, 2, 3])
            spec["initContainers"] = [self.container(f"init{i}", **self.chance.choice(kinds)) for i in range(count)]
        if restart:
            spec["restartPolicy"] = restart
        if overhead and self.some(0.2):
            spec["runtimeClassName"] = RUNTIME_CLASS["name"]
        if self.some(0.3):
            spec["priorityClassName"] = self.chance.choice(list(POD_CLASSES))
        return {**spec, **self.placement()}

    def placement(self) -> Object:
        found: Object = {}
        if self.some(0.2):
            found["nodeSelector"] = {"pool": self.chance.choice("ab"), "zone": "z"}
        if self.some(0.2):
            found["tolerations"] = [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]
        if self.some(0.15):
            terms = [{"matchExpressions": [{"key": "arch", "operator": "In", "values": ["amd64", "arm64"]}]}]
            required = {"nodeSelectorTerms": terms}
            found["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
        elif self.some(0.15):
            term = {"labelSelector": {"matchLabels": {"b": "x", "a": "y"}}, "topologyKey": "zone"}
            weighted = [{"weight": 7, "podAffinityTerm": term}]
            found["affinity"] = {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": weighted}}
        return found

    def template(self, main: str = "main", *, restart: str = "") -> Object:
        labels = {"metadata": {"labels": {"app": "x"}}} if self.some(0.3) else {}
        return {**labels, "spec": self.pod(main, restart=restart)}

    def count(self, least: int = 1, most: int = 6) -> int:
        return self.chance.randint(least, most)

    def job_spec(self) -> Object:
        spec: Object = {"template": self.template(restart="Never")}
        if self.some(0.8):
            spec["parallelism"] = self.count()
        if self.some(0.5):
            spec["completions"] = self.count(1, 8)
        return spec


def whole(api: str, kind: str, metadata: Object, spec: Object) -> Object:
    """An object of these parts."""
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}
