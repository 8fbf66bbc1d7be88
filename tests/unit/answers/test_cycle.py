"""The outcomes of a whole cycle."""

import pytest

from kubectl_fairshare.answers.cycle import Cycle, CycleEntry
from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey


def key(name: str) -> ObjectKey:
    return ObjectKey("", "Pod", "team", name)


def cycle_of(*outcomes: Outcome, touches: bool = False) -> Cycle[None]:
    entries = tuple(CycleEntry(key(f"w{i}"), "queue", outcome) for i, outcome in enumerate(outcomes))
    fidelity = Fidelity("a scheduler", "1", (Gap("Feature", (), touches),))
    return Cycle("a-scheduler", entries, fidelity, None, behind=(key("next"),), left_out=(key("lost"),))


def test_workloads_behind_others_or_without_a_queue_wait() -> None:
    assert cycle_of(Outcome.ADMITTED).outcomes == (Outcome.ADMITTED, Outcome.WAITS, Outcome.WAITS)


@pytest.mark.parametrize("outcome", [Outcome.ADMITTED, Outcome.PREEMPTS])
def test_a_gap_that_can_change_the_cycle_makes_a_yes_unknown(outcome: Outcome) -> None:
    assert cycle_of(outcome, touches=True).outcomes[0] is Outcome.UNKNOWN


@pytest.mark.parametrize("outcome", [Outcome.WAITS, Outcome.NEVER, Outcome.UNMANAGED])
def test_it_does_not_change_a_no(outcome: Outcome) -> None:
    assert cycle_of(outcome, touches=True).outcomes[0] is outcome
