"""Simulations on the state without any work: one step against the plan of the same job, and twice as long a time.

What gets in at once by its plan starts at the first moment, and what does not get in then never starts. Twice the time
changes no figure that is exact, and moves the others as their bounds say.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from tests.consistency.asking import Program
from tests.consistency.states import Manifest, State

_WORK: Final = ("Workload", "Pod", "PodGroup")
_ROUNDING: Final = 1e-9
_HARMLESS: Final = {"NodeScores", "AdmissionChecksOverTime"}
"""What makes a simulation not exact, and does not decide whether a job starts on an empty cluster."""


def simulated(state: State, program: Program) -> Iterator[str]:
    """Where plan and simulation differ about one job."""
    dice = Random(f"{state.name}/simulated")
    queue = _queue(state, dice)
    if queue is None:
        return
    file, (namespace, name) = _idle(state, program), queue
    resource, amount = _request(state, dice)
    asked = ("--request", f"{resource}={amount}", "-f", file)
    plan = program.ask("plan", *_of_queue(state.house, namespace, name), *asked).document
    job = {"name": "asked", "namespace": namespace, "queue": name, "duration": "30s", "requests": {resource: amount}}
    found = program.ask("simulate", "-f", file, "--scenario", _scenario(program, [job]), "--until", "1m")
    if not found.document and (plan.get("outcome") == "Unknown" or "no Node is in the input" in str(found.errors)):
        return  # nothing can be simulated where no queue is known, and nothing divided without a Node
    if not found.document or not plan:
        yield f"refused: simulate {found.errors}, plan {plan.get('verdict')}"
        return
    yield from _compared(plan, found.document)


def longer(state: State, program: Program) -> Iterator[str]:
    """Which figures twice the time changes though they are exact, or moves against their bounds."""
    dice = Random(f"{state.name}/longer")
    jobs = []
    for number in range(4):
        if (queue := _queue(state, dice)) is None:
            return
        resource, amount = _request(state, dice)
        job = {"name": f"j{number}", "namespace": queue[0], "queue": queue[1], "requests": {resource: amount}}
        jobs.append(job | {"at": f"{dice.randrange(40)}s", "duration": dice.choice(["5s", "30s", "2m"])})
    file, scenario = _idle(state, program), _scenario(program, jobs)
    once, twice = (
        program.ask("simulate", "-f", file, "--scenario", scenario, "--seeds", "2", "--until", until).document
        for until in ("45s", "90s")
    )
    if once and twice:
        yield from moved(_measures(once), _measures(twice))


def _measures(document: dict[str, Any]) -> dict[str, tuple[float, str]]:
    """The measures of the only policy, each with its bound."""
    return {each["name"]: (each["mean"], each["bound"]) for each in document["policies"][0]["measures"]}


def moved(before: dict[str, tuple[float, str]], after: dict[str, tuple[float, str]]) -> Iterator[str]:
    """The measures, each a value and its bound, that moved against their bounds."""
    for name, (value, bound) in before.items():
        if name not in after:
            yield f"{name} is {bound} {value}, and is not there in twice the time"
            continue
        then = after[name][0]
        rises, falls = then > value + _ROUNDING, then < value - _ROUNDING
        if (rises and bound in ("exact", "atMost")) or (falls and bound in ("exact", "atLeast")):
            yield f"{name} is {bound} {value}, and {then} in twice the time"


def _idle(state: State, program: Program) -> str:
    """A file of the state without work."""
    return program.file("empty", [each for each in state.objects if each["kind"] not in _WORK])


def _request(state: State, dice: Random) -> tuple[str, int]:
    """The resource and the amount of a job."""
    if state.house == "kai":
        return "nvidia.com/gpu", dice.choice([1, 2, 4])
    return "cpu", dice.choice([1, 2, 4, 8])


def _scenario(program: Program, jobs: list[dict[str, Any]]) -> str:
    """A file of jobs."""
    return program.document("scenario", {"apiVersion": "fairshare.dev/v1alpha1", "kind": "JobScenario", "jobs": jobs})


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
    leaves = leaf_queues(state)
    if not leaves:
        return None
    chosen = dice.choice(leaves)["metadata"]
    return chosen.get("namespace", "team"), chosen["name"]


def leaf_queues(state: State) -> list[Manifest]:
    """The queues that take work: those without queues below them."""
    kind = {"kueue": "LocalQueue", "kai": "Queue"}.get(state.house, "ElasticQuota")
    queues = [each for each in state.objects if each["kind"] == kind]
    parents = {_parent(each) for each in queues}
    return [each for each in queues if each["metadata"]["name"] not in parents]


def _parent(queue: Manifest) -> str:
    labels = queue["metadata"].get("labels", {})
    return str(queue.get("spec", {}).get("parentQueue") or labels.get("quota.scheduling.koordinator.sh/parent", ""))


def _of_queue(house: str, namespace: str, name: str) -> tuple[str, ...]:
    if house == "elasticquota":
        return "-n", namespace
    if house == "kueue":
        return "--queue", f"{namespace}/{name}"
    return "--queue", name, "-n", namespace
