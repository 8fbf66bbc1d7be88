"""A made-up organisation as large as real ones get: what ``kubectl get -o json`` would print of its cluster.

One tree of three levels (company, departments, teams), full to the brim: what some queues leave unused,
others borrow. Everything is drawn from one seed, so every run measures the same bytes.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

Object = dict[str, Any]
KUEUE: Final = "kueue.x-k8s.io/v1beta2"
FLAVORS: Final = ("reserved", "spot")
RESOURCES: Final = ("cpu", "memory", "nvidia.com/gpu")
ASKING: Final = "research"
_START: Final = datetime(2026, 3, 1, tzinfo=UTC)
_CONFIGURATION: Final = """\
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
integrations:
  frameworks:
  - batch/job
fairSharing:
  preemptionStrategies:
  - LessThanOrEqualToFinalShare
  - LessThanInitialShare
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How many there are of what. ``departments`` are among the cohorts, as is the company."""

    queues: int
    cohorts: int
    running: int
    departments: int

    def times(self, factor: int) -> "Size":
        """An organisation so many times as large, as deep as this one."""
        return Size(self.queues * factor, self.cohorts * factor, self.running * factor, self.departments * factor)

    @property
    def teams(self) -> int:
        """How many teams there are, over all departments."""
        return self.cohorts - 1 - self.departments


LARGE: Final = Size(queues=1_000, cohorts=100, running=10_000, departments=9)


@dataclass(slots=True)
class Organisation:
    """Draws the objects one after another.

    ``used`` sums what the workloads hold per flavor and resource, ``given`` what the queues have as quota.
    """

    size: Size
    seed: int = 20260301
    chance: random.Random = field(init=False)
    used: dict[tuple[str, str], int] = field(default_factory=dict)
    given: dict[tuple[str, str], int] = field(default_factory=dict)
    version: int = 1000

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def objects(self, *, heads: bool = False, behind: int = 0) -> list[Object]:
        """All objects; with ``heads`` every queue has one workload waiting, and so many more ``behind`` it."""
        queues = [queue for i in range(self.size.queues) for queue in self._queue(i)]
        running = [self._workload(i) for i in range(self.size.running)]
        waiting = [self._waiting(i) for i in range(self.size.queues * (1 + behind) if heads else 0)]
        cohorts = list(self._cohorts())  # after the workloads: the company owns what they use beyond the queues' quota
        return sorted([*self._surroundings(), *cohorts, *queues, *running, *waiting], key=_listing_order)

    def _metadata(self, name: str, namespace: str | None = None, **more: Any) -> Object:
        self.version += 1
        found: Object = {
            "creationTimestamp": self._moment(self.version),
            "generation": 1,
            "name": name,
            "resourceVersion": str(self.version),
            "uid": self._uid(),
            **more,
        }
        return found if namespace is None else found | {"namespace": namespace}

    def _uid(self) -> str:
        digits = f"{self.chance.getrandbits(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def _moment(self, second: int) -> str:
        return (_START + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def _surroundings(self) -> Iterator[Object]:
        for team in range(self.size.teams):
            name = f"team-{team:04}"
            labels = {"kubernetes.io/metadata.name": name}
            yield {"apiVersion": "v1", "kind": "Namespace", "metadata": self._metadata(name, labels=labels)}
        for flavor in FLAVORS:
            spec = {"nodeLabels": {"example.com/capacity": flavor}}
            yield {"apiVersion": KUEUE, "kind": "ResourceFlavor", "metadata": self._metadata(flavor), "spec": spec}
        metadata = self._metadata("kueue-manager-config", "kueue-system")
        data = {"controller_manager_config.yaml": _CONFIGURATION}
        yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}

    def _cohorts(self) -> Iterator[Object]:
        """The company holds as quota of its own what is used beyond the queues' quota, so nothing is left free."""
        beyond = {pair: max(0, self.used[pair] - self.given[pair]) for pair in sorted(self.used)}
        yield self._cohort("company", {"resourceGroups": [_group(beyond)]})
        for i in range(self.size.departments):
            weight = str(self.chance.choice((1, 1, 1, 2, 4)))
            if i == (self.size.teams - 1) % self.size.departments:  # those who ask may take from all others
                weight = "1000000"
            yield self._cohort(f"dept-{i:03}", {"parentName": "company", "fairSharing": {"weight": weight}})
        for i in range(self.size.teams):
            yield self._cohort(f"team-{i:04}", {"parentName": f"dept-{i % self.size.departments:03}"})

    def _cohort(self, name: str, spec: Object) -> Object:
        return {"apiVersion": KUEUE, "kind": "Cohort", "metadata": self._metadata(name), "spec": spec}

    def _queue(self, i: int) -> Iterator[Object]:
        """A ClusterQueue and its LocalQueue; the last one belongs to those who ask, and starts out empty."""
        last = i == self.size.queues - 1
        name = ASKING if last else f"queue-{i:05}"
        team = self.size.teams - 1 if last else i % self.size.teams
        share = 16 if last else self.chance.choice((1, 2, 3, 4))
        quotas = {(f, r): share * unit * part for f, part in zip(FLAVORS, (4, 2), strict=True) for r, unit in _UNITS}
        for pair, amount in quotas.items():
            self.given[pair] = self.given.get(pair, 0) + amount
        weight = "100" if last else str(self.chance.choice((1, 1, 1, 2, 3)))
        spec = {
            "cohortName": f"team-{team:04}",
            "fairSharing": {"weight": weight},
            "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
            "namespaceSelector": {},
            "preemption": {
                "borrowWithinCohort": {"policy": "Never"},
                "reclaimWithinCohort": "Any",
                "withinClusterQueue": "LowerPriority",
            },
            "queueingStrategy": "BestEffortFIFO",
            "resourceGroups": [_group(quotas)],
            "stopPolicy": "None",
        }
        status = {"conditions": [self._condition("Active", "Ready", "Can admit new workloads")]}
        yield _object("ClusterQueue", self._metadata(name), spec, status)
        local = {"clusterQueue": name, "stopPolicy": "None"}
        yield _object("LocalQueue", self._metadata(name, f"team-{team:04}"), local, status)

    def _condition(self, kind: str, reason: str, message: str) -> Object:
        return {
            "lastTransitionTime": self._moment(self.version + self.chance.randrange(600)),
            "message": message,
            "reason": reason,
            "status": "True",
            "type": kind,
        }

    def _workload(self, i: int) -> Object:
        """A running workload. Three queues in ten hold most of them, so those borrow."""
        queues = self.size.queues - 1
        queue = self.chance.randrange(queues)
        if queue % 10 > 2 and self.chance.random() < 0.6:
            queue -= queue % 10
        flavor = FLAVORS[self.chance.random() < 0.4]
        pods = self.chance.choice((1, 1, 2, 2, 3, 4))
        usage = {r: pods * unit for r, unit in _UNITS}
        for resource, amount in usage.items():
            self.used[flavor, resource] = self.used.get((flavor, resource), 0) + amount
        name, team = f"queue-{queue:05}", f"team-{queue % self.size.teams:04}"
        priority = self.chance.choice((0, 0, 0, 50, 100))
        spec = _specification(name, pods, priority)
        assignment = {
            "count": pods,
            "flavors": dict.fromkeys(RESOURCES, flavor),
            "name": "main",
            "resourceUsage": {r: _text(r, v) for r, v in usage.items()},
        }
        status = {
            "admission": {"clusterQueue": name, "podSetAssignments": [assignment]},
            "conditions": [
                self._condition("QuotaReserved", "QuotaReserved", f"Quota reserved in ClusterQueue {name}"),
                self._condition("Admitted", "Admitted", "The workload is admitted"),
            ],
        }
        return _object("Workload", self._job_metadata(f"train-{i:06}", team), spec, status)

    def _waiting(self, i: int) -> Object:
        queue = i % self.size.queues
        last = queue == self.size.queues - 1
        team = self.size.teams - 1 if last else queue % self.size.teams
        spec = _specification(ASKING if last else f"queue-{queue:05}", self.chance.choice((1, 2, 4)), 100)
        return _object("Workload", self._job_metadata(f"wait-{i:05}", f"team-{team:04}"), spec, {})

    def _job_metadata(self, job: str, namespace: str) -> Object:
        uid = self._uid()
        owner = {"apiVersion": "batch/v1", "blockOwnerDeletion": True, "controller": True, "kind": "Job", "name": job}
        labels, owners = {"kueue.x-k8s.io/job-uid": uid}, [{**owner, "uid": uid}]
        return self._metadata(f"job-{job}", namespace, labels=labels, ownerReferences=owners)


_GIBI: Final = 1 << 30
_UNITS: Final = (("cpu", 8), ("memory", 64), ("nvidia.com/gpu", 1))  # cores, GiB and devices of one pod


def _listing_order(made: Object) -> tuple[str, str, str]:
    """Kind by kind, each as the API server lists it: by namespace and name."""
    return made["kind"], made["metadata"].get("namespace", ""), made["metadata"]["name"]


def _text(resource: str, amount: int) -> str:
    return f"{amount}Gi" if resource == "memory" else str(amount)


def _object(kind: str, metadata: Object, spec: Object, status: Object) -> Object:
    return {"apiVersion": KUEUE, "kind": kind, "metadata": metadata, "spec": spec, "status": status}


def _group(quotas: dict[tuple[str, str], int]) -> Object:
    flavors = [
        {
            "name": flavor,
            "resources": [{"name": r, "nominalQuota": _text(r, quotas[flavor, r])} for r in RESOURCES],
        }
        for flavor in FLAVORS
    ]
    return {"coveredResources": list(RESOURCES), "flavors": flavors}


def _specification(queue: str, pods: int, priority: int) -> Object:
    template = {"metadata": {}, "spec": {"containers": [_container()], "restartPolicy": "Never"}}
    pod_set = {"count": pods, "name": "main", "template": template}
    return {"active": True, "podSets": [pod_set], "priority": priority, "queueName": queue}


def _container() -> Object:
    requests = {r: _text(r, unit) for r, unit in _UNITS}
    resources = {"requests": requests, "limits": {"nvidia.com/gpu": requests["nvidia.com/gpu"]}}
    return {"image": "registry.example/train:1", "name": "main", "resources": resources}


def flat(objects: Iterable[Object]) -> list[Object]:
    """The same with all queues in one cohort."""
    found = (each for each in objects if each["kind"] != "Cohort" or each["metadata"]["name"] == "company")
    return [
        each | {"spec": each["spec"] | {"cohortName": "company"}} if each["kind"] == "ClusterQueue" else each
        for each in found
    ]


def classical(objects: Iterable[Object]) -> list[Object]:
    """The same without fair sharing."""
    return [each for each in objects if each["kind"] != "ConfigMap"]


def listed(objects: list[Object]) -> bytes:
    """The objects as one ``List``, as ``kubectl get -o json`` prints it, without the white space."""
    return orjson.dumps({"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {"resourceVersion": ""}})


def with_other_policy(objects: list[Object]) -> list[Object]:
    """The same with a change that lets others than before take nearly all work: every tenth queue reclaims less."""
    return [
        _reclaiming_less(each) if each["kind"] == "ClusterQueue" and number % 10 == 0 else each
        for number, each in enumerate(objects)
    ]


def _reclaiming_less(queue: Object) -> Object:
    preemption = queue["spec"]["preemption"] | {"reclaimWithinCohort": "LowerPriority"}
    return queue | {"spec": queue["spec"] | {"preemption": preemption}}


def asking(organisation: Organisation, pods: int) -> Object:
    """A batch Job of ``pods`` pods that asks in the queue of the last department."""
    namespace = f"team-{organisation.size.teams - 1:04}"
    template = {"spec": {"containers": [_container()], "restartPolicy": "Never"}}
    metadata = {"name": f"ask-{pods}", "namespace": namespace, "labels": {"kueue.x-k8s.io/queue-name": ASKING}}
    spec = {"parallelism": pods, "completions": pods, "suspend": True, "template": template}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}
