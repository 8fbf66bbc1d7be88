"""Namespaces and quotas that may preempt running pods are those of which a newcomer does: search finds no other.

Newcomers of a grid of sizes and priorities, that no knowledge of quotas went into, are planned on random states; and
each that is said to take a pod is planned, too.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.explain import preemptors as of_quotas
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan as plan_of_quotas
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState, Pod
from kubectl_fairshare.schedulers.elasticquota.model.vector import vector_from
from kubectl_fairshare.schedulers.elasticquota.quotas.state import State, state_of
from kubectl_fairshare.schedulers.koordinator.explain import preemptors as of_runtime
from kubectl_fairshare.schedulers.koordinator.explain.asking import state_in
from kubectl_fairshare.schedulers.koordinator.model.amounts import exact
from kubectl_fairshare.schedulers.koordinator.model.names import QUOTA_NAME
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod as RuntimePod
from kubectl_fairshare.schedulers.koordinator.preemption.possible import possible_evictions
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.koordinator.quotas.state import State as RuntimeState
from kubectl_fairshare.schedulers.koordinator.quotas.state import with_pod
from kubectl_fairshare.schedulers.recording import manifests_of
from kubectl_fairshare.schedulers.turns import newcomers
from kubectl_fairshare.schedulers.turns.newcomers import Request, demand_of
from tests.consistency.states import drawn
from tests.property.effort import ASKED

COUNT = ASKED or 30
LOADS = 200 if ASKED else 60
SIZES = [
    {resource: amount for resource, amount in (("cpu", 250 * cores), ("memory", memory << 30)) if amount}
    for cores, memory in product(range(33), (0, 0, 0, 1, 2, 3, 5, 8))
]


def crowded(objects: list[Any], dice: Random) -> list[Any]:
    """The objects with more that is alike: starts and priorities, and nodes that are full of small pods."""
    running = [each for each in objects if each["kind"] == "Pod" and "nodeName" in each["spec"]]
    for each in running:
        if dice.random() < 0.4:
            each["status"]["startTime"] = "2026-08-01T11:30:00Z"
            each["spec"]["priority"] = 0
    for each in objects:
        if each["kind"] == "Node" and dice.random() < 0.2:
            held = sum(pod["spec"]["nodeName"] == each["metadata"]["name"] for pod in running)
            each["status"]["allocatable"]["pods"] = str(max(1, held))
    return objects


def quota_states(seed: str, count: int) -> Iterator[State]:
    for each in drawn("elasticquota", seed, count):
        objects = crowded(each.objects, Random(each.name))
        yield state_of(assemble(manifests_of(objects, each.name), known_schedulers()).snapshot.part(ElasticQuotaState))


def quota_pod(namespace: str, priority: int, request: Request) -> Pod:
    asked = vector_from(dict(request))
    key = ObjectKey("", "Pod", namespace, "newcomer")
    whole = asked._replace(pods=1)
    return Pod(key, "newcomer", {}, priority, asked, whole, asked, scheduler="capacityscheduler")


def taken_of_quotas(state: State, pod: Pod, node: str) -> Iterator[tuple[ObjectKey, str]]:
    """What a plan of a newcomer takes by some order of equal pods, and by which laws."""
    planned = plan_of_quotas(state, pod, demand_of(node), remedied=False)
    trials = [planned.attempt.trials[name] for name in planned.attempt.preempted_on]
    trials += [end.trial for end in planned.possible if end.trial is not None]
    yield from ((fate.taken.pod.key, str(fate.taken.law)) for trial in trials for fate in trial.victims)


@pytest.mark.slow
def test_a_namespace_is_named_if_a_newcomer_of_it_takes_the_pod() -> None:
    for number, state in enumerate(quota_states("named", COUNT)):
        running = {pod.key: pod for pod in state.source.pods if pod.node and state.ledger.has(pod.namespace)}
        known = of_quotas.takers(state, PreemptorNumbers(), running.values())
        named = {(key, each.queue, each.law) for key, found in known.of.items() for each in found}
        priorities = sorted({each for pod in state.source.pods for each in (pod.priority, pod.priority + 1)})
        ways = list(product(sorted(state.source.quotas), sorted(state.nodes), priorities, SIZES))
        for namespace, node, priority, size in Random(number).sample(ways, min(LOADS, len(ways))):
            taken = taken_of_quotas(state, quota_pod(namespace, priority, size), node)
            found = {(key, namespace, law) for key, law in taken if key in running}
            assert found <= named, (number, found - named)


def test_each_named_namespace_has_a_newcomer_that_takes_the_pod() -> None:
    for number, state in enumerate(quota_states("taken", COUNT)):
        running = [pod for pod in state.source.pods if pod.node]
        known = of_quotas.takers(state, PreemptorNumbers(), running)
        for (key, law), tried in known.newcomers.items():
            for each in tried:
                pod = quota_pod(each.queue, each.priority, each.request)
                assert (key, law) in set(taken_of_quotas(state, pod, each.node)), (number, key, each)
        pairs = {(key, each.law) for key, found in known.of.items() for each in found}
        assert known.doubt or pairs == known.newcomers.keys(), number


def runtime_states(seed: str, count: int) -> Iterator[RuntimeState]:
    for each in drawn("koordinator", seed, count):
        objects = crowded(each.objects, Random(each.name))
        yield state_in(assemble(manifests_of(objects, each.name), known_schedulers()).snapshot)


def quota_member(quota: str, priority: int, request: Request) -> RuntimePod:
    asked = {resource: exact(resource, amount) for resource, amount in request.items()}
    key = ObjectKey("", "Pod", "default", "newcomer")
    return RuntimePod(key, "newcomer", {QUOTA_NAME: quota}, priority, asked, asked, asked)


def taken_of_runtime(state: RuntimeState, pod: RuntimePod, node: str) -> Iterator[tuple[ObjectKey, str]]:
    """What a plan of a newcomer takes by some order of equal pods, and by which law."""
    after = with_pod(state, pod)
    attempt = schedule(after, pod, demand_of(node))
    for way in possible_evictions(after, attempt).results:
        yield from ((victim.key, "koordinator-own-lower") for victim in way.victims)


@pytest.mark.slow
def test_a_quota_is_named_if_a_newcomer_of_it_takes_the_pod() -> None:
    for number, state in enumerate(runtime_states("named", COUNT)):
        running = {pod.key: pod for pod in state.source.pods if pod.node}
        known = of_runtime.takers(state, PreemptorNumbers(), running.values())
        named = {(key, each.queue, each.law) for key, found in known.of.items() for each in found}
        priorities = sorted({each for pod in state.source.pods for each in (pod.priority, pod.priority + 1)})
        quotas = sorted({state.quota_of[key].quota for key in running})
        ways = list(product(quotas, sorted(state.nodes), priorities, SIZES))
        for quota, node, priority, size in Random(number).sample(ways, min(LOADS, len(ways))):
            found = {(k, quota, law) for k, law in taken_of_runtime(state, quota_member(quota, priority, size), node)}
            assert found <= named, (number, found - named, size, priority, node)


def test_each_named_quota_has_a_newcomer_that_takes_the_pod() -> None:
    for number, state in enumerate(runtime_states("taken", COUNT)):
        known = of_runtime.takers(state, PreemptorNumbers(), [pod for pod in state.source.pods if pod.node])
        for (key, law), tried in known.newcomers.items():
            for each in tried:
                listing = dict.fromkeys(state.quotas[each.queue].max, 0)  # the quota is tested in what a pod lists
                forms = (
                    quota_member(each.queue, each.priority, r) for r in (each.request, {**listing, **each.request})
                )
                taken = {found for pod in forms for found in taken_of_runtime(state, pod, each.node)}
                assert (key, law) in taken, (number, key, each)
        pairs = {(key, each.law) for key, found in known.of.items() for each in found}
        pairs = {each for each in pairs if each[1] == "koordinator-own-lower"}
        assert known.doubt or pairs == known.newcomers.keys(), number


def pairs_of(known: newcomers.PodTakers) -> set[tuple[ObjectKey, str, str]]:
    """The pods with the namespaces or quotas that are named for them, and the laws."""
    return {(key, each.queue, each.law) for key, found in known.of.items() for each in found}


def searches(house: str) -> Iterator[Callable[[], newcomers.PodTakers]]:
    """The search for takers of all running pods, for each random state."""
    if house == "elasticquota":
        for state in quota_states("short", COUNT):
            yield partial(of_quotas.takers, state, PreemptorNumbers(), [p for p in state.source.pods if p.node])
    else:
        for other in runtime_states("short", COUNT):
            yield partial(of_runtime.takers, other, PreemptorNumbers(), [p for p in other.source.pods if p.node])


@pytest.mark.parametrize("bound", ["MOST_TRIES", "_MOST_SIZES"])
@pytest.mark.parametrize("house", ["elasticquota", "koordinator"])
def test_a_search_that_is_cut_short_names_no_fewer_and_says_so(
    monkeypatch: pytest.MonkeyPatch, house: str, bound: str
) -> None:
    doubted = 0
    for number, search in enumerate(searches(house)):
        whole = search()
        for most in (0, 3):
            with monkeypatch.context() as patched:
                patched.setattr(newcomers, bound, most)
                cut = search()
            assert pairs_of(whole) <= pairs_of(cut), (number, most)
            assert cut.doubt or pairs_of(cut) == pairs_of(whole), (number, most)
            doubted += bool(cut.doubt)
    assert (
        doubted or bound != "MOST_TRIES"
    )  # the largest newcomer, which is tried first, may take all that can be taken
