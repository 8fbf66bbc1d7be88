"""Each check can fail: a fault that is planted into one answer is a contradiction of its kind."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from kubectl_fairshare.model.quantity import nano
from tests.consistency.accepted import all_after
from tests.consistency.asking import Program, Reply
from tests.consistency.changes import requests_less
from tests.consistency.claims import alone, in_service, later, of_itself, sequences
from tests.consistency.contradictions import contradictions
from tests.consistency.pod_states import node
from tests.consistency.states import HOUSES, State, states, work_of
from tests.sampling import sampled

Document = dict[str, Any]
Fault = Callable[[Document, Sequence[str]], None]
_EXACT: Final[Document] = {"exact": True, "outcomes": 1, "allOutcomes": True, "notModelled": []}
_CHANCE: Final[Document] = {**_EXACT, "exact": False, "outcomes": 2}
_WAITS: Final[Document] = {"outcome": "Waits", "victims": [], "where": ""}
_GETS_IN: Final[Document] = {"outcome": "Preempts", "victims": ["v"], "where": "n"}

_GAP: Final[Document] = {"feature": "x", "touches": True}


def _is_about_the_state(words: Sequence[str]) -> bool:
    return any(word.endswith("/state.json") for word in words)


def _never_now(document: Document, words: Sequence[str]) -> None:
    if _is_about_the_state(words):
        document |= {"outcome": "Never", "inTurn": None, "fidelity": {**document["fidelity"], **_EXACT}}


def _never_then(document: Document, words: Sequence[str]) -> None:
    if not _is_about_the_state(words):
        document |= {"outcome": "Never", "victims": []}


def _other_verdict(document: Document, _: Sequence[str]) -> None:
    if document["kind"] == "Why":
        document["verdict"] = "Running"


def _less_listed(document: Document, _: Sequence[str]) -> None:
    for group in document.get("groups", [])[:1]:
        group["workloads"].pop()


def _one_more_waits(document: Document, _: Sequence[str]) -> None:
    for each in document["quotas"]:
        each["waiting"] += 1


def _one_more_pending(document: Document, _: Sequence[str]) -> None:
    for each in document["queues"]:
        each["pending"] += 1


def _waits(document: Document, _: Sequence[str]) -> None:
    if document["kind"] == "Why":
        document["verdict"] = "Waiting"


def _more_room(document: Document, _: Sequence[str]) -> None:
    for row in document["queues"]:
        row["now"] = {"size": {"value": 10**9, "quantity": "1000000"}}


def _a_difference(document: Document, _: Sequence[str]) -> None:
    document["running"] = [{"object": "somebody"}]


def _last_is_first(document: Document, _: Sequence[str]) -> None:
    for each in document.get("entries", []):
        each["outcome"] = "Never" if each["outcome"] != "Never" else "Admitted"


def _doubted_never(document: Document, _: Sequence[str]) -> None:
    if document["kind"] == "Cycle":
        document["entries"] = [{**each, "outcome": "Never"} for each in document["entries"]]
    elif document["kind"] == "Plan":
        document["outcome"] = "Unknown"


def _two_of_each(document: Document, _: Sequence[str]) -> None:
    for each in document.get("remedies", []):
        each["victims"] += 1


def _inexact(document: Document, _: Sequence[str]) -> None:
    document["fidelity"] = {**_EXACT, "exact": False}


FAULTS: Final[list[Any]] = [
    ("elasticquota", "plan", "plan-why-never", _never_now),
    ("elasticquota", "plan", "never-refuted", _never_now),
    ("elasticquota", "plan", "waits-forever", _never_then),
    ("elasticquota", "plan", "remedy-fails", _never_then),
    ("elasticquota", "plan", "remedy-fails", _two_of_each),
    ("elasticquota", "plan", "of-itself", _never_then),
    ("elasticquota", "why", "why-list-verdict", _other_verdict),
    ("elasticquota", "why", "not-listed", _less_listed),
    ("elasticquota", "why", "of-itself", _inexact),
    ("elasticquota", "shares", "shares-pending", _one_more_waits),
    ("elasticquota", "capacity", "capacity-now", _more_room),
    ("elasticquota", "diff", "diff-itself", _a_difference),
    ("kai", "why", "not-listed", _less_listed),
    pytest.param("kai", "why", "running-waits", _waits, marks=pytest.mark.slow),
    ("kai", "shares", "shares-pending", _one_more_pending),
    pytest.param("kai", "plan", "waits-forever", _never_then, marks=pytest.mark.slow),
    ("kueue", "cycle,plan", "cycle-never-unknown", _doubted_never),
    pytest.param("kueue", "cycle", "cycle-plan-never", _last_is_first, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("house", "command", "kind", "fault"), sampled(FAULTS, 4))
def test_a_planted_fault_is_seen(
    house: str, command: str, kind: str, fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Program._reply

    def reply(self: Program, words: Sequence[str], *, as_json: bool) -> Reply:
        found = whole(self, words, as_json=as_json)
        if words[0] in command.split(",") and found.document:
            fault(found.document, words)
        return found

    monkeypatch.setattr(Program, "_reply", reply)
    for state in states(house, "planted", 24):
        if any(found.kind == kind for found in contradictions(state, tmp_path)):
            return
    raise AssertionError(f"{kind} was not found")


@pytest.mark.slow
def test_a_page_that_counts_one_more_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Program._reply

    def reply(self: Program, words: Sequence[str], *, as_json: bool) -> Reply:
        found = whole(self, words, as_json=as_json)
        text = re.sub(r"(\d+)( pending)", lambda m: f"{int(m[1]) + 1}{m[2]}", found.text)
        return found._replace(text=text)

    monkeypatch.setattr(Program, "_reply", reply)
    state = next(states("elasticquota", "planted", 1))
    assert "report-count" in {found.kind for found in contradictions(state, tmp_path)}


@pytest.mark.parametrize(
    ("code", "document", "text"),
    [
        (70, {}, "exit 70"),
        (0, {"kind": "Plan", "outcome": "Waits", "fidelity": _EXACT}, "exit 0 for Waits"),
        (5, {"kind": "Plan", "outcome": "Unknown", "fidelity": _EXACT}, "Unknown, exact"),
        (5, {"kind": "Plan", "outcome": "Unknown", "fidelity": _CHANCE}, "unknown by chance"),
        (5, {"kind": "Plan", "outcome": "Unknown", "fidelity": _CHANCE, "possible": [_WAITS, _GETS_IN] * 2}, ""),
        (4, {"kind": "Plan", "outcome": "Waits", "fidelity": _CHANCE, "possible": [_WAITS, _GETS_IN]}, "and possible"),
        (0, {"kind": "Cycle", "fidelity": {**_EXACT, "exact": False}}, "no reason"),
        (
            0,
            {"kind": "Cycle", "fidelity": {**_EXACT, "notModelled": [{"feature": "x", "touches": True}]}},
            "can change",
        ),
    ],
)
def test_an_answer_that_contradicts_itself_is_seen(code: int, document: Document, text: str) -> None:
    found = list(of_itself(("plan", "-f"), Reply(code, document, "", "")))
    assert [text in each for each in found] == [True] * bool(text), found
    assert list(of_itself(("cycle", "-f"), Reply(0, {"kind": "Cycle", "fidelity": _EXACT}, "", ""))) == []


def test_a_sequence_of_ends_leaves_nothing() -> None:
    for house in HOUSES:
        for state in states(house, "sequences", 4):
            *_, (last, _) = sequences(state, Random(state.name))
            left = [each for each in last.objects if each["kind"] in ("Workload", "PodGroup", "Pod")]
            assert left == []
            assert {work_of(each) for each in alone(state).running} == set()


def test_nodes_are_in_service_where_what_waits_is_to_run() -> None:
    made = node(0, Random("in service"), gpus=False)
    lasting = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
    made["spec"] = {"unschedulable": True, "taints": [{"key": "node.kubernetes.io/not-ready", "effect": "x"}, lasting]}
    made["status"]["conditions"] = [{"type": "Ready", "status": "False"}, {"type": "DiskPressure", "status": "False"}]
    for state in (in_service(State("elasticquota", "s", [made])), next(later(State("elasticquota", "s", [made]), "a"))):
        (found,) = state.objects
        assert found["spec"] == {"unschedulable": False, "taints": [lasting]}
        assert [each["status"] for each in found["status"]["conditions"]] == ["True", "False"]


@pytest.mark.parametrize(
    ("containers", "init", "before", "after", "left"),
    [
        (["2"], [], "2", "500m", ["500m"]),
        (["2", "1"], [], "3", "1500m", ["500m", "1"]),
        (["2"], [("3", "")], "3", "1", ["1", "1"]),
        (["2"], [("3", "Always")], "5", "4", ["2", "2"]),
        (["1"], [("1", "Always"), ("3", "")], "4", "3", ["1", "1", "2"]),
        (["2"], [], "3", "1", None),
    ],
)
def test_a_smaller_request_of_a_pod_is_that_of_its_containers(
    containers: list[str], init: list[tuple[str, str]], before: str, after: str, left: list[str] | None
) -> None:
    """Kubernetes' ``PodRequests``: the containers with the sidecars, or an init container with the ones before it."""
    claims: list[dict[str, Any]] = [{"resources": {"requests": {"cpu": cpu}}} for cpu in containers]
    starting = [{"resources": {"requests": {"cpu": cpu}}, "restartPolicy": policy} for cpu, policy in init]
    done = requests_less({"containers": claims, "initContainers": starting}, "cpu", nano(before), nano(after))
    asked = [nano(each["resources"]["requests"]["cpu"]) for each in (*claims, *starting)]
    assert (asked if done else None) == (None if left is None else [nano(each) for each in left])


def test_a_limit_of_a_resource_with_dots_is_carried_out() -> None:
    quota = {"kind": "ElasticQuota", "metadata": {"name": "q", "namespace": "a"}, "spec": {"max": {"cpu": "1"}}}
    pod = {"kind": "Pod", "metadata": {"name": "p", "namespace": "a"}, "spec": {}}
    place = {"object": "ElasticQuota a/q", "field": "spec.max"}
    change = {"kind": "max", "resource": "nvidia.com/gpu", "before": None, "after": 2, "place": place}
    after = all_after([quota, pod], [pod], {"changes": [change]})
    assert after is not None
    assert after[0]["spec"] == {"max": {"cpu": "1", "nvidia.com/gpu": "2"}}


def test_a_smaller_part_of_a_gpu_is_carried_out_in_the_pods_that_request_it() -> None:
    """Pods of another size keep theirs, and so does a pod without the annotation."""
    halves = {"a": {"gpu-fraction": "0.50"}, "b": {"gpu-fraction": "0.5"}, "c": {"gpu-fraction": "0.7"}, "d": {}}
    pods = [
        {"kind": "Pod", "metadata": {"name": name, "namespace": "x", "annotations": of}, "spec": {"containers": [{}]}}
        for name, of in halves.items()
    ]
    place = {"object": "Pod x/a", "field": "metadata.annotations[gpu-fraction]"}
    change = {"resource": "gpu-fraction", "before": 0.5, "after": 0.25, "bound": "", "place": place}
    after = all_after(pods, pods, {"kind": "request", "changes": [change]})
    assert after is not None
    assert [each["metadata"]["annotations"].get("gpu-fraction") for each in after] == ["0.25", "0.25", "0.7", None]
    asked = {**change, "resource": "cpu", "place": {**place, "field": "spec.containers[0].resources.requests.cpu"}}
    assert all_after(pods, pods, {"kind": "request", "changes": [asked]}) is None


def test_a_smaller_request_of_a_workload_is_that_of_the_container_that_has_it() -> None:
    spec = {"containers": [{"name": "side"}, {"name": "main", "resources": {"requests": {"cpu": "2"}}}]}
    work = [{"kind": "Workload", "metadata": {}, "spec": {"podSets": [{"name": "m", "template": {"spec": spec}}]}}]
    remedy = {"change": "request", "podSet": "m", "resource": "cpu", "afterQuantity": "1"}
    (after,) = all_after(work, work, remedy) or []
    containers = after["spec"]["podSets"][0]["template"]["spec"]["containers"]
    assert [each.get("resources") for each in containers] == [None, {"requests": {"cpu": "1"}}]
