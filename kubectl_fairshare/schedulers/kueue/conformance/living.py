"""Replays steps of a living Kueue: a dump of a cluster, a Job submitted next, and the result.

The replay loads the dump and plans the Job as the commands do. A living Kueue shows the stable state a moment later:
it considered all other workloads before and set them aside, so it considers the Job alone. A victim queues again, and
may be admitted again at once, in another flavor or in the quota that the Job leaves; then it is not a victim.
"""

import orjson

from kubectl_fairshare.input.assemble import Assembled, assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.choices import Choices, FirstChoices, over_choices
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Assignment
from kubectl_fairshare.schedulers.kueue.jobs import pending_of
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.ownership import workloads_of
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.reads import READS
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.schedulers.recording import POSSIBLE, manifest_of, manifests_of

MOST_CYCLES = 10_000
MOST_WAYS = 256


def replay(case: JsonObject) -> JsonObject:
    """The outcome of the case's Job, in the form of its ``expected``.

    Raises ``FairshareError`` for a dump that cannot be read, and for one that never becomes stable.
    """
    assembled = assemble(manifests_of(case["objects"], case["name"]), KnownSchedulers((READS,)))
    job = manifest_of(case["job"], Origin(case["name"], 0, ("job",)))
    workload = pending_of(job, assembled.snapshot.part(Context))
    owned = workloads_of(job, assembled.snapshot.manifests.values())
    snapshot = with_pending(assembled.snapshot, [workload], owned)
    engine = KueueEngine()
    plan = engine.plan(snapshot, workload)
    if plan.standing is not None and plan.standing.blocker is not None:
        return _waits(plan, None)  # Kueue does not consider it, so it records nothing
    state, probe = engine.state(snapshot), FirstChoices()

    def decide(chance: Choices) -> JsonObject:
        return _decision(assembled, state.with_chance(chance), workload, plan)

    answer = decide(probe)
    if not probe.asked:
        return answer
    possible = over_choices(decide, orjson.dumps, MOST_WAYS).results
    return answer if len(possible) < 2 else {**answer, POSSIBLE: list(possible)}


def _decision(assembled: Assembled, state: State, workload: Pending, plan: Plan) -> JsonObject:
    """What Kueue did with the workload, once nothing changes any more."""
    play = _play(assembled, state, workload)
    if not play.settle(MOST_CYCLES):
        raise FairshareError(Problem(f"not stable after {MOST_CYCLES} cycles", str(workload.key)))
    entry = play.entry_of(workload.key)
    if entry is None or entry.nomination.assignment is None:
        return _waits(plan, condition(plan).message)
    victims = [
        {
            "workload": evicted.target.holder.key.name,
            "job": _job_of(assembled.snapshot.manifests[evicted.target.holder.key]),
            "reason": str(evicted.target.reason),
        }
        for evicted in play.evictions
        if evicted.by.key == workload.key and play.entry_of(evicted.target.holder.key) is None
    ]
    return {
        "outcome": "preempts" if victims else "admitted",
        "clusterQueue": plan.nomination.cluster_queue,
        "assignment": _assignment(entry.nomination.assignment),
        "victims": victims,
        "message": None,
    }


def _waits(plan: Plan, message: str | None) -> JsonObject:
    queue = plan.nomination.cluster_queue
    return {"outcome": "waits", "clusterQueue": queue, "assignment": None, "victims": [], "message": message}


def _play(assembled: Assembled, state: State, workload: Pending) -> Play:
    """The play that starts with the workload alone; heads of StrictFIFO queues are never set aside."""
    eligible: dict[str, list[Pending]] = {}
    aside: dict[str, list[Pending]] = {}
    for name, queue in waiting(state).items():
        mine = [w for w in queue if w.key == workload.key]
        others = [w for w in queue if w.key != workload.key]
        strict = state.kueue.cluster_queues[name].queueing_strategy == "StrictFIFO"
        eligible[name] = mine + others if strict else mine
        aside[name] = [] if strict else others
    manifests, context = assembled.snapshot.manifests, assembled.snapshot.part(Context)
    return Play(
        state, eligible, context.default_created, lambda holder: pending_of(manifests[holder.key], context), aside
    )


def _job_of(workload: Manifest) -> str | None:
    owners: list[Json] = workload.data["metadata"].get("ownerReferences") or []
    return next((str(owner["name"]) for owner in owners if owner.get("controller")), None)


def _assignment(assignment: Assignment) -> list[JsonObject]:
    return [
        {
            "name": pod_set.name,
            "count": pod_set.count,
            "flavors": {resource: flavor for resource, (flavor, _) in pod_set.flavors.items()},
            "resourceUsage": {r: quantity.text(r, v) for r, v in pod_set.requests.items() if r in pod_set.flavors},
        }
        for pod_set in assignment.pod_sets
    ]
