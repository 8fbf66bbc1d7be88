"""What both plugins say of nodes in the same way, each of the same state."""

import pytest

from kubectl_fairshare.jobs.node_demand import BarredNodes
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan as capacity_plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan as koordinator_plan
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind
from tests.unit.schedulers.elasticquota import build as capacity
from tests.unit.schedulers.koordinator import build as koordinator

PLUGINS = ("elasticquota", "koordinator")


def barred(plugin: str, *, cordoned_holds: int, first_on: str, asks: int) -> BarredNodes | None:
    """What keeps a pod off two nodes of 100 cpu; ``first`` of 80 cpu is nominated to one of them, n2 is cordoned.

    The open one, n1, is full unless ``first`` is nominated to it.
    """
    busy = 0 if first_on == "n1" else 100
    if plugin == "koordinator":
        objects = [koordinator.quota("a", {}, {"cpu": 900}), koordinator.node("n1"), koordinator.node("n2")]
        objects[-1]["spec"] = {"unschedulable": True}
        held = (("b1", "n1", busy), ("b2", "n2", cordoned_holds))
        objects += [koordinator.pod(name, "a", {"cpu": cpu}, on, priority=9) for name, on, cpu in held if cpu]
        objects.append(koordinator.pod("first", "a", {"cpu": 80}, priority=5, status={"nominatedNodeName": first_on}))
        objects.append(koordinator.pod("asked", "a", {"cpu": asks}, priority=1))
        of = koordinator.state(*objects)
        return koordinator_plan(of, next(p for p in of.source.pods if p.key.name == "asked"), None).barred
    nodes = (capacity.node("n1", cpu=100), capacity.node("n2", unschedulable=True, cpu=100))
    holders = ((capacity.pod("a/b1", "n1", 9, cpu=busy), busy), (capacity.pod("a/b2", "n2", 9, cpu=cordoned_holds), 1))
    first = capacity.kept(capacity.pod("a/first", priority=5, cpu=80), first_on)
    at = capacity.state(capacity.quota("a", {"cpu": 900}), *nodes, first, *(pod for pod, cpu in holders if cpu))
    return capacity_plan(at, capacity.pod("a/asked", priority=1, cpu=asks), None).barred


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_cordoned_node_whose_room_is_kept_for_another_pod_is_not_what_keeps_a_pod_out(plugin: str) -> None:
    found = barred(plugin, cordoned_holds=10, first_on="n1", asks=30)
    assert found is not None
    assert (found.nodes, found.roomy) == (("n2",), True), "nothing is kept on n2"
    assert barred(plugin, cordoned_holds=10, first_on="n2", asks=30) is None, "n2 has 90 free, 80 of them kept"


@pytest.mark.parametrize("plugin", PLUGINS)
def test_an_open_node_that_is_large_enough_keeps_no_pod_out_whatever_is_nominated_to_it(plugin: str) -> None:
    assert barred(plugin, cordoned_holds=100, first_on="n1", asks=90) is None


def test_a_higher_priority_helps_next_to_a_nominated_pod_with_nothing_to_preempt() -> None:
    first = koordinator.pod("first", "a", {"cpu": 80}, priority=5, status={"nominatedNodeName": "n1"})
    asked = koordinator.pod("asked", "a", {"cpu": 40}, priority=4, preemptionPolicy="Never")
    of = koordinator.state(koordinator.quota("a", {}, {"cpu": 900}), koordinator.node(), first, asked)
    found = koordinator_plan(of, next(p for p in of.source.pods if p.key.name == "asked"), None).remedies
    changes = [change for remedy in found for change in remedy.changes if change.kind is ChangeKind.PRIORITY]
    assert [(change.before, change.after) for change in changes] == [(4, 6)]
    at = capacity.state(
        capacity.quota("a", {"cpu": 900}),
        capacity.node("n1", cpu=100),
        capacity.kept(capacity.pod("a/first", priority=5, cpu=80), "n1"),
    )
    same = capacity_plan(at, capacity.pod("a/asked", priority=4, cpu=40), None).remedies
    assert [c.after for remedy in same for c in remedy.changes if c.kind is ChangeKind.PRIORITY] == [6]


@pytest.mark.parametrize(("pods", "room"), [(1, False), (2, False), (3, True)])
def test_sums_of_a_node_wrap_at_64_bits(pods: int, room: bool) -> None:
    """NodeResourcesFit adds int64: three pods of 2⁶² bytes are -2⁶², so that the node seems to have room."""
    held = [koordinator.pod(f"b{n}", "", {"memory": "4Ei"}, "n1") for n in range(pods)]
    asking = koordinator.pod("asked", "", {"memory": "1Gi"})
    of = koordinator.state(koordinator.quota("a", {}, {"cpu": 1}), koordinator.node(), *held, asking)
    asked = next(p for p in of.source.pods if p.key.name == "asked")
    assert of.room_on(asked, "n1").passed is room
    at = capacity.state(
        capacity.node("n1", cpu=100, memory="400Gi"),
        *(capacity.pod(f"a/b{n}", "n1", memory="4Ei") for n in range(pods)),
    )
    assert at.room_on(capacity.pod("a/asked", memory="1Gi"), "n1").passed is room
