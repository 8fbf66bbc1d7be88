"""Queues that may preempt running work are those of which a newcomer does: no other size and priority finds another.

Newcomers of a grid of sizes, that no knowledge of quotas went into, are decided as heads of their queues.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.selectors import Requirement, Toleration
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.explain.preemptors.newcomers import Taking, law_of
from kubectl_fairshare.schedulers.kueue.explain.preemptors.takers import takers
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.property.asking import state_of_case
from tests.property.effort import examples
from tests.property.generate import CONFIGS, Manifest, cases

_UNIT = {"cpu": 250, "memory": 1 << 28}
_UNITS = 32
_SOME = (1, 2, 3, 4, 6, 8, 12)
_NEW, _OLD = 1 << 62, -1


def ages(state: State) -> Iterator[tuple[int, int]]:
    """Priorities and queue timestamps: above, equal to and below those of running work."""
    known = sorted({holder.priority for holder in state.kueue.holders})
    for priority in known:
        yield from ((priority + 1, _NEW), (priority, _OLD), (priority, _NEW))
    yield known[0] - 1, _NEW


def pods(state: State, queue: str, pair: FlavorResource, size: int, *, alone: bool) -> PodSet:
    """Pods that ask for one resource: in one flavor ``alone``, as far as its labels and taints allow, or in any."""
    flavors = state.kueue.flavors
    count, requests = (size, {}) if pair.resource == "pods" else (1, {pair.resource: size})
    everything = (Toleration(operator="Exists"),)
    if not alone:
        return PodSet(f"{pair.flavor}-{pair.resource}", count, requests, tolerations=everything)
    others = next(g.flavors for g in state.kueue.cluster_queues[queue].groups if pair.resource in g.covered)
    keys = sorted({key for name in others for key in flavors[name].node_labels})
    mine = flavors[pair.flavor]
    selector = tuple(Requirement(key, "In", (mine.node_labels.get(key, "-"),)) for key in keys)
    tolerations = tuple(Toleration(taint.key, "Equal", taint.value, taint.effect) for taint in mine.node_taints)
    name = f"{pair.flavor}-{pair.resource}"
    return PodSet(name, count, requests, node_selector=selector, tolerations=tolerations)


def loads(state: State, queue: str, dice: Random) -> Iterator[tuple[PodSet, ...]]:
    """One flavor-resource in all sizes of a grid, then two and three of them in some."""
    groups = state.kueue.cluster_queues[queue].groups
    pairs = [FlavorResource(flavor, r) for group in groups for flavor in group.flavors for r in group.covered]
    for pair in pairs:
        unit, most = _UNIT.get(pair.resource, 1), state.forest.potential(state.forest.queue_ids[queue], pair)
        for size in range(unit, min(most, unit * _UNITS) + 1, unit):
            less = {0, unit // 2, unit - 1} if state.fair else {0}
            yield from ((pods(state, queue, pair, size - each, alone=True),) for each in less if each < size)
    for several in (*combinations(pairs, 2), *combinations(pairs, 3)):
        for _ in range(6):
            sizes = [_UNIT.get(pair.resource, 1) * dice.choice(_SOME) for pair in several]
            asked = zip(several, sizes, strict=True)
            yield tuple(pods(state, queue, pair, size, alone=dice.random() < 0.8) for pair, size in asked)


def taken(state: State, queue: str, dice: Random) -> Iterator[Taking]:
    """What newcomers of a queue preempt."""
    key = ObjectKey("kueue.x-k8s.io", "Workload", "team-a", "newcomer")
    asked = list(loads(state, queue, dice))
    for priority, queued in ages(state):
        for pod_sets in asked:
            for found in scan(state, Pending(key, "u", f"lq-{queue}", priority, queued, queued, pod_sets)):
                if found.admits and found.search is not None:
                    yield from ((t.holder.key, law_of(t.trial.law)) for t in found.search.targets)


@pytest.mark.slow
@examples(120)
@given(case=cases(odd=False), config=st.sampled_from([CONFIGS[0], CONFIGS[0], *CONFIGS[2:]]))
def test_a_queue_is_named_if_a_newcomer_of_it_preempts(case: Manifest, config: Manifest) -> None:
    state = state_of_case({**case, "config": config})
    if not state.kueue.holders:
        return
    named = takers(state, PreemptorNumbers(), state.kueue.holders)
    for queue, node in state.forest.queue_ids.items():
        known = {(key, each.law) for key, found in named.of.items() for each in found if each.queue == queue}
        found = set(taken(state, queue, Random(queue))) if state.is_active(node) else set()
        assert found <= known, (queue, found - known)
