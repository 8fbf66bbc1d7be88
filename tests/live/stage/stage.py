"""One situation on a living cluster: a namespace with flavors, queues and Jobs of its own, all named at random."""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from tests.live.stage.kueue import KUEUE
from tests.live.stage.organisation import API
from tests.live.stage.server import Api, ApiError, Object

LABEL: Final = "kueue.x-k8s.io"
_WORDS: Final = (
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "flint",
    "grove",
    "haven",
    "iris",
    "jade",
    "kelp",
    "linen",
)
_SETTLES: Final = 120.0


class Queue(NamedTuple):
    """A ClusterQueue and the LocalQueue that leads to it."""

    name: str
    local: str


class Row(NamedTuple):
    """What is known of a Job: the verdict, the object that binds, and who else has a part in it.

    ``untold``: what Kueue recorded may be older than the state, and nothing makes it write anew.
    """

    name: str
    verdict: str
    where: str = ""
    more: dict[str, str] = {}  # noqa: RUF012 -- read only
    untold: bool = False


class Stage:
    """Makes the objects of one situation. Raises ``TimeoutError`` where Kueue does not do what is waited for."""

    def __init__(self, api: Api, seed: int | str) -> None:
        self.api = api
        self.chance = random.Random(seed)
        self.tag = f"{self.chance.choice(_WORDS)}-{self.chance.choice(_WORDS)}-{self.chance.randrange(16**5):05x}"
        self.namespace = f"team-{self.tag}"
        self._used: set[str] = set()
        metadata = {"name": self.namespace, "labels": {"team": self.tag}}
        api.create("/api/v1/namespaces", {"metadata": metadata})

    def create(self, path: str, body: Object) -> None:
        """Creates an object; a webhook that was too busy to answer is asked again."""
        deadline = time.monotonic() + _SETTLES
        while True:
            try:
                self.api.create(path, body)
            except ApiError as error:
                if error.status < 500 or time.monotonic() > deadline:
                    raise
            else:
                return

    def name(self) -> str:
        """A name that no object of the situation has."""
        while (found := f"{self.chance.choice(_WORDS)}-{self.chance.randrange(100)}") in self._used:
            pass
        self._used.add(found)
        return f"{self.tag}-{found}"

    def kueue(self, kind: str, name: str, spec: Object, *, namespaced: bool = False, **more: object) -> str:
        """Creates an object of Kueue's."""
        body = {"apiVersion": API, "kind": kind, "metadata": {"name": name}, "spec": spec, **more}
        place = f"namespaces/{self.namespace}/" if namespaced else ""
        self.create(f"{KUEUE}/{place}{kind.lower()}{'es' if kind.endswith('s') else 's'}", body)
        return name

    def flavor(self, **spec: object) -> str:
        return self.kueue("ResourceFlavor", self.name(), spec)

    def cohort(self, parent: str = "", name: str = "", **more: object) -> str:
        spec = {"parentName": parent, **more} if parent else dict(more)
        return self.kueue("Cohort", name or self.name(), spec)

    def groups(self, flavors: Iterable[str], cpu: int, resource: str = "cpu", **limits: int) -> list[Object]:
        """One resource group: ``cpu`` in each flavor, with ``borrowingLimit`` and ``lendingLimit``."""
        quota = {"name": resource, "nominalQuota": str(cpu), **{k: str(v) for k, v in limits.items()}}
        return [{"coveredResources": [resource], "flavors": [{"name": f, "resources": [quota]} for f in flavors]}]

    def queue(self, groups: list[Object], cohort: str = "", **spec: object) -> Queue:
        """A ClusterQueue that is open to all namespaces, unless ``spec`` says other, with a LocalQueue."""
        whole: Object = {
            "namespaceSelector": {},
            "resourceGroups": groups,
            **({"cohortName": cohort} if cohort else {}),
        }
        name = self.kueue("ClusterQueue", self.name(), {**whole, **spec})
        return Queue(name, self.local(name))

    def local(self, queue: str, **spec: object) -> str:
        """A LocalQueue; returns once Kueue has seen it."""
        name = self.kueue("LocalQueue", self.name(), {"clusterQueue": queue, **spec}, namespaced=True)
        path = f"{KUEUE}/namespaces/{self.namespace}/localqueues/{name}"
        wait(lambda: condition(self.api.get(path), "Active") != ("", ""), f"Kueue has seen LocalQueue {name}")
        return name

    def patch(self, plural: str, name: str, body: Object, *, namespaced: bool = False) -> None:
        place = f"namespaces/{self.namespace}/" if namespaced else ""
        self.api.merge(f"{KUEUE}/{place}{plural}/{name}", body)

    def priorities(self, *values: int) -> list[str]:
        """A WorkloadPriorityClass for each value."""
        found = []
        for value in values:
            name = self.name()
            body = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
            self.create(f"{KUEUE}/workloadpriorityclasses", body)
            found.append(name)
        return found

    # --- Jobs

    @property
    def jobs(self) -> str:
        return f"/apis/batch/v1/namespaces/{self.namespace}/jobs"

    def job(self, local: str, cpu: int | str = 1, pods: int = 1, **more: Object) -> str:
        """A Job of pods that request ``cpu``.

        ``more``: ``labels``, ``annotations``, ``metadata``, ``spec``, ``pod`` (its spec), ``requests``, ``resources``.
        """
        name = f"{self.chance.choice(_WORDS)}-{self.chance.randrange(10**6)}"
        requests = more.get("requests", {"cpu": str(cpu)})
        resources = {"requests": requests, **more.get("resources", {})}
        container = {"name": "main", "image": "none", "resources": resources}
        labels = {**({f"{LABEL}/queue-name": local} if local else {}), **more.get("labels", {})}
        metadata = {
            "name": name,
            "labels": labels,
            "annotations": more.get("annotations", {}),
            **more.get("metadata", {}),
        }
        pod = {"restartPolicy": "Never", "containers": [container], **more.get("pod", {})}
        spec = {"suspend": True, "parallelism": pods, "completions": pods, "template": {"spec": pod}}
        self.create(self.jobs, {"metadata": metadata, "spec": {**spec, **more.get("spec", {})}})
        return name

    def admitted(self, local: str, cpu: int | str = 1, pods: int = 1, **more: Object) -> str:
        """A Job that Kueue has let start."""
        name = self.job(local, cpu, pods, **more)
        self.until(name, lambda w: condition(w, "Admitted")[0] == "True")
        return name

    def running(self, local: str, cpu: int | str = 1, pods: int = 1, **more: Object) -> str:
        """A Job with pods that run: evicted, it keeps its quota until they are gone."""
        name = self.admitted(local, cpu, pods, **more)
        wait(lambda: self.api.get(f"{self.jobs}/{name}")["spec"]["suspend"] is False, f"{name} starts")
        self.pods(name, pods)
        return name

    def next_second(self) -> None:
        """Of two Jobs of one second Kueue takes either first."""
        time.sleep(1.02 - time.time() % 1)

    def pods(self, name: str, count: int) -> None:
        """Tells of a Job that so many of its pods run."""
        status: Object = {"active": count, "ready": count}
        if count:
            status["startTime"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.api.merge(f"{self.jobs}/{name}/status", {"status": status})

    def finish(self, name: str, kinds: Sequence[str] = ("SuccessCriteriaMet", "Complete")) -> None:
        """Tells of a Job that it has ended: complete, unless other ``kinds`` of conditions are given."""
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        started = self.api.get(f"{self.jobs}/{name}")["status"].get("startTime", now)
        done = [
            {"type": kind, "status": "True", "reason": "CompletionsReached", "lastTransitionTime": now}
            for kind in kinds
        ]
        status: Object = {"active": 0, "ready": 0, "startTime": started, "conditions": done}
        if "Complete" in kinds:
            status |= {"succeeded": 1, "completionTime": now}
        self.api.merge(f"{self.jobs}/{name}/status", {"status": status})
        self.until(name, lambda w: condition(w, "Finished")[0] == "True")

    def workload(self, job: str) -> Object | None:
        """The Workload of a Job, None where there is none."""
        for found in self.api.get(f"{KUEUE}/namespaces/{self.namespace}/workloads")["items"]:
            owners = found["metadata"].get("ownerReferences") or ()
            if any(owner["name"] == job for owner in owners):
                return dict(found)
        return None

    def workload_name(self, job: str) -> str:
        self.until(job, lambda _: True)
        found = self.workload(job)
        assert found is not None
        return str(found["metadata"]["name"])

    def until(self, job: str, holds: Callable[[Object], bool]) -> None:
        """Waits until the Workload of a Job is so."""

        def is_so() -> bool:
            found = self.workload(job)
            return found is not None and holds(found)

        try:
            wait(is_so, job)
        except TimeoutError:
            raise TimeoutError(f"{job} stays {(self.workload(job) or {}).get('status')}") from None

    def gone(self, path: str, name: str) -> None:
        """Deletes an object of the list at ``path``, and waits until it is gone. Kueue tells its jobs late or never."""
        self.api.delete(f"{path}/{name}")
        wait(lambda: name not in {each["metadata"]["name"] for each in self.api.get(path)["items"]}, name)

    def told(self, job: str, words: str = "") -> str:
        """Waits until Kueue has told of a Job why it has no quota, in ``words``; its name."""
        self.until(
            job, lambda w: condition(w, "QuotaReserved")[0] == "False" and words in condition(w, "QuotaReserved")[1]
        )
        return job

    def queued(self, local: str) -> str:
        """A Job that has a Workload, whether Kueue has told of it or not."""
        name = self.job(local)
        self.until(name, lambda _: True)
        return name

    def waits(self, local: str, cpu: int | str = 1, pods: int = 1, **more: Object) -> str:
        """A Job of which Kueue has told why it has no quota."""
        return self.told(self.job(local, cpu, pods, **more))


def wait(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + _SETTLES
    while time.monotonic() < deadline:
        with suppress(ApiError):
            if holds():
                return
        time.sleep(0.1)
    raise TimeoutError(what)


def condition(workload: Object, kind: str) -> tuple[str, str]:
    """Status and message of a condition; empty while there is none."""
    for each in workload.get("status", {}).get("conditions") or ():
        if each["type"] == kind:
            return each["status"], each.get("message", "")
    return "", ""
