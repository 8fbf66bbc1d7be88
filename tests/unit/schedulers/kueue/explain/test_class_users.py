"""Whose priority class it is."""

import pytest

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.class_users import class_users
from kubectl_fairshare.schedulers.kueue.explain.decision import RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP, Preemption
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from kubectl_fairshare.schedulers.recording import manifest_of
from tests.unit.schedulers.kueue.build import holder, pending, queue, state


def used_by(namespace: str) -> State:
    """A state with class high, which a workload of one namespace uses; low holds what new asks for."""
    plain = state(
        queue("a", None, 1, preemption=Preemption(within_cluster_queue="LowerPriority")),
        *(holder("low", "a", 1), pending("new", "a")),
    )
    user = ObjectKey(GROUP, "Workload", namespace, "user")
    manifest = {
        "apiVersion": f"{GROUP}/v1beta2",
        "kind": "Workload",
        "metadata": {"namespace": namespace, "name": "user"},
        "spec": {"priorityClassRef": {"group": GROUP, "kind": "WorkloadPriorityClass", "name": "high"}},
    }
    holders = (*plain.kueue.holders, replace(holder("user", "elsewhere"), key=user))
    kueue: KueueState = replace(plain.kueue, holders=holders, workload_priorities={"high": 10})
    snapshot = replace(plain.snapshot, manifests={user: manifest_of(manifest, Origin("x", 0))})
    return state_of(snapshot.with_part(kueue))


@pytest.mark.parametrize(("namespace", "named"), [("team", "high"), ("others", None)])
def test_a_class_of_another_team_is_not_named(namespace: str, named: str | None) -> None:
    found = used_by(namespace)
    assert class_users(found) == {"high": {namespace}}
    (remedy,) = (r for r in plan(found, found.kueue.pending[0]).remedies if r.kind is RemedyKind.PRIORITY)
    assert (remedy.after, remedy.named) == (1, named)
