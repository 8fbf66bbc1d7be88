"""What can never get in is never in plans and cycles, whatever else is open."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.cycle import kai_cycle
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.words.cycle_answer import cycle_answer
from kubectl_fairshare.schedulers.kai.words.plan_answer import plan_answer
from tests.unit.schedulers.kai import inputs
from tests.unit.schedulers.kai.inputs import Asked, Run
from tests.unit.schedulers.kai.solver.scenes import Json, job, layer, node, one, pod, queue

QUEUES = [queue("a", 4, created=1), queue("b", 4, created=2, limit=4)]
TAINT = "\nspec: {taints: [{key: dedicated, value: x, effect: NoSchedule}]}\nstatus:"
TAINTED = node("n1", 8, taints=[{"key": "dedicated", "value": "x", "effect": "NoSchedule"}])
STAYING_OUT: dict[str, list[Json]] = {
    "larger than every node": one("w", "a", 9),
    "larger than all nodes that take it": one("w", "a", 6),
    "more pods than the nodes hold": job("w", "a", *(pod("w", number, 3) for number in range(2)), minMember=2),
    "above the limit of its queue": one("w", "b", 5),
    "no queue": one("w", "none", 1),
    "a queue with child queues": one("w", "top", 1),
    "too few pods, too large": job("w", "a", pod("w", 0, 9), minMember=2),
}


@pytest.mark.parametrize("work", STAYING_OUT.values(), ids=STAYING_OUT)
def test_cycle_and_plan_say_never_of_the_same_jobs(work: list[Json]) -> None:
    child = queue("child", 1)
    child["spec"]["parentQueue"] = "top"
    session = layer(
        [node("n0", 4), TAINTED, *QUEUES, queue("top", 4), child], one("r", "a", 1, "n0"), work
    ).ground.session
    found = kai_cycle(session)
    assert plan(session, "w").outcome is found.outcome("w") is Outcome.NEVER
    assert Outcome.NEVER in cycle_answer(found).outcomes


@pytest.mark.parametrize(
    ("work", "headline"),
    [
        (one("w", "b", 9), "limit of b: 0 held + 9 requested > 4 GPU"),
        (one("w", "c", 9), "it has a pod that no node is large enough for: it needs 9 GPU, the largest has 4 GPU"),
        (job("w", "c", pod("w", 0, 3), pod("w", 1, 3), minMember=2), "it requests more than the cluster has"),
        (job("w", "b", pod("w", 0, 5), minMember=2), "limit of b: 0 held + 5 requested > 4 GPU"),
        (one("w", "none", 9), "queue none does not exist, or its parents do not lead to a root queue"),
    ],
)
def test_the_headline_of_a_never_is_what_makes_it_one(work: list[Json], headline: str) -> None:
    """KAI tests the bounds of queues first; one that is only full now, as that of c, keeps no job out for ever."""
    full = queue("c", 12, created=3, limit=12)
    session = layer([node("n1", 4), *QUEUES, full], one("r", "c", 4, "n1"), work).ground.session
    assert plan_answer(plan(session, "w"), session.state).verdict == f"can never run: {headline}"


def test_a_victim_that_gets_in_first_has_pods_that_leave() -> None:
    """The limit lets w1 in, and then lower priority in the queue gives way to w2."""
    works = [
        one("w1", "b", 1),
        job("w2", "b", pod("w2", 0, 1), pod("w2", 1, 1), priority="build-preemptible", minMember=2),
    ]
    session = layer([node("n0", 8), *QUEUES], one("r1", "b", 2, "n0"), one("r2", "b", 1, "n0"), *works).ground.session
    clauses = {each.key.name: each.because for each in plan_answer(plan(session, "w2"), session.state).victims}
    assert clauses["w1"] == "1 pod, which KAI places first, in the same cycle: same queue, priority below 75"
    assert all(" of 0 " not in clause for clause in clauses.values())


@pytest.mark.slow
def test_a_job_over_its_limit_never_gets_in_though_kai_evicts_for_it() -> None:
    """KAI takes a pod from its queue as often as it lists it: of 5 GPUs 8 leave, so that 4 are within the limit of 2.

    Allocate counts the queue anew in each cycle, and 4 GPUs are above its limit.
    """
    held = [pod("r", number, 1, f"n{number // 2}") for number in range(5)]
    asks = job("w", "c", *(pod("w", number, 1) for number in range(4)), priority="build-preemptible", minMember=4)
    objects = [*(node(f"n{number}", 2) for number in range(3)), queue("c", 2, created=1, limit=2)]
    session = layer(objects, job("r", "c", *held), asks).ground.session
    cycle, found = kai_cycle(session), plan(session, "w")
    (entry,) = (each for each in cycle_answer(cycle).entries if each.key.name == "w")
    assert found.outcome is entry.outcome is Outcome.NEVER
    lost = [each.victim.pod.removeprefix("u-") for one in cycle.tried for each in one.evictions]
    assert lost == ["r-4", "r-3", "r-2", "r-1", "r-0"]  # each once; r-0 moves
    assert plan_answer(found, session.state).verdict == (
        "can never run: limit of c: 5 held + 4 requested > 2 GPU; KAI evicts 4 pods of 1 job for it in vain"
    )


def test_what_waits_for_others_or_for_a_node_is_not_never() -> None:
    """One waits for r to end, one for the node that is cordoned, one for its second pod."""
    works = [one("w1", "a", 4), one("w2", "a", 8), job("w3", "a", pod("w3", 0, 1), minMember=2)]
    objects = [node("n0", 4), node("n1", 8, unschedulable=True), *QUEUES]
    session = layer(objects, one("r", "a", 4, "n0"), *works).ground.session
    found = kai_cycle(session)
    assert {plan(session, name).outcome for name in ("w1", "w2", "w3")} == {Outcome.WAITS}
    assert {found.outcome(name) for name in ("w1", "w2", "w3")} == {Outcome.WAITS}


def test_never_rests_on_nothing_that_others_hold(run: Run, tmp_path: Path) -> None:
    """The PodGroup of a pod on a node is missing: the job that no node takes stays out with and without it."""
    ask = Asked(run, tmp_path)
    closed = inputs.NODES.replace("\nstatus:", TAINT)
    lost = inputs.stored_pod("lost", 1, "n1")
    work = inputs.waiting(1)
    assert ask.plan(closed + inputs.queues(2) + lost, work) == ("Never", True, ())
    assert ask.plan(inputs.NODES + inputs.queues(2) + lost, work) == ("Unknown", False, ("NotInInput",))
