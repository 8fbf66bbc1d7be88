"""Smaller requests and lower minimums with which a job gets in: the largest of each way."""

from pathlib import Path

import pytest

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.explain.decision import Plan, RemedyKind
from kubectl_fairshare.schedulers.kai.explain.planning import plan
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Phase, SubGroup
from kubectl_fairshare.schedulers.kai.session.session import open_session
from kubectl_fairshare.schedulers.kai.words.remedy_clauses import change_clause
from tests.unit.schedulers.kai.build import group, node, pod, queue, session, snapshot_of
from tests.unit.schedulers.kai.inputs import NODES, running, stored_pod, waiting
from tests.unit.schedulers.kai.inputs import queue as stored_queue


def planned(folder: Path, *texts: str) -> Plan:
    path = folder / "state.yaml"
    path.write_text("".join((NODES, *texts)), encoding="utf-8")
    return plan(open_session(snapshot_of(str(path)).part(KaiState)), "w")


def sizes(found: Plan, field: str, kind: RemedyKind = RemedyKind.REQUEST) -> list[tuple[float | None, Outcome]]:
    of_kind = [remedy for remedy in found.remedies if remedy.kind is kind]
    return [(change.after, r.outcome) for r in of_kind for change in r.changes if change.field == field]


GPU = "nvidia.com/gpu"


def test_the_largest_number_of_gpus_that_a_node_has_is_found(tmp_path: Path) -> None:
    """One GPU is idle on n1, two on n2, which has three once a pod moves; the queue may reclaim nothing."""
    found = planned(tmp_path, stored_queue("a", 0), stored_queue("b", 8), running(5), waiting(4))
    assert sizes(found, GPU) == [(2, Outcome.ADMITTED), (3, Outcome.PREEMPTS)]
    assert sizes(found, "cpu") == []
    remedy, larger = (each for each in found.remedies if each.kind is RemedyKind.REQUEST)
    assert change_clause(remedy) == "request 2 GPU instead of 4"
    assert (larger.victims, larger.moved) == (0, 1)


def test_a_larger_request_after_evictions_is_one_more_remedy(tmp_path: Path) -> None:
    """One GPU is idle; the queue is entitled to two."""
    found = planned(tmp_path, stored_queue("a", 2), stored_queue("b", 6), running(7), waiting(4))
    assert sizes(found, GPU) == [(1, Outcome.ADMITTED), (2, Outcome.PREEMPTS)]


def test_all_equal_pods_that_wait_request_less(tmp_path: Path) -> None:
    """Both pods must start: with two GPUs each there is room on n2 alone."""
    second = stored_pod("v", 3).replace("pod-group-name: v", "pod-group-name: w")
    both = waiting(3).replace("minMember: 1", "minMember: 2") + second
    found = planned(tmp_path, stored_queue("a", 0), stored_queue("b", 8), running(4), both)
    assert sizes(found, GPU) == [(2, Outcome.ADMITTED)]
    (remedy,) = (each for each in found.remedies if each.kind is RemedyKind.REQUEST)
    assert change_clause(remedy) == "request 2 GPU instead of 3 in each of its 2 pods that wait"


def test_pods_that_change_alone_are_named_where_others_request_the_same(tmp_path: Path) -> None:
    """Two GPUs are idle on n1, three on n2: one of the two pods is to request two; they differ in cpu."""
    second = stored_pod("v", 3).replace("pod-group-name: v", "pod-group-name: w").replace('cpu: "1"', 'cpu: "2"')
    both = waiting(3).replace("minMember: 1", "minMember: 2") + second
    found = planned(tmp_path, stored_queue("a", 0), stored_queue("b", 8), running(3), both)
    clauses = {change_clause(each) for each in found.remedies if each.kind is RemedyKind.REQUEST}
    assert clauses == {f"request 2 GPU instead of 3 in {name}, not in other pods" for name in ("v", "w")}


@pytest.mark.parametrize(
    ("annotation", "amount", "idle"), [("gpu-fraction", "0.75", 0.4), ("gpu-memory", "30000", 15_900.0)]
)
def test_a_smaller_part_of_a_gpu_is_found(annotation: str, amount: str, idle: float, tmp_path: Path) -> None:
    """Every GPU but one is in use, and of that one another pod has 60 % (24,000 of 40,000 MiB)."""

    def part(name: str, queue_name: str, text: str, value: str, group_label: str = "") -> str:
        made = (
            waiting(1, queue_name, name=name)
            .replace(', nvidia.com/gpu: "1"', "")
            .replace(
                f"annotations: {{pod-group-name: {name}}}",
                f'annotations: {{pod-group-name: {name}, {text}: "{value}"}}',
            )
        )
        if group_label:
            made = made.replace("uid: s-pod,", f"uid: s-pod, labels: {{runai-gpu-group: {group_label}}},")
            made = made.replace("  containers:", "  nodeName: n2\n  containers:").replace("Pending", "Running")
        return made

    shared = part("s", "b", "gpu-fraction", "0.6", "g")
    found = planned(
        tmp_path, stored_queue("a", 0), stored_queue("b", 8), running(7), shared, part("w", "a", annotation, amount)
    )
    assert found.outcome is Outcome.WAITS
    ((size, outcome),) = sizes(found, annotation)
    assert outcome is Outcome.ADMITTED
    assert size == pytest.approx(idle, rel=0.01)


def test_a_container_is_named_where_a_pod_has_several(tmp_path: Path) -> None:
    sidecar = "\n  - {name: side, image: i, resources: {requests: {cpu: 500m}}}\nstatus:"
    job = waiting(4).replace("\nstatus:", sidecar)
    found = planned(tmp_path, stored_queue("a", 0), stored_queue("b", 8), running(5), job)
    remedy, _ = (each for each in found.remedies if each.kind is RemedyKind.REQUEST)
    assert change_clause(remedy) == "request 2 GPU instead of 4 in container c"


def test_cpu_is_found_to_a_thousandth_of_a_core(tmp_path: Path) -> None:
    """Each node has 32 cores, of which pods with one each have three on n1 and two on n2, which one can leave."""
    job = waiting(1).replace('cpu: "1"', 'cpu: "40"')
    found = planned(tmp_path, stored_queue("a", 0), stored_queue("b", 8), running(5), job)
    assert found.outcome is Outcome.NEVER
    assert sizes(found, "cpu") == [(30_000, Outcome.ADMITTED), (31_000, Outcome.PREEMPTS)]


def test_the_largest_minimum_is_found_among_many_pods() -> None:
    pods = [pod("run", 0, 3), *(pod("w", i, phase=Phase.PENDING) for i in range(30))]
    found = plan(session([queue("q")], [group("run", "q"), group("w", "q", minimum=30)], pods, [node(amount=23)]), "w")
    assert sizes(found, "minMember", RemedyKind.PODS) == [(20, Outcome.ADMITTED)]


@pytest.mark.parametrize(
    ("least", "idle", "expected"), [((1, 4), 3, [("b", 2)]), ((4, 4), 5, [("a", 1)]), ((4, 4), 3, [("a", 2), ("b", 1)])]
)
def test_one_sub_group_is_cut_where_that_is_enough(
    least: tuple[int, int], idle: int, expected: list[tuple[str, float]]
) -> None:
    sub_groups = tuple(SubGroup(name, None, number, None) for name, number in zip("ab", least, strict=True))
    wait = [
        pod("w", 10 * n + i, 1, phase=Phase.PENDING, sub_group=each.name)
        for n, each in enumerate(sub_groups)
        for i in range(each.min_member or 0)
    ]
    job = replace(group("w", "q"), sub_groups=sub_groups)
    found = plan(session([queue("q")], [group("run", "q"), job], [pod("run", 0, 8 - idle), *wait]), "w")
    (remedy,) = (each for each in found.remedies if each.kind is RemedyKind.PODS)
    assert [(change.to, change.after) for change in remedy.changes] == expected
