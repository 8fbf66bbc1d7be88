"""Workloads that need a place, on a living Kueue: what the next cycle does with them, told and done.

They hold quota already, or have a leader and workers. The gate is shut while they come to need it, so that all of them
are heads of one cycle.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.schedulers.kueue.admission.topology_encoding import domains
from kubectl_fairshare.schedulers.kueue.cycle.cycle import ProcessedHead, run_cycle
from kubectl_fairshare.schedulers.kueue.reads import READS
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of
from tests.live.plays.placed import BLOCK, HOST, RACK, PlacedOrganisation
from tests.live.plays.playing import Play
from tests.live.stage.kueue import state
from tests.live.stage.organisation import API
from tests.live.stage.server import Object, wait_until
from tests.live.stage.world import World, condition, holds_quota, leaves

_QUEUED_WITHIN: Final = 2.5
"""Seconds from the need of a place until Kueue has queued it: it waits for one."""
PROVISIONING: Final = "kueue.x-k8s.io/provisioning-request"
Places = dict[str, dict[str, int]]


class HostOrganisation(PlacedOrganisation):
    """Leaves are hosts, and no check has to pass."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seed = seed
        self.levels = [BLOCK, RACK, HOST]
        self.check = None

    def _nodes(self) -> Iterator[tuple[str, Object]]:
        """Nodes with room for the pods of a lost one."""
        amounts = {"cpu": "6", "memory": "24Gi", "pods": "110"}
        for plural, body in super()._nodes():
            if plural == "nodes":
                body["status"] |= {"allocatable": amounts, "capacity": amounts}
            yield plural, body

    def _asked(self, pods: int) -> dict[str, str]:
        """Few of the requests allow one rack alone, so that a node has a replacement."""
        if self.chance.random() < 0.3:
            return super()._asked(pods)
        kind = self.chance.choice(["preferred-topology", "required-topology", "unconstrained-topology"])
        return {f"kueue.x-k8s.io/podset-{kind}": "true" if kind.startswith("un") else BLOCK}


class ProvisionedOrganisation(HostOrganisation):
    """Nodes are provisioned first: a place is looked for once the check of all queues is ready."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.check = f"{self.prefix}-check"

    def objects(self) -> Iterator[tuple[str, Object]]:
        """The objects, with the controller of the check."""
        for plural, body in super().objects():
            if plural == "admissionchecks":
                body["spec"]["controllerName"] = PROVISIONING
            yield plural, body

    def _queue_spec(self) -> Object:
        spec = super()._queue_spec()
        return spec | {"admissionChecksStrategy": {"admissionChecks": [{"name": self.check}]}}


class Entry(NamedTuple):
    """What a cycle does with a workload that needs a place: Kueue's status, and where its pods are in the end."""

    status: str
    places: Places


def told(given: bytes, names: set[str]) -> dict[str, Entry]:
    """What the next cycle does with each of ``names``, and with what holds quota and needs a place, by its name."""
    objects = json.loads(given)["items"]
    snapshot = assemble(manifests_of(map(accepted_form, objects), "living"), KnownSchedulers((READS,))).snapshot
    entries = {entry.nomination.workload.key.name: entry for entry in run_cycle(state_of(snapshot)).entries}
    return {
        name: Entry(str(entry.status), _places(entry))
        for name, entry in entries.items()
        if name in names or entry.nomination.second is not None
    }


def _places(entry: ProcessedHead) -> Places:
    assignment = entry.nomination.assignment
    if assignment is None or str(entry.status) != "assumed" or entry.nomination.shrinks:
        return {}  # what shrinks is assumed, and the API server refuses it
    found = {p.name: p.topology for p in assignment.pod_sets if p.topology is not None}
    return {name: {"/".join(d.values): d.pods for d in place.domains} for name, place in found.items()}


def places_of(workload: Object) -> Places:
    """Where the pods of each pod set are."""
    assigned = workload.get("status", {}).get("admission", {}).get("podSetAssignments") or ()
    found = {a["name"]: a["topologyAssignment"] for a in assigned if a.get("topologyAssignment")}
    return {
        name: {"/".join(map(str, d["values"])): d["count"] for d in domains(place)} for name, place in found.items()
    }


def fill(play: Play, world: World, jobs: int) -> None:
    """Lets some Jobs come, and takes those away that do not get quota."""
    for number in range(jobs):
        world.submit(world.made.job(100 * play.number + number), admitted=False)
        world.forget_who_waits()
    wait_until(world.is_at_rest, "nobody is on the way out")


def through_cycle(play: Play, world: World, needs: Callable[[World], set[str]]) -> None:
    """Shuts the gate, lets ``needs`` do what makes workloads need a place, and compares what the cycle does to them.

    ``needs`` returns their names; of these some may be evicted at once.
    """
    living = play.living
    living.gate.shut()
    living.gate.remove_plug()
    names = needs(world)
    time.sleep(_QUEUED_WITHIN)
    given, number = state(living.api), living.log.current() + 1
    expected = told(given, names)
    if not living.gate.open():
        play.tally["too late"] += 1
        return
    if not expected:
        play.tally["none needs a place"] += 1
        return
    evaluated = living.log.cycle(number).evaluated
    play.tally.update(entry.status or "waits" for entry in expected.values())
    play.note(given, _differences(world, names, expected, {n: e.status for n, e in evaluated.items()}), evaluated)


def _differences(world: World, names: set[str], expected: dict[str, Entry], happened: dict[str, str]) -> Iterator[str]:
    statuses = {name: entry.status for name, entry in expected.items()}
    if statuses != {name: status for name, status in happened.items() if name in names | statuses.keys()}:
        yield f"told {statuses}, but it was {happened}"
        return
    for name, entry in expected.items():
        path = f"{world.workloads}/{name}"
        if entry.status == "assumed":
            wait_until(
                lambda path=path, entry=entry: _is_placed(world.api.get(path), entry), f"{name} has its place", 10
            )
        elif entry.status == "evicted":
            wait_until(lambda path=path: condition(world.api.get(path), "Evicted")[1] != "", f"{name} is evicted", 10)


def _is_placed(workload: Object, entry: Entry) -> bool:
    return places_of(workload) == entry.places and not workload["status"].get("unhealthyNodes")


def lose_a_node(world: World) -> set[str]:
    """Deletes a node on which workloads have pods; their names, once Kueue has noticed."""
    hosts = {name: _hosts(w) for name, w in world.all_workloads().items() if not leaves(w)}
    used = sorted({host for each in hosts.values() for host in each})
    if not used:
        return set()
    lost = world.made.chance.choice(used)
    owners = {name for name, each in hosts.items() if lost in each}
    world.api.delete(f"/api/v1/nodes/{lost}")
    wait_until(lambda: all(_is_marked(world.all_workloads()[name], lost) for name in owners), f"{lost} is missed")
    return {world.all_workloads()[name]["metadata"]["name"] for name in owners}


def _hosts(workload: Object) -> set[str]:
    return {host for place in places_of(workload).values() for host in place}


def _is_marked(workload: Object, lost: str) -> bool:
    marked = any(each["name"] == lost for each in workload["status"].get("unhealthyNodes") or ())
    return marked or condition(workload, "Evicted")[0] == "True"


def make_ready(world: World) -> set[str]:
    """Says of the checks of all workloads that wait for them what their controller would say; the names of these."""
    found = set()
    for workload in world.all_workloads().values():
        checks = workload.get("status", {}).get("admissionChecks") or ()
        if any(check["state"] == "Pending" for check in checks):
            ready = [check | {"state": "Ready", "message": "provisioned"} for check in checks]
            name = workload["metadata"]["name"]
            world.api.merge(f"{world.workloads}/{name}/status", {"status": {"admissionChecks": ready}})
            found.add(name)
    return found


def create_groups(world: World, number: int) -> set[str]:
    """Creates Workloads of a leader and workers that need one place together; their names."""
    chance, names = world.made.chance, set()
    assert isinstance(world.made, PlacedOrganisation)
    for queue in chance.sample(world.made.queues, chance.choice([1, 1, 2])):
        name = f"group-{number}-{queue}"
        request = {chance.choice(["required", "required", "preferred"]): chance.choice(world.made.levels)}
        pods = [("leader", 1), ("workers", chance.choice([1, 2, 3, 5]))]
        pod_sets = [_grouped(each, count, request, chance.choice(["500m", "1", "2"])) for each, count in pods]
        spec = {"queueName": queue, "priority": 0, "podSets": pod_sets}
        metadata = {"name": name, "namespace": world.made.namespace}
        time.sleep(1.02 - time.time() % 1)
        world.api.create(world.workloads, {"apiVersion": API, "kind": "Workload", "metadata": metadata, "spec": spec})
        names.add(name)
    return names


def _grouped(name: str, count: int, request: Object, cpu: str) -> Object:
    container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": cpu, "memory": "256Mi"}}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    asked = request | {"podSetGroupName": "group"}
    return {"name": name, "count": count, "template": template, "topologyRequest": asked}


def remove_groups(world: World, *, waiting: bool) -> None:
    """Deletes the Workloads that no Job owns; only those without quota where they are ``waiting``."""
    for found in world.api.get(world.workloads)["items"]:
        if found["metadata"].get("ownerReferences") or (waiting and holds_quota(found) and not leaves(found)):
            continue
        path = f"{world.workloads}/{found['metadata']['name']}"
        world.api.merge(path, {"metadata": {"finalizers": None}})
        world.api.delete(path)
