"""Gangs that run fewer pods than their minimum, and when KAI evicts what is left."""

from typing import Any

from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.cycle import kai_cycle
from kubectl_fairshare.schedulers.kai.explain.stale import stale_gangs
from tests.unit.schedulers.kai.solver.scenes import job, layer, node, pod, queue

LONG = {"kai.scheduler/stale-podgroup-timestamp": "2026-08-01T11:58:00Z"}
SHORT = {"kai.scheduler/stale-podgroup-timestamp": "2026-08-01T11:59:30Z"}


def stale(annotations: Any, *pods: Any, **spec: Any) -> list[str]:
    gang = job("a1", "a", *(pods or (pod("a1", 0, 1, "n0"),)), minMember=2, **spec)
    gang[0]["metadata"]["annotations"] = annotations
    return [each.name for each in stale_gangs(layer([node("n0", 8), queue("a")], gang))]


def test_a_gang_below_its_minimum_is_evicted_after_its_grace_period() -> None:
    assert stale(LONG) == ["a1"]
    assert stale(SHORT) == []
    assert stale(SHORT, stalenessGracePeriod="10s") == ["a1"]
    assert stale(LONG, stalenessGracePeriod="-1s") == []


def test_a_gang_that_is_seen_below_its_minimum_for_the_first_time_has_its_grace_period() -> None:
    assert stale({}) == []
    assert stale({}, stalenessGracePeriod="0s") == ["a1"]


def test_a_complete_gang_and_one_of_which_a_pod_has_succeeded_are_not_stale() -> None:
    assert stale(LONG, pod("a1", 0, 1, "n0"), pod("a1", 1, 1, "n0")) == []
    done = pod("a1", 1, 1, "n0")
    done["status"]["phase"] = "Succeeded"
    assert stale(LONG, pod("a1", 0, 1, "n0"), done) == []


def test_release_0_17_0_does_not_see_that_a_pod_has_succeeded() -> None:
    done = pod("a1", 1, 1, "n0")
    done["status"]["phase"] = "Succeeded"
    gang = job("a1", "a", pod("a1", 0, 1, "n0"), done, minMember=2)
    gang[0]["metadata"]["annotations"] = LONG
    made = layer([node("n0", 8), queue("a")], gang)
    for release, expected in (("", []), ("v0.17.1", []), ("v0.17.0", ["a1"])):
        session = replace(made.ground.session, state=replace(made.ground.session.state, release=release))
        made.ground = replace(made.ground, session=session)
        assert [each.name for each in stale_gangs(made)] == expected


def test_a_cycle_that_would_end_with_such_an_eviction_is_not_exact() -> None:
    gang = job("a1", "a", pod("a1", 0, 1, "n0"), minMember=2)
    gang[0]["metadata"]["annotations"] = LONG
    found = kai_cycle(layer([node("n0", 8), queue("a")], gang).ground.session)
    assert [(gap.feature, gap.subject) for gap in found.fidelity.gaps] == [("StaleGang", "a1")]
