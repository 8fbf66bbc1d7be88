"""What keeps a Job from being considered, put in its way in a living cluster."""

from typing import Final

from tests.live.stage.gate import Gate
from tests.live.stage.kueue import KUEUE
from tests.live.stage.server import Object, wait_until
from tests.live.stage.world import World, condition

_LABEL: Final = "kueue.x-k8s.io/queue-name"
HELD: Final = "LocalQueue held"
ALL_HELD: Final = "ClusterQueue held"
INACTIVE: Final = "deactivated"
ASTRAY: Final = "LocalQueue missing"
UNQUEUED: Final = "no queue named"
OBSTACLES: Final = (HELD, ALL_HELD, INACTIVE, ASTRAY, UNQUEUED)


def obstruct(world: World, gate: Gate, job: Object, way: str) -> None:
    """Creates the Job so that Kueue does not consider it; nobody else waits then."""
    queue = job["metadata"]["labels"][_LABEL]
    if way in (HELD, ALL_HELD):
        path = f"{world.local_queues if way == HELD else f'{KUEUE}/clusterqueues'}/{queue}"
        world.api.merge(path, {"spec": {"stopPolicy": "Hold"}})
        wait_until(lambda: condition(world.api.get(path), "Active")[0] == "False", f"{queue} is held")
    if way == ASTRAY:
        job["metadata"]["labels"][_LABEL] = "nowhere"
    if way == UNQUEUED:
        del job["metadata"]["labels"][_LABEL]
    if way == INACTIVE:
        gate.shut()
    world.create(job)
    name = job["metadata"]["name"]
    if way != UNQUEUED:
        wait_until(lambda: name in world.all_workloads(), f"{name} has its workload")
    if way == INACTIVE:
        workload = world.all_workloads()[name]["metadata"]["name"]
        wait_until(lambda: world.log.is_queued(workload), f"{workload} is queued")
        world.api.merge(f"{world.workloads}/{workload}", {"spec": {"active": False}})
        gate.remove_plug()
        gate.open()
        wait_until(lambda: "deactivated" in condition(world.all_workloads()[name], "Evicted")[1], "it is out")
    world.forget_who_waits(but=name)


def release(world: World, job: Object, way: str) -> None:
    """Takes away what the Job's remedy may have left in its way."""
    if way == UNQUEUED and job["metadata"]["name"] not in world.all_workloads():
        world.api.delete(f"{world.jobs}/{job['metadata']['name']}?propagationPolicy=Background")
