"""The one pod whose deletion would let another in."""

from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind
from tests.unit.schedulers.elasticquota.build import node, planned, pod, state


def test_the_least_important_pod_is_the_one_to_delete() -> None:
    at = state(node("n", cpu=4), pod("x/a", "n", 5, cpu=2), pod("x/b", "n", 3, cpu=2), pod("x/c", "n", 1, cpu=0))
    (found,) = (r for r in planned(at, pod("x/new", cpu=2)).remedies if r.changes[0].kind is ChangeKind.DELETION)
    gone = found.changes[0].pod
    assert gone is not None
    assert (gone.key.name, found.alternatives, found.nodes) == ("b", 1, ("n",))
