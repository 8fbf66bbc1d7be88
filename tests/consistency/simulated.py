"""One step of a simulation against the plan of the same job, on the state without any work.

What gets in at once by its plan starts at the first moment, and what does not get in then never starts.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tests.consistency.asking import Program
from tests.consistency.states import Manifest, State

_WORK: Final = ("Workload", "Pod", "PodGroup")
_HARMLESS: Final = {"NodeScores", "AdmissionChecksOverTime"}
"""What makes a simulation not exact, and does not decide whether a job starts on an empty cluster."""


def simulated(state: State, program: Program) -> Iterator[str]:
    """Where plan and simulation differ about one job."""
    dice = Random(f"{state.name}/simulated")
    queue = _queue(state, dice)
    if queue is None:
        return
    empty = [each for each in state.objects if each["kind"] not in _WORK]
    file, (namespace, name) = program.file("empty", empty), queue
    resource, amount = (
        ("nvidia.com/gpu", dice.choice([1, 2, 4])) if state.house == "kai" else ("cpu", dice.choice([1, 2, 4, 8]))
    )
    asked = ("--request", f"{resource}={amount}", "-f", file)
    plan = program.ask("plan", *_of_queue(state.house, namespace, name), *asked).document
    scenario = {
        "apiVersion": "fairshare.dev/v1alpha1",
        "kind": "JobScenario",
        "until": "1m",
        "jobs": [
            {"name": "asked", "namespace": namespace, "queue": name, "duration": "30s", "requests": {resource: amount}}
        ],
    }
    path = program.folder / "scenario.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    found = program.ask("simulate", "-f", file, "--scenario", str(path))
    if not found.document or not plan:
        yield f"refused: simulate {found.errors}, plan {plan.get('verdict')}"
        return
    yield from _compared(plan, found.document)


def _compared(plan: dict[str, Any], simulation: dict[str, Any]) -> Iterator[str]:
    gaps = {each["feature"] for each in simulation["fidelity"]["notModelled"]}
    if plan["outcome"] == "Unknown" or gaps - _HARMLESS:
        return
    (job,) = simulation["jobs"]
    starts = bool(job["admitted"]) and job["admitted"][0] == simulation["start"]
    if starts != (plan["outcome"] == "Admitted"):
        yield f"plan {plan['outcome']} ({plan['verdict']}), simulation: admitted {job['admitted']} {job['refused']}"


def _queue(state: State, dice: Random) -> tuple[str, str] | None:
    """The namespace and the name of a queue that takes work; None if there is none."""
    kind = {"kueue": "LocalQueue", "kai": "Queue"}.get(state.house, "ElasticQuota")
    queues = [each for each in state.objects if each["kind"] == kind]
    parents = {_parent(each) for each in queues}
    leaves = [each["metadata"] for each in queues if each["metadata"]["name"] not in parents]
    if not leaves:
        return None
    chosen = dice.choice(leaves)
    return chosen.get("namespace", "team"), chosen["name"]


def _parent(queue: Manifest) -> str:
    labels = queue["metadata"].get("labels", {})
    return str(queue.get("spec", {}).get("parentQueue") or labels.get("quota.scheduling.koordinator.sh/parent", ""))


def _of_queue(house: str, namespace: str, name: str) -> tuple[str, ...]:
    if house == "elasticquota":
        return "-n", namespace
    return "--queue", f"{namespace}/{name}" if house == "kueue" else name
