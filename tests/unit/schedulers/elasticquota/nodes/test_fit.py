"""Whether a node takes a pod."""

from enum import StrEnum

import pytest

from kubectl_fairshare.jobs.node_demand import FilterStatus, NodeDemand
from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Taint, Toleration
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Node
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from tests.unit.schedulers.elasticquota.build import cycle, kept, node, pod, state

ANYWHERE = NodeDemand()
TAINT = Taint("gpu", "yes", "NoSchedule")
TOLERATES = Toleration("gpu", "Exists")


def filter_verdict(at: Node, demand: NodeDemand = ANYWHERE, *, cpu: int = 0) -> tuple[FilterStatus, list[StrEnum]]:
    found = cycle(state(at), pod("x/new", cpu=cpu), demand).filters[at.name]
    return found.status, [lack.law for lack in found.lacks]


def test_what_reaches_the_allocatable_amount_fits() -> None:
    assert filter_verdict(node("n", cpu=4), cpu=4) == (FilterStatus.SUCCESS, [])


def test_more_than_the_node_has_cannot_be_mended() -> None:
    assert filter_verdict(node("n", cpu=4), cpu=5) == (FilterStatus.UNRESOLVABLE, [Law.EXCEEDS_NODE])


def test_less_free_than_wanted_may_be_mended() -> None:
    at = state(node("n", cpu=4, gpu=1), pod("x/old", "n", cpu=2, gpu=1))
    found = cycle(at, pod("x/new", cpu=3, gpu=1)).filters["n"]
    assert found.status is FilterStatus.UNSCHEDULABLE
    assert [(lack.resource, lack.requested, lack.used, lack.allocatable) for lack in found.lacks] == [
        ("cpu", 3000, 2000, 4000),
        ("nvidia.com/gpu", 1, 1, 1),
    ]


def test_a_node_takes_so_many_pods() -> None:
    assert filter_verdict(node("n", pods=0, cpu=4), cpu=1) == (FilterStatus.UNSCHEDULABLE, [Law.TOO_MANY_PODS])


def test_a_pod_without_requests_fits_an_overfull_node() -> None:
    at = state(node("n", cpu=1), pod("x/old", "n", cpu=3))
    assert cycle(at, pod("x/new")).course is CycleEnd.SCHEDULABLE


@pytest.mark.parametrize(
    ("tolerations", "status"),
    [((), FilterStatus.UNRESOLVABLE), ((TOLERATES,), FilterStatus.SUCCESS)],
    ids=["without", "with"],
)
def test_a_taint_wants_a_toleration(tolerations: tuple[Toleration, ...], status: FilterStatus) -> None:
    assert filter_verdict(node("n", (TAINT,)), NodeDemand(tolerations=tolerations))[0] is status


def test_a_preference_is_no_barrier() -> None:
    assert filter_verdict(node("n", (Taint("x", "", "PreferNoSchedule"),)))[0] is FilterStatus.SUCCESS


def test_a_cordoned_node_takes_who_tolerates_that() -> None:
    tolerates = Toleration("node.kubernetes.io/unschedulable", "Exists", effect="NoSchedule")
    assert filter_verdict(node("n", unschedulable=True)) == (FilterStatus.UNRESOLVABLE, [Law.UNSCHEDULABLE])
    assert (
        filter_verdict(node("n", unschedulable=True), NodeDemand(tolerations=(tolerates,)))[0] is FilterStatus.SUCCESS
    )


@pytest.mark.parametrize(
    ("demand", "passes"),
    [
        (NodeDemand(selector=(Requirement("name", "In", ("n",)),)), True),
        (NodeDemand(selector=(Requirement("name", "In", ("m",)),)), False),
        (NodeDemand(affinity=(NodeTerm((Requirement("name", "Exists"),)),)), True),
        (NodeDemand(affinity=(NodeTerm(fields=(Requirement("metadata.name", "In", ("m",)),)),)), False),
        (NodeDemand(affinity=(NodeTerm(),)), False),
        (NodeDemand(affinity=()), False),
    ],
)
def test_selector_and_affinity_have_to_match(demand: NodeDemand, passes: bool) -> None:
    assert filter_verdict(node("n"), demand) == (
        (FilterStatus.SUCCESS, []) if passes else (FilterStatus.UNRESOLVABLE, [Law.AFFINITY_MISMATCH])
    )


@pytest.mark.parametrize(("priority", "fits"), [(4, True), (5, False)])
def test_a_kept_place_is_taken_for_who_is_not_more_important(priority: int, fits: bool) -> None:
    at = state(node("n", cpu=4), kept(pod("x/peer", priority=priority, cpu=2), "n"))
    found = cycle(at, pod("x/new", priority=5, cpu=3)).filters["n"]
    assert found.passed is fits


def test_a_place_kept_for_the_pod_goes_before_other_nodes() -> None:
    at = state(node("n1", cpu=4), node("n2", cpu=4))
    waiting = pod("x/new", cpu=1)
    assert cycle(at, waiting).feasible == ("n1", "n2")
    assert cycle(at, replace(waiting, nominated="n2")).feasible == ("n2",)
