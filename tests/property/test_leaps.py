"""A classical search that leaps over candidates finds the targets of one that looks at each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.schedulers.kueue.laws import Preemptor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.preemption.classical import ClassicalSearch, classical_targets
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.bench.organisation import Organisation, Size, classical
from tests.property.asking import state_of_case
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases, crowded
from tests.property.test_alike import read_manifests
from tests.property.test_foresight import preemptors


def check(state: State, asking: Preemptor) -> bool:
    """Whether the search leaps over something; its result is that of the law."""
    by_law = ClassicalSearch(state, asking, None, leaps=False).run()
    leaping = ClassicalSearch(state, asking, None, leaps=True).run()
    assert (leaping.targets, leaping.put_back, leaping.left is None) == (
        by_law.targets,
        by_law.put_back,
        by_law.left is None,
    )
    assert leaping.left is None or by_law.left is None or leaping.left.equals(by_law.left)
    assert classical_targets(state, asking) == by_law
    return len(leaping.trials) < len(by_law.trials)


@examples(240)
@given(case=cases(), config=st.sampled_from(CONFIGS[:1]), times=st.sampled_from((1, 3)))
def test_searches_that_leap_find_the_same(case: Manifest, config: Manifest, times: int) -> None:
    state = state_of_case(crowded({**case, "config": config}, times))
    for asking in preemptors(state):
        check(state, asking)


@pytest.mark.slow
def test_searches_leap_in_a_full_organisation() -> None:
    made = classical(Organisation(Size(queues=60, cohorts=8, running=600, departments=2)).objects(heads=True))
    state = state_of(read_manifests(made))
    cpu = FlavorResource("reserved", "cpu")
    asked = [
        Preemptor(queue, 50, 1 << 62, frozenset((cpu,)), {cpu: pods * 8_000})
        for queue in state.forest.queue_ids.values()
        for pods in (4, 64)
    ]
    assert sum(check(state, each) for each in asked) > 20
