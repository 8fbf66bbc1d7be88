"""Tolerations and selectors that open a flavor, in small numbers."""

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.selectors import Requirement, Taint, Toleration
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption, Quota, ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import holder, pending, queue, state

ML, GPU = Taint("dedicated", "ml", "NoSchedule"), Taint("gpu", "", "NoExecute")
SOFT = Taint("soft", "", "PreferNoSchedule")
BLUE, RED = FlavorResource("blue", "gpu"), FlavorResource("red", "gpu")


def by_match(found: State, kind: RemedyKind) -> list[Remedy]:
    """The remedies of one kind for the workload that asks."""
    return [r for r in plan(found, found.kueue.pending[0]).remedies if r.kind is kind]


def flavor(name: str, *taints: Taint, **labels: str) -> ResourceFlavor:
    """A flavor of these taints and labels."""
    return ResourceFlavor(name, labels, taints, ())


@pytest.mark.parametrize(
    ("taints", "tolerated", "text"),
    [
        ((ML,), (), "dedicated=ml:NoSchedule"),
        ((ML, SOFT, GPU), (), "dedicated=ml:NoSchedule, gpu:NoExecute"),
        ((ML, GPU), (Toleration("dedicated", "Exists"),), "gpu:NoExecute"),
    ],
)
def test_a_toleration_for_each_taint_that_keeps_out(
    taints: tuple[Taint, ...], tolerated: tuple[Toleration, ...], text: str
) -> None:
    pods = (PodSet("main", 1, {"gpu": 1}, tolerations=tolerated),)
    found = state(flavor("red", *taints), queue("a", None, {RED: Quota(1)}), pending("new", "a", pod_sets=pods))
    (remedy,) = by_match(found, RemedyKind.TOLERATION)
    assert (remedy.words[1], remedy.pod_set, remedy.outcome) == (text, "main", Outcome.ADMITTED)


def test_a_flavor_without_room_is_not_worth_a_toleration() -> None:
    quotas = {RED: Quota(1), BLUE: Quota(0)}
    found = state(*(flavor("red", ML), queue("a", None, quotas), holder("old", "a", {RED: 1}), pending("new", "a")))
    assert by_match(found, RemedyKind.TOLERATION) == []


def test_two_pod_sets_that_both_lack_it() -> None:
    pods = (PodSet("first", 1, {"gpu": 1}), PodSet("second", 1, {"gpu": 1}))
    found = state(flavor("red", ML), queue("a", None, {RED: Quota(2)}), pending("new", "a", pod_sets=pods))
    assert [(r.pod_set, r.words) for r in by_match(found, RemedyKind.TOLERATION)] == [
        (None, ("", "dedicated=ml:NoSchedule"))
    ]


def test_a_selector_that_keeps_a_flavor_out() -> None:
    wanted = (Requirement("pool", "In", ("green",)), Requirement("zone", "In", ("z",)))
    found = state(
        *(flavor("red", pool="red"), queue("a", None, {RED: Quota(1)})),
        pending("new", "a", pod_sets=(PodSet("main", 1, {"gpu": 1}, node_selector=wanted),)),
    )
    (remedy,) = by_match(found, RemedyKind.SELECTOR)
    assert (remedy.words, remedy.outcome) == (("pool=green", "pool=red"), Outcome.ADMITTED)


def test_who_preempts_is_offered_only_what_needs_no_victims() -> None:
    """red is free but tainted; in blue the workload preempts."""
    quotas = {BLUE: Quota(1), RED: Quota(1)}
    policies = Preemption(within_cluster_queue="LowerPriority")
    for taken, outcomes in ((False, [Outcome.ADMITTED]), (True, [])):
        others = [holder("second", "a", {RED: 1}, priority=-1)] if taken else []
        asker = queue("a", None, quotas, preemption=policies)
        found = state(
            flavor("red", ML), asker, holder("old", "a", {BLUE: 1}, priority=-1), *others, pending("new", "a")
        )
        assert plan(found, found.kueue.pending[0]).outcome is Outcome.PREEMPTS
        assert [r.outcome for r in by_match(found, RemedyKind.TOLERATION)] == outcomes
