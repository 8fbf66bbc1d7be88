"""More quota at the root of a tree takes nothing away from anybody.

Stated exactly. Nothing that is available, and no potential, falls. So a flavor that fits still fits, and one that is
no NoFit becomes none, as neither the policies that allow to look for others nor the levels below the root depend on
the root's quota. A workload that is not NoFit therefore does not become NoFit, if it is considered whole (no minCount)
and what one pod set takes is in no other's way: it has one pod set, or its queue one flavor for each resource.

More cannot be claimed. Kueue serves pod sets one after another: one that found its first flavor too small and took
the second may now take the first, and be in the way of the next. And where whenCanPreempt is MayStopSearch, or the
preference PreemptionOverBorrowing, Kueue may stop at a flavor that used to be too small and in which it has to
preempt now, though a later one fits. So Fit may become Preempt, but only there.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.tree.forest import TreeNode
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.property.asking import plans, state_of_case
from tests.property.changing import quantity_text, with_field, with_object
from tests.property.effort import examples
from tests.property.generate import API, cases

Manifest = dict[str, Any]
Raised = tuple[State, State, int]


def with_more(case: Manifest, root: TreeNode, pair: FlavorResource, more: int) -> Manifest:
    """The case with ``more`` nominal quota at a root; an implicit cohort becomes a declared one."""
    amount = quantity_text(pair.resource, root.quotas[pair].nominal + more if pair in root.quotas else more)
    groups = [
        {
            "coveredResources": [pair.resource],
            "flavors": [{"name": pair.flavor, "resources": [{"name": pair.resource, "nominalQuota": amount}]}],
        }
    ]
    if root.spec is None:
        spec = {"resourceGroups": groups}
        return with_object(case, {"apiVersion": API, "kind": "Cohort", "metadata": {"name": root.name}, "spec": spec})
    if pair in root.spec.paths:
        return with_field(case, root.spec.key, (*root.spec.paths[pair], "nominalQuota"), amount)
    return with_field(case, root.spec.key, ("spec", "resourceGroups"), groups)


def raised(case: Manifest) -> Iterator[Raised]:
    """The state of a case, that with more of one flavor-resource at one root, and the root; of each in turn.

    Once more than anybody asks for, and once just what some workload misses there.
    """
    state = state_of_case(case)
    raises = {(n.id, p, 1 << 33) for n in state.forest.nodes if n.parent is None for p in n.subtree}
    for plan in plans(case):
        queue = plan.nomination.queue
        if queue is not None:
            raises |= {(state.forest.root(queue), b.pair, b.short) for b in plan.bindings}
    for root, pair, more in sorted(raises):
        yield state, state_of_case(with_more(case, state.forest.nodes[root], pair, more)), root


def asking(case: Manifest) -> Iterator[tuple[State, State, Pending, ClusterQueue]]:
    """The workloads that are considered whole and each for itself, with their queue, before and after."""
    for before, after, root in raised(case):
        for workload in before.kueue.pending:
            node = nominate(before, workload).queue
            whole = all(p.min_count is None for p in workload.pod_sets)
            if node is not None and before.forest.root(node) == root and whole:
                queue = before.forest.nodes[node].queue
                if len(workload.pod_sets) == 1 or has_no_choice(queue):
                    yield before, after, workload, queue


def has_no_choice(queue: ClusterQueue) -> bool:
    """Whether there is a single flavor for each resource."""
    return all(len(group.flavors) == 1 for group in queue.groups)


@examples(80)
@given(cases())
def test_nothing_available_falls(case: Manifest) -> None:
    for before, after, _ in raised(case):
        for node in before.forest.nodes:
            for pair in node.subtree:
                assert after.forest.nodes[node.id].name == node.name
                assert after.ledger.available(node.id, pair) >= before.ledger.available(node.id, pair)
                assert after.forest.potential(node.id, pair) >= before.forest.potential(node.id, pair)


@examples(120)
@given(cases())
def test_no_workload_becomes_nofit(case: Manifest) -> None:
    for before, after, workload, _ in asking(case):
        if nominate(before, workload).mode is not Mode.NO_FIT:
            assert nominate(after, workload).mode is not Mode.NO_FIT


@pytest.mark.slow
@examples(120)
@given(cases())
def test_what_fits_still_fits_where_preemption_is_the_last_resort(case: Manifest) -> None:
    for before, after, workload, queue in asking(case):
        fungibility = queue.fungibility
        last = fungibility.when_can_preempt == "TryNextFlavor" or has_no_choice(queue)
        fits = nominate(before, workload).mode is Mode.FIT
        if fits and last and fungibility.preference != "PreemptionOverBorrowing":
            assert nominate(after, workload).mode is Mode.FIT
