"""Which nodes exclude a pod, and which evictions a budget counts."""

from typing import NamedTuple

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.node_demand import Barrier, BarrierKind, DisruptionBudget, NodeDemand, barrier, read_demand
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import LabelSelector, NodeTerm, Requirement, Taint, Toleration


class Machine(NamedTuple):
    """A node."""

    name: str = "n"
    labels: dict[str, str] = {"zone": "a"}  # noqa: RUF012 - a default of a tuple
    taints: tuple[Taint, ...] = ()
    unschedulable: bool = False


class Labelled(NamedTuple):
    """A pod."""

    key: ObjectKey
    labels: dict[str, str]


GPU = Taint("gpu", "yes", "NoSchedule")
TAINTED = Barrier(BarrierKind.UNTOLERATED_TAINT, "gpu=yes:NoSchedule")
CORDONED = Toleration("node.kubernetes.io/unschedulable", "Exists", effect="NoSchedule")


@pytest.mark.parametrize(
    ("demand", "node", "expected"),
    [
        (NodeDemand(), Machine(), None),
        (NodeDemand(), Machine(unschedulable=True), Barrier(BarrierKind.UNSCHEDULABLE)),
        (NodeDemand(tolerations=(CORDONED,)), Machine(unschedulable=True), None),
        (NodeDemand(), Machine(taints=(GPU,)), TAINTED),
        (NodeDemand(tolerations=(Toleration("gpu", "Exists"),)), Machine(taints=(GPU,)), None),
        (NodeDemand(), Machine(taints=(Taint("x", "", "PreferNoSchedule"),)), None),
        (
            NodeDemand((Requirement("zone", "In", ("b",)),)),
            Machine(),
            Barrier(BarrierKind.AFFINITY_MISMATCH, "zone=b"),
        ),
        (NodeDemand(affinity=(NodeTerm((Requirement("zone", "Exists"),)),)), Machine(), None),
        (NodeDemand(affinity=(NodeTerm(),)), Machine(), Barrier(BarrierKind.AFFINITY_MISMATCH)),
        (NodeDemand(affinity=()), Machine(), Barrier(BarrierKind.AFFINITY_MISMATCH)),
        (NodeDemand(affinity=(NodeTerm(fields=(Requirement("metadata.name", "In", ("n",)),)),)), Machine(), None),
    ],
)
def test_the_first_barrier_is_named(demand: NodeDemand, node: Machine, expected: Barrier | None) -> None:
    assert barrier(demand, node) == expected


def test_the_demand_is_read_from_the_spec_of_a_pod() -> None:
    spec = {"nodeSelector": {"zone": "a"}, "tolerations": [{"key": "gpu", "operator": "Exists"}]}
    found = read_demand(Field(ObjectKey("", "Pod", "a", "p"), ("spec",), spec))
    assert found == NodeDemand((Requirement("zone", "In", ("a",)),), None, (Toleration("gpu", "Exists"),))


WEB = (Requirement("app", "In", ("web",)),)
NOT_SPARED = (Requirement("spare", "DoesNotExist"),)


@pytest.mark.parametrize(
    ("requirements", "labels", "covered"),
    [
        (WEB, {"app": "web"}, True),
        (WEB, {"app": "db"}, False),
        (NOT_SPARED, {"app": "db"}, True),
        (NOT_SPARED, {}, False),
        ((), {"app": "web"}, False),
        (None, {"app": "web"}, False),
    ],
    ids=["selected", "another", "label is missing", "pod without labels", "empty selector", "no selector"],
)
def test_a_budget_covers_what_it_selects_but_no_pod_without_labels(
    requirements: tuple[Requirement, ...] | None, labels: dict[str, str], covered: bool
) -> None:
    selector = None if requirements is None else LabelSelector(requirements)
    budget = DisruptionBudget(ObjectKey("policy", "PodDisruptionBudget", "a", "b"), selector, 0)
    assert budget.covers(Labelled(ObjectKey("", "Pod", "a", "p"), labels)) is covered
    assert not budget.covers(Labelled(ObjectKey("", "Pod", "other", "p"), labels))


def test_a_pod_whose_disruption_has_begun_is_not_counted_again() -> None:
    key = ObjectKey("policy", "PodDisruptionBudget", "a", "b")
    budget = DisruptionBudget(key, LabelSelector(WEB), 0, frozenset({"p"}))
    assert not budget.covers(Labelled(ObjectKey("", "Pod", "a", "p"), {"app": "web"}))
