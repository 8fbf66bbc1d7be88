"""What pods hold in session after session: no shared GPU has more than its memory, no node more GPUs than it has."""

from collections import Counter
from random import Random

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.model.objects import GpuKind, KaiState, Phase
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.solver.moves import after_moves, pod_moves
from tests.unit.schedulers.kai.solver.scenes import Json, job, layer, node, pod, queue


def _overdrawn(state: KaiState) -> list[str]:
    """The nodes and shared GPUs that hold more than they have."""
    whole, parts = Counter[str](), dict[tuple[str, str], float]()
    for each in state.pods:
        if each.phase is not Phase.RUNNING:
            continue
        if each.gpu.kind is GpuKind.WHOLE:
            whole[each.node] += int(each.request.gpu)
        groups = each.groups if each.gpu.kind is GpuKind.FRACTION else ()
        assert len(set(groups)) == len(groups) == (each.gpu.devices if each.gpu.kind is GpuKind.FRACTION else 0)
        for group in groups:
            parts[each.node, group] = parts.get((each.node, group), 0.0) + each.gpu.portion
    whole.update(at for at, _ in parts)
    found = [group for (_, group), held in parts.items() if held > 1 + 1e-9]
    return found + [each.name for each in state.nodes if whole[each.name] > each.allocatable.gpu]


def _waiting_pod(dice: Random, name: str, number: int, gpus: float) -> Json:
    made = pod(name, number, gpus)
    if gpus < 1 and dice.random() < 0.3:
        made["metadata"]["annotations"]["gpu-fraction-num-devices"] = "2"
    return made


@pytest.mark.parametrize("seed", range(40))
def test_later_sessions_share_other_gpus_and_keep_what_pods_hold(seed: int) -> None:
    dice = Random(seed)
    nodes = [node(f"n{number}", dice.randint(1, 3)) for number in range(2)]
    jobs = []
    for number in range(8):
        name, gpus = f"j{number}", dice.choice((0.3, 0.5, 0.6, 1, 1, 2))
        pods = [_waiting_pod(dice, name, each, gpus) for each in range(dice.randint(1, 2))]
        jobs.append(job(name, dice.choice("ab"), *pods))
    whole = layer([*nodes, queue("a"), queue("b")], *jobs).ground.session.state
    coming = list(whole.pod_groups)
    dice.shuffle(coming)
    state = replace(whole, pod_groups=(), pods=())
    while coming:
        come = [coming.pop() for _ in range(min(2, len(coming)))]
        ended = {group.name for group in state.pod_groups if dice.random() < 0.2}
        groups = [*(group for group in state.pod_groups if group.name not in ended), *come]
        known = {each.key: each for each in state.pods}
        names = {group.name for group in groups}
        there = tuple(known.get(each.key, each) for each in whole.pods if each.group in names)
        state = replace(state, pod_groups=tuple(groups), pods=there)
        state = after_moves(state, pod_moves(open_session(state)))
        assert not _overdrawn(state)


SHARED = {"gpu-fraction-num-devices": "2", "received-resource-type": "Fraction"}
CHOSEN = {
    "apiVersion": "scheduling.run.ai/v1alpha2",
    "kind": "BindRequest",
    "metadata": {"name": "r-0", "namespace": "team"},
    "spec": {"podName": "r-0", "selectedNode": "n0", "selectedGPUGroups": ["g1", "g2"]},
    "status": {"phase": "Succeeded"},
}


@pytest.mark.parametrize(
    ("labels", "chosen", "outcome", "missing"),
    [
        ({"runai-gpu-group/g1": "g1", "runai-gpu-group/g2": "g2"}, [CHOSEN], Outcome.WAITS, False),
        ({"runai-gpu-group/g1": "g1", "runai-gpu-group/g2": "g2"}, [], Outcome.UNKNOWN, True),
        ({"runai-gpu-group": "g1", "runai-gpu-group/g2": "g2"}, [], Outcome.WAITS, False),
    ],
    ids=["as the binder labels, with its request", "without it", "as the scheduler looks for"],
)
def test_what_a_pod_on_several_shared_gpus_holds_is_known_by_its_bind_request(
    labels: dict[str, str], chosen: list[Json], outcome: Outcome, *, missing: bool
) -> None:
    runs = pod("r", 0, 0.6, "n0", labels=labels)
    runs["metadata"]["annotations"] |= SHARED
    state = layer([node("n0", 2), queue("a"), *chosen], job("r", "a", runs), job("w", "a", pod("w", 0, 0.6)))
    session = state.ground.session
    found = plan(replace(session, state=replace(session.state, complete=False)), "w")
    assert found.outcome is outcome
    assert ("BindRequest team/r-0" in {gap.subject for gap in found.fidelity.gaps}) is missing


def test_an_evicted_pod_keeps_no_shared_gpu_of_its_labels() -> None:
    runs = pod("r", 0, 0.5, "n0", labels={"runai-gpu-group": "g1"})
    urgent = job("w", "a", *(pod("w", each, 1) for each in range(2)), priority="build-preemptible", minMember=2)
    first = layer([node("n0", 2), queue("a")], job("r", "a", runs), urgent)
    moves = pod_moves(first.ground.session)
    assert [key.name for key in moves.evicted] == ["r-0"]
    assert {each.key.name: each.groups for each in first.ground.session.state.pods}["r-0"] == ("g1",)
    after = after_moves(first.ground.session.state, moves)
    assert {each.key.name: each.groups for each in after.pods}["r-0"] == ()


def test_a_device_with_a_long_number_is_no_name_that_a_session_made() -> None:
    runs = pod("r", 0, 0.6, "n0", labels={"runai-gpu-group": f"new-{'9' * 5000}"})
    first = layer([node("n0", 2), queue("a")], job("r", "a", runs), job("w", "a", pod("w", 0, 0.6)))
    assert plan(first.ground.session, "w").outcome is Outcome.ADMITTED


@pytest.mark.parametrize("value", [5, ["a"], {"a": 1}])
def test_a_label_that_is_no_text_is_an_error(value: object) -> None:
    runs = pod("r", 0, 0.6, "n0", labels={"runai-gpu-group": "g1", "runai-gpu-group/g2": value})
    with pytest.raises(FairshareError, match="must be a string"):
        layer([node("n0", 2), queue("a")], job("r", "a", runs))
