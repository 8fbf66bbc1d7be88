"""What each answer says of itself, and what a sequence of ends and cycles does to what it says.

Every document has a reason where it is not exact, and the exit code that it names. What can never run does not run
after others got in and ended; what waits runs once nothing else is there.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from tests.consistency.asking import Program, Reply
from tests.consistency.states import State, work_of

GETS_IN: Final = ("Admitted", "Preempts")
_CODES: Final = {"Admitted": 0, "Preempts": 0, "Waits": 4, "Never": 4, "Unknown": 5}
_STEPS: Final = 4
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
    if not fidelity["exact"] and not (doubts or by_chance):
        yield f"{words}: not exact, and no reason: {fidelity}"
    if fidelity["exact"] and [each for each in fidelity["notModelled"] if each.get("touches")]:
        yield f"{words}: exact, although {doubts} can change it"
    if document.get("kind") == "Plan":
        if reply.code != _CODES[document["outcome"]]:
            yield f"{words}: exit {reply.code} for {document['outcome']}"
        if fidelity["exact"] and document["outcome"] == "Unknown" and not by_chance:
            yield f"{words}: Unknown, exact"
    if document.get("kind") == "Why" and (reply.code == 5) != (document["verdict"] == "Unknown"):
        yield f"{words}: exit {reply.code} for {document['verdict']}"


def in_all_forms(program: Program, state: State, commands: list[tuple[str, ...]]) -> Iterator[str]:
    """One of the commands ends with the same exit code in each form."""
    words = Random(f"{state.name}/forms").choice(commands)
    known = program.ask(*words)
    for form in _FORMS:
        found = program.ask(*words, "-o", form, as_json=False)
        if found.code != known.code and not (found.code == 2 and "-o" in found.errors):
            yield f"{words[0]} -o {form}: exit {found.code} {found.errors[:200]}, -o json {known.code}"


def sequences(state: State, dice: Random) -> Iterator[tuple[State, str]]:
    """States that follow one another: running work ends, then work that waits leaves, until nothing is there."""
    running = sorted({work_of(each) for each in state.running})
    waiting = sorted(_waiting(state) - {*running})
    dice.shuffle(running)
    dice.shuffle(waiting)
    for step in range(1, _STEPS + 1):
        ended = running[: len(running) * step // _STEPS]
        gone = waiting[: len(waiting) * (step - 1) // (_STEPS - 1)]
        yield _without(state, {*ended, *gone}), f"{len(ended)} ended, {len(gone)} left"


def _waiting(state: State) -> set[str]:
    return {work_of(each) for each in state.objects if each["kind"] in ("Workload", "PodGroup", "Pod")}


def _without(state: State, names: set[str]) -> State:
    kinds = ("Workload", "PodGroup", "Pod")
    return state.having([o for o in state.objects if o["kind"] not in kinds or work_of(o) not in names])


def alone(state: State) -> State:
    """The state without any work."""
    return _without(state, _waiting(state))
