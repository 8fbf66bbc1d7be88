"""What diff, test, capacity and search ask of Koordinator's quotas."""

from collections.abc import Sequence
from typing import Any

import pytest

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.cli.commands import capacity
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.preemptors import takers
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.koordinator.review.reviewer import RuntimeReviewer
from kubectl_fairshare.schedulers.koordinator.review.sandbox import RuntimeSandbox
from kubectl_fairshare.schedulers.sandbox import MOST_STEPS, CountedOneByOne, MadeUpWork, Sandbox
from tests.screens import ROOT
from tests.unit.schedulers.koordinator.build import Object, node, pod, quota, snapshot, state

REVIEW = RuntimeReviewer()
OBJECTS = (
    node(cpu="20"),
    quota("a", {"cpu": 4}, {"cpu": 20}),
    quota("b", {"cpu": 4}, {"cpu": 8}),
    pod("r", "a", {"cpu": 6}, node="n1"),
    pod("w", "b", {"cpu": 9}),
)


def test_rights_are_min_the_runtime_when_all_are_busy_and_the_least_max() -> None:
    found = {each.queue.name: each for each in REVIEW.entitlements(snapshot(*OBJECTS))}
    figures = [
        [None if amount is None else amount.value for amount in (e.guaranteed, e.entitled, e.most)]
        for e in (found["a"], found["b"])
    ]
    assert figures == [[4_000, 12_571, 20_000], [4_000, 7_429, 8_000]]


def test_only_the_own_quota_may_take_a_running_pod() -> None:
    (exposed,) = REVIEW.exposures(snapshot(*OBJECTS), PreemptorNumbers()).found
    assert (exposed.queue, exposed.borrows, {taker.queue for taker in exposed.takers}) == (
        "a",
        True,
        {"a", "any quota"},
    )


def test_waiting_pods_get_an_answer_without_remedies() -> None:
    (answer,) = REVIEW.waiting(snapshot(*OBJECTS))
    assert (answer.outcome, answer.remedies) == (Outcome.NEVER, ())


def test_equal_quotas_mean_the_same_however_they_are_written() -> None:
    one, other = (snapshot(quota("a", {"cpu": cpu}, {"cpu": 2})) for cpu in ("1", "1000m"))
    assert REVIEW.understood(one) == REVIEW.understood(other)
    assert REVIEW.understood(one) != REVIEW.understood(snapshot(quota("a", {"cpu": 2}, {"cpu": 2})))


def test_made_up_pods_run_until_the_runtime_is_used_up() -> None:
    sandbox = REVIEW.sandbox(REVIEW.idle(snapshot(*OBJECTS)))
    load = MadeUpWork("b", {"cpu": 4000})
    after = sandbox
    for i in range(3):
        after = after.submitted(f"p{i}", load).sandbox
    assert (dict(after.used("b")), list(after.waiting())) == ({("", "cpu"): 8000}, ["p2"])
    assert sandbox.used("b") == {}
    assert (sandbox.is_entitled(load), sandbox.is_entitled(replace(load, count=2))) == (True, False)


def test_a_higher_priority_evicts_a_pod_of_its_own_quota() -> None:
    sandbox = REVIEW.sandbox(REVIEW.idle(snapshot(*OBJECTS)))
    after = sandbox.submitted("low", MadeUpWork("b", {"cpu": 8000})).sandbox
    course = after.submitted("high", MadeUpWork("b", {"cpu": 8000}, priority=5))
    assert [(r.name, r.by) for r in course.removals] == [("low", "high")]
    assert (after.ruling(MadeUpWork("b", {"cpu": 8000})).outcome, course.rests) == (Outcome.WAITS, True)


def test_a_pod_is_placed_only_where_it_fits() -> None:
    sandbox = REVIEW.sandbox(snapshot(*OBJECTS))
    assert dict(sandbox.placed("p", MadeUpWork("b", {"cpu": 14_000})).used("b")) == {("", "cpu"): 14_000}
    with pytest.raises(UsageError, match="no node has room"):
        sandbox.placed("p", MadeUpWork("b", {"cpu": 15_000}))
    assert (sandbox.queue_called("quotas/b"), sandbox.queue_called("c")) == ("b", None)


@pytest.mark.parametrize("guarantees", [False, True])
@pytest.mark.parametrize("release", Rounding)
@pytest.mark.parametrize("queue", ["a", "b", "koordinator-default-quota"])
@pytest.mark.parametrize("size", [700, 3000])
def test_copies_are_those_that_are_placed_one_by_one(
    release: Rounding, guarantees: bool, queue: str, size: int
) -> None:
    more = (
        quota("c", {"cpu": 3}, {"cpu": 9}, allow_lent_resource="false"),
        node("n2", cpu="3"),
        pod("s", "c", {"cpu": 1}),
    )
    given = snapshot(*OBJECTS, *more)
    state = given.part(KoordinatorState)
    gates = replace(state.gates, guarantees_use=guarantees)
    sandbox = REVIEW.sandbox(given.with_part(replace(state, gates=gates, rounding=release)))
    load = MadeUpWork(queue, {"cpu": size})
    found = sandbox.copies(load, "", 40)
    assert found == CountedOneByOne.copies(sandbox, load, "", 40)
    assert found > 0
    assert sandbox.copies(load, "", found - 1) == found - 1


def test_few_copies_are_counted_of_many_figures_and_a_thousand_of_few() -> None:
    sandbox = REVIEW.sandbox(snapshot(*OBJECTS))
    found = [sandbox.most_copies(figures) for figures in (1, 100, 10_000)]
    assert found == sorted(found, reverse=True)
    assert (found[0], found[-1]) == (1000, 10)


def test_as_many_figures_are_found_as_come_to_the_bound_that_help_states() -> None:
    sandbox = REVIEW.sandbox(snapshot(*OBJECTS))
    assert isinstance(sandbox, RuntimeSandbox)
    source = sandbox.state.source
    objects = len(sandbox.state.quotas) + len(source.pods) + len(source.nodes)
    assert sandbox.most_figures == MOST_STEPS // objects
    assert f"{MOST_STEPS:,} figures" in str(capacity.command.help)
    assert f"to {MOST_STEPS:,} figures" in (ROOT / "docs" / "capacity.md").read_text("utf-8")
    ranked = replace(sandbox, state=replace(sandbox.state, source=replace(source, rounding=Rounding.LARGEST_REMAINDER)))
    assert ranked.most_figures == MOST_STEPS // 3 // objects


def test_hints_are_where_room_ends() -> None:
    sandbox = REVIEW.sandbox(snapshot(*OBJECTS))
    ((_, (hint,)),) = sandbox.hints("b").items()
    assert sandbox.ruling(MadeUpWork("b", {"cpu": hint})).outcome is Outcome.ADMITTED
    assert sandbox.ruling(MadeUpWork("b", {"cpu": hint + 1})).outcome is not Outcome.ADMITTED


def test_without_nodes_one_is_presumed() -> None:
    sandbox = REVIEW.sandbox(snapshot(*OBJECTS[1:3]))
    assert len(sandbox.notes) == 1
    assert sandbox.answer(MadeUpWork("a", {"cpu": 4000})).computed is Outcome.ADMITTED


def full(*pods: Object) -> Sandbox:
    """A node and a quota that these pods fill: the quota of memory is exceeded as long as the heavy one is there."""
    least = {"cpu": 4, "memory": "4Gi"}
    return REVIEW.sandbox(snapshot(node(cpu="4", memory="90Gi"), quota("a", least, least), *pods))


def low(name: str, memory: str, **more: Any) -> Object:
    return pod(name, "a", {"cpu": 2, "memory": memory}, node="n1", priority=-1, **more)


def features(gaps: Sequence[Gap]) -> list[str]:
    return [gap.feature for gap in gaps]


TWO_CPU = MadeUpWork("a", {"cpu": 2000})


def test_room_and_loads_that_rest_on_which_of_equal_pods_is_evicted_say_so() -> None:
    sandbox = full(low("light", "1Gi"), low("heavy", "5Gi"))
    assert features(sandbox.ruling(TWO_CPU).chance()) == ["EqualVictims"]
    after = sandbox.submitted("w", TWO_CPU).sandbox
    assert "EqualVictims" in features(after.doubts)
    assert "EqualVictims" in features(after.ruling(TWO_CPU).chance())
    assert after.idle().doubts == ()


def test_pods_that_are_equal_in_all_that_decides_leave_nothing_in_doubt() -> None:
    sandbox = full(low("light", "1Gi"), low("same", "1Gi"))
    assert sandbox.ruling(TWO_CPU).chance() == ()
    assert sandbox.submitted("w", TWO_CPU).sandbox.doubts == ()


def test_evictions_in_vain_are_in_doubt_as_they_come_again() -> None:
    younger = {"startTime": "2026-01-01T00:00:09Z"}
    sandbox = full(
        low("light", "1Gi", status=younger), low("heavy", "5Gi", status={"startTime": "2026-01-01T00:00:00Z"})
    )
    after = sandbox.submitted("w", TWO_CPU)
    assert (after.removals, features(after.sandbox.doubts)) == ((), ["EvictedInVain"])


def test_a_pod_for_which_another_plugin_may_evict_is_in_doubt() -> None:
    objects = (node(cpu="4"), quota("a", {"cpu": 4}, {"cpu": 4}), quota("b", {"cpu": 4}, {"cpu": 4}))
    sandbox = REVIEW.sandbox(snapshot(*objects))
    after = sandbox.submitted("low", MadeUpWork("b", {"cpu": 4000})).sandbox
    assert after.doubts == ()
    assert features(after.submitted("high", MadeUpWork("a", {"cpu": 4000}, priority=5)).sandbox.doubts) == [
        "DefaultPreemption"
    ]


def test_where_earlier_pods_are_matters_to_a_pod_that_may_not_have_room() -> None:
    objects = (node("n1", cpu="4"), node("n2", cpu="4"), quota("a", {"cpu": 8}, {"cpu": 8}))
    small, large = MadeUpWork("a", {"cpu": 1000}), MadeUpWork("a", {"cpu": 4000})
    once = REVIEW.sandbox(snapshot(*objects)).submitted("w1", small).sandbox
    twice = once.submitted("w2", small).sandbox
    assert (once.doubts, twice.doubts) == ((), ())
    assert features(twice.doubts_about(large)) == ["NodeScores"]
    assert features(twice.submitted("w3", large).sandbox.doubts) == ["NodeScores"]
    assert twice.doubts_about(MadeUpWork("a", {"cpu": 2000})) == ()
    alike = twice
    for number in range(7):
        alike = alike.submitted(f"more-{number}", small).sandbox
    assert (alike.doubts, list(alike.waiting())) == ((), ["more-6"])
    set_ = REVIEW.sandbox(snapshot(*objects)).placed("one", small).placed("two", small)
    assert features(set_.doubts_about(large)) == ["NodeScores"]


def test_pods_that_wait_request_their_part_of_the_runtime() -> None:
    quotas = [quota(name, {"cpu": 0}, {"cpu": 20}) for name in "ab"]
    sandbox = REVIEW.sandbox(snapshot(node(cpu="20"), *quotas, pod("w", "b", {"cpu": 20})))
    sizes = {cpu: sandbox.ruling(MadeUpWork("a", {"cpu": cpu})).outcome for cpu in (10_000, 10_001)}
    assert sizes == {10_000: Outcome.ADMITTED, 10_001: Outcome.WAITS}
    assert sandbox.copies(MadeUpWork("a", {"cpu": 5000}), "", 9) == 2
    assert features(sandbox.submitted("p", MadeUpWork("a", {"cpu": 1})).sandbox.doubts) == ["InputWaits"]
    assert sandbox.raised("a", {}).ruling(MadeUpWork("a", {"cpu": 20_000})).outcome is Outcome.ADMITTED


def test_a_pod_that_is_nominated_to_a_node_takes_its_room() -> None:
    kept = pod("w", "b", {"cpu": 8}, status={"nominatedNodeName": "n1"}, schedulerName="koord-scheduler")
    quotas = [quota(name, {"cpu": 10}, {"cpu": 10}) for name in "ab"]
    sandbox = REVIEW.sandbox(snapshot(node(cpu="10"), *quotas, kept))
    assert sandbox.copies(MadeUpWork("a", {"cpu": 1000}), "", 9) == 2
    assert sandbox.ruling(MadeUpWork("a", {"cpu": 3000})).outcome is Outcome.WAITS
    with pytest.raises(UsageError, match="no node has room"):
        sandbox.placed("p", MadeUpWork("a", {"cpu": 3000}))
    assert sandbox.idle().ruling(MadeUpWork("a", {"cpu": 10_000})).outcome is Outcome.ADMITTED


def test_new_pods_of_a_parent_are_in_doubt_as_the_webhook_rejects_them() -> None:
    objects = (node(cpu="4"), quota("a", {"cpu": 4}, {"cpu": 4}, is_parent="true"))
    sandbox, load = REVIEW.sandbox(snapshot(*objects)), MadeUpWork("a", {"cpu": 1000})
    assert [gap.feature for gap in sandbox.ruling(load).gaps if gap.touches] == ["ParentRefusesPods"]
    assert features(sandbox.submitted("w", load).sandbox.doubts) == ["ParentRefusesPods"]


def named(*objects: Object) -> dict[str, list[str]]:
    """The quotas that may preempt each placed pod."""
    at = state(*objects)
    found = takers(at, PreemptorNumbers(), [each for each in at.source.pods if each.node])
    assert not found.doubt
    return {key.name: sorted(taker.queue for taker in each) for key, each in found.of.items()}


def test_pods_that_request_nothing_make_no_room_and_are_taken_by_nobody() -> None:
    small = pod("small", "a", {}, node="n1")
    assert named(node(cpu="3"), quota("a", {"cpu": 9}, {"cpu": 9}), pod("run", "a", {"cpu": 1}, node="n1"), small) == {
        "run": ["a", "any quota"],
        "small": [],
    }


def test_nothing_is_above_the_highest_priority() -> None:
    highest = pod("run", "a", {"cpu": 1}, node="n1", priority=2_000_001_000)
    assert named(node(cpu="3"), quota("a", {"cpu": 9}, {"cpu": 9}), highest) == {"run": []}
