"""One organisation in a living Kueue, with Jobs that come and go, and what became of them."""

import re
import time
from dataclasses import dataclass, field
from typing import Final

from kubectl_fairshare.schedulers.kueue.admission.topology_encoding import domains
from tests.live.plays.richer import RicherOrganisation
from tests.live.stage.applied import apply
from tests.live.stage.kueue import KUEUE
from tests.live.stage.scheduling_log import SchedulingLog
from tests.live.stage.server import Api, ApiError, Object, wait_until

JOBS: Final = "/apis/batch/v1"
_CORE: Final = {"nodes": "/api/v1/nodes", "pods": "/api/v1/namespaces/kube-system/pods"}
_NOBODY_COMES: Final = 60.0
_CONTENDED: Final = ("no longer fits after processing another workload", "Pending the preemption of")


@dataclass(frozen=True)
class Happened:
    """What Kueue did with a Job: its flavors once it has quota, whom it preempted for it, else its words.

    ``victims`` are those of the first preemption, for which it had been ``nominated`` in these flavors; ``more`` were
    preempted for it later, as others had taken the room, and ``back`` are those of all these that hold quota again.
    ``places`` are the pods of each pod set by domain, where a topology placed them. ``alternates`` are all that Kueue
    said of it, if that changes from cycle to cycle: a search for flavors may begin again and again. ``went_on``: the
    cycle that gave it quota went on in a search that an earlier one had begun.
    """

    flavors: dict[str, dict[str, str]] | None
    counts: dict[str, int]
    nominated: dict[str, dict[str, str]]
    victims: frozenset[str]
    more: frozenset[str]
    back: frozenset[str]
    words: str
    places: dict[str, dict[str, int]] = field(default_factory=dict)
    alternates: frozenset[str] = frozenset()
    went_on: bool = False

    @property
    def contended(self) -> bool:
        """Whether the room that the victims left was taken again before the Job could have it."""
        return bool(self.back or self.more) or is_contended(self.words)


class World:
    """An organisation, made in the cluster."""

    def __init__(self, api: Api, made: RicherOrganisation, log: SchedulingLog) -> None:
        self.api = api
        self.log = log
        self.made = made
        self.jobs = f"{JOBS}/namespaces/{made.namespace}/jobs"
        self.workloads = f"{KUEUE}/namespaces/{made.namespace}/workloads"
        self.local_queues = f"{KUEUE}/namespaces/{made.namespace}/localqueues"
        self._made: list[str] = []
        api.create("/api/v1/namespaces", {"metadata": {"name": made.namespace}})
        for plural, body in made.objects():
            if plural in _CORE:
                apply(api, [body])
                self._made.append(f"{_CORE[plural]}/{body['metadata']['name']}")
                continue
            path = self.local_queues if plural == "localqueues" else f"{KUEUE}/{plural}"
            api.create(path, body)
            self._made.append(f"{path}/{body['metadata']['name']}")
            if plural == "admissionchecks":
                self._activate(self._made[-1])
        for name in made.queues:
            wait_until(lambda name=name: self.serves(name), f"ClusterQueue {name} is active")

    def _activate(self, path: str) -> None:
        """Says of an AdmissionCheck what its controller would say."""
        ready = {"type": "Active", "status": "True", "reason": "Active", "message": "", "observedGeneration": 1}
        ready["lastTransitionTime"] = "2026-01-01T00:00:00Z"
        self.api.merge(f"{path}/status", {"status": {"conditions": [ready]}})

    def serves(self, name: str) -> bool:
        """Whether a LocalQueue and its ClusterQueue are in service."""
        return condition(self.api.get(f"{self.local_queues}/{name}"), "Active")[0] == "True"

    def close(self) -> None:
        """Takes all away again."""
        self.forget(list(self.all_workloads()))
        for path in reversed(self._made):
            self.api.delete(path)

    def all_workloads(self) -> dict[str, Object]:
        """The workloads by the Job that owns them."""
        items = self.api.get(self.workloads)["items"]
        return {w["metadata"]["ownerReferences"][0]["name"]: w for w in items if w["metadata"].get("ownerReferences")}

    def create(self, job: Object) -> None:
        """Creates a Job in a second of its own: Kueue orders those of one second by UID, or not at all."""
        time.sleep(1.02 - time.time() % 1)
        self.api.create(self.jobs, job)

    def submit(self, job: Object, *, admitted: bool) -> Happened:
        """Creates the Job and waits until Kueue is done with it."""
        self.create(job)
        return self.happened(job["metadata"]["name"], admitted=admitted)

    def happened(self, name: str, *, admitted: bool) -> Happened:
        """What became of a Job. One that is to be ``admitted`` has more time, if it is told to wait."""
        mine = self._settled(name, admitted=admitted)
        preempted = re.compile(rf"\(UID: {mine['metadata']['uid']}, ")
        found = self.all_workloads()
        first = self.log.first_preemption(mine["metadata"]["name"])
        issued = () if first is None else first.targets
        nominated = {} if first is None else _by_pod_set(first.flavors)
        victims = frozenset(job for job, w in found.items() if w["metadata"]["name"] in issued)
        ever = frozenset(job for job, w in found.items() if preempted.search(condition(w, "Preempted")[1]))
        back = frozenset(job for job in ever if holds_quota(found[job]))
        status, words = condition(mine, "QuotaReserved")
        if status != "True":
            said = self.log.messages(mine["metadata"]["name"])
            return Happened(None, {}, nominated, victims, ever - victims, back, words, alternates=said)
        assigned = mine["status"]["admission"]["podSetAssignments"]
        flavors = {a["name"]: a.get("flavors") or {} for a in assigned}
        counts = {a["name"]: a["count"] for a in assigned}
        placed = {a["name"]: _pods_by_domain(a["topologyAssignment"]) for a in assigned if "topologyAssignment" in a}
        went_on = self.log.went_on(mine["metadata"]["name"])
        return Happened(flavors, counts, nominated, victims, ever - victims, back, "", placed, went_on=went_on)

    def _settled(self, name: str, *, admitted: bool) -> Object:
        """The Job's workload once it holds quota, or has been told to wait for a while."""
        started = time.monotonic()
        waits_since: float | None = None
        while True:
            found = self.all_workloads().get(name)
            now = time.monotonic()
            status, words = condition(found, "QuotaReserved") if found is not None else ("", "")
            if found is not None and status == "True":
                return found
            if found is not None and words:
                waits_since = waits_since or now
                if now > waits_since + (0.5 if not admitted else 6 if is_contended(words) else 30):
                    return found
            assert words or now < started + _NOBODY_COMES, f"nothing was said of {name} in {_NOBODY_COMES} s"
            time.sleep(0.05)

    def forget_who_waits(self, but: str = "") -> None:
        """Takes all Jobs away that hold no quota, or no longer will, so that the next one is alone in asking."""
        while waiting := [n for n, w in self.all_workloads().items() if n != but and (not holds_quota(w) or leaves(w))]:
            self.forget(waiting)

    def forget(self, names: list[str]) -> set[str]:
        """Takes Jobs away; the names of the workloads that went with them."""
        gone = set()
        known = self.all_workloads()
        for name in names:
            self.api.delete(f"{self.jobs}/{name}?propagationPolicy=Background")
            if name in known:
                gone.add(known[name]["metadata"]["name"])
        for name in sorted(gone):
            wait_until(lambda name=name: self._is_gone(f"{self.workloads}/{name}"), f"{name} is gone")
        return gone

    def _is_gone(self, path: str) -> bool:
        try:
            found = self.api.get(path)
        except ApiError as error:
            return error.status == 404
        if found["metadata"].get("finalizers"):
            self.api.merge(path, {"metadata": {"finalizers": None}})
        self.api.delete(path)
        return False

    def is_at_rest(self) -> bool:
        """Whether nobody is on the way out, and what each queue counts is what there is."""
        found = list(self.all_workloads().values())
        if any(leaves(w) for w in found):
            return False
        for name in self.made.queues:
            queue = self.api.get(f"{KUEUE}/clusterqueues/{name}")["status"]
            mine = [w for w in found if self.made.cluster_queue(w["spec"]["queueName"]) == name]
            holding = sum(holds_quota(w) for w in mine)
            if (queue.get("reservingWorkloads", 0), queue.get("pendingWorkloads", 0)) != (holding, len(mine) - holding):
                return False
        return True


def _by_pod_set(flavors: dict[tuple[str, str], str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for (pod_set, resource), flavor in flavors.items():
        found.setdefault(pod_set, {})[resource] = flavor
    return found


def _pods_by_domain(assignment: Object) -> dict[str, int]:
    return {"/".join(map(str, domain["values"])): domain["count"] for domain in domains(assignment)}


def is_contended(words: str) -> bool:
    """Whether Kueue says that a workload waits for others that leave for it, or that others were faster."""
    return any(told in words for told in _CONTENDED)


def holds_quota(workload: Object) -> bool:
    return condition(workload, "QuotaReserved")[0] == "True"


def leaves(workload: Object) -> bool:
    return holds_quota(workload) and condition(workload, "Evicted")[0] == "True"


def condition(of: Object, kind: str) -> tuple[str, str]:
    """Status and message of a condition; empty while there is none."""
    for each in of.get("status", {}).get("conditions") or ():
        if each["type"] == kind:
            return each["status"], each.get("message", "")
    return "", ""
