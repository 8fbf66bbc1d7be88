"""What each answer says of itself, and what a sequence of ends and cycles does to what it says.

Every document has a reason where it is not exact, and the exit code that it names. What can never run does not run
after others got in and ended; what waits runs once nothing else is there.
"""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from kubectl_fairshare.jobs.node_demand import PASSING_TAINTS
from tests.consistency.asking import Program, Reply
from tests.consistency.chances import of_chance
from tests.consistency.states import Manifest, State, work_of

GETS_IN: Final = ("Admitted", "Preempts")
_CODES: Final = {"Admitted": 0, "Preempts": 0, "Waits": 4, "Never": 4, "Unknown": 5}
_STEPS: Final = 4
"""The taints that come and go with the state of a node."""
_FORMS: Final = ("text", "wide", "markdown", "yaml")


def of_itself(asked: tuple[str, ...], reply: Reply) -> Iterator[str]:
    """Where an answer contradicts itself: its exit code, its outcome, its claim to be exact."""
    words, document = " ".join(asked[:2]), reply.document
    if reply.code not in (0, 1, 2, 3, 4, 5):
        yield f"{words}: exit {reply.code}: {reply.errors}"
    fidelity = document.get("fidelity") or {}
    if not fidelity:
        return
    doubts = [each["feature"] for each in fidelity["notModelled"] if each.get("touches", True)]
    by_chance = fidelity.get("outcomes", 1) != 1 or not fidelity.get("allOutcomes", True)
    by_rules = fidelity.get("grade") == "by rules" and fidelity["laterChanges"]
    if not fidelity["exact"] and not (doubts or by_chance or by_rules):
        yield f"{words}: not exact, and no reason: {fidelity}"
    if fidelity["exact"] and [each for each in fidelity["notModelled"] if each.get("touches")]:
        yield f"{words}: exact, although {doubts} can change it"
    if document.get("kind") == "Plan":
        if reply.code != _CODES[document["outcome"]]:
            yield f"{words}: exit {reply.code} for {document['outcome']}"
        if fidelity["exact"] and document["outcome"] == "Unknown" and not by_chance:
            yield f"{words}: Unknown, exact"
    yield from (f"{words}: {found}" for found in of_chance(document, doubts))
    if document.get("kind") == "Why" and (reply.code == 5) != (document["verdict"] == "Unknown"):
        yield f"{words}: exit {reply.code} for {document['verdict']}"


def in_another_form(program: Program, state: State, commands: list[tuple[str, ...]]) -> Iterator[str]:
    """One of the commands ends with the same exit code in another form: other states draw the others."""
    dice = Random(f"{state.name}/forms")
    words, form = dice.choice(commands), dice.choice(_FORMS)
    known = program.ask(*words)
    found = program.ask(*words, "-o", form, as_json=False)
    if found.code != known.code and not (found.code == 2 and "-o" in found.errors):
        yield f"{words[0]} -o {form}: exit {found.code} {found.errors[:200]}, -o json {known.code}"


def sequences(state: State, dice: Random) -> Iterator[tuple[State, str]]:
    """States that follow one another: running work ends, then work that waits leaves, until nothing is there.

    In the last one all nodes are in service.
    """
    running = sorted({work_of(each) for each in state.running})
    waiting = sorted(_waiting(state) - {*running})
    dice.shuffle(running)
    dice.shuffle(waiting)
    for step in range(1, _STEPS + 1):
        ended = running[: len(running) * step // _STEPS]
        gone = waiting[: len(waiting) * (step - 1) // (_STEPS - 1)]
        yield without(state, {*ended, *gone}), f"{len(ended)} ended, {len(gone)} left"
    yield in_service(alone(state)), "all ended, all left, all nodes in service"


def _waiting(state: State) -> set[str]:
    return {work_of(each) for each in state.objects if each["kind"] in ("Workload", "PodGroup", "Pod")}


def pending(state: State) -> dict[str, list[Manifest]]:
    """The objects of work that is not running, by its name."""
    works: dict[str, list[Manifest]] = {}
    running = state.running
    for each in state.objects:
        if each["kind"] in ("Workload", "PodGroup", "Pod") and each not in running:
            works.setdefault(work_of(each), []).append(each)
    return works


def without(state: State, names: set[str]) -> State:
    """The state without the work of these names."""
    kinds = ("Workload", "PodGroup", "Pod")
    return state.having([o for o in state.objects if o["kind"] not in kinds or work_of(o) not in names])


def alone(state: State) -> State:
    """The state without any work."""
    return without(state, _waiting(state))


def is_presumed(document: dict[str, Any]) -> bool:
    """Whether the answer rests on the scheduler's plugin alone: the pod that shows that it runs was deleted."""
    return {each["feature"] for each in document["fidelity"]["notModelled"] if each["touches"]} == {"PluginPresumed"}


def later(state: State, name: str) -> Iterator[State]:
    """States of which one takes work that waits, with all nodes in service: without other work, or with some of it.

    What others ask for may be what a quota gets its amounts by.
    """
    yield in_service(alone(state))
    for after, _ in sequences(state, Random(f"{state.name}/{name}/later")):
        yield in_service(after)
    waiting = state.without_work({work_of(each) for each in state.running})
    yield in_service(waiting)
    others = _waiting(state) - {name}
    for other in sorted(others):
        yield in_service(without(waiting, others - {other}))
    if state.house == "koordinator":  # a quota's runtime grows with what its pods ask for
        twins = [_twin(each) for each in pending(state).get(name, ()) if each["kind"] == "Pod"]
        empty = alone(state)
        yield in_service(empty.having([*empty.objects, *twins]))


def _twin(pod: Manifest) -> Manifest:
    """Another pod that asks for the same, of no gang."""
    metadata = {key: value for key, value in pod["metadata"].items() if key not in ("annotations", "uid")}
    labels = {key: value for key, value in metadata.get("labels", {}).items() if "pod-group" not in key}
    return pod | {"metadata": metadata | {"name": f"{metadata['name']}-twin", "labels": labels}}


def in_service(state: State) -> State:
    """The state with all nodes ready and none cordoned: who waits for a node waits for that."""
    ready = _open if state.house == "kueue" else _ready
    return state.having([ready(each) if each["kind"] == "Node" else each for each in state.objects])


def _ready(node: Manifest) -> Manifest:
    spec, status = node.get("spec") or {}, node.get("status") or {}
    taints = [each for each in spec.get("taints") or () if each["key"] not in PASSING_TAINTS]
    conditions = [
        each | {"status": "True"} if each["type"] == "Ready" else each for each in status.get("conditions", ())
    ]
    return node | {
        "spec": spec | {"unschedulable": False, "taints": taints},
        "status": status | {"conditions": conditions},
    }


def _open(node: Manifest) -> Manifest:
    """A node that is ready, and open to every pod: a wait of Kueue's for it is over then."""
    conditions = [{"type": "Ready", "status": "True"}]
    return node | {"spec": {}, "status": node.get("status", {}) | {"conditions": conditions}}


def backs_off(manifests: Sequence[Manifest]) -> bool:
    """Whether a workload may be in a backoff: unlike ``why``, a plan does not ask what time it is."""
    return "requeueState" in manifests[0].get("status", {})


def needs_no_other(work: list[Manifest]) -> bool:
    """Whether the work is placed on empty nodes if it is at all: its pods are alike, and none has to be near another.

    Of pods that differ, KAI may give one the only node of the next, unless something else holds that node.
    """
    specs = {json.dumps(each["spec"], sort_keys=True) for each in work if each["kind"] == "Pod"}
    return len(specs) <= 1 and not any('"podAffinity"' in each for each in specs)
