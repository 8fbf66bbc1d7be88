"""What a decision cites, in the corners that chance seldom meets."""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.explain.citation import cited_objects, cut_down
from kubectl_fairshare.schedulers.kueue.explain.planning import plan
from kubectl_fairshare.schedulers.kueue.model.objects import Preemption, Quota
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import CPU, FAIR, GPU, NAMESPACE, cohort, holder, pending, queue, state


def names(found: State) -> set[str]:
    """The workloads and namespaces that the plan of the one that waits cites."""
    keys = cited_objects(found, plan(found, found.kueue.pending[0]))
    return {key.name for key in keys if key.kind in ("Workload", "Namespace")}


def shared(strategies: tuple[str, ...] | None) -> State:
    quotas = {GPU: Quota(1), CPU: Quota(4)}
    return state(
        cohort("co"),
        queue("a", "co", quotas, preemption=Preemption(reclaim_within_cohort="Any")),
        queue("b", "co", quotas),
        holder("gpus", "b", {GPU: 2}),
        holder("cpus", "b", {CPU: 5}),
        pending("new", "a", {"gpu": 2}),
        strategies=strategies,
    )


def test_compared_shares_rest_on_every_workload_of_the_tree() -> None:
    assert names(shared(FAIR)) == {"new", "gpus", "cpus", NAMESPACE}


def test_without_shares_only_those_count_that_use_what_is_asked_for() -> None:
    assert names(shared(None)) == {"new", "gpus", NAMESPACE}


def test_all_that_a_queue_gives_counts_where_a_workload_may_shrink() -> None:
    spot = FlavorResource("spot", "gpu")
    shrinking = PodSet("main", 4, {"gpu": 1}, min_count=1)
    found = state(
        queue("a", None, {GPU: Quota(2), spot: Quota(2)}),
        holder("there", "a", {spot: 1}),
        pending("new", "a", pod_sets=(shrinking,)),
    )

    assert names(found) == {"new", "there", NAMESPACE}


def test_a_missing_namespace_is_missing_beside_another() -> None:
    """Without any Namespace in the input all would be taken as existing."""
    found = state(queue("a", None, 1), pending("new", "a"))
    found = replace(found, snapshot=replace(found.snapshot, namespaces={"x": {}, "y": {}}))
    keys = cited_objects(found, plan(found, found.kueue.pending[0]))

    assert ObjectKey("", "Namespace", "", "x") in keys
    assert list(cut_down(found.snapshot, keys).namespaces) == ["x"]
