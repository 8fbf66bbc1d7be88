"""Which kept places a state knows of."""

from tests.unit.schedulers.elasticquota.build import cycle, kept, node, pod, quota, state

BIG = node("n1", cpu=100, memory=1000, gpu=8)


def test_a_place_kept_for_the_pod_itself_or_on_no_known_node_counts_nothing() -> None:
    own, lost = kept(pod("a/new", cpu=1), "n1"), kept(pod("a/lost", cpu=1), "gone")
    at = state(BIG, quota("a", {"cpu": 9}), own, lost)
    assert cycle(at, own).gate.peers == ()


def test_another_schedulers_kept_places_are_not_known() -> None:
    other = kept(pod("a/peer", priority=9, cpu=1), "n1")
    other.scheduler = "other"
    assert cycle(state(BIG, quota("a", {"cpu": 9}), other), pod("a/new", cpu=1)).gate.peers == ()
