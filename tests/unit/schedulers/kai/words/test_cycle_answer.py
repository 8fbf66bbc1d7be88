"""The shared answer about a cycle of KAI, and its rows."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle, kai_cycle
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.words.cycle_answer import cycle_answer
from kubectl_fairshare.schedulers.kai.words.cycle_rows import moved_to, runs_text
from tests.unit.schedulers.kai.solver.scenes import Json, job, layer, node, one, pod, queue

QUEUES = [queue("a", 4, created=1), queue("b", 4, created=2)]


def cycle_of(objects: list[Json], *jobs: list[Json]) -> KaiCycle:
    return kai_cycle(layer(objects, *jobs).ground.session)


def test_victims_stand_with_the_job_that_they_leave_for() -> None:
    held = [one("a0", "a", 2, "n0"), one("a1", "a", 2, "n1"), one("a2", "a", 1, "n1")]
    found = cycle_of([node("n0", 4), node("n1", 4), *QUEUES], *held, one("b1", "b", 4))
    (entry,) = cycle_answer(found).entries
    assert (entry.key.name, entry.queue, entry.outcome) == ("b1", "b", Outcome.PREEMPTS)
    assert [(victim.key.name, victim.law) for victim in entry.victims] == [
        ("a2", Law.OVER_SHARE),
        ("a1", Law.OVER_SHARE),
    ]
    assert [moved_to(found.tried[-1], uid) for uid in ("u-a2-0", "u-a1-0")] == ["", "n0"]


def test_lower_priority_in_the_queue_is_the_rule_of_preempt() -> None:
    low = one("a1", "a", 2, "n0", priority="low")
    found = cycle_of([node("n0", 2), *QUEUES], low, one("a2", "a", 2, priority="build-preemptible"))
    (entry,) = cycle_answer(found).entries
    assert [(victim.law, victim.rule) for victim in entry.victims] == [(Law.IN_QUEUE_PRIORITY, "preempt")]


def test_jobs_that_kai_does_not_try_are_left_out() -> None:
    late = one("b1", "b", 1)
    found = cycle_answer(
        cycle_of([node("n0"), *QUEUES], job("b2", "b", pod("b2", 0, 1), minMember=2), one("b3", "none", 1), late)
    )
    assert [entry.key.name for entry in found.entries] == ["b1"]
    assert [key.name for key in found.left_out] == ["b2", "b3"]
    assert found.outcomes == (Outcome.ADMITTED, Outcome.WAITS, Outcome.NEVER)


def test_what_was_simulated_is_counted_by_how_it_ended() -> None:
    held = [one("a0", "a", 5, "n0"), one("a1", "a", 2, "n0"), one("a2", "a", 1, "n0")]
    found = cycle_of([node("n0", 9), *QUEUES], *held, one("b1", "b", 3))
    text = runs_text(found.tried[-1])
    assert text.endswith("all but the last rolled back")
    assert "2 made room" in text
    assert runs_text(found.tried[0]) == ""
