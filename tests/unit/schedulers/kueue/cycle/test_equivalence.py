"""Which workloads Kueue sets aside together: those with equal priority and pods, as they are written."""

from typing import Any

import pytest

from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.equivalence import Equivalence
from kubectl_fairshare.schedulers.kueue.cycle.play import Play
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from tests.unit.schedulers.kueue.build import holder, pending, queue, state


def written(name: str, spec: dict[str, Any]) -> tuple[Pending, Manifest]:
    """A workload with the pod spec that it was read from."""
    workload = pending(name, "a", 2)
    (pods,) = workload.pod_sets
    return (
        replace(workload, pod_sets=(replace(pods, path=("spec",)),)),
        Manifest(workload.key, "v1beta2", {"spec": spec}, Origin("", 0)),
    )


def are_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    pairs = [written("one", one), written("other", other)]
    given = state(queue("a", None, 4))
    manifests = {each.key: each for _, each in pairs}
    of = Equivalence(given.of_snapshot(replace(given.snapshot, manifests=manifests)))
    return of.number(pairs[0][0]) == of.number(pairs[1][0])


# computeSchedulingHash: SpecShape has requests and ports of containers, not their images; quantities are canonical.
@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"cpu": "1"}, {"cpu": "1000m"}, True),
        ({"cpu": "1"}, {"cpu": "2"}, False),
    ],
)
def test_quantities_are_compared_by_their_amount(one: dict[str, str], other: dict[str, str], equal: bool) -> None:
    specs = ({"containers": [{"resources": {"requests": each}}]} for each in (one, other))
    assert are_equal(*specs) is equal


def test_images_do_not_count_and_ports_and_the_number_of_containers_do() -> None:
    assert are_equal({"containers": [{"image": "a"}]}, {"containers": [{"image": "b"}]})
    assert not are_equal({"containers": [{}]}, {"containers": [{"ports": [{"containerPort": 1}]}]})
    assert not are_equal({"containers": [{}]}, {"containers": [{}, {}]})
    assert not are_equal({"containers": [{}], "initContainers": [{}]}, {"containers": [{}, {}]})
    assert not are_equal({"runtimeClassName": "a"}, {"runtimeClassName": "b"})


def _cycles(given: State) -> int:
    play = Play(given, waiting(given), 1000, lambda _: None)
    assert play.rest(50)
    return play.cycles


def test_equal_workloads_are_set_aside_in_one_cycle_and_without_the_gate_one_by_one() -> None:
    """handleInadmissibleHash moves all of the hash out of the heap."""
    given = state(queue("a", None, 4), holder("r", "a", 3), *(pending(f"w{i}", "a", 2, queued=i) for i in range(4)))
    assert _cycles(given) == 2
    kueue = replace(given.kueue, configuration=replace(given.configuration, equal_together=False))
    assert _cycles(given.of_snapshot(given.snapshot.with_part(kueue))) == 5
