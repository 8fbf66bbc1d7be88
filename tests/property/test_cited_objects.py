"""What a decision cites is enough: a snapshot of the cited objects alone decides the same."""

from typing import Any

import pytest
from hypothesis import given

from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.citation import cited_objects, cut_down
from kubectl_fairshare.schedulers.kueue.explain.decision import Plan
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from tests.property.asking import plan_of, plans, state_of_case
from tests.property.changing import key_of, without_objects
from tests.property.effort import examples
from tests.property.generate import cases, configured

Manifest = dict[str, Any]


def decided(plan: Plan) -> tuple[object, ...]:
    """The decision and what it rests on; nodes are numbered anew in a smaller tree."""
    nomination = plan.nomination
    targets = [(t.holder, t.reason, t.trial.law, t.trial.mine, t.trial.theirs) for t in plan.targets]
    limits = (plan.bindings, plan.proof, nomination.refused)
    return (plan.outcome, targets, nomination.assignment, *limits)


@pytest.mark.slow
@examples(150)
@given(cases())
def test_the_cited_objects_decide_the_same(case: Manifest) -> None:
    for snapshot in map(case_snapshot, configured(case)):
        state, engine = state_of(snapshot), KueueEngine()
        for workload in snapshot.part(KueueState).pending:
            plan = engine.plan(snapshot, workload)
            small = cut_down(snapshot, cited_objects(state, plan))

            assert decided(KueueEngine().plan(small, workload)) == decided(plan)


@pytest.mark.slow
@examples(100)
@given(cases())
def test_a_file_of_the_cited_objects_decides_the_same(case: Manifest) -> None:
    state = state_of_case(case)
    for plan in plans(case):
        keys = {key_of(o) for o in case["objects"]}
        small = without_objects(case, keys - {*cited_objects(state, plan)})

        assert decided(plan_of(small, plan.workload)) == decided(plan)


@examples(100)
@given(cases())
def test_nothing_of_another_tree_and_nobody_else_who_waits_is_cited(case: Manifest) -> None:
    state = state_of_case(case)
    nodes = state.forest.nodes
    for plan in plans(case):
        keys = {*cited_objects(state, plan)}
        others = {w.key for w in state.kueue.pending} - {plan.workload.key}
        if plan.nomination.queue is not None:
            root = state.forest.root(plan.nomination.queue)
            foreign = [n for n in nodes if state.forest.root(n.id) != root]
            others |= {n.spec.key for n in foreign if n.spec is not None}
            others |= {h.key for n in foreign if n.is_queue for h in state.holders.of(n.id)}

        assert keys.isdisjoint(others)
