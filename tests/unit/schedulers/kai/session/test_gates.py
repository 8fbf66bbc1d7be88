"""Gates of allocation: limits and quotas up the tree."""

from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.session.gates import GateRefusal, gate
from tests.unit.schedulers.kai.build import queue, session


def gpu(amount: float) -> Resources:
    return Resources(0.0, 0.0, amount)


def test_limits_come_before_quotas_and_the_leaf_before_its_parent() -> None:
    found = session([queue("top", limit=1), queue("leaf", "top", limit=5)])
    chain = found.chain("leaf")
    exceeded = gate(chain, gpu(2), preemptible=False)
    assert exceeded is not None
    assert (exceeded.reason, exceeded.queue, exceeded.resource) == (GateRefusal.OVER_LIMIT, "top", "gpu")
    exceeded = gate(chain, gpu(1), preemptible=False)
    assert exceeded is not None
    assert (exceeded.reason, exceeded.queue) == (GateRefusal.OVER_QUOTA, "leaf")
    assert gate(chain, gpu(1), preemptible=True) is None


def test_what_is_not_asked_for_violates_no_gate() -> None:
    found = session([queue("q", limit=0)])
    assert gate(found.chain("q"), gpu(0), preemptible=False) is None
