"""What a search for counterexamples covered and found. Data only.

Tested in ``tests/unit/policy/test_search_command.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value


class Arriving(Value, frozen=True):
    """One workload of a counterexample, in the order of arrival: what it asks for in all."""

    queue: str
    request: tuple[Amount, ...]
    priority: int = 0


class RefutationStep(Value, frozen=True):
    """A step of a loop in a cycle, which counts from 1: a workload ``starts``, is ``evicted``, or has ``stopped``.

    For an eviction: the workload for which, its queue, and the scheduler's rule.
    """

    cycle: int
    event: str
    name: str
    queue: str
    by: str = ""
    by_queue: str = ""
    rule: str = ""


class Refutation(Value, frozen=True):
    """The smallest load that was found to break an invariant, and how its last arrival does.

    ``steps`` are those of a loop, if it is one: what follows the last is the first again. ``pace`` is when the pods of
    victims stop in it.
    """

    invariant: str
    breach: str
    arrivals: tuple[Arriving, ...]
    steps: tuple[RefutationStep, ...] = ()
    pace: str = ""


class Covered(Value, frozen=True):
    """What was tried.

    All sequences of up to ``lengths`` workloads were decided; time ran out within those of ``partly`` (0: it did not).
    ``drawn`` counts sequences that were drawn from ``seed`` on. ``sizes`` are of ``resource``, over ``queues``.
    """

    resource: str
    sizes: tuple[Amount, ...]
    queues: int
    lengths: int
    partly: int
    systematic_states: int
    states: int
    drawn: int
    seed: int


class SearchAnswer(Value, frozen=True):
    """The answer to ``search``. ``scenario`` is a file that ``test`` replays, as data; None if nothing was refuted."""

    scheduler: str
    fidelity: Fidelity
    invariants: tuple[str, ...]
    covered: Covered
    refuted: tuple[Refutation, ...]
    scenario: Mapping[str, object] | None = None
    notes: tuple[str, ...] = ()
