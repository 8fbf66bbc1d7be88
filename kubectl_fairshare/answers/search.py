"""What a search for counterexamples covered and found. Data only.

Tested in ``tests/unit/policy/test_search_command.py``.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.documents import AMOUNT_TEXT, YAML_TEXT, AnswerPart
from kubectl_fairshare.answers.fidelity import Fidelity


class Arriving(AnswerPart, frozen=True):
    """One workload of a counterexample, in the order of arrival: what it asks for in all."""

    DOCUMENT = ("queue", "priority", "request")
    queue: str
    request: tuple[Amount, ...]
    priority: int = 0


class LoopEvent(StrEnum):
    """What happens in a step of a loop: a workload starts, has to stop, or its pods are gone after that."""

    STARTS = "starts"
    EVICTED = "evicted"
    STOPPED = "stopped"


class LoopStep(AnswerPart, frozen=True):
    """A step of a loop in a cycle, which counts from 1: a workload ``starts``, is ``evicted``, or has ``stopped``.

    For an eviction: the workload for which, its queue, and the scheduler's rule.
    """

    cycle: int
    event: LoopEvent
    name: str
    queue: str
    by: str = ""
    by_queue: str = ""
    rule: str = ""


class Refutation(AnswerPart, frozen=True):
    """The smallest load that was found to break an invariant, and how its last arrival does.

    ``steps`` are those of a loop, if it is one: what follows the last is the first again. ``pace`` is when the pods of
    victims stop in it.
    """

    invariant: str
    breach: str
    arrivals: tuple[Arriving, ...]
    steps: tuple[LoopStep, ...] = ()
    pace: str = ""


class Covered(AnswerPart, frozen=True):
    """What was tried.

    All sequences of up to ``lengths`` workloads were decided; time ran out within those of ``partly`` (0: it did not).
    ``drawn`` counts sequences that were drawn from ``seed`` on. ``sizes`` are of ``resource``, over ``queues``.
    """

    resource: str
    sizes: tuple[Annotated[Amount, AMOUNT_TEXT], ...]
    queues: int
    lengths: int
    partly: int
    systematic_states: int
    states: int
    drawn: int
    seed: int


class SearchAnswer(AnswerPart, frozen=True):
    """The answer to ``search``; ``scenario`` is a file of tests that replays what was found, null if nothing was."""

    DOCUMENT = ("scheduler", "exit_code", "invariants", "covered", "refuted", "scenario", "fidelity", "notes")
    scheduler: str
    fidelity: Fidelity
    invariants: tuple[str, ...]
    covered: Covered
    refuted: tuple[Refutation, ...]
    scenario: Annotated[Mapping[str, object] | None, YAML_TEXT] = None
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if an invariant is refuted or nothing is exact, otherwise 0: none of what was covered breaks it."""
        return int(bool(self.refuted) or not self.fidelity.settled)
